import pytest

from shipbar.grading.probes import Probes, parse_probes


def parsed(text: str) -> Probes:
    return parse_probes("grader/probes.py", text, "strips")


def test_a_probe_is_arrange_lines_and_what_is_returned():
    found = parsed(
        '"""Doc."""\nimport math\nfrom strips import count\nSIGNS = "x"\n\n'
        'def probe_signs_of_life_007():\n    """Why."""\n    strip = SIGNS * 2\n    return count(strip)\n'
    )
    (probe,) = found.probes
    assert found.problems == ()
    assert (probe.name, probe.test, probe.line) == (
        "probe_signs_of_life_007",
        "test_signs_of_life_007",
        6,
    )
    assert probe.source == (
        "def case():\n    strip = SIGNS * 2\n    return lambda: count(strip)"
    )
    assert found.head == "import math\nfrom strips import count\nSIGNS = 'x'"


def test_probes_are_read_and_never_run(tmp_path):
    trace = tmp_path / "ran"
    parsed(f"open({str(trace)!r}, 'w')\nNAME = open({str(trace)!r}, 'w')\n")
    assert not trace.exists()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("def probe_a_1():\n    return\n", 1, "end it with `return EXPR`"),
        ("def probe_a_1():\n    '''Doc.'''\n", 1, "end it with `return EXPR`"),
        ("def probe_a_1():\n    x = 1\n", 1, "last statement is `x = 1`"),
        (
            "def probe_a_1():\n    assert 1\n    return 2\n",
            1,
            "a probe asserts nothing",
        ),
        (
            "def probe_a_1():\n    if x:\n        return 1\n    return 2\n",
            1,
            "before the last one",
        ),
        ("def probe_a_1():\n    yield 1\n    return 2\n", 1, "return or yield"),
        ("def probe_a_1(x):\n    return x\n", 1, "fixture"),
        ("@mark\ndef probe_a_1():\n    return 1\n", 2, "decorator"),
        ("def probe_a():\n    return 1\n", 1, "probe_<rule>_<number>"),
        ("def probe_1():\n    return 1\n", 1, "probe_<rule>_<number>"),
        ("def probe_Aa_1():\n    return 1\n", 1, "lower case"),
        ("\nasync def probe_a_1():\n    return 1\n", 2, "async"),
        ("class A:\n    pass\n", 1, "probes as functions of the module"),
        ("import numpy\n", 1, "imports numpy"),
        ("from . import x\n", 1, "relative"),
        ("for x in y:\n    pass\n", 1, "cannot stand at the head"),
        ("import pytest\nX = pytest.approx(1)\n", 2, "pytest"),
        ("def test_a():\n    return 1\n", 1, "this helper would be a test"),
        ("def probe_a_1():\n    global x\n    return 1\n", 1, "stand alone"),
        ("def probe_a_1(:\n", 1, "not Python"),
        ("X = 1\n", 1, "holds no probe"),
    ],
)
def test_what_is_no_probe_is_named_with_its_line(text, line, words):
    found = parsed(text)
    assert [problem.line for problem in found.problems] == [line]
    assert words in str(found.problems[0])
    assert str(found.problems[0]).startswith(f"grader/probes.py:{line}: ")


def test_all_problems_are_told_at_once_in_order():
    found = parsed(
        "import numpy\n\ndef probe_a_1():\n    pass\n\ndef probe_b_1():\n    return 1\n\n"
        "def probe_b_1():\n    return 2\n"
    )
    assert [problem.line for problem in found.problems] == [1, 3, 9]
    assert "stands at line 6 too" in str(found.problems[2])


def test_line_ends_of_windows_change_nothing():
    text = "from strips import cut\n\ndef probe_a_1():\n    return cut(1)\n"
    assert (
        parsed(text.replace("\n", "\r\n")).probes[0].source
        == parsed(text).probes[0].source
    )
