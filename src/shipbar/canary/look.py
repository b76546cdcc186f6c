"""Looks for canaries in one file, through all that is packed in it.

- A plain file is read in large pieces and never mapped: one that is cut short meanwhile
  would end the process. Holes of a sparse file are passed over.
- What is packed is taken apart to a depth, and to a multiple of the file's own size.
- Nothing is passed over in silence: what was not read is in the outcome, and why. What
  cannot be taken apart is searched by its bytes all the same.
- A file that changed while it was read is named, since nobody can say what was seen of it.
"""

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import PurePath
from typing import IO

import attrs

from shipbar.canary import packed, zips
from shipbar.canary.known import Known, Owner
from shipbar.canary.packed import Budget, ExpandedError, Stream, UnreadableError
from shipbar.canary.search import PIECE, Hit, Searcher
from shipbar.grading.archives import BLOCK

INSIDE = "!"
"""Stands between an archive's path and a member's, also one within the other."""
MOST_FOUND = 1000
"""Finds of one file that are told one by one; more are counted."""
_SQLITE = b"SQLite format 3\0"
_IN_MEMORY = 8 << 20
_SPOOL = 4 << 30
_MOST_UNSAID = 64 << 20
"""Bytes that are read of a file whose size is said to be 0, as a kernel's are; it may have no end."""
_ALWAYS_WHOLE = 64 << 10
"""Size up to which a file is read without asking where its holes are."""
_ENDLESS = "it says that it is empty, and does not end; leave it out"
Advance = Callable[[int], None]


@attrs.frozen(kw_only=True)
class Bounds:
    """How far what is packed is taken apart."""

    depth: int = 8
    """Packings one in another."""
    times: int = 256
    """Bytes that may come out of a file, as a multiple of its own."""
    least: int = 1 << 30
    """Bytes that may come out of a file in any case."""


@attrs.frozen(kw_only=True)
class Found:
    """One canary, and where it is."""

    path: str
    """The file."""
    member: str
    """The path inside it if the file is an archive, else empty."""
    line: int
    """The line, from 1; 0 if it is in a name or a header."""
    offset: int
    """Bytes before it in the file, or in what was unpacked; -1 if it is in a name or header."""
    canary: str
    """The canary, as its maker writes it."""
    exact: bool
    """Whether it stands there byte for byte, and not escaped, split or in other letters."""
    owners: tuple[Owner, ...]
    """Whose it is; empty if no task that was named has it."""

    @property
    def where(self) -> str:
        """The file, and what is inside it."""
        return f"{self.path}{INSIDE}{self.member}" if self.member else self.path


@attrs.frozen(kw_only=True)
class Unread:
    """What could not be read, so that nobody can say what is in it."""

    path: str
    """The file, with the path inside it if that is an archive."""
    why: str
    """What is in the way, and what to do."""


@attrs.frozen(kw_only=True)
class Looked:
    """What came of one file."""

    path: str
    """The file."""
    size: int = 0
    """Bytes that it has."""
    found: tuple[Found, ...] = ()
    """The canaries in it, the first ones."""
    more: int = 0
    """How many there are beside those."""
    unread: tuple[Unread, ...] = ()
    """What of it could not be read."""
    remarks: tuple[str, ...] = ()
    """What else is to be known."""


def look(path: str, known: Known, bounds: Bounds, advance: Advance) -> Looked:
    """Look for canaries in the file at ``path``.

    Args:
        path: a file; anything else comes back as unread.
        known: canaries whose owners are known.
        bounds: how far what is packed is taken apart.
        advance: called with each number of bytes that was read.
    """
    looking = _Looking(path, known, bounds, advance)
    try:
        # A pipe without a writer, or a line without a carrier, does not hold us up.
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        looking.unread("", cannot(error))
        return looking.looked(0)
    try:
        before = os.fstat(fd)
        if not stat.S_ISREG(before.st_mode):
            looking.unread("", f"it is {kind_of(before.st_mode)}, and no file")
            return looking.looked(0)
        looking.file(fd, before.st_size)
        after = os.fstat(fd)
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            looking.unread("", "it changed while it was read; search it again")
        return looking.looked(before.st_size)
    finally:
        os.close(fd)


def kind_of(mode: int) -> str:
    """Name what is no file."""
    names = {
        stat.S_IFSOCK: "a socket",
        stat.S_IFIFO: "a pipe",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFDIR: "a folder",
    }
    return names.get(stat.S_IFMT(mode), "something else")


def cannot(error: OSError | ValueError) -> str:
    """Say why something cannot be read, and what to do."""
    said = error.strerror if isinstance(error, OSError) else str(error)
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.ELOOP:
        return "a symbolic link that leads in a circle; remove it"
    if code == errno.ENOENT:
        return "not there, or a symbolic link to what is not there"
    if code in (errno.EACCES, errno.EPERM):
        return "no permission; search it as a user who may read it"
    return f"cannot be read: {said}"


class _Looking:
    """Gathers what is found in one file."""

    def __init__(
        self, path: str, known: Known, bounds: Bounds, advance: Advance
    ) -> None:
        self._path = path
        self._known = known
        self._needles = known.needles()
        self._bounds = bounds
        self._advance = advance
        self._budget = Budget(0)
        self._found: list[Found] = []
        self._more = 0
        self._unread: list[Unread] = []
        self._remarks: list[str] = []

    def looked(self, size: int) -> Looked:
        """Return what was gathered."""
        return Looked(
            path=self._path,
            size=size,
            found=tuple(self._found),
            more=self._more,
            unread=tuple(self._unread),
            remarks=tuple(self._remarks),
        )

    def unread(self, member: str, why: str) -> None:
        """Take down what cannot be read."""
        path = f"{self._path}{INSIDE}{member}" if member else self._path
        self._unread.append(Unread(path=path, why=why))

    def file(self, fd: int, size: int) -> None:
        """Look into an open file."""
        allowed = max(self._bounds.least, self._bounds.times * size)
        self._budget = Budget(allowed)
        self._name(PurePath(self._path).name.encode("utf-8", "surrogateescape"), "")
        try:
            head = os.pread(fd, BLOCK, 0)
            kind = packed.packed_as(head)
            if kind is not None and self._is_hollow(fd):
                self.unread("", "an archive that is nearly all hole; unpack it")
            elif kind == packed.ZIP:
                self._zip(_counted(fd, size, self._advance), size, "", 0)
            elif kind is not None:
                self._content(Stream(self._read(fd)), "", 0)
            else:
                self._plain(fd, size, head)
        except ExpandedError:
            self.unread(
                "", f"it unpacks to over {allowed} bytes; unpack it and search that"
            )
        except UnreadableError as error:
            self.unread("", str(error))
        except OSError as error:
            self.unread("", cannot(error))

    # -- plain files -------------------------------------------------------------------

    def _plain(self, fd: int, size: int, head: bytes) -> None:
        self._as_bytes(head, "")
        hits: list[Hit] = []
        searcher = Searcher(self._needles, hits.append, counts_lines=False)
        count = _lines_before(fd, size)
        try:
            for place, piece in _pieces(fd, size):
                searcher.skip_to(place)
                searcher.feed(piece)
                self._advance(len(piece))
                self._placed(hits, count)
        finally:
            searcher.finish()  # what came before the damage counts
            self._placed(hits, count)
        tail = os.pread(fd, zips.END_SIZE, max(0, size - zips.END_SIZE))
        if tail.startswith(zips.END):  # a program in front of a zip
            self._zip(_counted(fd, 0, self._advance), size, "", 0)

    def _placed(self, hits: list[Hit], count: Callable[[int], int]) -> None:
        """Take the hits of a piece, with their lines: counted only where there is one."""
        for hit in hits:
            told = len(self._found) < MOST_FOUND
            self._hit("", attrs.evolve(hit, line=count(hit.offset) + 1 if told else 0))
        hits.clear()

    def _read(self, fd: int) -> Iterator[bytes]:
        """Yield an archive as it is; its holes are zeros, which belong to it."""
        size = os.fstat(fd).st_size
        place = 0
        while piece := os.pread(fd, min(PIECE, size - place), place):
            place += len(piece)
            self._advance(len(piece))
            yield piece

    def _is_hollow(self, fd: int) -> bool:
        told = os.fstat(fd)
        held = told.st_blocks * 512
        return told.st_size > max(self._bounds.least, self._bounds.times * held)

    # -- what is packed ----------------------------------------------------------------

    def _content(self, stream: Stream, member: str, depth: int) -> None:
        """Look into what a stream brings, and name it if it cannot be read to its end."""
        try:
            head = stream.peek(BLOCK)
            kind = packed.packed_as(head)
            if kind is not None and depth >= self._bounds.depth:
                self.unread(
                    member, f"packed over {depth} deep; unpack it and search that"
                )
                kind = None
            if kind is None:
                self._as_bytes(head, member)
                self._search(stream, member)
            elif kind == packed.TAR:
                self._tar(stream, member, depth)
            elif kind == packed.ZIP:
                self._spooled(stream, member, depth)
            else:
                inner = packed.unpacked(stream.pieces(), kind, self._budget)
                self._content(Stream(inner), member, depth + 1)
        except UnreadableError as error:
            self.unread(member, str(error))

    def _tar(self, stream: Stream, member: str, depth: int) -> None:
        for entry in packed.tar_members(stream):
            path = _inside(member, entry.name)
            self._name(b"\n".join([entry.name, *entry.said]), path)
            self._content(Stream(entry.content), path, depth + 1)

    def _spooled(self, stream: Stream, member: str, depth: int) -> None:
        """Keep a zip that comes as a stream, since its directory is at its end."""
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
            size = 0
            for piece in stream.pieces():
                size += len(piece)
                if size > _SPOOL:
                    raise UnreadableError(
                        f"a zip of over {_SPOOL} bytes in an archive; unpack it and search that"
                    )
                spool.write(piece)
            self._zip(partial(_read_spool, spool), size, member, depth)

    def _zip(self, read_at: zips.ReadAt, size: int, member: str, depth: int) -> None:
        try:
            for entry in zips.entries(read_at, size):
                path = _inside(member, entry.name)
                self._name(entry.name + b"\n" + entry.said, path)
                content = zips.content(read_at, entry, self._budget)
                self._content(Stream(content), path, depth + 1)
        except UnreadableError as error:
            self.unread(member, str(error))

    def _search(self, stream: Stream, member: str) -> None:
        searcher = Searcher(self._needles, partial(self._hit, member))
        try:
            for piece in stream.pieces():
                searcher.feed(piece)
        finally:
            searcher.finish()  # what came before the damage counts

    def _as_bytes(self, head: bytes, member: str) -> None:
        """Say what a search by bytes alone cannot see."""
        where = f"{self._path}{INSIDE}{member}" if member else self._path
        if name := packed.opaque(head):
            self.unread(
                member,
                f"{name}: searched by its bytes, and not looked into where it is packed; "
                "unpack it and search that",
            )
        elif head.startswith(_SQLITE):
            self._remarks.append(
                f"{where}: SQLite, searched by its bytes: a text that is spread over pages "
                "is found only in `sqlite3 FILE .dump`"
            )

    # -- what is found -----------------------------------------------------------------

    def _name(self, name: bytes, member: str) -> None:
        hits: list[Hit] = []
        searcher = Searcher(self._needles, hits.append, counts_lines=False)
        searcher.feed(name)
        searcher.finish()
        for canary in dict.fromkeys(hit.canary for hit in hits):
            exact = canary.encode("utf-8", "surrogatepass") in name
            self._hit(member, Hit(canary=canary, offset=-1, line=0, exact=exact))

    def _hit(self, member: str, hit: Hit) -> None:
        if len(self._found) == MOST_FOUND:
            self._more += 1
            return
        self._found.append(
            Found(
                path=self._path,
                member=member,
                line=hit.line,
                offset=hit.offset,
                canary=hit.canary,
                exact=hit.exact,
                owners=self._known.of(hit.canary),
            )
        )


def _inside(member: str, name: bytes) -> str:
    text = name.decode("utf-8", "backslashreplace")
    return f"{member}{INSIDE}{text}" if member else text


def _counted(fd: int, size: int, advance: Advance) -> zips.ReadAt:
    """Return what reads from a file, and tells of no more bytes than it has."""
    left = size

    def read_at(place: int, count: int) -> bytes:
        nonlocal left
        piece = os.pread(fd, count, place)
        advance(min(left, len(piece)))
        left -= min(left, len(piece))
        return piece

    return read_at


def _read_spool(spool: IO[bytes], place: int, count: int) -> bytes:
    spool.seek(place)
    return spool.read(count)


def _data_from(fd: int, place: int, size: int) -> int:
    """Return where data begin, at ``place`` or behind a hole; the size if none come."""
    if size <= _ALWAYS_WHOLE or place >= size:
        return place
    try:
        return os.lseek(fd, place, os.SEEK_DATA)
    except OSError as error:  # some file systems cannot tell: all of it is data
        return size if error.errno == errno.ENXIO else place


def _pieces(fd: int, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield a file's data with their offsets, as far as its size; holes are left out.

    What a file has grown by is not read, so that one that grows for ever ends.
    """
    place, end = 0, size or _MOST_UNSAID
    while place < end:
        place = _data_from(fd, place, size)
        piece = os.pread(fd, min(PIECE, end - place), place) if place < end else b""
        if not piece:
            return
        yield place, piece
        place += len(piece)
    if not size:
        raise UnreadableError(_ENDLESS)


def _lines_before(fd: int, size: int) -> Callable[[int], int]:
    """Return what counts the line breaks before growing offsets, each byte once."""
    place = lines = 0

    def count(offset: int) -> int:
        nonlocal place, lines
        while (place := _data_from(fd, place, size)) < offset:
            piece = os.pread(fd, min(PIECE, offset - place), place)
            if not piece:
                break
            lines += piece.count(b"\n")
            place += len(piece)
        return lines

    return count
