"""The kinds of rule that a field can have.

- A rule is a value that does two things from the same attributes: ``read`` checks a
  field that came from TOML, ``schema`` says the same as JSON Schema. So the parser
  and the published schema cannot disagree.
- ``read`` never raises. It reports each problem, with what was expected, what came
  and what to do, and gives None for what is unusable. TOML has no null, so None is
  never a field's value.
- What JSON Schema cannot say (`Text.beyond`, and the rules between fields in
  ``parse``) is said in the field's description.
- Patterns stay in what Python's ``re`` and ECMA-262 read alike.
"""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Protocol

import attrs

from shipbar.contract.lines import Lines, Path

Schema = dict[str, Any]

_LONGEST_SHOWN = 60
# Python refuses to write out an integer of thousands of digits.
_MOST_BITS_SHOWN = 64
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@attrs.define(kw_only=True)
class Report:
    """Collects the problems of one file."""

    where: str
    """The file's name, as the caller knows it."""
    lines: Lines
    """Where each field is."""
    homes: Mapping[str, str] = attrs.field(factory=dict)
    """Every known field, and the table it belongs to as messages name it."""
    found: list[tuple[int, str]] = attrs.field(factory=list)
    """Line and text of each problem, in the order they were found."""

    def add(self, path: Path, *, expected: str, got: str, do: str) -> None:
        """Note one problem."""
        line = self.lines.of(path)
        text = f"{label(path)}: expected {expected}, got {got}; {do}"
        self.found.append((line, f"{self.where}:{line}: {text}"))

    def problems(self) -> list[str]:
        """Every problem so far, in the order of the file."""
        return [text for _, text in sorted(self.found, key=lambda item: item[0])]


def label(path: Path) -> str:
    """A path as people write it: ``grader.limits.wall_s``, ``public_symbols[2]``."""
    parts = ""
    for part in path:
        if isinstance(part, int):
            parts += f"[{part}]"
        else:
            plain = _BARE_KEY.fullmatch(part) and len(part) <= _LONGEST_SHOWN
            parts += "." + (part if plain else _short(repr(part)))
    return parts.removeprefix(".")


def shown(value: object) -> str:
    """A value for a message: short, on one line, whatever it is."""
    match value:
        case bool():
            text = "true" if value else "false"
        case int() if value.bit_length() > _MOST_BITS_SHOWN:
            text = "a huge whole number"
        case str() | int() | float():
            text = _short(repr(value))
        case list():
            text = f"a list of {len(value)}"
        case dict():
            text = "a table"
        case _:
            text = "a date or a time"
    return text


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


class Rule(Protocol):
    """What one field must be."""

    @property
    def expected(self) -> str:
        """What to write, as it reads after the word "expected"."""
        ...

    def read(self, value: object, path: Path, report: Report) -> Any:  # noqa: ANN401 (as varied as the fields)
        """Give the value as Python keeps it; report it and give None if it is unfit."""
        ...

    def schema(self, named: dict[str, Schema]) -> Schema:
        """Say the same as JSON Schema; rules with a name go into ``named``, once."""
        ...


@attrs.frozen(kw_only=True)
class Clue:
    """A common slip in a text, and what to do about it."""

    seen: Callable[[str], bool]
    """Whether a text that was refused has this slip."""
    do: str
    """What to do, as it reads after a semicolon."""


@attrs.frozen(kw_only=True)
class Text:
    """A string on one line."""

    expected: str
    pattern: str
    """Matched against the whole string."""
    longest: int
    """Most characters."""
    do: str
    """What to do about a text that no clue explains."""
    name: str = ""
    """The rule's name in the schema; empty for a rule that one field uses."""
    taken: frozenset[str] = frozenset()
    """Words that fit the pattern and are refused."""
    beyond: Callable[[str], bool] = lambda _text: True
    """What a schema cannot say and must hold too."""
    clues: tuple[Clue, ...] = ()

    def fits(self, text: str) -> bool:
        """Say whether the text is fit."""
        return (
            len(text) <= self.longest
            and re.fullmatch(self.pattern, text) is not None
            and text not in self.taken
            and self.beyond(text)
        )

    def read(self, value: object, path: Path, report: Report) -> str | None:
        """See `Rule`."""
        if isinstance(value, str) and self.fits(value):
            return value
        do = "write it in quotes"
        if isinstance(value, str):
            do = next((clue.do for clue in self.clues if clue.seen(value)), self.do)
        report.add(path, expected=self.expected, got=shown(value), do=do)
        return None

    def schema(self, named: dict[str, Schema]) -> Schema:
        """See `Rule`."""
        # In Python, $ also matches before a last line feed; the look-ahead closes that.
        schema: Schema = {
            "type": "string",
            "pattern": f"^(?:{self.pattern})$(?!\\n)",
            "maxLength": self.longest,
        }
        if self.taken:
            schema["not"] = {"enum": sorted(self.taken)}
        if not self.name:
            return schema
        named[self.name] = {"description": _sentence(self.expected), **schema}
        return {"$ref": f"#/$defs/{self.name}"}


@attrs.frozen(kw_only=True)
class Choice:
    """One word of a list."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        """See `Rule`."""
        return " or ".join(f'"{word}"' for word in self.words)

    def read(self, value: object, path: Path, report: Report) -> str | None:
        """See `Rule`."""
        if isinstance(value, str) and value in self.words:
            return value
        do = "there is no other" if len(self.words) == 1 else "write one of them"
        report.add(path, expected=self.expected, got=shown(value), do=do)
        return None

    def schema(self, named: dict[str, Schema]) -> Schema:  # noqa: ARG002 (the port's shape)
        """See `Rule`."""
        return {"type": "string", "enum": list(self.words)}


@attrs.frozen(kw_only=True)
class Number:
    """A number in a range; true and false are none."""

    least: int | None = None
    """The lowest value, where it is allowed itself."""
    above: int | None = None
    """The lowest value, where it is not."""
    most: int
    """The highest value, allowed itself."""
    whole: bool = False
    """Whether it must be written without a fraction."""

    @property
    def expected(self) -> str:
        """See `Rule`."""
        kind = "a whole number" if self.whole else "a number"
        if self.least is None:
            return f"{kind} above {self.above} and at most {self.most}"
        return f"{kind} from {self.least} to {self.most}"

    def read(self, value: object, path: Path, report: Report) -> float | None:
        """See `Rule`."""
        kinds = int if self.whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            fraction = isinstance(value, float)
            do = f"write it without {'a fraction' if fraction else 'quotes'}"
        # Negated, so that nan, which compares as false, is refused.
        elif not self._low_enough(value) or not value <= self.most:
            do = "choose a number in that range"
        else:
            return value if self.whole else float(value)
        report.add(path, expected=self.expected, got=shown(value), do=do)
        return None

    def _low_enough(self, value: float) -> bool:
        if self.least is not None:
            return value >= self.least
        return self.above is None or value > self.above

    def schema(self, named: dict[str, Schema]) -> Schema:  # noqa: ARG002 (the port's shape)
        """See `Rule`."""
        low = {"minimum": self.least, "exclusiveMinimum": self.above}
        return {
            "type": "integer" if self.whole else "number",
            **{word: bound for word, bound in low.items() if bound is not None},
            "maximum": self.most,
        }


@attrs.frozen(kw_only=True)
class Flag:
    """True or false."""

    expected: str = "true or false"

    def read(self, value: object, path: Path, report: Report) -> bool | None:
        """See `Rule`."""
        if isinstance(value, bool):
            return value
        do = "write one of the two words, without quotes"
        report.add(path, expected=self.expected, got=shown(value), do=do)
        return None

    def schema(self, named: dict[str, Schema]) -> Schema:  # noqa: ARG002 (the port's shape)
        """See `Rule`."""
        return {"type": "boolean"}


@attrs.frozen(kw_only=True)
class Listing:
    """A list of at least one, without repeats."""

    of: Text

    @property
    def expected(self) -> str:
        """See `Rule`."""
        return f"a list of at least one, each {self.of.expected}"

    def read(
        self, value: object, path: Path, report: Report
    ) -> tuple[str | None, ...] | None:
        """See `Rule`; an element that is unfit is None, so the others keep their places."""
        if not isinstance(value, list) or not value:
            do = "write at least one, in square brackets"
            report.add(path, expected=self.expected, got=shown(value), do=do)
            return None
        first: dict[str, int] = {}
        elements: list[str | None] = []
        for index, raw in enumerate(value):
            element = self.of.read(raw, (*path, index), report)
            elements.append(element)
            if element is None:
                continue
            if element in first:
                line = report.lines.of((*path, first[element]))
                got = f"{shown(element)} again (first on line {line})"
                do = "remove one of the two"
                report.add((*path, index), expected="no repeats", got=got, do=do)
            first.setdefault(element, index)
        return tuple(elements)

    def schema(self, named: dict[str, Schema]) -> Schema:
        """See `Rule`."""
        items = self.of.schema(named)
        return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


@attrs.frozen(kw_only=True)
class Field:
    """One field of a table: its rule and its sentence."""

    rule: Rule
    doc: str
    """What the field means, in the reference and in the schema."""
    needed: bool = True
    """Whether the file must state it."""


def told(rule: Rule, doc: str, *, needed: bool = True) -> dict[str, Field]:
    """Metadata for an attrs field that a contract states."""
    return {"field": Field(rule=rule, doc=doc, needed=needed)}


@attrs.frozen(kw_only=True)
class Table:
    """A table whose fields are those of a frozen class, no more and no fewer."""

    of: type[Any]
    """A class of attrs; a field made with `told` is a field of the table."""

    @property
    def expected(self) -> str:
        """See `Rule`."""
        return f"a table with the fields {', '.join(self.fields())}"

    def fields(self) -> dict[str, Field]:
        """Name and rule of every field, in the order of the class."""
        return {
            field.name: field.metadata["field"]
            for field in attrs.fields(self.of)
            if "field" in field.metadata
        }

    def tables(self, path: Path = ()) -> dict[Path, "Table"]:
        """This table and all those in it, by path, outermost first."""
        found: dict[Path, Table] = {path: self}
        for name, field in self.fields().items():
            if isinstance(field.rule, Table):
                found |= field.rule.tables((*path, name))
        return found

    def read(self, value: object, path: Path, report: Report) -> dict[str, Any] | None:
        """See `Rule`; a field that is unfit is None, one that is absent is absent."""
        if not isinstance(value, dict):
            do = f"write it as a table, under the header [{label(path)}]"
            report.add(path, expected=self.expected, got=shown(value), do=do)
            return None
        fields = self.fields()
        for name in value:
            if name not in fields:
                self._refuse((*path, name), report)
        for name, field in fields.items():
            if field.needed and name not in value:
                expected, do = field.rule.expected, f"add it: {field.doc}"
                report.add((*path, name), expected=expected, got="nothing", do=do)
        return {
            name: field.rule.read(value[name], (*path, name), report)
            for name, field in fields.items()
            if name in value
        }

    def _refuse(self, path: Path, report: Report) -> None:
        """Report a field that is not known here."""
        name, known = str(path[-1]), list(self.fields())
        if home := report.homes.get(name):
            # A key below the wrong header is TOML's commonest trap.
            do = f"move it to {home}"
        elif near := get_close_matches(name, known, n=1):
            do = f"did you mean {near[0]}?"
        else:
            do = f"remove it; known here are {', '.join(known)}"
        expected, got = "a field that is known here", "another"
        report.add(path, expected=expected, got=got, do=do)

    def build(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 (an instance of self.of)
        """Make the value from what `read` gave, once nothing was reported."""
        rules = {name: field.rule for name, field in self.fields().items()}
        built = {}
        for name, value in values.items():
            rule = rules.get(name)
            built[name] = rule.build(value) if isinstance(rule, Table) else value
        return self.of(**built)

    def schema(self, named: dict[str, Schema]) -> Schema:
        """See `Rule`."""
        fields = self.fields()
        properties: Schema = {}
        for name, field in fields.items():
            schema = field.rule.schema(named)
            if not field.needed:
                schema = {"anyOf": [{"type": "null"}, schema]}
            properties[name] = {"description": field.doc, **schema}
        return {
            "type": "object",
            "properties": properties,
            "required": [name for name, field in fields.items() if field.needed],
            "additionalProperties": False,
        }
