"""Lays out literals in lines of at most `WIDTH` columns, the same at every run.

A value that fits on its line stays there. A container that does not is opened:
one item a line, or numbers side by side. Long text is cut where its own lines or
words end. What cannot be cut, such as a number of a hundred digits, stays long.
"""

import datetime
import re
from collections.abc import Callable, Iterator

from shipbar.sealed.codec import Member
from shipbar.sealed.literals import LiteralError, Writer

WIDTH = 88
STEP = 4

_MOMENT = re.compile(r"\bdatetime\.(\w+)")

Namer = Callable[[str, str], str]
"""From a module and a name in it to the text that means it in the file."""


class Layout(Writer):
    """Writes values as literals, over several lines where one is too short."""

    def __init__(self, package: str, name: Namer) -> None:
        """Take what names things.

        Args:
            package: the import name of the package under test; its Enums are named.
            name: called for each thing that a literal needs imported.
        """
        super().__init__()
        self._package, self._name = package, name

    def _text(self, value: object) -> str:
        if isinstance(value, Member):
            return self._member(value)
        if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
            return _MOMENT.sub(
                lambda match: self._name("datetime", match[1]), repr(value)
            )
        return super()._text(value)

    def _member(self, value: Member) -> str:
        if not (value.enum.isidentifier() and value.name.isidentifier()):
            raise LiteralError(
                f"{value.enum}.{value.name} is a member of no public Enum; ask for its name or value"
            )
        return f"{self._name(self._package, value.enum)}.{value.name}"

    def _needs(self, module: str, name: str) -> str:
        return self._name(module, name)

    def lay(self, value: object, indent: int, used: int) -> str:
        """Return source text whose value equals ``value``.

        Args:
            value: plain data.
            indent: columns by which the line is indented on which it starts.
            used: columns of that line that are taken, before and after it.

        Raises:
            LiteralError: it is no plain data, or nothing equals it.
        """
        flat = self.write(value)
        if used + len(flat) <= WIDTH:
            return flat
        if isinstance(value, str | bytes):
            return _opened("(", self._pieces(value, indent + STEP), ")", indent)
        if not isinstance(value, list | tuple | dict | set | frozenset) or not value:
            return flat
        left, right = _brackets(value)
        return _opened(left, self._items(value, indent + STEP), right, indent)

    def opens(self, value: object) -> bool:
        """Whether a value that is too long for its line may go on in the next."""
        return isinstance(
            value, str | bytes | list | tuple | dict | set | frozenset
        ) and bool(value)

    def _items(
        self,
        value: list[object]
        | tuple[object, ...]
        | dict[object, object]
        | set[object]
        | frozenset[object],
        indent: int,
    ) -> Iterator[str]:
        used = indent + len(",")
        if isinstance(value, dict):
            for key, item in value.items():
                lead = f"{self.write(key)}: "
                yield f"{lead}{self.lay(item, indent, used + len(lead))},"
        elif isinstance(value, set | frozenset):
            for item in sorted(value, key=self.write):
                yield f"{self.lay(item, indent, used)},"
        elif all(item is None or isinstance(item, int | float) for item in value):
            yield from _filled([f"{self.write(item)}," for item in value], indent)
        else:
            yield from (f"{self.lay(item, indent, used)}," for item in value)

    def _pieces(self, value: str | bytes, indent: int) -> Iterator[str]:
        """Cut text into literals that Python joins again."""
        room = WIDTH - indent - len('b""')
        start = 0
        while start < len(value):
            end = _cut(value, start, room)
            yield self.write(value[start:end])
            start = end


def _cut(value: str | bytes, start: int, room: int) -> int:
    """Return where a piece that begins at ``start`` ends: after a line, a word, or the room."""
    width, end, word = 0, start, 0
    while end < len(value):
        char = value[end : end + 1]
        # A quote may need a backslash, which depends on what else is in the piece.
        width += len(repr(char)) - len(repr(value[:0])) + (char in ('"', "'", b"'"))
        if width > room and end > start:
            return word or end
        end += 1
        if char in ("\n", b"\n"):
            return end
        if char in (" ", b" "):
            word = end
    return end


def _filled(texts: list[str], indent: int) -> Iterator[str]:
    """Put short texts side by side."""
    line = ""
    for text in texts:
        if line and indent + len(line) + 1 + len(text) > WIDTH:
            yield line
            line = ""
        line = f"{line} {text}" if line else text
    yield line


def _brackets(value: object) -> tuple[str, str]:
    if isinstance(value, list):
        return "[", "]"
    if isinstance(value, tuple):
        return "(", ")"
    return ("frozenset({", "})") if isinstance(value, frozenset) else ("{", "}")


def _opened(left: str, lines: Iterator[str], right: str, indent: int) -> str:
    inner = "".join(f"\n{' ' * (indent + STEP)}{line}" for line in lines)
    return f"{left}{inner}\n{' ' * indent}{right}"
