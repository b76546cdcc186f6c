"""Conditions over names: read, written, compared, rearranged and asked."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

__all__ = [
    "StezerMishap",
    "detur",
    "drizel",
    "figredrax",
    "gideso",
    "gosopar",
    "gugisex",
    "guplond",
    "klatra",
    "plezulur",
    "tromili",
]

# A tuple holds an operator, "not", "and" or "or", and conditions behind it.
Condition: TypeAlias = bool | str | tuple[Any, ...]
Token: TypeAlias = tuple[str, str]

_TOKEN = re.compile(r"[ \t\n\r]+|(?P<token>[A-Za-z0-9_][A-Za-z0-9_.:]*|[&*|+~!()\[\]])")
_KINDS = {
    "&": "and",
    "*": "and",
    "and": "and",
    "|": "or",
    "+": "or",
    "or": "or",
    "~": "not",
    "!": "not",
    "not": "not",
    "(": "(",
    "[": "(",
    ")": ")",
    "]": ")",
    "true": "true",
    "1": "true",
    "false": "false",
    "none": "false",
    "0": "false",
}
_DUAL = {"and": "or", "or": "and"}
_SIGNS = {"and": "&", "or": "|"}


class StezerMishap(ValueError):
    """A text cannot be read."""


# Reading and writing


def guplond(text: str) -> list[Token]:
    """Split a text into tokens (kind, spelling)."""
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise StezerMishap(f"no token begins at place {place}")
        spelling = match["token"]
        if spelling is not None:
            tokens.append((_KINDS.get(spelling.lower(), "name"), spelling))
        place = match.end()
    return tokens


class _Reader:
    """Reads a condition from tokens, from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens = guplond(text)
        self._place = 0

    def _take(self) -> Token:
        """Return the next token and go past it."""
        if self._place == len(self._tokens):
            raise StezerMishap("the text ends too early")
        self._place += 1
        return self._tokens[self._place - 1]

    def _skip(self, kind: str) -> bool:
        """Go past a token of a kind if it is the next one, and say whether it was."""
        found = self._place < len(self._tokens) and self._tokens[self._place][0] == kind
        if found:
            self._place += 1
        return found

    def whole(self) -> Condition:
        """Read a condition with nothing behind it."""
        condition = self._conjunction()
        if self._place < len(self._tokens):
            raise StezerMishap(f"unexpected {self._tokens[self._place][1]!r}")
        return condition

    def _conjunction(self) -> Condition:
        """Read what is joined by "and" tokens."""
        operands = [self._disjunction()]
        while self._skip("and"):
            operands.append(self._disjunction())
        return operands[0] if len(operands) == 1 else ("and", *operands)

    def _disjunction(self) -> Condition:
        """Read what is joined by "or" tokens."""
        operands = [self._operand()]
        while self._skip("or"):
            operands.append(self._operand())
        return operands[0] if len(operands) == 1 else ("or", *operands)

    def _operand(self) -> Condition:
        """Read a name, a constant, a negation or a bracketed condition."""
        kind, spelling = self._take()
        match kind:
            case "name":
                return spelling
            case "true" | "false":
                return kind == "true"
            case "not":
                return ("not", self._operand())
            case "(":
                condition = self._conjunction()
                if not self._skip(")"):
                    raise StezerMishap("a bracket is not closed")
                return condition
        raise StezerMishap(f"unexpected {spelling!r}")


def drizel(text: str) -> Condition:
    """Make a condition from a text."""
    return _Reader(text).whole()


def tromili(tree: Condition) -> str:
    """Make a text from a condition."""
    if isinstance(tree, bool):
        return "1" if tree else "0"
    if isinstance(tree, str):
        return tree
    operator, *operands = tree
    texts = [_write_operand(operator, operand) for operand in operands]
    return "~" + texts[0] if operator == "not" else _SIGNS[operator].join(texts)


def _write_operand(operator: str, operand: Condition) -> str:
    """Write an operand of an operator, in brackets if it needs them."""
    text = tromili(operand)
    bare = not _is_compound(operand) or (operator == "and" and operand[0] == "or")
    return text if bare else f"({text})"


# Parts of conditions


def _is_compound(tree: Condition) -> bool:
    """Say whether a condition is a conjunction or a disjunction."""
    return isinstance(tree, tuple) and tree[0] in _DUAL


def _is_negation(tree: Condition) -> bool:
    """Say whether a condition is a negation."""
    return isinstance(tree, tuple) and tree[0] == "not"


def _opposite(tree: Condition) -> Condition:
    """Return the opposite of a condition."""
    if isinstance(tree, bool):
        return not tree
    if isinstance(tree, tuple) and tree[0] == "not":
        negated: Condition = tree[1]
        return negated
    return ("not", tree)


def _names(tree: Condition) -> Iterator[str]:
    """Go through the names of a condition, from the left."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, tuple):
        for operand in tree[1:]:
            yield from _names(operand)


def gosopar(tree: Condition) -> list[str]:
    """List the names of a condition, each once."""
    return list(dict.fromkeys(_names(tree)))


def gideso(one: Condition, other: Condition) -> bool:
    """Say whether two conditions are the same, with nothing simplified."""
    return one == other


def detur(tree: Condition, pairs: list[tuple[Condition, Condition]]) -> Condition:
    """Replace parts of a condition in one pass, from the outside inward."""
    for part, replacement in pairs:
        if gideso(tree, part):
            return replacement
    if isinstance(tree, tuple):
        return (tree[0], *(detur(operand, pairs) for operand in tree[1:]))
    return tree


def plezulur(tree: Condition) -> Condition:
    """Move the negations of a condition outward."""
    if not isinstance(tree, tuple):
        return tree
    operator = tree[0]
    operands = [plezulur(operand) for operand in tree[1:]]
    if operator == "not":
        return _opposite(operands[0])
    if all(_is_negation(operand) for operand in operands):
        return ("not", (_DUAL[operator], *map(_opposite, operands)))
    return (operator, *operands)


# Simplifying


def gugisex(tree: Condition) -> Condition:
    """Move the negations of a condition inward, and simplify it."""
    return _simplify(_inward(tree))


def _inward(tree: Condition) -> Condition:
    """Move negations inward, until only names are negated."""
    if not isinstance(tree, tuple):
        return tree
    operator, *operands = tree
    if operator != "not":
        return (operator, *map(_inward, operands))
    negated = operands[0]
    if _is_compound(negated):
        return (_DUAL[negated[0]], *(_inward(_opposite(part)) for part in negated[1:]))
    if isinstance(negated, str):
        return tree
    return _inward(_opposite(negated))


def _simplify(tree: Condition) -> Condition:
    """Simplify a condition of which only names are negated."""
    if not _is_compound(tree):
        return tree
    operator = tree[0]
    return _settle(operator, [_simplify(operand) for operand in tree[1:]])


def _settle(operator: str, operands: list[Condition]) -> Condition:
    """Simplify a compound whose operands are simple."""
    neutral = operator == "and"
    while True:
        operands = _merge(operator, operands)
        if any(operand is (not neutral) for operand in operands):
            return not neutral
        operands = [
            operand for operand in dict.fromkeys(operands) if operand is not neutral
        ]
        if not operands:
            return neutral
        if len(operands) == 1:
            return operands[0]
        if not _absorb(operands) and not _trim(operands):
            return (operator, *sorted(operands, key=_rank))


def _merge(operator: str, operands: list[Condition]) -> list[Condition]:
    """Replace operands that have the operator by their own operands."""
    merged: list[Condition] = []
    for operand in operands:
        if isinstance(operand, tuple) and operand[0] == operator:
            merged.extend(operand[1:])
        else:
            merged.append(operand)
    return merged


def _parts(operand: Condition) -> tuple[Condition, ...]:
    """Return the operands of a compound; anything else is its only part."""
    if isinstance(operand, tuple) and operand[0] in _DUAL:
        return operand[1:]
    return (operand,)


def _absorb(operands: list[Condition]) -> bool:
    """Leave out the first operand that another absorbs; say whether there was one."""
    for place, one in enumerate(operands):
        for other_place, other in enumerate(operands):
            if place != other_place and set(_parts(one)) <= set(_parts(other)):
                del operands[other_place]
                return True
    return False


def _trim(operands: list[Condition]) -> bool:
    """Trim the first operand that another trims; say whether there was one."""
    for place, one in enumerate(operands):
        for other_place, other in enumerate(operands):
            if place == other_place or not _is_compound(other):
                continue
            parts = _parts(other)
            extra = [part for part in _parts(one) if part not in parts]
            if len(extra) == 1 and _opposite(extra[0]) in parts:
                surplus = _opposite(extra[0])
                rest = [part for part in parts if part != surplus]
                operands[other_place] = _settle(other[0], rest)
                return True
    return False


def _rank(operand: Condition) -> tuple[Any, ...]:
    """Return a key that puts operands in order: compounds, then names."""
    if not isinstance(operand, tuple):
        return (1, operand, False)
    if operand[0] == "not":
        return (1, operand[1], True)
    return (0, tuple(map(_rank, operand[1:])))


# Asking


def figredrax(tree: Condition, facts: Mapping[str, bool]) -> bool | None:
    """Say whether a condition holds; `None` means that it is undecided."""
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, str):
        return facts.get(tree)
    operator, *operands = tree
    answers = [figredrax(operand, facts) for operand in operands]
    if operator == "not":
        return None if answers[0] is None else not answers[0]
    deciding = operator == "or"
    if deciding in answers:
        return deciding
    return None if None in answers else not deciding


def klatra(text: str, rows: list[Mapping[str, bool]]) -> list[int]:
    """List the places of the rows for which a text holds."""
    tree = drizel(text)
    return [place for place, row in enumerate(rows) if figredrax(tree, row) is True]
