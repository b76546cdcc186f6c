"""Reads a wheel as data, with every guard (H08, H01, I10).

- Its members lie apart, in front of the directory that lists them, with nothing
  before the first one or after the end record.
- Each holds exactly what the directory declares; bytes are counted while they are
  inflated, and nothing that is left out is inflated at all.
- Regular files and folders only, stored or deflated, not encrypted.
- The package is laid out as an installer would lay it out. Nothing else is taken.
"""

import stat
import struct
import zlib

import attrs

from shipbar.errors import IntakeError
from shipbar.grading.admission import Admission

_END = struct.Struct("<4s4H2LH")
_LISTED = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_STORED, _DEFLATED = 0, 8


@attrs.frozen
class _Member:
    """One entry of a zip's directory."""

    name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    mode: int
    offset: int


class _Zip:
    """A zip archive in memory, its directory checked."""

    def __init__(self, data: bytes, admission: Admission) -> None:
        self._data = data
        self._admission = admission
        self._start = 0
        self.members = self._listed()
        self._lie_apart()

    def _damaged(self, why: str) -> IntakeError:
        return IntakeError(f"{self._admission.where}: not a plain zip archive: {why}")

    def _listed(self) -> list[_Member]:
        """Read the directory at the end of the archive."""
        end = self._data.rfind(b"PK\5\6", -(_END.size + 0xFFFF))
        if end < 0 or end + _END.size > len(self._data):
            raise self._damaged("no end record; it may be cut short")
        _, disk, first, here, count, length, start, comment = _END.unpack_from(
            self._data, end
        )
        if end + _END.size + comment != len(self._data):
            raise self._damaged("data after its end record")
        if disk or first or here != count or start + length != end:
            raise self._damaged("its directory is not where it should be")
        if count > self._admission.max_members:
            raise self._damaged("too many members")
        self._start = start
        members = []
        for _ in range(count):
            member, start = self._entry(start, end)
            members.append(member)
        if start != end:
            raise self._damaged("its directory lists another number of members")
        return members

    def _entry(self, at: int, end: int) -> tuple[_Member, int]:
        """Read one directory entry; return it and where the next one begins."""
        if at + _LISTED.size > end:
            raise self._damaged("its directory is cut short")
        fields = _LISTED.unpack_from(self._data, at)
        name = at + _LISTED.size
        following = name + sum(fields[10:13])  # name, extra, comment
        if fields[0] != b"PK\1\2" or following > end:
            raise self._damaged("its directory is cut short")
        member = _Member(
            name=self._data[name : name + fields[10]],
            flags=fields[3],
            method=fields[4],
            crc=fields[7],
            packed=fields[8],
            size=fields[9],
            mode=fields[15] >> 16,
            offset=fields[16],
        )
        return member, following

    def _lie_apart(self) -> None:
        """Refuse members that overlap: few bytes that would be many files."""
        free = 0
        for member in sorted(self.members, key=lambda member: member.offset):
            if member.offset < free:
                raise self._damaged("two members overlap")
            if not free and member.offset:
                raise self._damaged("data before its first member")
            free = self._begins(member) + member.packed
            if free > self._start:
                raise self._damaged("a member reaches into the directory")

    def _begins(self, member: _Member) -> int:
        """Say where a member's data begin, its local header checked."""
        after = member.offset + _LOCAL.size
        if after > self._start:
            raise self._damaged("a member is not where the directory says")
        fields = _LOCAL.unpack_from(self._data, member.offset)
        name = self._data[after : after + fields[9]]
        if fields[0] != b"PK\3\4" or name != member.name:
            raise self._damaged("a member is not where the directory says")
        return int(after + fields[9] + fields[10])

    def content(self, member: _Member, path: str) -> bytes:
        """Return a member's bytes, which are as many as declared, or refuse."""
        refusal = self._admission.refusal
        if member.flags & _ENCRYPTED:
            raise refusal(path, "encrypted; hand it in as it is")
        begin = self._begins(member)
        data = self._data[begin : begin + member.packed]
        if member.method == _DEFLATED:
            data = self._inflated(data, member.size, path)
        elif member.method != _STORED:
            raise refusal(path, "compressed other than by deflate")
        if len(data) != member.size or zlib.crc32(data) != member.crc:
            raise refusal(path, "holds other bytes than the archive declares")
        return data

    def _inflated(self, packed: bytes, size: int, path: str) -> bytes:
        inflater = zlib.decompressobj(wbits=-15)
        try:
            # One byte more than declared is enough to know that the size lies.
            data = inflater.decompress(packed, size + 1)
        except zlib.error as error:
            raise self._admission.refusal(path, f"damaged: {error}") from None
        if not inflater.eof or inflater.unused_data:
            raise self._admission.refusal(path, "other bytes than the archive declares")
        return data


def read_wheel(data: bytes, admission: Admission) -> dict[str, bytes]:
    """Admit the package in a wheel, laid out as it would be installed.

    `NAME.data/purelib` and `platlib` move to the root; scripts, headers and data
    are left out. Returns `*.dist-info/METADATA` by its path; it is not admitted.
    Raises IntakeError for a zip that is no wheel.
    """
    archive = _Zip(data, admission)
    metadata: dict[str, bytes] = {}
    for member in archive.members:
        path = _zip_path(member, admission)
        if _is_metadata(path):
            if metadata:  # at once: each may be large, and none is counted
                raise admission.refusal(path, "a second METADATA; a wheel has one")
            admission.expect(path, member.size)
            metadata[path] = archive.content(member, path)
        elif path := _installed(path, admission):
            _zip_member(member, path, archive, admission)
    if not metadata:
        raise IntakeError(
            f"{admission.where}: a zip is accepted only as a wheel, which has a "
            "*.dist-info/METADATA; hand in a folder, a tar or a wheel"
        )
    return metadata


def _zip_member(
    member: _Member, path: str, archive: _Zip, admission: Admission
) -> None:
    folder = member.name.endswith(b"/")
    if admission.leaves_out(path, folder=folder):
        return
    if folder:
        admission.folder(path)
        return
    admission.expect(path, member.size)
    admission.file(path, archive.content(member, path))


def _zip_path(member: _Member, admission: Admission) -> str:
    """Return a member's path; links, devices and the like are refused (H01, H08)."""
    path = admission.path(member.name)
    folder = member.name.endswith(b"/")
    if stat.S_IFMT(member.mode) not in {0, stat.S_IFDIR if folder else stat.S_IFREG}:
        raise admission.refusal(path, "not a regular file")
    if folder and member.size:
        raise admission.refusal(path, "only a regular file has content")
    if not path:
        raise admission.refusal(path, "a file needs a name")
    return path


def _is_metadata(path: str) -> bool:
    folder, _, name = path.partition("/")
    return name == "METADATA" and folder.endswith(".dist-info")


def _installed(path: str, admission: Admission) -> str:
    """Return where an installer would put a wheel's file; `""` if it is left out."""
    top, _, rest = path.partition("/")
    if not rest or not top.endswith(".data"):
        return path
    scheme, _, inner = rest.partition("/")
    if scheme in {"purelib", "platlib"}:
        return inner
    if scheme:
        admission.leave_out(f"{top}/{scheme}", "installed outside the package")
    return ""
