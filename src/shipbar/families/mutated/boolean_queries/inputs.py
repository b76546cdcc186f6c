"""Inputs of the domain: names, conditions as tuples, and texts that describe them.

A condition is a constant, a name, or an operator followed by its operands.
"""

import random
from collections.abc import Sequence
from typing import Any

Tree = bool | str | tuple[Any, ...]

NAMES = ("ash", "bay", "elm", "fir", "fig", "oak", "teak", "yew")
JOINING = ("and", "or")
MALFORMED = (
    "",
    "   ",
    "oak &",
    "& oak",
    "| elm",
    "oak & | elm",
    "oak | & elm",
    "(oak",
    "oak)",
    "(oak & elm",
    "[oak | elm",
    "oak & (elm",
    "oak & elm)",
    "()",
    "oak & ()",
    "(oak |)",
    "(& oak)",
    "~",
    "oak & ~",
    "~ & oak",
    "(~)",
    "oak - elm",
    "oak & elm?",
    "oak = elm",
    "{oak}",
    "oak, elm",
    "oak; elm",
    "oak & #elm",
    "~~",
    "oak |",
    "fir & ] oak",
    "fir ||oak",
)
"""Texts that describe no condition, whatever the rules."""
_SIGNS = {"and": "&&&*", "or": "|||+"}
"""The usual sign of an operator is the likelier one."""


def some_names(rng: random.Random, count: int) -> list[str]:
    """Return different names, in no order."""
    return rng.sample(NAMES, count)


def chance(rng: random.Random, share: float) -> bool:
    """Whether a draw falls into that share."""
    return rng.random() < share


def maybe_not(rng: random.Random, tree: Tree, share: float = 0.3) -> Tree:
    """Return a condition, or its negation in that share of draws."""
    return ("not", tree) if chance(rng, share) else tree


def dual(operator: str) -> str:
    """Return the other joining operator."""
    return "or" if operator == "and" else "and"


def joined(rng: random.Random, names: Sequence[str], operator: str = "") -> Tree:
    """Return an operator over names, some of them negated."""
    operator = operator or rng.choice(JOINING)
    return (operator, *(maybe_not(rng, name) for name in names))


def nested(rng: random.Random, depth: int = 2) -> Tree:
    """Return a condition of that depth at most, never a lone name."""
    operator = rng.choice(JOINING)
    operands: list[Tree] = []
    for name in some_names(rng, rng.choice((2, 2, 3))):
        inner = nested(rng, depth - 1) if depth > 1 and chance(rng, 0.5) else name
        operands.append(maybe_not(rng, inner))
    return (operator, *operands)


def clauses(rng: random.Random) -> Tree:
    """Return two or three series of few names below the other operator: much to absorb."""
    operator = rng.choice(JOINING)
    names = some_names(rng, 3)
    operands: list[Tree] = []
    for _ in range(rng.choice((2, 2, 3))):
        taken = rng.sample(names, rng.choice((1, 2, 2, 3)))
        parts = [maybe_not(rng, name, 0.35) for name in taken]
        operands.append((dual(operator), *parts) if len(parts) > 1 else parts[0])
    return (operator, *operands)


def rank(tree: Tree) -> tuple[Any, ...]:
    """Order names before conditions, and conditions by their operands."""
    if isinstance(tree, tuple) and tree[0] != "not":
        return 1, [rank(operand) for operand in tree[1:]]
    return (0, tree[1], 1) if isinstance(tree, tuple) else (0, tree, 0)


def tidied(tree: Tree) -> Tree:
    """Return a condition with its operands in the order of `rank`, at every level."""
    if not isinstance(tree, tuple) or tree[0] == "not":
        return tree
    return tree[0], *sorted(map(tidied, tree[1:]), key=rank)


def shuffled(rng: random.Random, tree: Tree, *, repeats: bool = False) -> Tree:
    """Return a condition with its operands in another order, one of them perhaps twice."""
    if not isinstance(tree, tuple):
        return tree
    operands = [shuffled(rng, operand, repeats=repeats) for operand in tree[1:]]
    if tree[0] != "not":
        if repeats and chance(rng, 0.6):
            operands.append(rng.choice(operands))
        rng.shuffle(operands)
    return tree[0], *operands


def changed(rng: random.Random, tree: Tree) -> Tree:
    """Return a condition with one of its operators or names changed."""
    if not isinstance(tree, tuple):
        return maybe_not(rng, rng.choice(NAMES), 0.5)
    if tree[0] != "not" and chance(rng, 0.3):
        return dual(tree[0]), *tree[1:]
    place = rng.randrange(1, len(tree))
    return *tree[:place], changed(rng, tree[place]), *tree[place + 1 :]


def series_text(rng: random.Random, operands: Sequence[str]) -> str:
    """Join operands by both operators, in no order, each at least once."""
    kinds = [*JOINING, *(rng.choice(JOINING) for _ in range(len(operands) - 3))]
    rng.shuffle(kinds)
    text = operands[0]
    for kind, operand in zip(kinds, operands[1:], strict=True):
        text += f" {rng.choice(_SIGNS[kind])} {operand}"
    return text


def alike_text(rng: random.Random, operands: Sequence[str]) -> str:
    """Join operands by one operator."""
    return f" {rng.choice('&|*+')} ".join(operands)


def recased(rng: random.Random, name: str) -> str:
    """Write a name in other letters."""
    return rng.choice((name.title(), name.upper(), name[:-1] + name[-1].upper()))


def facts(rng: random.Random, names: Sequence[str]) -> dict[str, bool]:
    """Return facts about these names."""
    return {name: chance(rng, 0.5) for name in names}


def shown_as(value: object) -> str:
    """Write plain data as it stands in a source file."""
    return repr(value).replace("'", '"')
