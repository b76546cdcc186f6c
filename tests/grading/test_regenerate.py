import ast

import pytest

from shipbar import config
from shipbar.errors import SuiteError, UserError
from shipbar.grading.regenerate import Regenerated, regenerate, with_count, write
from shipbar.grading.tasks import load_task
from tests.grading.authoring import (
    PROBES,
    SUITE,
    asking,
    contents,
    edit,
    new_task,
    public,
    sandbox,
)
from tests.repository import ROOT

KINDS = """\
import collections
import datetime
import enum
from decimal import Decimal
from fractions import Fraction


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


Point = collections.namedtuple("Point", "x y")
AGE = datetime.timedelta(days=2, seconds=1)
THEN = datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)
ALL = {
    "numbers": [0, -1, 1.5, -0.0, float("inf"), 2j, 10**30, True, None],
    "texts": ["", "\\u00e9\\n", 'a"b', "it's", b"\\x00\\xff"],
    "exact": [Decimal("1.10"), Fraction(1, 3)],
    "moments": [THEN, THEN.date(), AGE],
    "groups": [(), (1,), {1, 2}, frozenset(), {(1, 2): [3]}, range(3)],
    "own": [Colour.RED, Level.LOW, Point(1, 2)],
    "long": "a line\\n" * 30,
}


class Hidden(StripFault):
    pass


class Private(Exception):
    pass


def fail(error, *words):
    raise error(*words)
"""


def made(folder) -> Regenerated:
    return regenerate(folder, sandbox(), config.current().work)


def refusal(folder) -> str:
    """What regenerating says, having changed nothing."""
    before = contents(folder)
    with pytest.raises(SuiteError) as caught:
        made(folder)
    assert contents(folder) == before
    return str(caught.value)


def asked(tmp_path, expression: str, *arrange: str, head: str = "", code: str = KINDS):
    text = "import strips\n" + head
    text += "\n\ndef probe_a_1():\n"
    text += "".join(f"    {line}\n" for line in arrange) + f"    return {expression}\n"
    return asking(tmp_path, text, code)


@pytest.mark.parametrize("task", ["check-character-36", "scaffold"])
def test_the_suites_that_we_ship_are_what_their_probes_give(tmp_path, task):
    folder = new_task(tmp_path) if task == "scaffold" else ROOT / "examples" / task
    found = made(folder)
    assert not found.changed
    assert not found.miscounted


def test_every_run_gives_the_same_bytes(tmp_path):
    folder = asked(tmp_path, "[strips.ALL, {'a', 'b', 'c'}]")
    public(folder, "Colour", "Level")
    assert made(folder).text == made(folder).text


def test_all_kinds_of_plain_data_are_frozen_and_readable(tmp_path):
    folder = asked(tmp_path, "strips.ALL")
    public(folder, "Colour", "Level")
    found = made(folder)
    write(found, set_count=True)
    (case,) = load_task(folder).suite.cases
    assert case.id == f"{SUITE}::test_a_1"
    assert max(map(len, found.text.splitlines())) <= 88
    assert "from decimal import Decimal\nfrom fractions import Fraction\n" in found.text
    assert "strips.Colour.RED" in found.text


@pytest.mark.parametrize(
    ("expression", "assertion"),
    [
        ("strips.count('') == 0", "assert (strips.count('') == 0) is True"),
        ("1, strips.count('')", "assert (1, strips.count('')) == (1, 0)"),
        ("[].append(1)", "assert [].append(1) is None"),
        ("(lambda: 3)() or 1", "assert ((lambda: 3)() or 1) == 3"),
        ("1 if strips else 2", "assert (1 if strips else 2) == 1"),
        ("(1), (2)", "assert ((1), (2)) == (1, 2)"),
        (
            "[\n        1,\n        2,\n    ]",
            "assert [\n        1,\n        2,\n    ] == [1, 2]",
        ),
    ],
)
def test_the_expression_stays_as_it_was_written(tmp_path, expression, assertion):
    assert f"    {assertion}\n" in made(asked(tmp_path, expression)).text


def test_comments_and_arrange_lines_are_kept(tmp_path):
    folder = asked(
        tmp_path,
        "total  # the sum",
        '"""What it is about."""',
        "total = 0",
        "# one by one",
        "for sign in '||':",
        "    total += strips.count( sign )",
    )
    assert made(folder).text.endswith(
        "def test_a_1() -> None:\n"
        '    """What it is about."""\n'
        "    total = 0\n"
        "    # one by one\n"
        "    for sign in '||':\n"
        "        total += strips.count( sign )\n"
        "    # the sum\n"
        "    assert total == 14\n"
    )


def test_an_unusual_layout_is_written_anew(tmp_path):
    folder = asking(
        tmp_path,
        "import strips\n\ndef probe_a_1(): total = 1; return strips.count('|') + total\n",
    )
    assert made(folder).text.endswith(
        "def test_a_1() -> None:\n    total = 1\n    assert strips.count('|') + total == 8\n"
    )


@pytest.mark.parametrize(
    ("raised", "class_", "imported"),
    [
        ("strips.cut(-1)", "strips.StripFault", ""),
        ("strips.fail(strips.Hidden, 1)", "strips.StripFault", ""),
        ("{}[1]", "KeyError", ""),
        (
            "__import__('json').loads('')",
            "JSONDecodeError",
            "from json.decoder import JSONDecodeError",
        ),
    ],
)
def test_an_exception_is_expected_by_its_most_specific_public_class(
    tmp_path, raised, class_, imported
):
    text = made(asked(tmp_path, raised)).text
    assert f"    with pytest.raises({class_}):\n        {raised}\n" in text
    assert imported in text
    assert ('ERRORS = {"StripFault": ("ValueError",)}' in text) == ("strips." in class_)


def test_errors_are_what_the_reference_has_whatever_the_probes_say(tmp_path):
    code = (
        "class Base(LookupError):\n    pass\n\nclass Odd(StripFault, Base):\n    pass\n"
    )
    probes = (
        "from strips import Odd\nERRORS = {'Odd': ('KeyError',)}\n\n\n"
        "def probe_a_1():\n    return (_ for _ in ()).throw(Odd(1))\n"
    )
    folder = asking(tmp_path, probes, code)
    public(folder, "Odd")
    text = made(folder).text
    assert 'ERRORS = {"Odd": ("StripFault", "ValueError", "LookupError")}' in text
    assert "KeyError" not in text


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("object()", "builtins.object is no plain data"),
        ("[strips.count]", "no plain data"),
        ("float('nan')", "NaN equals nothing"),
        ("__import__('os').urandom(4)", "not repeatable"),
        ("[*{'a', 'b', 'c', 'd', 'e', 'f'}]", "not repeatable"),
        ("hash('a')", "not repeatable"),
        ("__import__('os')._exit(0)", "it ended the process"),
        ("__import__('time').sleep(9)", "longer than case_wall_s"),
        ("'x' * 3_000_000", "no plain data"),
        ("strips.fail(Exception)", "neither a public symbol nor says more"),
        ("strips.fail(strips.Private)", "it raises strips.Private"),
        ("strips.Colour.RED", "member of no public Enum"),
    ],
)
def test_what_cannot_be_frozen_is_named_and_nothing_is_written(
    tmp_path, expression, words
):
    folder = asked(tmp_path, expression)
    edit(folder / "task.toml", "case_wall_s = 2", "case_wall_s = 0.3")
    said = refusal(folder)
    assert said.startswith("grader/probes.py:4: probe_a_1: ")
    assert words in said


def test_an_exception_while_arranging_is_an_error(tmp_path):
    said = refusal(asked(tmp_path, "strip", "strip = strips.cut(-1)"))
    assert "its arrange part raises StripFault" in said


def test_one_bad_probe_hides_no_other(tmp_path):
    text = "import os\nimport strips\n"
    for number, expression in enumerate(
        ["object()", "os._exit(1)", "1", "os.urandom(9)"]
    ):
        text += f"\n\ndef probe_a_{number}():\n    return {expression}\n"
    said = refusal(asking(tmp_path, text))
    assert [line.split()[1] for line in said.splitlines()] == [
        "probe_a_0:",
        "probe_a_1:",
        "probe_a_3:",
    ]


def test_only_the_order_of_a_dict_may_depend_on_hashing(tmp_path):
    folder = asked(tmp_path, "dict.fromkeys({'a', 'b', 'c', 'd', 'e', 'f'}, 1)")
    text = made(folder).text
    literal = text.rpartition("==")[2]
    assert list(ast.literal_eval(literal.strip())) == ["a", "b", "c", "d", "e", "f"]


def test_a_name_that_the_literal_needs_may_not_be_shadowed(tmp_path):
    said = refusal(
        asked(tmp_path, "strips.Decimal(1)", "Decimal = None", "pytest = Decimal")
    )
    assert "binds `Decimal`" in said


def test_a_head_that_uses_a_needed_name_gets_another(tmp_path):
    folder = asked(tmp_path, "strips.Decimal(1)", head="Decimal = 3\n")
    text = made(folder).text
    assert "import decimal\n" in text
    assert 'decimal.Decimal("1")' in text


@pytest.mark.parametrize(
    ("head", "literal", "imported"),
    [
        ("import datetime as dt\n", "dt.datetime(2020, ", ""),
        ("from datetime import date as day, datetime\n", "datetime(2020, ", "timezone"),
        ("", "datetime.datetime(2020, ", "import datetime\n\nimport strips\n"),
    ],
)
def test_names_that_the_head_has_are_used(tmp_path, head, literal, imported):
    text = made(asked(tmp_path, "[strips.THEN]", head=head)).text
    assert f"== [{literal}" in text.replace("[\n        ", "[")
    assert imported in text


def test_probes_that_lean_on_each_other_are_found(tmp_path):
    text = "import strips\nSEEN = []\n"
    for number in (1, 2):
        text += (
            f"\n\ndef probe_a_{number}():\n    SEEN.append(1)\n    return len(SEEN)\n"
        )
    said = refusal(asking(tmp_path, text))
    assert said.count("not repeatable") == 2


def test_the_count_is_set_only_when_asked_for(tmp_path):
    folder = asked(tmp_path, "strips.count('|')")
    before = contents(folder)
    found = made(folder)
    with pytest.raises(
        UserError, match=r"task.toml:23: .*expected 1, .*got 12; .*--set-count"
    ):
        write(found, set_count=False)
    assert contents(folder) == before
    write(found, set_count=True)
    after = contents(folder)
    assert sorted(after) == sorted(before)
    changed = {path for path in after if after[path] != before[path]}
    assert changed == {"task.toml", SUITE}
    assert after["task.toml"] == before["task.toml"].replace(b"= 12", b"= 1")


@pytest.mark.parametrize(
    "line",
    [
        "min_passed=12# so many",
        "min_passed = +1_2 # min_passed = 3",
        "min_passed = 0xc",
    ],
)
def test_setting_the_count_keeps_the_rest_of_the_line(line):
    contract = f"[other]\r\nmin_passed = 7\r\n[grader]\r\n{line}\r\n".encode()
    lines = with_count(contract, 5).split(b"\r\n")
    assert lines[1] == b"min_passed = 7"
    assert lines[3].replace(b" ", b"").startswith(b"min_passed=5")
    assert lines[3].partition(b"#")[2] == line.encode().partition(b"#")[2]


def test_hand_written_tests_beside_the_probes_count_as_well(tmp_path):
    folder = asked(tmp_path, "strips.count('|')")
    (folder / "grader/tests/test_more.py").write_text(
        "import strips\n\ndef test_b_1():\n    assert strips.cut(7) == '|'\n"
    )
    assert made(folder).count == 2


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "raise RuntimeError('\x1b[31mboom')",
            r"cannot be imported(?s:.)*\\x1b\[31mboom",
        ),
        ("import os; os._exit(1)", "cannot be imported: it ended the process"),
        ("del cut", "lacks public symbols: cut"),
    ],
)
def test_a_reference_that_cannot_be_asked_is_an_error(tmp_path, code, words):
    folder = asked(tmp_path, "1", code=code)
    with pytest.raises(UserError, match=words):
        made(folder)


def test_a_task_without_probes_says_where_they_go(tmp_path):
    folder = new_task(tmp_path)
    (folder / PROBES).unlink()
    with pytest.raises(
        UserError, match=r"probes.py: No such file.*probe_<rule>_<number>"
    ):
        made(folder)
