"""Where in a TOML file each key and each element is written.

- The parser of the standard library gives values without places, so this module
  walks the text by itself and notes lines. It reads no values.
- It never raises. Text that is no TOML costs places: what was noted so far stands.
- It takes time in proportion to the text. The standard library's parser does not,
  where a key has thousands of parts, so such a key is noted here, to be refused first.
- A table is where its header is; a table that has none (dotted keys, or only its
  children have headers) is where it is first mentioned.
- A place that was not noted is looked for in its parents: a missing field is
  reported at the header of the table it is missing from, or at line 1.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress

import attrs

Path = tuple[str | int, ...]
"""The keys, and the indices in arrays, that lead to a value."""

_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# A multi-line string may end in up to two quotes of its own before the three that
# close it, so three to five are taken.
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]+")
_REST = re.compile(r"[^\n]*")

MOST_PARTS = 16
"""Most parts of one dotted key; a contract needs three."""


@attrs.frozen(kw_only=True)
class Lines:
    """The line of every key and element of a file, counted from 1."""

    stated: Mapping[Path, int] = attrs.field(factory=dict)
    """Places that have a header, a key or an element of their own."""
    implied: Mapping[Path, int] = attrs.field(factory=dict)
    """Places that are only mentioned on the way to another."""
    reached: int = 1
    """The line that the walk came to; in text that is no TOML, where it lost its way."""
    too_deep: bool = False
    """Whether the walk ended at a key of more than `MOST_PARTS` parts."""

    def of(self, path: Path) -> int:
        """The line of a path, or of the nearest parent that is in the file."""
        while path:
            line = self.stated.get(path) or self.implied.get(path)
            if line:
                return line
            path = path[:-1]
        return 1


def locate(text: str) -> Lines:
    """Note the line of every key and element; line ends must be plain newlines."""
    scanner = _Scanner(text)
    # Not TOML, or nested too deep: what was noted so far stands.
    with suppress(_LostError, ValueError, RecursionError):
        scanner.document()
    return Lines(
        stated=scanner.stated,
        implied=scanner.implied,
        reached=scanner.line(),
        too_deep=scanner.too_deep,
    )


class _LostError(Exception):
    """The text is not what TOML allows here."""


class _Scanner:
    """Walks a document once, from left to right."""

    def __init__(self, text: str) -> None:
        self.stated: dict[Path, int] = {}
        self.implied: dict[Path, int] = {}
        self.too_deep = False
        self._text = text
        self._at = 0
        self._newlines = [m.start() for m in re.finditer("\n", text)]
        # How many tables of an array of tables have begun.
        self._begun: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        self._take(_GAP)
        while self._at < len(self._text):
            if self._peek() == "[":
                table = self._header()
            else:
                self._pair(table)
            self._take(_GAP)

    def line(self) -> int:
        """The line that the walk is at."""
        return bisect_right(self._newlines, self._at) + 1

    def _header(self) -> Path:
        line = self.line()
        opening = "[[" if self._text.startswith("[[", self._at) else "["
        self._at += len(opening)
        path = self._resolved(self._key())
        if opening == "[[":
            self.implied.setdefault(path, line)
            index = self._begun.get(path, 0)
            self._begun[path] = index + 1
            path = (*path, index)
        self._note((), path, line)
        self._take(_REST)
        return path

    def _resolved(self, key: Path) -> Path:
        """A header's key below an array of tables means the array's last table."""
        path: Path = ()
        for part in key[:-1]:
            path = (*path, part)
            if path in self._begun:
                path = (*path, self._begun[path] - 1)
        return path + key[-1:]

    def _pair(self, table: Path) -> None:
        line = self.line()
        key = self._key()
        self._note(table, table + key, line)
        self._skip("=")
        self._take(_BLANK)
        self._value(table + key)

    def _note(self, table: Path, path: Path, line: int) -> None:
        self.stated.setdefault(path, line)
        for length in range(len(table) + 1, len(path)):
            self.implied.setdefault(path[:length], line)

    def _key(self) -> Path:
        parts: list[str] = []
        while True:
            if len(parts) == MOST_PARTS:
                self.too_deep = True
                raise _LostError
            self._take(_BLANK)
            if self._peek() in ("'", '"'):
                parts.append(tomllib.loads(f"key = {self._take(_STRING)}")["key"])
            else:
                parts.append(self._take(_BARE_KEY))
            self._take(_BLANK)
            if self._peek() != ".":
                return tuple(parts)
            self._at += 1

    def _value(self, path: Path) -> None:
        match self._peek():
            case "[":
                self._array(path)
            case "{":
                self._inline_table(path)
            case "'" | '"':
                self._take(_STRING)
            case _:
                self._take(_SCALAR)

    def _array(self, path: Path) -> None:
        self._skip("[")
        index = 0
        while not self._closed("]"):
            self.stated[(*path, index)] = self.line()
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: Path) -> None:
        self._skip("{")
        while not self._closed("}"):
            self._pair(path)

    def _closed(self, bracket: str) -> bool:
        """Pass blanks, comments and a comma; then pass the bracket, if it is next."""
        self._take(_GAP)
        if self._peek() == ",":
            self._at += 1
            self._take(_GAP)
        if self._peek() != bracket:
            return False
        self._at += 1
        return True

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self, char: str) -> None:
        if self._peek() != char:
            raise _LostError
        self._at += 1

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise _LostError
        self._at = match.end()
        return match.group()
