"""What a worked example gives away is not asked."""

import pytest

from shipbar.building.examples import Example
from shipbar.building.family import Probe
from shipbar.building.shown import Shown

EXAMPLES = [
    Example("spans('1-3')"),
    Example("[width('a', 2), width('b')]"),
    Example("total(stock)", "stock = Stock(4)"),
    Example("log.lines", "log = Log()\nlog.add('x')"),
]


@pytest.mark.parametrize(
    ("arrange", "expression"),
    [
        ("", 'spans("1-3")'),
        ("", "(spans( '1-3' ))"),
        ("", "[spans('4'), spans('1-3')]"),
        ("", "len(spans('1-3'))"),
        ("", "[outcome(spans, '1-3'), spans('4')]"),
        ("", "spans('1-3')[0]"),
        ("", "[[width('b')], width('c')]"),
        ("it = 'b'", "width(it)"),
        ("", "total(Stock(4))"),
        ("log = Log()\nlog.add('x')", "log.lines"),
        ("log = Log()\nlog.add('x')", "[log.lines, log.size]"),
    ],
)
def test_what_is_shown_whole_or_in_part_is_told(arrange, expression):
    assert Shown(EXAMPLES).tells(Probe("rule", expression, arrange))


@pytest.mark.parametrize(
    ("arrange", "expression"),
    [
        ("", "spans('1-4')"),
        ("", "width('a')"),
        ("", "outcome(spans, '1-4')"),
        ("stock = Stock(5)", "total(stock)"),
        ("log = Log()\nlog.add('y')", "log.lines"),
        ("log = Log()\nlog.add('x')\nlog.add('x')", "log.lines"),
        ("log = Log()", "log.lines"),
    ],
)
def test_what_differs_is_not(arrange, expression):
    assert not Shown(EXAMPLES).tells(Probe("rule", expression, arrange))
