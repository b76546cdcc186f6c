"""Conditions over names: read, write, compare, rearrange and ask them."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias, cast

__all__ = [
    "ZobrertMishap",
    "bafli",
    "grique",
    "gridesta",
    "gruva",
    "gugrer",
    "kebrur",
    "rasku",
    "ruklun",
    "serisk",
    "truba",
]

Condition: TypeAlias = bool | str | tuple["Condition", ...]
Token: TypeAlias = tuple[str, str]

_AND, _OR, _NOT = "and", "or", "not"
_DUAL = {_AND: _OR, _OR: _AND}
_SIGNS = {_AND: "&", _OR: "|"}
_KINDS = {
    "&": _AND,
    "*": _AND,
    "and": _AND,
    "|": _OR,
    "+": _OR,
    "or": _OR,
    "~": _NOT,
    "!": _NOT,
    "not": _NOT,
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
_TOKEN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:]*|[&*|+~!()\[\]]")
_BLANKS = re.compile(r"[ \t\n\r]*")


class ZobrertMishap(ValueError):
    """A text cannot be read."""


# ----------------------------------------------------------------- shape of trees


def _parts(tree: tuple[Condition, ...]) -> tuple[str, tuple[Condition, ...]]:
    """Return the operator of a tuple and its operands."""
    return cast(str, tree[0]), tree[1:]


def _opposite(tree: Condition) -> Condition:
    """Return the opposite of a condition."""
    if isinstance(tree, bool):
        return not tree
    if isinstance(tree, tuple) and tree[0] == _NOT:
        return tree[1]
    return (_NOT, tree)


# --------------------------------------------------------------- tokens, reading


def gruva(text: str) -> list[Token]:
    """Split a text into tokens: pairs of kind and writing."""
    tokens: list[Token] = []
    place = _skip_blanks(text, 0)
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ZobrertMishap(f"unexpected character {text[place]!r} at {place}")
        written = match[0]
        tokens.append((_KINDS.get(written.lower(), "name"), written))
        place = _skip_blanks(text, match.end())
    return tokens


def gridesta(text: str) -> Condition:
    """Return the condition that a text describes."""
    return _Reader(gruva(text)).read()


def _skip_blanks(text: str, place: int) -> int:
    """Return the first place from a given one on that holds no blank."""
    match = _BLANKS.match(text, place)
    return match.end() if match else place


class _Reader:
    """Reads a condition from a list of tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0

    def read(self) -> Condition:
        """Return the condition of all tokens."""
        tree = self._series(_OR)
        if self._kind() is not None:
            raise self._mishap()
        return tree

    def _kind(self) -> str | None:
        """Return the kind of the token at hand, None behind the last."""
        if self._place < len(self._tokens):
            return self._tokens[self._place][0]
        return None

    def _mishap(self) -> ZobrertMishap:
        """Return the exception for the token at hand."""
        if self._kind() is None:
            return ZobrertMishap("the text ends too early")
        return ZobrertMishap(f"unexpected {self._tokens[self._place][1]!r}")

    def _series(self, operator: str) -> Condition:
        """Read what an operator joins; a single operand stands for itself."""
        operands = [self._joined(operator)]
        while self._kind() == operator:
            self._place += 1
            operands.append(self._joined(operator))
        return operands[0] if len(operands) == 1 else (operator, *operands)

    def _joined(self, operator: str) -> Condition:
        """Read one of those that an operator joins."""
        return self._series(_AND) if operator == _OR else self._operand()

    def _operand(self) -> Condition:
        """Read a name, a constant, a negation or a bracketed condition."""
        kind = self._kind()
        if kind not in ("name", "true", "false", _NOT, "("):
            raise self._mishap()
        written = self._tokens[self._place][1]
        self._place += 1
        if kind == "name":
            return written.lower()
        if kind == _NOT:
            return (_NOT, self._operand())
        if kind != "(":
            return kind == "true"
        tree = self._series(_OR)
        if self._kind() != ")":
            raise self._mishap()
        self._place += 1
        return tree


# ---------------------------------------------------------------- writing, names


def rasku(tree: Condition) -> str:
    """Return a text without spaces for a condition."""
    if isinstance(tree, bool):
        return "1" if tree else "0"
    if isinstance(tree, str):
        return tree
    operator, operands = _parts(tree)
    written = [_written_operand(operator, operand) for operand in operands]
    return "~" + written[0] if operator == _NOT else _SIGNS[operator].join(written)


def _written_operand(outer: str, operand: Condition) -> str:
    """Return the text of an operand, in brackets where they are needed."""
    text = rasku(operand)
    if not isinstance(operand, tuple) or operand[0] == _NOT:
        return text
    binds_tighter = outer == _OR and operand[0] == _AND
    return text if binds_tighter else f"({text})"


def gugrer(tree: Condition) -> list[str]:
    """Return the names in a condition, each once, from left to right."""
    if isinstance(tree, bool):
        return []
    if isinstance(tree, str):
        return [tree]
    names = (name for operand in tree[1:] for name in gugrer(operand))
    return list(dict.fromkeys(names))


# ----------------------------------------------------------- comparing, replacing


def serisk(one: Condition, other: Condition) -> bool:
    """Tell whether two conditions are the same but for order and repetition."""
    return _identity(one) == _identity(other)


def kebrur(
    tree: Condition, pairs: Sequence[tuple[Condition, Condition]]
) -> Condition:
    """Replace parts of a condition in one pass and simplify the result."""
    replacements: dict[Hashable, Condition] = {}
    for wanted, replacement in pairs:
        replacements.setdefault(_identity(wanted), replacement)
    return truba(_replaced(tree, replacements))


def _identity(tree: Condition) -> Hashable:
    """Return a value that is equal for conditions that are the same."""
    if not isinstance(tree, tuple):
        return tree
    operator, operands = _parts(tree)
    return operator, frozenset(map(_identity, operands))


def _replaced(tree: Condition, replacements: dict[Hashable, Condition]) -> Condition:
    """Return a condition with its outermost fitting parts replaced."""
    identity = _identity(tree)
    if identity in replacements:
        return replacements[identity]
    if not isinstance(tree, tuple):
        return tree
    operator, operands = _parts(tree)
    return (operator, *(_replaced(operand, replacements) for operand in operands))


# ------------------------------------------------------- negations, simplifying


def bafli(tree: Condition) -> Condition:
    """Move the outermost negations of a condition inward by one level."""
    if not isinstance(tree, tuple):
        return tree
    operator, operands = _parts(tree)
    if operator != _NOT:
        return (operator, *map(bafli, operands))
    negated = operands[0]
    if isinstance(negated, bool):
        return not negated
    if isinstance(negated, str):
        return tree
    inner, operands = _parts(negated)
    if inner == _NOT:
        return bafli(operands[0])
    return (_DUAL[inner], *map(_opposite, operands))


def truba(tree: Condition) -> Condition:
    """Return a simplified condition."""
    return _simplified(_inward(tree))


def _inward(tree: Condition) -> Condition:
    """Move all negations inward, until only names are negated."""
    if not isinstance(tree, tuple):
        return tree
    operator, operands = _parts(tree)
    if operator != _NOT:
        return (operator, *map(_inward, operands))
    negated = operands[0]
    if isinstance(negated, str):
        return tree
    if isinstance(negated, bool):
        return not negated
    inner, operands = _parts(negated)
    if inner == _NOT:
        return _inward(operands[0])
    return (_DUAL[inner], *(_inward(_opposite(operand)) for operand in operands))


def _simplified(tree: Condition) -> Condition:
    """Simplify a condition in which only names are negated."""
    if not isinstance(tree, tuple) or tree[0] == _NOT:
        return tree
    operator = cast(str, tree[0])
    operands = _merged(operator, map(_simplified, tree[1:]))
    deciding = operator == _OR
    if deciding in operands or _has_opposites(operands):
        return deciding
    distinct = {
        _identity(operand): operand
        for operand in reversed(operands)
        if not isinstance(operand, bool)
    }
    if not distinct:
        return not deciding
    remaining = sorted(distinct.values(), key=_rank)
    return remaining[0] if len(remaining) == 1 else (operator, *remaining)


def _merged(operator: str, operands: Iterable[Condition]) -> list[Condition]:
    """Return operands, those with the operator replaced by their own operands."""
    merged: list[Condition] = []
    for operand in operands:
        if isinstance(operand, tuple) and operand[0] == operator:
            merged.extend(operand[1:])
        else:
            merged.append(operand)
    return merged


def _has_opposites(operands: Iterable[Condition]) -> bool:
    """Tell whether a name and its negation are among simple operands."""
    found = set(operands)
    return any(isinstance(name, str) and (_NOT, name) in found for name in found)


def _rank(tree: Condition) -> tuple[int, list[object], str, bool]:
    """Return the sort key of a simple operand that is no constant."""
    if isinstance(tree, str):
        return 1, [], tree, False
    operator, operands = _parts(cast(tuple[Condition, ...], tree))
    if operator == _NOT:
        return 1, [], cast(str, operands[0]), True
    return 0, [_rank(operand) for operand in operands], "", False


# ------------------------------------------------------------------------ asking


def grique(tree: Condition, facts: Mapping[str, bool]) -> bool:
    """Tell whether a condition holds; every name must be among the facts."""
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, str):
        if tree not in facts:
            raise KeyError(tree)
        return bool(facts[tree])
    operator, operands = _parts(tree)
    answers = [grique(operand, facts) for operand in operands]
    if operator == _NOT:
        return not answers[0]
    return all(answers) if operator == _AND else any(answers)


def ruklun(text: str, rows: Sequence[Mapping[str, bool]]) -> list[int]:
    """Return the places of the rows for which a text holds."""
    tree = gridesta(text)
    return [place for place, facts in enumerate(rows) if grique(tree, facts)]
