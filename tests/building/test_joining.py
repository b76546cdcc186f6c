"""Several questions in one assertion."""

import ast

from shipbar.building.family import Probe
from shipbar.building.joining import join


def run(probe):
    """What a probe answers."""
    scope: dict[str, object] = {}
    exec(compile(ast.parse(probe.arrange), "", "exec"), scope)
    return eval(probe.expression, scope)


def test_each_is_asked_as_if_alone():
    probes = [
        Probe("a", "box[0] + add(1)", "box = [1]\ndef add(n): return n + len(box)"),
        Probe("b", "[box, add]", "box = {'k': 2}\nadd = 'text'"),
        Probe("c", "len('box')"),
    ]
    joined = join(probes)
    assert run(joined) == [run(probe) for probe in probes]
    assert joined.axis == "a"


def test_what_shares_no_name_stays_as_it_was_written():
    joined = join([Probe("a", "f( 1 )"), Probe("b", "g('x')", "y = 0x10")])
    assert (joined.expression, joined.arrange) == ("[f( 1 ), g('x')]", "y = 0x10")


def test_loops_and_comprehensions_keep_their_own_names():
    probes = [
        Probe("a", "total", "total = 0\nfor i in range(3): total += i"),
        Probe("b", "total", "total = sum(i for i in range(5))\ni = total"),
    ]
    assert run(join(probes)) == [3, 10]
