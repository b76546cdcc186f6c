"""A file's streams, within bounds: parsed where that can be done, by tokens where not.

A parser is not linear. There are texts that take it the square of their length in
time, so its rounds are counted; and grammars other than Python's need as much in
memory, so theirs run in a process that may run out of it. A file that takes too much is
compared by tokens, and named. What is used up is `Room`, of one file and of all files
of a package together.
"""

import ast
import base64
import json
import warnings

import attrs
import tree_sitter

from shipbar.similarity.confined import confined
from shipbar.similarity.languages import actions_of, grammar
from shipbar.similarity.reading import SourceFile
from shipbar.similarity.streams import (
    MOST_REWORK,
    MOST_SYMBOLS,
    WIDTH,
    Function,
    Stream,
    Walk,
    code,
)
from shipbar.similarity.tokens import tokens

MOST_PARSED = 1 << 18
"""Bytes up to which a file is parsed; a larger one is compared by tokens."""
MOST_STEPS = 6_000
"""Rounds of a parser in one file; the densest tables of that size need 4,000."""
_CHUNK = 1 << 16


@attrs.frozen(kw_only=True)
class Read:
    """A file's streams: by its syntax tree, by its tokens, or both."""

    tree: Stream | None
    """None: there is no grammar, or the file is too large for one."""
    tokens: Stream | None
    """None: the tree says all, and tokens were not asked for."""
    remark: str = ""
    """What a reader must know of it."""
    cut: bool = False
    """Whether its end was left out."""


@attrs.define(kw_only=True)
class Room:
    """What may still be spent on a package; files beyond are compared by less."""

    parsed: int = 1 << 20
    """Bytes that are parsed."""
    symbols: int = 2 * MOST_SYMBOLS
    """Symbols of all streams that are kept."""
    steps: int = 2 * MOST_STEPS
    """Rounds of parsers."""
    rework: int = MOST_REWORK
    """Symbols that are looked at again."""

    def cut(self, listed: Stream) -> Stream:
        """Take the room of a stream; leave out what has none."""
        kept = max(self.symbols, 0)
        self.symbols -= len(listed)
        if kept >= len(listed):
            return listed
        return attrs.evolve(
            listed,
            codes=listed.codes[: kept * WIDTH],
            lines=listed.lines[:kept],
            functions=tuple(it for it in listed.functions if it.end <= kept),
        )


def read_file(
    file: SourceFile, *, by_tokens: bool = False, room: Room | None = None
) -> Read:
    """Return the streams of ``file``.

    Args:
        file: what to read.
        by_tokens: make the stream of tokens even if the file parses.
        room: what may be spent; what is, is taken from it.
    """
    language, room = file.language, room or Room()
    if language is None:
        return _by_tokens(file, "no grammar for this language; compared as text", room)
    if len(file.data) > min(room.parsed, MOST_PARSED):
        return _by_tokens(file, "too large to parse; compared by tokens", room)
    room.parsed -= len(file.data)
    found = _parsed(file, room)
    if found is None:
        return _by_tokens(file, "too tangled to parse; compared by tokens", room)
    broken = found.broken and not _compiles(file)
    remark = (
        f"does not parse as {language.name}; compared by what could be read, and by tokens"
        if broken
        else ""
    )
    tree = room.cut(found.tree)
    cut = found.cut or len(tree) < len(found.tree)
    if not (broken or by_tokens):
        return Read(tree=tree, tokens=None, remark=remark, cut=cut)
    listed, short = _tokens(file, room)
    return Read(tree=tree, tokens=listed, remark=remark, cut=cut or short)


@attrs.frozen(kw_only=True)
class _Parsed:
    tree: Stream
    broken: bool
    cut: bool


def _parsed(file: SourceFile, room: Room) -> _Parsed | None:
    """Parse and walk a file; None: it takes more than there is room for."""
    assert file.language is not None  # noqa: S101  # the caller has looked
    if file.language.name == "Python":
        return _walked(file, room)
    # Unlike that of Python, other grammars may need memory by the square.
    return _unpacked(file.path, confined(lambda: _packed(_walked(file, room))))


def _walked(file: SourceFile, room: Room) -> _Parsed | None:
    assert file.language is not None  # noqa: S101  # as above
    taken, most = 0, min(room.steps, MOST_STEPS)

    def stop(_offset: int, _error: bool) -> bool:  # noqa: FBT001  # as it is called
        nonlocal taken
        taken += 1
        return taken > most

    data = file.data
    parser = tree_sitter.Parser(grammar(file.language))
    try:
        parsed = parser.parse(
            lambda offset, _point: data[offset : offset + _CHUNK],
            progress_callback=stop,
        )
    except ValueError:  # stopped
        parsed = None
    room.steps -= taken
    if parsed is None:
        return None
    walk = Walk(actions_of(file.language.name), data, room.rework)
    walk.run(parsed)
    room.rework = walk.patience
    return _Parsed(
        tree=walk.stream(file.path), broken=parsed.root_node.has_error, cut=walk.cut
    )


def _packed(found: _Parsed | None) -> bytes:
    if found is None:
        return b""
    tree = found.tree
    record = {
        "codes": base64.b64encode(tree.codes).decode(),
        "lines": tree.lines,
        "functions": [attrs.astuple(it) for it in tree.functions],
        "broken": found.broken,
        "cut": found.cut,
    }
    return json.dumps(record).encode()


def _unpacked(path: str, data: bytes | None) -> _Parsed | None:
    if not data:
        return None
    record = json.loads(data)
    names = [field.name for field in attrs.fields(Function)]
    tree = Stream(
        path=path,
        codes=base64.b64decode(record["codes"]),
        lines=tuple(record["lines"]),
        functions=tuple(
            Function(**dict(zip(names, it, strict=True))) for it in record["functions"]
        ),
    )
    return _Parsed(tree=tree, broken=record["broken"], cut=record["cut"])


def _compiles(file: SourceFile) -> bool:
    """Whether Python itself reads a file, of which its grammar lacks some rare form."""
    if file.language is None or file.language.name != "Python":
        return False
    try:
        with warnings.catch_warnings(action="ignore"):
            ast.parse(file.data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _by_tokens(file: SourceFile, remark: str, room: Room) -> Read:
    listed, cut = _tokens(file, room)
    return Read(tree=None, tokens=listed, remark=remark, cut=cut)


def _tokens(file: SourceFile, room: Room) -> tuple[Stream, bool]:
    """Return a file's tokens, and whether there are more than there is room for."""
    most = min(MOST_SYMBOLS, max(room.symbols, 0))
    symbols, lines = tokens(file.data.decode("utf-8", "replace"), most + 1)
    listed = Stream(
        path=file.path, codes=b"".join(map(code, symbols)), lines=tuple(lines)
    )
    kept = room.cut(listed)
    return kept, len(kept) < len(listed) or len(listed) > MOST_SYMBOLS
