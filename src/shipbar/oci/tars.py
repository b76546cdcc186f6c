"""Writes layers: tars whose bytes depend on paths, contents and rights alone.

- Entries are sorted by the bytes of their paths; each folder above one is there, once.
- Owners are numbers. What is ours belongs to 0:0 and carries one fixed time, `EPOCH`.
- Each header is written here, field by field, in the form that POSIX calls ustar; an
  extended header goes before it only where a path does not fit or an attribute is
  kept. So no version of a library decides about a digest.
- Two blocks of zeros end it, and nothing follows them.

`entries_in` reads such a tar back, and others' tars in the same terms; a layer is
*canonical* if writing again what was read gives the same bytes.
"""

import hashlib
import io
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Literal, Protocol

import attrs

from shipbar.errors import UserError

EPOCH = 1_735_689_600
"""Seconds since 1970 of 2025-01-01: the time that everything ours carries."""
BLOCK = 512
CHUNK = 1 << 20
_NAME, _PREFIX = 100, 155
_LARGEST = 8**11
"""Bytes from which on a size does not fit into its field."""
_XATTR = "SCHILY.xattr."

Kind = Literal["file", "folder", "link", "hard link"]
_TYPES: dict[Kind, bytes] = {
    "file": b"0",
    "hard link": b"1",
    "link": b"2",
    "folder": b"5",
}
_MODES: dict[Kind, int] = {
    "file": 0o644,
    "hard link": 0o644,
    "link": 0o777,
    "folder": 0o755,
}


class Out(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> object:
        """Take them."""


@attrs.frozen(kw_only=True)
class Slice:
    """A part of a file on disk: the content of a member of another tar."""

    path: Path
    """The file."""
    offset: int
    """Where it begins, in bytes."""
    size: int
    """How long it is, in bytes."""


Content = bytes | Path | Slice
"""What a file holds: bytes, a file on disk, or a part of one."""


@attrs.frozen(kw_only=True)
class Entry:
    """One entry of a layer."""

    path: str
    """Below the root: `usr/bin/python3`, without a slash at either end."""
    kind: Kind = "file"
    """What it is."""
    content: Content = b""
    """A file's content."""
    target: str = ""
    """Where a link leads; for a hard link a path of this layer."""
    mode: int | None = None
    """Permission bits; None is 644 for a file and 755 for a folder."""
    owner: tuple[int, int] = (0, 0)
    """User and group."""
    time: int = EPOCH
    """Seconds since 1970."""
    attributes: Mapping[str, str] = attrs.field(factory=dict)
    """Extended attributes, by their names in an extended header."""

    @property
    def rights(self) -> int:
        """The permission bits."""
        return _MODES[self.kind] if self.mode is None else self.mode


def write_tar(entries: Iterable[Entry], out: Out) -> None:
    """Write a layer of ``entries`` and of the folders above them.

    Raises:
        UserError: a path is absolute, leads upwards, or is there twice with two contents.
        OSError: a content cannot be read, or the layer not written.
    """
    for entry in _settled(entries):
        size = _size(entry)
        out.write(_header(entry, size))
        for chunk in _chunks(entry.content) if size else ():
            out.write(chunk)
        out.write(bytes(-size % BLOCK))
    out.write(bytes(2 * BLOCK))


def tar(entries: Iterable[Entry]) -> bytes:
    """Return a layer as bytes; for small ones."""
    out = io.BytesIO()
    write_tar(entries, out)
    return out.getvalue()


class Hashing:
    """Counts and digests what is written, and passes it on."""

    def __init__(self, out: Out | None = None) -> None:
        """Pass on to ``out``; None only digests."""
        self._out, self._hash, self.size = out, hashlib.sha256(), 0

    def write(self, data: bytes) -> None:
        """Take a part."""
        self._hash.update(data)
        self.size += len(data)
        if self._out is not None:
            self._out.write(data)

    @property
    def digest(self) -> str:
        """`sha256:…` of all that was written."""
        return f"sha256:{self._hash.hexdigest()}"


def tree(root: Path, at: str = "", *, leave_out: Iterable[str] = ()) -> Iterator[Entry]:
    """Yield what lies below ``root``, with our owner, time and rights.

    So neither a umask nor a time zone, nor who made the tree, is in the result. A
    folder is 1777 if it is sticky, else 755: what a umask made of it is nobody's wish.

    Args:
        root: a folder.
        at: the path that it goes to.
        leave_out: names of files and folders to pass over, wherever they are.

    Raises:
        UserError: something below it is no file, folder or link.
    """
    apart = frozenset(leave_out)
    for path in sorted(root.iterdir()):
        if path.name in apart:
            continue
        inside = f"{at}/{path.name}".lstrip("/")
        if path.is_symlink():
            yield Entry(path=inside, kind="link", target=str(path.readlink()))
        elif path.is_dir():
            sticky = path.stat().st_mode & 0o1000
            mode = 0o1777 if sticky else 0o755
            yield Entry(path=inside, kind="folder", mode=mode)
            yield from tree(path, inside, leave_out=apart)
        elif path.is_file():
            runs = path.stat().st_mode & 0o100
            yield Entry(path=inside, content=path, mode=0o755 if runs else 0o644)
        else:
            raise UserError(
                f"{path}: expected a file, a folder or a link; a device or a socket does not go into an image, remove it"
            )


def entries_in(path: Path) -> Iterator[Entry]:
    """Yield the entries of an uncompressed tar in its own order; contents stay in the file.

    Devices and pipes are passed over: no engine without root can make them.

    Raises:
        tarfile.TarError: it is no tar, or is damaged.
    """
    kinds: dict[bytes, Kind] = {
        tarfile.REGTYPE: "file",
        tarfile.AREGTYPE: "file",
        tarfile.LNKTYPE: "hard link",
        tarfile.SYMTYPE: "link",
        tarfile.DIRTYPE: "folder",
    }
    with tarfile.open(path, "r:") as archive:
        for member in archive:
            kind = kinds.get(member.type)
            name = PurePosixPath(member.name.lstrip("/")).as_posix()
            if kind is None or name == ".":
                continue
            target = member.linkname
            yield Entry(
                path=name,
                kind=kind,
                content=Slice(path=path, offset=member.offset_data, size=member.size)
                if kind == "file"
                else b"",
                target=PurePosixPath(target).as_posix()
                if kind == "hard link"
                else target,
                mode=member.mode,
                owner=(member.uid, member.gid),
                time=int(member.mtime),
                attributes={
                    key: value
                    for key, value in member.pax_headers.items()
                    if key.startswith(_XATTR)
                },
            )


def read_content(content: Content) -> bytes:
    """Return a content as bytes; for small ones."""
    return b"".join(_chunks(content))


def as_ours(entry: Entry) -> Entry:
    """Return an entry with our owner, time and rights, and no attributes.

    A file that its owner may run is 755, any other 644; a sticky folder is 1777, any
    other 755, but for one that nobody else may enter.
    """
    mode = entry.rights
    if entry.kind == "folder":
        private = not mode & 0o077
        mode = 0o1777 if mode & 0o1000 else 0o700 if private else 0o755
    elif entry.kind == "link":
        mode = 0o777
    else:
        mode = 0o755 if mode & 0o100 else 0o644
    return attrs.evolve(entry, mode=mode, owner=(0, 0), time=EPOCH, attributes={})


def canonical(path: Path, *, ours: bool) -> bool:
    """Say whether writing again what the layer at ``path`` holds gives the same bytes.

    Args:
        path: an uncompressed layer.
        ours: whether it must also have our owner, time and rights throughout.
    """
    try:
        entries = list(entries_in(path))
        if ours:
            entries = [as_ours(it) for it in entries]
        again = Hashing()
        write_tar(entries, again)
    except (tarfile.TarError, UserError, ValueError):
        return False
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return again.digest == f"sha256:{digest}"


# -- in order --------------------------------------------------------------------------


def _settled(entries: Iterable[Entry]) -> list[Entry]:
    """Sort them, add the folders above them, and refuse what is there twice."""
    found: dict[str, Entry] = {}
    for entry in entries:
        parts = entry.path.split("/")
        if not entry.path or {"", ".", ".."} & set(parts):
            raise UserError(
                f"layer entry {entry.path!r}: expected a path below the root, with none of `.`, `..` and empty names in it"
            )
        if found.setdefault(entry.path, entry) != entry:
            raise UserError(
                f"layer entry {entry.path!r}: there are two of that path; give one"
            )
    for path in list(found):
        for above in PurePosixPath(path).parents:
            name = above.as_posix()
            if name == ".":
                continue
            folder = found.setdefault(name, Entry(path=name, kind="folder"))
            if folder.kind == "file":
                raise UserError(
                    f"layer entry {path!r}: {name} is a file; a file has nothing below it"
                )
    return [found[path] for path in sorted(found, key=_rank)]


def _rank(path: str) -> tuple[bytes, ...]:
    """By name, level by level, so that a folder comes right before what it holds."""
    return tuple(part.encode("utf-8", "surrogateescape") for part in path.split("/"))


# -- bytes ---------------------------------------------------------------------------------


def _size(entry: Entry) -> int:
    match entry.content:
        case bytes() as data:
            return len(data)
        case Slice() as part:
            return part.size
        case path:
            return path.stat().st_size


def _chunks(content: Content) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    part = content if isinstance(content, Slice) else None
    path = part.path if part else content
    left = part.size if part else Path(str(path)).stat().st_size
    with Path(str(path)).open("rb") as file:
        file.seek(part.offset if part else 0)
        while left:
            chunk = file.read(min(CHUNK, left))
            if not chunk:
                raise OSError(f"{path}: it ends {left} bytes early; read it again")
            left -= len(chunk)
            yield chunk


def _header(entry: Entry, size: int) -> bytes:
    """An entry's header, with an extended one before it where it needs one."""
    if size >= _LARGEST:
        raise UserError(f"layer entry {entry.path!r}: {size} bytes; 8 GiB are too many")
    name = entry.path.encode("utf-8", "surrogateescape")
    if entry.kind == "folder":
        name += b"/"
    target = entry.target.encode("utf-8", "surrogateescape")
    records = dict(entry.attributes)
    prefix, short = _split(name)
    if short is None:
        records["path"] = name.decode("utf-8", "surrogateescape")
        prefix, short = b"", name[:_NAME]
    if len(target) > _NAME or not target.isascii():
        records["linkpath"] = entry.target
    plain = _ustar(entry, short, prefix=prefix, target=target[:_NAME], size=size)
    return _extended(records) + plain if records else plain


def _split(name: bytes) -> tuple[bytes, bytes | None]:
    """Divide a path between the fields that hold it; None if it does not fit."""
    if not name.isascii():
        return b"", None
    if len(name) <= _NAME:
        return b"", name
    cut = name.find(b"/", len(name) - _NAME - 1)
    if 0 < cut <= _PREFIX and len(name) > cut + 1:
        return name[:cut], name[cut + 1 :]
    return b"", None


def _ustar(
    entry: Entry, name: bytes, *, prefix: bytes, target: bytes, size: int
) -> bytes:
    kind = _TYPES[entry.kind]
    return _block(
        *(name, entry.rights, entry.owner, size, entry.time, kind, target, prefix)
    )


def _block(  # noqa: PLR0913, PLR0917  # the fields of a header, in their order
    name: bytes,
    mode: int,
    owner: tuple[int, int],
    size: int,
    time: int,
    kind: bytes,
    target: bytes = b"",
    prefix: bytes = b"",
) -> bytes:
    fields = [
        name.ljust(100, b"\0"),
        *(b"%07o\0" % it for it in (mode & 0o7777, *owner)),
        *(b"%011o\0" % it for it in (size, time)),
        b" " * 8,  # the sum, counted as spaces
        kind + target.ljust(100, b"\0") + b"ustar\00000",
        bytes(64) + b"%07o\0" % 0 * 2 + prefix.ljust(155, b"\0") + bytes(12),
    ]
    block = b"".join(fields)
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def _extended(records: Mapping[str, str]) -> bytes:
    """An extended header: one line a record, each with its own length in front."""
    body = b"".join(
        _record(key.encode(), value.encode("utf-8", "surrogateescape"))
        for key, value in sorted(records.items())
    )
    head = _block(b"PaxHeader", 0o644, (0, 0), len(body), 0, b"x")
    return head + body + bytes(-len(body) % BLOCK)


def _record(key: bytes, value: bytes) -> bytes:
    bare = len(key) + len(value) + 3
    length = bare
    while length != bare + len(str(length)):
        length = bare + len(str(length))
    return b"%d %s=%s\n" % (length, key, value)
