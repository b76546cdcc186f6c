"""The line of every field, however the file is written."""

import re
import tomllib

import pytest

from shipbar.contract.lines import locate
from tests.contract.samples import (
    VALID,
    the_problem,
    without,
)

ODD = '''\
# [grader] in a comment
canary = """
[grader]
task_id = "no" \\"""" # five quotes end it: two are its own
other = \'\'\'[x]
\'\'\'\'
"quo.ted" . \'k"ey\' = 1
list = [ # comment ]
  "a]", \'b,\',
  [1,
   2], { x = "}", y.z = [
  3] },
]
[ a . b ]
c.d = {e = 1979-05-27 07:32:00, "f" = -inf}
[[aot]]
x = 1
[[aot]] # again
x = 2
[aot.sub]
x = 3
[a]
empty = ""
'''

ODD_LINES = {
    ("canary",): 2,
    ("other",): 5,
    ("quo.ted", 'k"ey'): 7,
    ("quo.ted",): 7,
    ("list", 0): 9,
    ("list", 1): 9,
    ("list", 2): 10,
    ("list", 2, 1): 11,
    ("list", 3): 11,
    ("list", 3, "y", "z", 0): 12,
    ("a", "b"): 14,
    ("a", "b", "c"): 15,
    ("a", "b", "c", "d", "f"): 15,
    ("aot",): 16,
    ("aot", 0, "x"): 17,
    ("aot", 1): 18,
    ("aot", 1, "x"): 19,
    ("aot", 1, "sub", "x"): 21,
    ("a",): 22,
    ("a", "empty"): 23,
    ("a", "missing"): 22,
    ("missing", "x"): 1,
}


def test_lines_of_an_oddly_written_file():
    tomllib.loads(ODD)
    lines = locate(ODD)
    assert {path: lines.of(path) for path in ODD_LINES} == ODD_LINES


def all_paths(value, path=()):
    if path:
        yield path
    if isinstance(value, dict):
        items = list(value.items())
    else:
        items = list(enumerate(value)) if isinstance(value, list) else []
    for key, inner in items:
        yield from all_paths(inner, (*path, key))


def test_every_value_that_the_parser_finds_has_a_line():
    lines = locate(ODD)
    missing = [
        path
        for path in all_paths(tomllib.loads(ODD))
        if path not in lines.stated and path not in lines.implied
    ]
    assert missing == []


NO_GRADER = without(r"^\[grader\](.|\n)*(?=\[copy_guard\])")
LIMITS = (
    "{wall_s = 60, case_wall_s = 2, cpu_s = 30, memory_mib = 512, processes = 1, "
    "output_kib = 1024}"
)
# The number is written as 0x0, to be found again.
WAYS = {
    "a quoted key": VALID.replace("min_passed = 30", "\n'min_passed' = 0x0"),
    "a header after its child's": re.sub(
        r"(?s)(\[grader\]\n.+?\n)\n(\[grader\.limits\]\n.+?\n)\n",
        r"\2\n\1\n",
        VALID.replace("= 30\n", "= 0x0\n"),
    ),
    "dotted keys": (
        "grader.pytest_paths = ['grader/tests']\n\n"
        f"grader . limits = {LIMITS}\ngrader.'min_passed' = 0x0\n{NO_GRADER}"
    ),
    "an inline table": (
        "# a comment\ngrader = {pytest_paths = [\n'grader/tests',\n\n], "
        f"min_passed = 0x0, limits = {LIMITS}}}\n{NO_GRADER}"
    ),
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS.keys())
def test_the_line_is_right_in_every_way_to_write_a_table(text):
    line = text[: text.index("0x0")].count("\n") + 1
    assert the_problem(text).startswith(f"task.toml:{line}: grader.min_passed: ")


def test_what_a_table_lacks_is_reported_at_its_header_though_its_child_came_first():
    text = without("min_passed = 0x0\n", WAYS["a header after its child's"])
    assert text.index("[grader.limits]") < text.index("[grader]")
    problem = the_problem(text)
    line = text.splitlines().index("[grader]") + 1
    assert problem.startswith(f"task.toml:{line}: grader.min_passed: ")
