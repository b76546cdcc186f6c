"""Text filled in from templates: tags give way to values, once, never or many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Number
from typing import Any

__all__ = [
    "StigropeRefusal",
    "miror",
    "drezera",
    "gratrotri",
    "zetort",
    "dimuki",
    "plivomom",
    "zezagin",
    "lakax",
    "plidite",
    "klakon",
    "quinosem",
    "flitre",
]

Token = tuple[str, str]
Stack = Sequence[Any]

_BLANK = " "
_FIRST_MARKS = ("{{", "}}")
_BRACE = "{"
_CLOSING_BRACE = "}"

_KIND_OF_SIGN = {
    "&": "marked",
    _BRACE: "marked",
    "#": "open",
    "^": "unless",
    "/": "close",
    ">": "include",
    "!": "comment",
    "=": "marks",
}

_WRITTEN = {
    "text": "{}",
    "margin": "{}",
    "marks": "",
    "name": "{{{{ {}}}}}",
    "marked": "{{{{& {} }}}}",
    "open": "{{{{# {}}}}}",
    "unless": "{{{{^ {}}}}}",
    "close": "{{{{/ {}}}}}",
    "include": "{{{{> {}}}}}",
}

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
)


class StigropeRefusal(ValueError):
    """Raised for a template that cannot be read and for a name that is not found."""


# Cutting a template into tokens


@dataclass(frozen=True)
class _Tag:
    """A tag as it stands in a template, from `start` up to `end`."""

    kind: str
    name: str
    start: int
    end: int


def _read_tag(template: str, start: int, marks: tuple[str, str]) -> _Tag:
    """The tag whose left mark stands at `start`."""
    left, right = marks
    inside_start = start + len(left)
    inside_end = template.find(right, inside_start)
    if inside_end < 0:
        raise StigropeRefusal(f"a tag without a right mark at {start}")
    inside = template[inside_start:inside_end]
    end = inside_end + len(right)

    sign = inside[:1]
    kind = _KIND_OF_SIGN.get(sign, "name")
    if kind == "name":
        name = inside.strip()
    elif kind == "marks":
        name = _marks_name(inside)
    else:
        name = inside[1:].strip()
    if not name and kind != "comment":
        raise StigropeRefusal(f"a tag without a name at {start}")
    if sign == _BRACE:
        if marks != _FIRST_MARKS or not template.startswith(_CLOSING_BRACE, end):
            raise StigropeRefusal(f"a brace out of place in the tag at {start}")
        end += len(_CLOSING_BRACE)
    return _Tag(kind, name, start, end)


def _marks_name(inside: str) -> str:
    """The two new marks, as they stand between the signs of a marks tag."""
    if len(inside) < 2 or not inside.endswith("="):
        raise StigropeRefusal(f"a marks tag without a second sign: {inside!r}")
    name = inside[1:-1].strip()
    if len(name.split()) != 2:
        raise StigropeRefusal(f"a marks tag needs two marks: {inside!r}")
    return name


def _is_blank(text: str) -> bool:
    """Whether nothing but blanks stands in the text."""
    return not text.strip(_BLANK)


def _cut(template: str) -> Iterator[Token]:
    """The tokens of a template, comments left out, sections not looked at."""
    marks = _FIRST_MARKS
    position = 0
    while (start := template.find(marks[0], position)) >= 0:
        tag = _read_tag(template, start, marks)
        text_end, next_position = tag.start, tag.end
        margin = ""
        if tag.kind not in ("name", "marked"):
            line_start = template.rfind("\n", 0, tag.start) + 1
            line_end = template.find("\n", tag.end)
            if line_end < 0:
                line_end = len(template)
            before = template[line_start : tag.start]
            if _is_blank(before):
                alone = _is_blank(template[tag.end : line_end])
                if alone:
                    next_position = min(line_end + 1, len(template))
                if tag.kind == "include":
                    margin = before
                if alone or margin:
                    text_end = line_start
        if position < text_end:
            yield "text", template[position:text_end]
        if margin:
            yield "margin", margin
        if tag.kind != "comment":
            yield tag.kind, tag.name
        if tag.kind == "marks":
            left, right = tag.name.split()
            marks = (left, right)
        position = next_position
    if position < len(template):
        yield "text", template[position:]


def dimuki(template: str) -> list[Token]:
    """Cut a template into tokens, with every section closed."""
    tokens: list[Token] = []
    still_open: list[str] = []
    for token in _cut(template):
        kind, name = token
        if kind in ("open", "unless"):
            still_open.append(name)
        elif kind == "close" and (not still_open or still_open.pop() != name):
            raise StigropeRefusal(f"{name!r} is not the section to be closed")
        tokens.append(token)
    tokens.extend(("close", name) for name in reversed(still_open))
    return tokens


def lakax(tokens: Sequence[Token]) -> str:
    """Write tokens as a template again."""
    return "".join(_WRITTEN[kind].format(content) for kind, content in tokens)


def flitre(text: str, margin: str) -> str:
    """Put a margin in front of every line of a text."""
    body, last = text[:-1], text[-1:]
    return margin + body.replace("\n", "\n" + margin) + last


# Names and values


def _find(name: str, stack: Stack) -> tuple[bool, Any]:
    """Whether a name is found, and the value if it is."""
    context = stack[-1]
    if name == ".":
        return True, context
    if isinstance(context, Mapping):
        return (True, context[name]) if name in context else (False, None)
    if isinstance(context, (list, tuple)) and name.isascii() and name.isdigit():
        digits = name.lstrip("0") or "0"
        if len(digits) <= len(str(len(context))) and int(digits) < len(context):
            return True, context[int(digits)]
    return False, None


def zezagin(name: str, stack: Stack) -> bool:
    """Whether a name is found in a stack of contexts."""
    return _find(name, stack)[0]


def plidite(name: str, stack: Stack) -> Any:
    """The value that a name stands for, `""` if it holds nothing."""
    found, value = _find(name, stack)
    if not found:
        raise StigropeRefusal(f"no value for the name {name!r}")
    return "" if _holds_nothing(value) else value


def _holds_nothing(value: Any) -> bool:
    """Whether there is nothing to write of a value."""
    if value is None:
        return True
    return isinstance(value, (str, Mapping, list, tuple)) and len(value) == 0


def zetort(value: Any) -> str:
    """The text of a value."""
    return "" if _holds_nothing(value) else str(value)


def miror(text: str) -> str:
    """Escape a text for markup."""
    return text.translate(_ESCAPES)


def klakon(value: Any) -> bool:
    """Whether a section takes a value as absent."""
    return _holds_nothing(value) or (isinstance(value, Number) and value == 0)


# Filling in


@dataclass(frozen=True)
class _Value:
    """A place for the text of a value."""

    name: str
    escaped: bool


@dataclass(frozen=True)
class _Include:
    """A place for an included template."""

    name: str
    margin: str


@dataclass
class _Section:
    """A section with its parts and the tokens inside it."""

    name: str
    opposite: bool
    parts: list[_Part] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)


_Part = str | _Value | _Include | _Section


def _parts(tokens: list[Token]) -> list[_Part]:
    """The parts that the tokens of a template make up."""
    levels: list[list[_Part]] = [[]]
    sections: list[tuple[_Section, int]] = []
    margin = ""
    for index, (kind, content) in enumerate(tokens):
        if kind == "text":
            levels[-1].append(content)
        elif kind in ("name", "marked"):
            levels[-1].append(_Value(content, kind == "marked"))
        elif kind == "margin":
            margin = content
        elif kind == "include":
            levels[-1].append(_Include(content, margin))
            margin = ""
        elif kind in ("open", "unless"):
            section = _Section(content, kind == "unless")
            levels[-1].append(section)
            levels.append(section.parts)
            sections.append((section, index + 1))
        elif kind == "close":
            levels.pop()
            section, first = sections.pop()
            section.tokens = tokens[first:index]
    return levels[0]


@dataclass(frozen=True)
class _Filler:
    """Fills templates in that share their includes."""

    includes: Mapping[str, str]

    def template(self, template: str, stack: list[Any]) -> str:
        """A template, filled in."""
        return self._all(_parts(dimuki(template)), stack)

    def _all(self, parts: list[_Part], stack: list[Any]) -> str:
        return "".join(self._one(part, stack) for part in parts)

    def _one(self, part: _Part, stack: list[Any]) -> str:
        if isinstance(part, str):
            return part
        if isinstance(part, _Value):
            text = zetort(plidite(part.name, stack))
            return miror(text) if part.escaped else text
        if isinstance(part, _Include):
            included = self.includes.get(part.name, "")
            return self.template(flitre(included, part.margin), stack)
        return self._section(part, stack)

    def _section(self, section: _Section, stack: list[Any]) -> str:
        _, value = _find(section.name, stack)
        if section.opposite:
            return self._all(section.parts, stack) if klakon(value) else ""
        if callable(value):
            return self._called(value, section, stack)
        if klakon(value):
            return ""
        if isinstance(value, (list, tuple)):
            contexts = [element for element in reversed(value) if not klakon(element)]
        else:
            contexts = [value]
        return "".join(
            self._all(section.parts, [*stack, context]) for context in contexts
        )

    def _called(
        self,
        function: Callable[[str, Callable[[str], str]], str],
        section: _Section,
        stack: list[Any],
    ) -> str:
        def again(template: str) -> str:
            return self.template(template, stack)

        return again(function(lakax(section.tokens), again))


def gratrotri(template: str, data: Any, includes: Mapping[str, str] | None = None) -> str:
    """Fill a template in with data."""
    return _Filler({} if includes is None else includes).template(template, [data])


# Questions about a template


def _names(template: str, kinds: tuple[str, ...]) -> list[str]:
    """The names in tags of these kinds, each once, without `.`."""
    used = (name for kind, name in dimuki(template) if kind in kinds)
    return [name for name in dict.fromkeys(used) if name != "."]


def plivomom(template: str) -> list[str]:
    """The names that a template looks up."""
    return _names(template, ("name", "marked", "open", "unless"))


def quinosem(template: str) -> list[str]:
    """The names whose values a template writes escaped."""
    return _names(template, ("marked",))


def drezera(template: str) -> list[str]:
    """The keys that a template looks for in the contexts themselves."""
    return plivomom(template)
