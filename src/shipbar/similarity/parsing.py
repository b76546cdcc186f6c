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
from array import array
from collections.abc import Sequence
from typing import Any

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
_TANGLED = "too tangled to parse; compared by tokens"
_LINE = "I"
"""How the numbers of lines come from another process: as native integers."""


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


def read_files(
    files: Sequence[SourceFile], *, by_tokens: bool = False, room: Room | None = None
) -> list[Read]:
    """Return the streams of each of ``files``.

    Args:
        files: what to read.
        by_tokens: make the streams of tokens even of files that parse.
        room: what may be spent; what is, is taken from it.
    """
    room = room or Room()
    parsed = _parsed(files, room)
    return [
        _read(file, found, room, by_tokens=by_tokens)
        for file, found in zip(files, parsed, strict=True)
    ]


@attrs.frozen(kw_only=True)
class _Parsed:
    tree: Stream
    broken: bool
    cut: bool


def _parsed(files: Sequence[SourceFile], room: Room) -> list[_Parsed | str]:
    """Parse and walk files; where there is no tree, say why."""
    out: list[_Parsed | str] = [_refused(file, room) for file in files]
    apart = []
    for place, file in enumerate(files):
        if out[place]:
            continue
        if file.language is not None and file.language.name == "Python":
            out[place] = _walked(file, room) or _TANGLED
        else:
            # Unlike that of Python, other grammars may need memory by the square.
            apart.append(place)
    walked = _apart([files[place] for place in apart], room)
    for place, found in zip(apart, walked, strict=True):
        out[place] = found or _TANGLED
    return out


def _refused(file: SourceFile, room: Room) -> str:
    """Say why a file is not parsed, or take the room for it and say nothing."""
    if file.language is None:
        return "no grammar for this language; compared as text"
    if len(file.data) > min(room.parsed, MOST_PARSED):
        return "too large to parse; compared by tokens"
    room.parsed -= len(file.data)
    return ""


def _apart(files: Sequence[SourceFile], room: Room) -> list[_Parsed | None]:
    """Walk files in one process, or each in one of its own if that took too much.

    Starting a process costs as much as reading a hundred lines.
    """
    if not files:
        return []
    for language in {it.language for it in files if it.language is not None}:
        # Its grammar is loaded here, where it stays, and not in a process that ends.
        actions_of(language.name)
    answer = confined(lambda: _packed([_walked(it, room) for it in files], room))
    if answer is not None:
        return _unpacked(answer, files, room)
    if len(files) == 1:
        return [None]
    return [found for file in files for found in _apart([file], room)]


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


def _packed(found: Sequence[_Parsed | None], room: Room) -> bytes:
    record = {
        "files": [it and _record(it) for it in found],
        "steps": room.steps,
        "rework": room.rework,
    }
    return json.dumps(record).encode()


def _record(found: _Parsed) -> dict[str, object]:
    tree = found.tree
    return {
        "codes": base64.b64encode(tree.codes).decode(),
        "lines": base64.b64encode(array(_LINE, tree.lines).tobytes()).decode(),
        "functions": [
            (it.name, it.line, it.last_line, it.start, it.end) for it in tree.functions
        ],
        "broken": found.broken,
        "cut": found.cut,
    }


def _unpacked(
    answer: bytes, files: Sequence[SourceFile], room: Room
) -> list[_Parsed | None]:
    record = json.loads(answer)
    room.steps, room.rework = record["steps"], record["rework"]
    return [
        it and _tree(file.path, it)
        for file, it in zip(files, record["files"], strict=True)
    ]


def _tree(path: str, record: dict[str, Any]) -> _Parsed:
    lines = array(_LINE, base64.b64decode(record["lines"]))
    tree = Stream(
        path=path,
        codes=base64.b64decode(record["codes"]),
        lines=tuple(lines),
        functions=tuple(
            Function(name=name, line=line, last_line=last, start=start, end=end)
            for name, line, last, start, end in record["functions"]
        ),
    )
    return _Parsed(tree=tree, broken=record["broken"], cut=record["cut"])


def _read(
    file: SourceFile, found: _Parsed | str, room: Room, *, by_tokens: bool
) -> Read:
    """Return the streams of a file that was parsed, or of one that could not be."""
    if isinstance(found, str):
        listed, cut = _tokens(file, room)
        return Read(tree=None, tokens=listed, remark=found, cut=cut)
    broken = found.broken and not _compiles(file)
    remark = ""
    if broken and file.language is not None:
        remark = (
            f"does not parse as {file.language.name}; compared by what could be read, "
            "and by tokens"
        )
    tree = room.cut(found.tree)
    cut = found.cut or len(tree) < len(found.tree)
    if not (broken or by_tokens):
        return Read(tree=tree, tokens=None, remark=remark, cut=cut)
    listed, short = _tokens(file, room)
    return Read(tree=tree, tokens=listed, remark=remark, cut=cut or short)


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


def _tokens(file: SourceFile, room: Room) -> tuple[Stream, bool]:
    """Return a file's tokens, and whether there are more than there is room for."""
    most = min(MOST_SYMBOLS, max(room.symbols, 0))
    symbols, lines = tokens(file.data.decode("utf-8", "replace"), most + 1)
    listed = Stream(
        path=file.path, codes=b"".join(map(code, symbols)), lines=tuple(lines)
    )
    kept = room.cut(listed)
    return kept, len(kept) < len(listed) or len(listed) > MOST_SYMBOLS
