"""What a specification shows, so that no question asks for it, whole or in part.

A package that holds a table of the worked examples, and nothing else, must win nothing
by it. It can look up any call within a question, not only the whole, and a question may
list several things of which memory gets one wrong. So a probe is left out if any value
that it computes is a worked example or is listed by one.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from shipbar.building.examples import Example
from shipbar.building.family import Probe


class Shown:
    """The worked examples of one specification."""

    def __init__(self, examples: Iterable[Example]) -> None:
        """Take the examples."""
        self._values: set[tuple[str, str]] = set()
        for example in examples:
            before, value = _asked(example.arrange, example.expression)
            self._values |= {(before, ast.dump(part)) for part in _listed(value)}

    def tells(self, probe: Probe) -> bool:
        """Whether an example shows the probe, or a value that it computes on the way."""
        before, value = _asked(probe.arrange, probe.expression)
        return any((before, ast.dump(it)) in self._values for it in _computed(value))


def _asked(arrange: str, expression: str) -> tuple[str, ast.expr]:
    """Lines that come first, and the expression; both in one spelling, whatever quotes and blanks they have.

    Lines that only name things are put into the expression.
    """
    lines = ast.parse(arrange).body
    value = ast.parse(expression, mode="eval").body
    names: dict[str, ast.expr] = {}
    for line in lines:
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=named):
                names[name] = _put(names, named)
            case _:
                return ast.dump(ast.Module(lines, [])), value
    return "", _put(names, value)


def _put(names: Mapping[str, ast.expr], value: ast.expr) -> ast.expr:
    """Put expressions in the place of names."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:  # as ast calls it
            return names.get(node.id, node)

    put = Put().visit(value)
    assert isinstance(put, ast.expr)  # noqa: S101  # one expression for another
    return put


def _computed(value: ast.expr) -> Iterator[ast.expr]:
    """The value, and all that is called, read or indexed within it.

    Called is also what a helper gets with its arguments: `outcome(spans, "1-3")`.
    """
    yield value
    for node in ast.walk(value):
        match node:
            case ast.Call(args=[ast.Name() | ast.Attribute() as called, *others]):
                yield node
                yield ast.Call(called, others, node.keywords)
            case ast.Call() | ast.Attribute() | ast.Subscript():
                yield node
            case _:
                pass


def _listed(value: ast.expr) -> Iterator[ast.expr]:
    """The value, and what it lists."""
    yield value
    if isinstance(value, ast.List):
        for part in value.elts:
            yield from _listed(part)
