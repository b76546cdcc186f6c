"""Takes a submission in: from a path to plain content, and nothing else.

- A path, never a name to resolve (I05). What reads as a requirement is told the rule.
- A folder is read through descriptors: each name is opened below its open parent,
  links not followed, without waiting, and what was opened must be a regular file or a
  folder (H01, H08, N07). Swapping a name between look and use gains nothing.
- A link counts as a copy of the regular file that it leads to inside the tree. Any
  other link, and every FIFO, socket and device, is refused, never skipped: a
  submission that comes in is whole.
- The path itself is no link, since it is often named by whoever wrote the submission
  (H01).
- Modes, owners, times and attributes are not taken: content only (H06, H09, H12).
- Nothing is executed, imported or asked of a version control system (H03, H05, I10).
- The digest is over paths and contents, so that a folder, and a tar of it, are equal.

What names and contents are admitted is decided in `admission`, and which declared
dependencies are refused in `requirements`; `archives` and `wheels` read packed trees.
"""

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Literal

import attrs

from shipbar.errors import IntakeError, RequirementError
from shipbar.grading.admission import CAPS, Admission, Caps, quoted, resolve

__all__ = ["Caps", "Submission", "find_import_root", "take_in", "write_tree"]

Kind = Literal["directory", "tar", "wheel"]

# Without O_NONBLOCK, opening a FIFO waits for its other end (N07).
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_FOLDER = _OPEN | os.O_DIRECTORY
_READ = 1 << 18
_MAX_HOPS = 8
# As in `requirements.DECLARING`, which is imported only where one of them is there.
_DECLARING = frozenset({"pyproject.toml", "setup.cfg", "PKG-INFO"})


@attrs.frozen(kw_only=True)
class Submission:
    """What a solver handed in, as accepted: regular files only, by content."""

    files: Mapping[str, bytes]
    """Contents by POSIX path below the root, sorted by path."""
    left_out: tuple[str, ...]
    """What was dropped, each `path: why`, sorted."""
    digest: str
    """`sha256:` and 64 hexadecimal digits, over all paths and contents."""
    kind: Kind
    """How it was handed in."""


def take_in(path: str | Path, *, caps: Caps = CAPS) -> Submission:
    """Read a submission from a folder, a tar or a wheel.

    Raises IntakeError for what is none of these, is hostile or passes a cap, and
    RequirementError for a name in place of a path, or a declared dependency.
    """
    text = os.fspath(path)
    # A slash at the end would have a link followed.
    where = os.fspath(Path(text))
    found = _look(where) if text.strip() else 0
    if not found:
        raise _no_such(text)
    admission = Admission(caps, where if where.isprintable() else repr(where))
    if stat.S_ISDIR(found):
        kind: Kind = "directory"
        _take_folder(where, admission)
    else:
        kind = _take_archive(where, admission)
    if not admission.files:
        raise IntakeError(
            f"{admission.where}: holds no file to grade{_dropped(admission)}"
        )
    if not _DECLARING.isdisjoint(admission.files):
        from shipbar.grading.requirements import check_declared  # noqa: PLC0415  # slow

        check_declared(admission.files, admission.where)
    files = dict(sorted(admission.files.items()))
    return Submission(
        files=files, left_out=admission.left_out, digest=_digest(files), kind=kind
    )


def find_import_root(files: Mapping[str, bytes], import_name: str) -> str | None:
    """Say below which folder `import_name` is importable: `""`, `"src"` or None.

    A package or module counts before a folder without `__init__.py`, as it does for
    Python, and the root counts before `src`.
    """
    name = import_name.replace(".", "/")
    for root in ("", "src"):
        base = f"{root}/{name}" if root else name
        if f"{base}/__init__.py" in files or f"{base}.py" in files:
            return root
    for root in ("", "src"):
        folder = f"{root}/{name}" if root else name
        if any(
            path.endswith(".py") and path.rpartition("/")[0] == folder for path in files
        ):
            return root
    return None


def write_tree(
    files: Mapping[str, bytes], folder: Path, root: str, *, world_readable: bool
) -> None:
    """Write the files below `root` into an existing, empty folder.

    Paths are as `take_in` made them. Modes are 0644 and 0755 if `world_readable`,
    else 0600 and 0700, whatever the umask. Raises OSError.
    """
    prefix = f"{root}/" if root else ""
    base = os.fspath(folder)
    made = {""}
    for path, data in files.items():
        if path.startswith(prefix):
            inner = path[len(prefix) :]
            _make_folders(base, inner, made, 0o755 if world_readable else 0o700)
            _write(f"{base}/{inner}", data, 0o644 if world_readable else 0o600)


def _make_folders(base: str, inner: str, made: set[str], mode: int) -> None:
    """Make the folders above a file that are not made yet, the upper ones first."""
    parent = inner.rpartition("/")[0]
    if parent not in made:
        _make_folders(base, parent, made, mode)
        made.add(parent)
        Path(base, parent).mkdir()
        Path(base, parent).chmod(mode)


def _write(target: str, data: bytes, mode: int) -> None:
    """Write a new file; one that is there already is an error."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(target, flags, mode)
    try:
        os.fchmod(descriptor, mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    finally:
        os.close(descriptor)


def _digest(files: Mapping[str, bytes]) -> str:
    """Hash paths and contents; lengths go first, so that no two trees read alike."""
    total = sha256(b"shipbar submission 1\n")
    for path, data in files.items():
        name = path.encode()
        total.update(len(name).to_bytes(8, "big") + name + sha256(data).digest())
    return f"sha256:{total.hexdigest()}"


# -- the path ------------------------------------------------------------------------


def _look(where: str) -> int:
    """Return the mode of what is at a path, or 0; a link is not followed."""
    try:
        mode = os.lstat(where).st_mode
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}:
            return 0
        raise IntakeError(f"{where!r}: {error.strerror}") from None
    except ValueError:  # a NUL, or no name in any encoding
        return 0
    if stat.S_ISLNK(mode):
        raise IntakeError(f"{where!r}: a symbolic link; give the path it leads to")
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        raise IntakeError(f"{where!r}: neither a folder nor a regular file")
    return mode


def _no_such(where: str) -> IntakeError:
    """Make the error for a path that is not there; names are told the rule (I05)."""
    from shipbar.grading.requirements import (  # noqa: PLC0415  # only on failure
        RULE,
        reads_as_requirement,
    )

    if reads_as_requirement(where):
        return RequirementError(f"{quoted(where)}: no such file or directory; {RULE}")
    return IntakeError(f"{quoted(where)}: no such file or directory")


def _dropped(admission: Admission) -> str:
    shown = "; ".join(admission.left_out[:3])
    return f"; left out: {shown}" if shown else ""


# -- archives ------------------------------------------------------------------------


def _take_archive(where: str, admission: Admission) -> Kind:
    """Admit what an archive holds; which kind it is, its first bytes say."""
    from shipbar.grading import archives  # noqa: PLC0415  # most are folders

    descriptor = _open(where, _OPEN, None, where)
    try:
        chunks = _chunks(descriptor, admission)
        first = next(chunks, b"")
        kind = archives.kind_of(first[: archives.BLOCK])
        if kind == "tar":
            archives.read_tar(first, chunks, admission)
            admission.unwrap()
            return "tar"
        if kind == "wheel":
            _take_wheel(first + b"".join(chunks), admission)
            return "wheel"
    finally:
        os.close(descriptor)
    raise IntakeError(
        f"{admission.where}: not a submission; expected a folder, a tar (plain, gzip, bzip2 or "
        "xz) or a wheel"
    )


def _take_wheel(data: bytes, admission: Admission) -> None:
    from shipbar.grading.requirements import check_metadata  # noqa: PLC0415  # slow
    from shipbar.grading.wheels import read_wheel  # noqa: PLC0415  # most are folders

    check_metadata(read_wheel(data, admission), admission.where)


def _chunks(descriptor: int, admission: Admission) -> Iterator[bytes]:
    """Read a descriptor once, from front to end, up to the cap on archives."""
    cap, total = admission.caps.archive_bytes, 0
    try:
        while chunk := os.read(descriptor, _READ):
            total += len(chunk)
            if total > cap:
                raise IntakeError(f"{admission.where}: larger than {cap} bytes")
            yield chunk
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
        raise IntakeError(f"{admission.where}: {why}") from None


# -- folders -------------------------------------------------------------------------


def _take_folder(where: str, admission: Admission) -> None:
    descriptor = _open(where, _FOLDER, None, where)
    try:
        _Walk(descriptor, admission).folder(descriptor, "")
    finally:
        os.close(descriptor)


def _open(name: str, flags: int, parent: int | None, shown: str) -> int:
    """Open `name` below an open folder; a regular file or a folder, or IntakeError."""
    try:
        descriptor = os.open(name, flags, dir_fd=parent)
    except OSError as error:
        raise IntakeError(
            f"{quoted(shown)}: cannot be opened: {error.strerror}"
        ) from None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode) if flags & os.O_DIRECTORY else stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    raise IntakeError(f"{quoted(shown)}: not a regular file")


class _Walk:
    """Admits one tree, every name opened below its open parent."""

    def __init__(self, root: int, admission: Admission) -> None:
        self._root = root
        self._admission = admission

    def folder(self, descriptor: int, prefix: str) -> None:
        """Admit what is in an open folder; its path, with a slash, is `prefix`."""
        admission = self._admission
        for entry in self._entries(descriptor, prefix):
            name = entry.name
            # Decoded by us, whatever the locale says of file names.
            raw = (
                name
                if name.isascii()
                else os.fsencode(name).decode("utf-8", "surrogateescape")
            )
            path = admission.path(prefix + raw)
            is_folder = entry.is_dir(follow_symlinks=False)
            if admission.leaves_out(path, folder=is_folder):
                continue
            if is_folder:
                self._subfolder(descriptor, name, path)
            elif entry.is_file(follow_symlinks=False):
                admission.file(path, self._content(descriptor, name, path))
            elif entry.is_symlink():
                admission.file(path, self._linked(descriptor, name, path))
            else:
                raise admission.refusal(path, "not a regular file, folder or link")

    def _entries(self, descriptor: int, prefix: str) -> list["os.DirEntry[str]"]:
        """List an open folder in order of name, no longer than could be admitted."""
        most = 3 * self._admission.caps.files
        try:
            with os.scandir(descriptor) as found:
                entries = list(islice(found, most + 1))
        except OSError as error:
            why = f"cannot be listed: {error.strerror}"
            raise self._admission.refusal(prefix, why) from None
        if len(entries) > most:
            raise self._admission.refusal(prefix, f"holds more than {most} names")
        return sorted(entries, key=lambda entry: entry.name)

    def _subfolder(self, parent: int, name: str, path: str) -> None:
        self._admission.folder(path)
        descriptor = _open(name, _FOLDER, parent, path)
        try:
            self.folder(descriptor, f"{path}/")
        finally:
            os.close(descriptor)

    def _content(self, parent: int, name: str, path: str) -> bytes:
        """Read one file; what it has grown to since is counted, not trusted."""
        descriptor = _open(name, _OPEN, parent, path)
        try:
            size = os.fstat(descriptor).st_size
            self._admission.expect(path, size)
            pieces, total = [], 0
            while piece := os.read(descriptor, max(size - total + 1, 4096)):
                pieces.append(piece)
                total += len(piece)
                self._admission.expect(path, total)
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
            raise self._admission.refusal(path, why) from None
        finally:
            os.close(descriptor)
        return b"".join(pieces)

    def _linked(self, parent: int, name: str, path: str) -> bytes:
        """Read the regular file inside the tree that a link leads to (H01).

        Followed by us and not by the system: each name of the target is opened below
        the root, and none of them may be a link but the last.
        """
        at = path
        aim = self._aim(parent, name, path, path)
        for _ in range(_MAX_HOPS):
            at = aim
            above, _, last = at.rpartition("/")
            with self._opened(above, path) as folder:
                if not _is_link(last, folder):
                    return self._content(folder, last, path)
                aim = self._aim(folder, last, at, path)
        raise self._admission.refusal(path, f"more than {_MAX_HOPS} links in a row")

    def _aim(self, parent: int, name: str, at: str, path: str) -> str:
        """Return where the link `name`, which is at `at`, leads to in the tree."""
        try:
            target = os.readlink(name, dir_fd=parent)
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
            raise self._admission.refusal(path, why) from None
        aim = resolve(at.rpartition("/")[0], target)
        if aim is None:
            why = f"a link out of the submission, to {quoted(target)}"
            raise self._admission.refusal(path, why)
        if not aim or self._admission.leaves_out(aim, folder=False):
            why = f"a link to {quoted(target)}, which is not taken in"
            raise self._admission.refusal(path, why)
        return aim

    @contextmanager
    def _opened(self, folder: str, path: str) -> Iterator[int]:
        """Open a folder name by name from the root down; none of them is a link."""
        current = os.dup(self._root)
        try:
            for part in folder.split("/") if folder else []:
                upper, current = current, _open(part, _FOLDER, current, path)
                os.close(upper)
            yield current
        finally:
            os.close(current)


def _is_link(name: str, folder: int) -> bool:
    """Say whether a name is a link just now; opening it decides in the end."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISLNK(found.st_mode)
