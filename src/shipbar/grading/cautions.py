"""Warns of tests that are liftable, and yet worth little.

None of these is an error: an author may have reasons. Each says which tests it is
about and what would be better.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from shipbar.sealed.codec import MAX_DEPTH, MAX_NODES, MAX_TEXT
from shipbar.sealed.compare import Approx, Equals, Expectation, Is, Raises
from shipbar.sealed.lift import Case, Suite

LEAST_A_RULE = 3
"""Assertions that a rule should have: with fewer, chance decides."""
MOST_A_RULE = 0.25
"""Share of the suite that one rule should have at most: the others would hardly count."""
MOST_CONSTANT = 0.1
"""Share of the suite that one constant answer may earn."""
HEADROOM = 0.5
"""Share of the codec's bounds that an expectation should keep to: a wrong answer may be larger."""
SHOWN = 6

NAME = re.compile(r"test_[a-z0-9]+(?:_[a-z0-9]+)*_[0-9]+")


def cautions(suite: Suite) -> list[str]:
    """Return what to warn of, most important first."""
    return [
        *_decided_by_candidate(suite.cases),
        *_constants(suite.cases),
        *_one_sided(suite.cases),
        *_any_error(suite.cases),
        *_repeats(suite.cases),
        *_large(suite.cases),
        *_shares(suite.cases),
        *_names(suite.cases),
    ]


def place(case: Case) -> str:
    """`FILE:LINE: test`."""
    path, _, name = case.id.rpartition("::")
    return f"{path}:{case.line}: {name}"


# -- answers that say little


def _decided_by_candidate(cases: Iterable[Case]) -> Iterator[str]:
    for case in cases:
        if isinstance(_answer(case.expectation), bool):
            compared = _comparison(_expression(case))
            if compared is not None:
                yield (
                    f"{place(case)}: `{ast.unparse(compared)[:60]}` lets the package's own objects decide; "
                    "ask for the values themselves, or for several comparisons with both answers in one list"
                )


def _expression(case: Case) -> ast.expr | None:
    (function,) = ast.parse(case.source).body
    last = function.body[-1] if isinstance(function, ast.FunctionDef) else function
    if isinstance(last, ast.Return) and isinstance(last.value, ast.Lambda):
        return last.value.body
    return None


def _comparison(node: ast.expr | None) -> ast.expr | None:
    """The comparison that an expression's truth comes from, None without one."""
    match node:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return None
        case ast.Compare():
            return node
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _comparison(inner)
        case ast.BoolOp(values=inner):
            return next(filter(None, map(_comparison, inner)), None)
        case ast.Call(func=ast.Name(id="all" | "any"), args=[ast.expr() as inner]):
            element = getattr(inner, "elt", None)
            return _comparison(element) if isinstance(element, ast.expr) else None
        case _:
            return None


def _answer(expected: Expectation) -> object:
    return expected.value if isinstance(expected, Equals | Is) else expected


def _constant(case: Case) -> str:
    """What always passes the case and says nothing: `True`, `raising E`; empty without."""
    expected = case.expectation
    if isinstance(expected, Raises):
        return f"raises {expected.error}"
    answer = _answer(expected)
    if answer is None or isinstance(answer, bool):
        return f"answers {answer}"
    return ""


def _constants(cases: tuple[Case, ...]) -> Iterator[str]:
    counts = Counter(filter(None, map(_constant, cases)))
    for constant, count in sorted(counts.items()):
        if count > max(1, MOST_CONSTANT * len(cases)):
            yield (
                f"a package that always {constant} passes {count} of {len(cases)}; "
                "ask for values that only a right answer has, several in one list"
            )


def _one_sided(cases: tuple[Case, ...]) -> Iterator[str]:
    for rule, own in _by_rule(cases).items():
        answers = {_constant(case) for case in own}
        if len(answers) == 1 and "" not in answers:
            yield (
                f"rule {rule}: one constant passes all of its {len(own)} assertions "
                f"(a package that always {answers.pop()}); add the opposite case, or ask for a value"
            )


def _any_error(cases: Iterable[Case]) -> Iterator[str]:
    for case in cases:
        if isinstance(case.expectation, Raises) and case.expectation.error in (
            "builtins.Exception",
            "builtins.BaseException",
        ):
            yield f"{place(case)}: any error passes, a slip of the candidate included; expect the class that the specification names"


# -- the suite as a whole


def _repeats(cases: Iterable[Case]) -> Iterator[str]:
    first: dict[tuple[int, str], Case] = {}
    for case in cases:
        other = first.setdefault((case.file, case.source), case)
        if other is not case:
            yield f"{place(case)}: asks the same as {other.id.rpartition('::')[2]}; drop one, or change what it asks"


def _large(cases: Iterable[Case]) -> Iterator[str]:
    for case in cases:
        expected = case.expectation
        if isinstance(expected, Equals | Approx):
            reason = _too_large(expected.value)
            if reason:
                yield f"{place(case)}: its expectation is {reason}, near the bounds of an answer; ask for a part, a count or a digest"


def _too_large(value: object) -> str:
    nodes, deepest = 0, 0
    open_: list[tuple[object, int]] = [(value, 1)]
    while open_:
        item, depth = open_.pop()
        nodes, deepest = nodes + 1, max(deepest, depth)
        if isinstance(item, str | bytes) and len(item) > MAX_TEXT * HEADROOM:
            return f"a text of {len(item)} characters"
        if isinstance(item, dict):
            item = [*item, *item.values()]
        if isinstance(item, list | tuple | set | frozenset):
            open_ += [(inner, depth + 1) for inner in item]
    if nodes > MAX_NODES * HEADROOM:
        return f"a value of {nodes} items"
    return f"a value {deepest} levels deep" if deepest > MAX_DEPTH * HEADROOM else ""


def _shares(cases: tuple[Case, ...]) -> Iterator[str]:
    rules = _by_rule(cases)
    few = [
        f"{rule} {len(own)}" for rule, own in rules.items() if len(own) < LEAST_A_RULE
    ]
    many = [
        f"{rule} {len(own)} of {len(cases)}"
        for rule, own in rules.items()
        if len(own) > MOST_A_RULE * len(cases)
    ]
    if few:
        yield f"rules with fewer than {LEAST_A_RULE} assertions, which luck may decide: {_some(few)}"
    if many:
        yield f"rules with more than a quarter of the suite, beside which others hardly count: {_some(many)}"


def _names(cases: Iterable[Case]) -> Iterator[str]:
    odd = [
        name
        for case in cases
        if not NAME.fullmatch(name := case.id.rpartition("::")[2])
    ]
    if odd:
        yield f"tests not called test_<rule>_<number>, so that no rule can be told: {_some(odd)}"


def _by_rule(cases: Iterable[Case]) -> dict[str, list[Case]]:
    rules: dict[str, list[Case]] = {}
    for case in cases:
        rules.setdefault(case.rule, []).append(case)
    return rules


def _some(items: list[str]) -> str:
    more = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {more} more" if more > 0 else "")
