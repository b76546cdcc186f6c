"""Finds what of closed graders is in something that is delivered.

Three things give a grader away, whatever they are packed in: a whole file of it, its
canary, and a *piece*: `WINDOW` words and signs in a row, at least `TELLING` different
words among them. Layout does not matter, nor the sign that a patch has before a line.

Two things are taken out before. What the task's own specification says is no secret.
And what also stands in open tasks is what variants of a family have in common, and no
answer to anything, unless it holds a *name* that the closed task alone has.

Nothing is read from disk here; who calls says how packing is undone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

import attrs

LEAST_FILE = 16
"""Bytes from which on a file is known by its digest."""
WINDOW, TELLING = 16, 6
MOST_TEXT = 4 * 2**20
"""Bytes of a file that is looked through for pieces; a larger one is no source."""
_TOKEN = re.compile(rb"\w+|[^\w\s\"'`\\]")
_WORD = re.compile(rb"[^\W\d]\w{2,}")
_PATCHED = re.compile(rb"(?m)^[+-]")

Undo = Callable[[bytes], Iterable[tuple[str, bytes]]]
"""Yields a file's bytes and what they come to unpacked, each with a word for the way."""
Place = tuple[str, str]
"""A task's id and the path of a file in it."""


@attrs.frozen(kw_only=True)
class Secret:
    """A task whose grader is not open."""

    task_id: str
    """Its id."""
    files: Mapping[str, bytes]
    """What is held out, by path in the task."""
    specification: bytes
    """What is not."""
    names: Sequence[str]
    """Names that it alone has."""
    canary: str
    """Its canary."""


@attrs.frozen(kw_only=True)
class Held:
    """What nobody is given."""

    canaries: Mapping[bytes, str]
    """Tasks by their canaries."""
    files: Mapping[bytes, Place]
    """Whole files, by SHA-256."""
    named: Mapping[int, Place]
    """Pieces that hold a name of their task's own, by hash."""
    others: Mapping[int, Place]
    """Pieces that hold none, by hash."""
    words: frozenset[bytes]
    """What pieces are made of."""
    names: frozenset[bytes]
    """What one of is in every piece of `named`."""

    @classmethod
    def of(cls, secrets: Iterable[Secret], shared: Iterable[bytes] = ()) -> "Held":
        """Collect it.

        Args:
            secrets: the tasks whose graders are not open.
            shared: files of tasks whose graders are.
        """
        canaries: dict[bytes, str] = {}
        files: dict[bytes, Place] = {}
        named: dict[int, Place] = {}
        others: dict[int, Place] = {}
        words: set[bytes] = set()
        every: set[bytes] = set()
        for secret in secrets:
            canaries[secret.canary.encode()] = secret.task_id
            names = frozenset(name.encode() for name in secret.names)
            every |= names
            shown = {hash(it) for it in _windows(_tokens(secret.specification))}
            for path, data in secret.files.items():
                place = (secret.task_id, path)
                if len(data) >= LEAST_FILE and data != secret.specification:
                    files.setdefault(sha256(data).digest(), place)
                for window in _windows(_tokens(data)):
                    if hash(window) not in shown:
                        pieces = others if names.isdisjoint(window) else named
                        pieces.setdefault(hash(window), place)
                        words.update(window)
        for data in shared:
            for window in _windows(_tokens(data)):
                others.pop(hash(window), None)
        return cls(
            canaries=canaries,
            files=files,
            named=named,
            others=others,
            words=frozenset(words),
            names=frozenset(every),
        )

    def __bool__(self) -> bool:
        """Whether anything is held out."""
        return bool(self.canaries)

    def found(self, data: bytes, undo: Undo, *, foreign: bool = False) -> list[str]:
        """Say what of it a file holds; nothing, if all is well.

        Args:
            data: the file's bytes.
            undo: undoes packing.
            foreign: whether the file was there before any task, as those of an image's
                base were; a piece without a name is then anybody's.
        """
        said: dict[str, None] = {}
        for way, view in undo(data):
            for what in self._in_view(view, foreign=foreign):
                said[f"{what} {way}".strip()] = None
        return list(said)

    def _in_view(self, data: bytes, *, foreign: bool) -> Iterator[str]:
        # What an archive holds comes with its name on a line before it.
        for whole in (data, data.partition(b"\n")[2]):
            if whole and (place := self.files.get(sha256(whole).digest())):
                yield f"the whole of {_told(place)}"
                return
        for canary, task_id in self.canaries.items():
            if canary in data:
                yield f"the canary of {task_id}"
        if len(data) > MOST_TEXT or (foreign and not self._names_one(data)):
            return
        for window in _windows(_tokens(data), self.words):
            at = self.named.get(hash(window))
            if at is None and not foreign:
                at = self.others.get(hash(window))
            if at is not None:
                text = b" ".join(window).decode("utf-8", "replace")
                yield f"a piece of {_told(at)}: `{text}`"
                return

    def _names_one(self, data: bytes) -> bool:
        return any(name in data for name in self.names)


def _told(place: Place) -> str:
    task_id, path = place
    return f"{path} of {task_id}"


def _tokens(data: bytes) -> list[bytes]:
    return _TOKEN.findall(_PATCHED.sub(b"", data))


def _windows(
    tokens: Sequence[bytes], known: frozenset[bytes] | None = None
) -> Iterator[tuple[bytes, ...]]:
    """Yield the pieces of a text; with ``known``, only those made of known words."""
    if known is None:
        starts: Iterable[int] = range(len(tokens) - WINDOW + 1)
    else:
        starts = _rows(bytes(map(known.__contains__, tokens)))
    words = [it if _WORD.fullmatch(it) else b"" for it in tokens]
    for start in starts:
        different = set(words[start : start + WINDOW])
        if len(different) - (b"" in different) >= TELLING:
            yield tuple(tokens[start : start + WINDOW])


def _rows(marks: bytes) -> Iterator[int]:
    """Yield where as many ones stand in a row as a piece is long; found without a loop."""
    row = b"\1" * WINDOW
    at = marks.find(row)
    while at >= 0:
        yield at
        at = marks.find(row, at + 1)
