"""Questions about lists of records, read from one line, written and answered."""

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

__all__ = [
    "Botedu",
    "FlubitriRefusal",
    "bradrel",
    "difipax",
    "fikloflon",
    "flerekle",
    "gokabix",
    "ketatim",
    "quegotrur",
    "repluturt",
    "skatrire",
    "zoskiri",
]

Value: TypeAlias = int | str | None
Record: TypeAlias = dict[str, Value]
Token: TypeAlias = tuple[str, int | str]
# A condition and a step are tuples as sections 3 and 7 of the description say.
Operand: TypeAlias = int | str | tuple[Any, ...]
Condition: TypeAlias = tuple[Any, ...]
Step: TypeAlias = tuple[Any, ...]

_WORDS = frozenset(
    "unless contains among any arrange rising falling first once pick".split()
)
_TOKEN = re.compile(
    r"(?P<name>[a-z][a-z0-9_]*)"
    r"|(?P<number>-?[0-9]+)"
    r"|(?P<text>'(?:[^'\\]|\\.)*')"
    r"|(?P<mark>&&|\|\||<>|<=|>=|\.\.|::|[!=<>()])",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_TO_ESCAPE = re.compile(r"['\\]")

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# The tokens of the comparing marks.
_COMPARING: tuple[Token, ...] = (
    *(("mark", mark) for mark in _ORDER),
    ("word", "contains"),
)
# From the loosest join to the tightest.
_JOINS = ("unless", "&&", "||")
# The order in which an answer takes the steps.
_STEP_ORDER = ("arrange", "once", "first", "pick")


class FlubitriRefusal(ValueError):
    """A text cannot be read."""


# Tokens


def zoskiri(text: str) -> list[Token]:
    """Take a text apart into tokens (kind, content)."""
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        if text[place] == " ":
            place += 1
            continue
        match = _TOKEN.match(text, place)
        if match is None:
            raise FlubitriRefusal(f"no token begins at place {place}")
        tokens.append(_token(str(match.lastgroup), match.group()))
        place = match.end()
    return tokens


def _token(kind: str, piece: str) -> Token:
    """Make a token of a piece of text."""
    if kind == "name" and piece in _WORDS:
        return "word", piece
    if kind == "number":
        return kind, int(piece)
    if kind == "text":
        return kind, _ESCAPED.sub(r"\1", piece[1:-1])
    return kind, piece


class _Reader:
    """Reads conditions and queries from tokens, from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens = zoskiri(text)
        self._place = 0

    def _peek(self) -> Token | None:
        """Return the next token, or `None` at the end."""
        if self._place < len(self._tokens):
            return self._tokens[self._place]
        return None

    def _next_kind(self) -> str | None:
        """Return the kind of the next token, or `None` at the end."""
        token = self._peek()
        return None if token is None else token[0]

    def _next_is(self, *tokens: Token) -> bool:
        """Say whether the next token is one of these."""
        return self._peek() in tokens

    def _take(self, *kinds: str) -> Any:
        """Go past a token of one of these kinds, and return its content."""
        token = self._peek()
        if token is None or token[0] not in kinds:
            raise FlubitriRefusal(f"expected {' or '.join(kinds)}, found {token}")
        self._place += 1
        return token[1]

    def _skip(self, token: Token) -> bool:
        """Go past the token if it is the next one, and say whether it was."""
        found = self._next_is(token)
        if found:
            self._place += 1
        return found

    def _expect(self, token: Token) -> None:
        """Go past the token, which must be the next one."""
        if not self._skip(token):
            raise FlubitriRefusal(f"expected {token}, found {self._peek()}")

    def end(self) -> None:
        """Refuse anything that is left."""
        if self._peek() is not None:
            raise FlubitriRefusal(f"unexpected {self._peek()}")

    def condition(self, level: int = 0) -> Condition:
        """Read a condition with no joins looser than those of a level."""
        if level == len(_JOINS):
            return self._single()
        join = _JOINS[level]
        token = ("word" if join in _WORDS else "mark", join)
        left = self.condition(level + 1)
        while self._skip(token):
            left = (join, left, self.condition(level + 1))
        return left

    def _single(self) -> Condition:
        """Read a condition that is no join, unless it stands in brackets."""
        if self._skip(("mark", "!")):
            return ("!", self.condition())
        if self._skip(("mark", "(")):
            inner = self.condition()
            self._expect(("mark", ")"))
            return inner
        if self._skip(("word", "any")):
            return ("any",)
        first = self._operand()
        if self._skip(("word", "among")):
            low = self._operand()
            self._expect(("mark", ".."))
            return ("among", first, low, self._operand())
        return self._chain(first)

    def _chain(self, first: Operand) -> Condition:
        """Read what is compared with an operand; a field may stand alone."""
        chain: Condition | None = None
        while self._next_is(*_COMPARING):
            mark = self._take("mark", "word")
            comparison = (mark, first, self._operand())
            chain = comparison if chain is None else ("&&", chain, comparison)
        if chain is not None:
            return chain
        if isinstance(first, tuple):
            return first
        raise FlubitriRefusal(f"{first!r} is compared with nothing")

    def _operand(self) -> Operand:
        """Read a field, a number or a text."""
        is_field = self._next_kind() == "name"
        content: int | str = self._take("name", "number", "text")
        return ("field", content) if is_field else content

    def steps(self) -> Iterator[Step]:
        """Read steps, each behind its `::`."""
        while self._skip(("mark", "::")):
            yield self._step()

    def _step(self) -> Step:
        """Read one step."""
        kind = self._take("word")
        if kind == "arrange":
            field = self._take("name")
            given = self._next_is(("word", "rising"), ("word", "falling"))
            return (kind, field, self._take("word") if given else "rising")
        if kind == "first":
            return (kind, self._take("number"))
        if kind == "once":
            return (kind, self._take("name"))
        if kind == "pick":
            fields = [self._take("name")]
            while self._next_kind() == "name":
                fields.append(self._take("name"))
            return (kind, tuple(fields))
        raise FlubitriRefusal(f"{kind} is no step")


# Conditions


def bradrel(text: str) -> Condition:
    """Read the condition that a whole text is."""
    reader = _Reader(text)
    condition = reader.condition()
    reader.end()
    return condition


def ketatim(condition: Condition) -> str:
    """Write a condition as a text that is read as just this condition."""
    kind, *rest = condition
    if kind == "field":
        return _write_operand(condition)
    if kind == "any":
        return "any"
    if kind == "!":
        return "!" + _write_inner(rest[0])
    if kind in _JOINS:
        return f"{_write_inner(rest[0])} {kind} {_write_inner(rest[1])}"
    operands = [_write_operand(operand) for operand in rest]
    if kind == "among":
        return "{} among {}..{}".format(*operands)
    return f" {kind} ".join(operands)


def _write_inner(condition: Condition) -> str:
    """Write a condition that stands inside a join or a negation."""
    text = ketatim(condition)
    return f"({text})" if condition[0] == "!" or condition[0] in _JOINS else text


def _write_operand(operand: Operand) -> str:
    """Write a field, a number or a text."""
    if isinstance(operand, tuple):
        return str(operand[1])
    if isinstance(operand, str):
        return "'" + _TO_ESCAPE.sub(r"\\\g<0>", operand) + "'"
    return str(operand)


def _names(condition: Condition) -> Iterator[str]:
    """Go through the names of the fields of a condition, from the left."""
    if condition[0] == "field":
        yield condition[1]
        return
    for piece in condition[1:]:
        if isinstance(piece, tuple):
            yield from _names(piece)


# Values and records


def gokabix(mark: str, left: Value, right: Value) -> bool:
    """Say whether a comparison of two values holds."""
    if left is None or right is None or isinstance(left, str) != isinstance(right, str):
        return mark == "<>"
    if mark == "contains":
        return isinstance(left, str) and isinstance(right, str) and right in left
    return _ORDER[mark](left, right)


def flerekle(condition: Condition, record: Record) -> bool:
    """Say whether a condition holds for a record."""
    kind, *rest = condition
    match kind:
        case "field":
            return record.get(rest[0]) is not None
        case "any":
            return True
        case "!":
            return not flerekle(rest[0], record)
        case "&&":
            return flerekle(rest[0], record) and flerekle(rest[1], record)
        case "||":
            return flerekle(rest[0], record) or flerekle(rest[1], record)
        case "unless":
            return flerekle(rest[0], record) and not flerekle(rest[1], record)
    values = [_value(operand, record) for operand in rest]
    if kind == "among":
        middle, low, high = values
        return gokabix("<", low, middle) and gokabix("<", middle, high)
    return gokabix(kind, *values)


def _value(operand: Operand, record: Record) -> Value:
    """Return the value that an operand stands for."""
    return record.get(operand[1]) if isinstance(operand, tuple) else operand


def quegotrur(records: list[Record], field: str, falling: bool = False) -> list[Record]:
    """Sort records by a field: lacking ones, then numbers, then texts."""

    def rank(record: Record) -> tuple[int, int, str]:
        value = record.get(field)
        if value is None:
            return (0, 0, "")
        if isinstance(value, str):
            return (2, 0, value)
        return (1, value, "")

    return sorted(records, key=rank, reverse=bool(falling))


def fikloflon(records: list[Record], field: str) -> list[Record]:
    """Leave out records whose value of a field an earlier record has."""
    seen: set[Value] = set()
    kept: list[Record] = []
    for record in records:
        value = record.get(field)
        if value not in seen:
            kept.append(record)
        if value is not None:
            seen.add(value)
    return kept


def repluturt(records: list[Record], fields: Sequence[str]) -> list[Record]:
    """Leave only some of the fields, with `None` for those that are lacking."""
    return [{field: record.get(field) for field in fields} for record in records]


def difipax(records: list[Record], field: str) -> list[Value]:
    """List the values of a field, with `None` where it is lacking."""
    return [record[field] for record in repluturt(records, [field])]


# Queries


class Botedu:
    """A query: a condition and steps, at most one of each kind."""

    def __init__(self, condition: Condition, steps: tuple[Step, ...] = ()) -> None:
        """Make a query, or raise `ValueError` if the steps do not make one."""
        self._by_kind = {step[0]: step for step in steps}
        if len(self._by_kind) < len(steps):
            raise ValueError("two steps are of one kind")
        if "first" in self._by_kind and self._by_kind["first"][1] < 0:
            raise ValueError("the number of `first` is negative")
        self._condition = condition
        self._steps = steps

    def quopim(self) -> tuple[Condition, tuple[Step, ...]]:
        """Return the condition and the steps."""
        return self._condition, self._steps

    def tastavosk(self) -> str:
        """Write the query as a text that is read as just this query."""
        pieces = [ketatim(self._condition), *map(_write_step, self._steps)]
        return " :: ".join(pieces)

    def tritonil(self, records: list[Record]) -> list[Record]:
        """Answer the query."""
        answer = [record for record in records if flerekle(self._condition, record)]
        for kind in _STEP_ORDER:
            if kind in self._by_kind:
                answer = _take_step(self._by_kind[kind], answer)
        return answer

    def plesoquo(self, records: list[Record]) -> int:
        """Return how many records the answer has."""
        return len(self.tritonil(records))

    def sareval(self) -> list[str]:
        """List the names of the fields that the query mentions, each once."""
        names = list(_names(self._condition))
        for kind, *rest in self._steps:
            if kind == "pick":
                names.extend(rest[0])
            elif kind != "first":
                names.append(rest[0])
        return list(dict.fromkeys(names))


def _write_step(step: Step) -> str:
    """Write a step."""
    kind, *rest = step
    if kind == "pick":
        return " ".join([kind, *rest[0]])
    if kind == "arrange" and rest[1] == "rising":
        del rest[1]
    return " ".join([kind, *map(str, rest)])


def _take_step(step: Step, records: list[Record]) -> list[Record]:
    """Return what a step leaves of records."""
    match step:
        case ("arrange", field, direction):
            return quegotrur(records, field, direction == "falling")
        case ("once", field):
            return fikloflon(records, field)
        case ("first", number):
            return records[:number]
        case ("pick", fields):
            return repluturt(records, fields)
    raise ValueError(f"{step!r} is no step")


def skatrire(text: str) -> Botedu:
    """Read the query that a text is."""
    reader = _Reader(text)
    condition = reader.condition()
    steps = tuple(reader.steps())
    reader.end()
    try:
        return Botedu(condition, steps)
    except ValueError as error:
        raise FlubitriRefusal(str(error)) from error
