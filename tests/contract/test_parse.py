"""From the bytes of a contract to its values, or to all that is wrong with them."""

import re

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipbar.contract import (
    Limits,
    check_count,
    contract_as_json,
    parse_contract,
    render_contract,
)
from shipbar.errors import ContractError
from tests.contract.samples import (
    EXPECTED,
    VALID,
    line_of,
    problems,
    the_problem,
    with_line,
    without,
)

# -- what a good file gives ----------------------------------------------------


def test_a_good_file_gives_frozen_values():
    contract = parse_contract(VALID.encode())
    assert contract == EXPECTED
    assert contract.raw == VALID.encode()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        contract.task_id = "other"  # type: ignore[misc]  # what must not work


def test_the_bytes_are_kept_as_they_were():
    data = VALID.replace("\n", "\r\n").encode() + b"# a last word"
    contract = parse_contract(data)
    assert contract == EXPECTED
    assert contract.raw == data


def test_whole_numbers_will_do_where_fractions_may_stand():
    contract = parse_contract(with_line("recall_ceiling", "1").encode())
    assert (contract.recall_ceiling, type(contract.recall_ceiling)) == (1.0, float)


def test_an_invented_task_has_no_upstream():
    text = without(r"^\[upstream_sdist\](.|\n)*")
    contract = parse_contract(with_line("task_class", '"invented"', text).encode())
    assert contract.upstream_sdist is None
    assert contract_as_json(contract)["upstream_sdist"] is None


# -- one problem, at its line --------------------------------------------------

REFUSED = [
    ("task_id", '"Base36"', "lower-case"),
    ("task_id", '"base--36"', "single hyphens"),
    ("task_id", '"base36\\n"', "lower-case"),
    ("task_id", "36", "in quotes"),
    ("task_class", '"borrowed"', '"invented" or "mutated"'),
    ("language", '"ruby"', '"python"'),
    ("split", '"test"', '"train" or "eval"'),
    ("import_name", '"2fast"', "no digit first"),
    ("import_name", '"lambda"', "no keyword"),
    ("import_name", '"json"', "standard library"),
    ("import_name", '"pytest"', "test runner"),
    ("import_name", '"a.b"', "identifier"),
    ("public_symbols", "[]", "at least one"),
    ("public_symbols", '"encode"', "square brackets"),
    ("public_symbols", '["encode", "not-one"]', "public_symbols[1]"),
    ("public_symbols", '["import"]', "no keyword"),
    ("public_symbols", '["größe"]', "ASCII"),
    ("public_symbols", '["a", "b", "a"]', "'a' again (first on line 6)"),
    ("reference_install", '"/grader/reference"', "relative to the task folder"),
    ("reference_install", '"grader/../../other"', '".."'),
    ("reference_install", '".."', '".."'),
    ("reference_install", '"grader\\\\reference"', "forward slashes"),
    ("reference_install", '""', "name a file or a folder"),
    ("reference_install", '"."', "one dot"),
    ("reference_install", '"grader//reference"', "no empty part"),
    ("reference_install", '"grader/reference/"', "no last slash"),
    ("reference_install", '"grader/\\u001b[2J"', "control characters"),
    ("reference_install", f'"{"a" * 501}"', "at most 500"),
    ("reference_install", '"solver/reference"', "which solvers receive"),
    ("known_bad_install", '["solver/bad"]', "which solvers receive"),
    ("known_bad_install", '["grader/bad", "grader/bad"]', "again"),
    (
        "known_bad_install",
        '["grader/reference"]',
        "apart from reference_install (line 7)",
    ),
    ("known_bad_install", '["grader/bad", "grader/bad/b"]', "known_bad_install[0]"),
    ("recall_ceiling", "1.01", "from 0 to 1"),
    ("recall_ceiling", "-0.1", "from 0 to 1"),
    ("recall_ceiling", "nan", "from 0 to 1"),
    ("recall_ceiling", "true", "without quotes"),
    ("canary", '"too short"', "16 to 1000"),
    ("canary", '"                  "', "no blank at either end"),
    ("min_passed", "0", "from 1"),
    ("min_passed", "true", "a whole number"),
    ("min_passed", "30.0", "without a fraction"),
    ("min_passed", '"30"', "without quotes"),
    ("min_passed", "0x" + "f" * 9000, "a huge whole number"),
    ("min_passed", "1979-05-27", "a date or a time"),
    ("pytest_paths", '["solver/tests"]', "which solvers receive"),
    ("pytest_paths", '["solver"]', "which solvers receive"),
    ("pytest_paths", '["grader/tests", "grader/tests/more"]', "the same or inside it"),
    ("pytest_paths", '["grader/reference/tests"]', "apart from reference_install"),
    ("wall_s", "0", "above 0"),
    ("wall_s", "inf", "at most 86400"),
    ("case_wall_s", "61", "at most wall_s, which is 60.0"),
    ("cpu_s", "-1.5", "above 0"),
    ("memory_mib", "63", "from 64"),
    ("processes", "0", "from 1"),
    ("output_kib", "0", "from 1"),
    ("output_kib", "1.5", "without a fraction"),
    ("reference", "0.0", "above 0 and at most 1"),
    ("upstream", "1.1", "above 0 and at most 1"),
    ("hard_fail", "1", "true or false"),
    ("hard_fail", '"yes"', "true or false"),
    ("solver", '"CC-BY-4.0 or later"', "SPDX"),
    ("solver", '"MIT AND"', "SPDX"),
    ("grader", '"(MIT"', "balance the brackets"),
    ("grader", '"MIT) OR (MIT"', "balance the brackets"),
    ("grader", '""', "name the licence"),
    ("name", '"-x"', "project"),
    ("version", '"2.3.1 beta"', "version"),
    ("file", '"dist/checkdigits-2.3.1.tar.gz"', "without a folder"),
    ("file", '"checkdigits-2.3.1.whl"', ".tar.gz or .zip"),
    ("sha256", '"' + "0" * 63 + '"', "64 lower-case"),
    ("sha256", '"' + "A" * 64 + '"', "64 lower-case"),
    ("licence", '"public domain"', "SPDX"),
]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    REFUSED,
    ids=[f"{field}-{n}" for n, (field, _, _) in enumerate(REFUSED)],
)
def test_a_bad_value_is_one_problem_at_its_line(field, value, said):
    problem = the_problem(with_line(field, value))
    assert problem.startswith(f"task.toml:{line_of(field)}: ")
    assert said in problem
    assert len(problem) < 500


def test_a_reference_inside_the_suite_is_refused():
    text = with_line("reference_install", '"grader/tests/reference"')
    assert "apart from grader.pytest_paths[0] (line 14)" in the_problem(text)


@pytest.mark.parametrize("field", [f.name for f in attrs.fields(Limits)])
def test_a_file_states_every_limit_itself(field):
    problem = the_problem(without(rf"^{field} = .*\n"))
    assert problem.startswith(f"task.toml:16: grader.limits.{field}: ")
    assert "got nothing; add it" in problem


@pytest.mark.parametrize(
    "field", ["task_id", "public_symbols", "recall_ceiling", "canary"]
)
def test_a_missing_field_of_the_top_is_reported_at_line_1(field):
    problem = the_problem(without(rf"^{field} = .*\n"))
    assert problem.startswith(f"task.toml:1: {field}: ")


def test_a_missing_table_is_one_problem_that_lists_its_fields():
    problem = the_problem(without(r"^\[copy_guard\]\n(.+\n)+"))
    assert problem.startswith(
        "task.toml:1: copy_guard: expected a table with the fields"
    )
    assert "reference, upstream, hard_fail" in problem


def test_a_missing_inner_table_is_reported_at_the_outer_one():
    problem = the_problem(without(r"^\[grader.limits\]\n(.+\n)+"))
    assert problem.startswith("task.toml:12: grader.limits: ")


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ("frobnicate = 1", "remove it; known here are solver, grader"),
        ("soolver = 1", "did you mean solver?"),
        ("canary = 1", "move it to the top, above every table"),
        ("wall_s = 1", "move it to the table [grader.limits]"),
        ('"new\\nline" = 1', r"licence.'new\nline'"),
        (f"{'x' * 5000} = 1", "xxx…"),
    ],
    ids=["strange", "misspelt", "below a header", "other table", "quoted", "long"],
)
def test_an_unknown_field_is_told_where_to_go(extra, said):
    text = VALID.replace("[licence]\n", f"[licence]\n{extra}\n")
    problem = the_problem(text)
    line = text.splitlines().index("[licence]") + 2
    assert problem.startswith(f"task.toml:{line}: licence.")
    assert said in problem


def test_an_unknown_table_is_refused():
    problem = the_problem(f"{VALID}\n[extra]\nx = 1\n")
    assert problem.startswith(f"task.toml:{VALID.count(chr(10)) + 2}: extra: ")


@pytest.mark.parametrize("value", ["1", '"x"', "[]", "[{}]", "1979-05-27T07:32:00Z"])
def test_what_should_be_a_table_and_is_not(value):
    text = f"copy_guard = {value}\n" + without(r"^\[copy_guard\]\n(.+\n)+")
    problem = the_problem(text)
    assert problem.startswith("task.toml:1: copy_guard: ")
    assert "under the header [copy_guard]" in problem


def test_a_mutated_task_needs_its_upstream():
    assert "add [upstream_sdist]" in the_problem(without(r"^\[upstream_sdist\](.|\n)*"))


def test_an_invented_task_may_not_name_an_upstream():
    problem = the_problem(with_line("task_class", '"invented"'))
    assert problem.startswith(f"task.toml:{line_of('upstream_sdist')}: upstream_sdist:")
    assert "remove [upstream_sdist]" in problem


# -- many problems -------------------------------------------------------------


def test_all_problems_are_reported_at_once_in_the_order_of_the_file():
    text = with_line("task_id", "1")
    text = with_line("split", '"both"', text)
    text = with_line("min_passed", "-1", text)
    text = with_line("hard_fail", "0", text)
    text = with_line("public_symbols", '[\n  "a",\n  "1",\n  2,\n]', text)
    text = without(r"^canary = .*\n", text)
    found = [problem.split(": ")[:2] for problem in problems(text, where="t/task.toml")]
    assert sorted(found) == sorted(
        [
            ["t/task.toml:1", "canary"],
            ["t/task.toml:1", "task_id"],
            ["t/task.toml:4", "split"],
            ["t/task.toml:8", "public_symbols[1]"],
            ["t/task.toml:9", "public_symbols[2]"],
            ["t/task.toml:16", "grader.min_passed"],
            ["t/task.toml:30", "copy_guard.hard_fail"],
        ]
    )
    lines = [int(place.split(":")[1]) for place, _ in found]
    assert lines == sorted(lines)


def test_an_empty_file_lacks_every_field():
    assert len(problems(b"")) == 13


# -- not TOML at all -----------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"a = 1\nb =\n", 2, "a syntax error (Invalid value, column 4)"),
        (b"a = 1\n\na = 2\n", 3, "Cannot overwrite a value"),
        (b"a = 1\nb = '''x\ny\nz\n", 2, "correct the line"),
        (b'a = 1\nb = "x', 2, "Unterminated string"),
        (b"a = 1\n\xff", 2, "0xff"),
        (b"a = 1\n# \0", 2, "NUL"),
        ("task_id = 'x'".encode("utf-16"), 1, "NUL"),
        (b"\xef\xbb\xbfa = 1\n", 1, "byte order mark"),
        (b"a = 1\n\nb = " + b"9" * 5000, 3, "too many digits"),
        (b"a = 1\nb = " + b"[" * 9000, 2, "nested too deep"),
        (b"a = 1\nb = " + b"{a=" * 9000, 2, "nested too deep"),
        (b"a = 1\n" + b"a." * 30_000 + b"b = 1", 2, "very many parts"),
        (b"a = 1\n[" + b"a." * 30_000 + b"b]", 2, "very many parts"),
        (b"#" * 65_537, 1, "at most 65536 bytes"),
    ],
    ids=range(14),
)
def test_a_file_that_is_no_toml_has_one_problem_with_its_line(data, line, said):
    problem = the_problem(data)
    assert problem.startswith(f"task.toml:{line}: file: expected ")
    assert said in problem


# -- the count -----------------------------------------------------------------


def test_an_equal_count_is_fine():
    check_count(parse_contract(VALID.encode()), 30)


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_count_that_differs_is_an_error_at_the_line_of_min_passed(ends):
    contract = parse_contract(VALID.replace("\n", ends).encode())
    with pytest.raises(ContractError) as caught:
        check_count(contract, 29, "here/task.toml")
    [problem] = caught.value.problems
    assert problem == (
        "here/task.toml:13: grader.min_passed: expected 29, the number of cases lifted "
        "from pytest_paths, got 30; run `shipbar suite regenerate`, or correct the number"
    )


@pytest.mark.parametrize("raw", [b"", b"\xff'''", b'a = "\\q"\n\'\\q'])
def test_a_count_is_checked_even_where_nothing_was_read(raw):
    with pytest.raises(ContractError, match=r"task\.toml:1: grader\.min_passed"):
        check_count(attrs.evolve(EXPECTED, raw=raw), 1)


# -- anything at all -----------------------------------------------------------

FRAGMENTS = [
    *("[", "]", "[[", "{", "}", '"', '"""', "'''", "'", "=", ".", ",", "\n", "\r", "#"),
    *("\\", "\0", "\x7f", "é", "\ufeff", "..", "/", "nan", "true", "1e999", "[grader]"),
    *("9" * 5000, "[" * 3000, "a." * 3000, "1979-05-27", "solver/", "0x" + "f" * 5000),
]
edits = st.lists(
    st.tuples(
        st.integers(0, len(VALID)),
        st.integers(0, 40),
        st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=8)),
    ),
    min_size=1,
    max_size=4,
)


def edited(changes) -> bytes:
    text = VALID
    for start, length, new in changes:
        text = text[:start] + new + text[start + length :]
    return text.encode("utf-8", "surrogatepass")


def check_that_it_is_read_or_refused(data: bytes) -> None:
    try:
        contract = parse_contract(data)
    except ContractError as error:
        last = data.count(b"\n") + 1
        for problem in error.problems:
            place = re.match(r"task\.toml:(\d+): [^\n]*\Z", problem)
            assert place, problem
            assert 1 <= int(place[1]) <= last
    else:
        assert parse_contract(render_contract(contract)) == contract


@given(edits)
def test_a_damaged_file_is_read_or_refused_and_nothing_else(changes):
    check_that_it_is_read_or_refused(edited(changes))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_nothing_else(data):
    check_that_it_is_read_or_refused(data)
