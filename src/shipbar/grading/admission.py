"""What may be in a submission's tree, whichever way it is handed in.

- A name is a POSIX path below the root, in UTF-8: never absolute, no `..`, no drive
  letter, backslash or control character (H08).
- No two files share a name after NFC normalisation, and no file is also a folder.
  Upper and lower case stay apart, as Python's import system keeps them.
- Only source and data are admitted. Caches, version control, environments, packaging
  records, start-up hooks, archives and compiled code are left out, and named
  (F02, G02, G03, H03, H05, I09, I10). They are known by name, or by their first
  bytes, so that a new suffix is no disguise.
- Files, folders, bytes, depth and path lengths are counted while they come in, so
  that nothing is held in memory that will not be admitted.

An admission does no input or output: readers of folders and archives feed it.
"""

import re

import attrs

from shipbar.errors import IntakeError


@attrs.frozen(kw_only=True)
class Caps:
    """How much a submission may hold."""

    files: int = 2000
    """Files; folders, and files that are left out one by one, have as many again."""
    total_bytes: int = 32 * 1024 * 1024
    """Content of all files together."""
    file_bytes: int = 8 * 1024 * 1024
    """Content of one file."""
    depth: int = 16
    """Names on one path."""
    path_bytes: int = 255
    """One path, in UTF-8."""
    archive_bytes: int = 64 * 1024 * 1024
    """An archive as it is handed in."""
    stream_bytes: int = 64 * 1024 * 1024
    """An archive after decompression: contents, headers and padding."""


CAPS = Caps()
"""What is allowed unless a caller says otherwise."""

# Left out whole, by the name of the folder (or of the file that stands in for one).
_TREES = {
    "__MACOSX": "an archiver's records",
    "__pycache__": "a cache",
    ".DS_Store": "an archiver's records",
    ".git": "version control",
    ".hg": "version control",
    ".mypy_cache": "a cache",
    ".nox": "a virtual environment",
    ".pytest_cache": "a cache",
    ".ruff_cache": "a cache",
    ".svn": "version control",
    ".tox": "a virtual environment",
    ".venv": "a virtual environment",
    "node_modules": "installed packages",
    "venv": "a virtual environment",
}
_TREE_SUFFIXES = {
    ".dist-info": "packaging records",
    ".egg": "an archive",
    ".egg-info": "packaging records",
}
_COMPILED = "compiled code: a submission is source"
_FILE_SUFFIXES = {
    ".dll": _COMPILED,
    ".dylib": _COMPILED,
    ".pth": "would run when Python starts",
    ".pyc": _COMPILED,
    ".pyd": _COMPILED,
    ".pyo": _COMPILED,
    ".so": _COMPILED,
    ".whl": "an archive",
    ".zip": "an archive",
}
_NATIVE = (
    b"\x7fELF",
    b"\0asm",
    b"\xca\xfe\xba\xbe",  # Mach-O for several machines; Java classes as well
    b"\xca\xfe\xba\xbf",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
)
# Where the end record of a zip may begin: its 22 bytes, then a comment.
_ZIP_END, _ZIP_TAIL = b"PK\5\6", 22 + 0xFFFF
# CPython's magic numbers have been between these since 3.0, and will be for long.
_BYTECODE = range(3000, 5000)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# Members of an archive, those in left-out folders included, for one file allowed.
_MEMBERS_A_FILE = 16
_DRIVE = re.compile(r"(^|/)[A-Za-z]:")
# Names below left-out folders are not held to the caps (an environment is deep), but
# none is longer than a system would take.
_LONGEST_NAME = 4096
_SHOWN = 80


class Admission:
    """Takes in one submission, name by name."""

    def __init__(self, caps: Caps, where: str) -> None:
        self.caps = caps
        self.files: dict[str, bytes] = {}
        self.where = where
        self._left_out: dict[str, str] = {}
        # Every admitted file and folder by its NFC name; what is a folder here is
        # never in `_named`, and the other way round.
        self._named: set[str] = set()
        self._folders: set[str] = set()
        self._bytes = 0

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was dropped, each `path: why`, sorted."""
        return tuple(f"{path}: {why}" for path, why in sorted(self._left_out.items()))

    @property
    def max_members(self) -> int:
        """How many members of all kinds an archive may have."""
        return _MEMBERS_A_FILE * self.caps.files

    def refusal(self, name: str | bytes, why: str) -> IntakeError:
        """Make the error for one member; `name` may be hostile, and is shown quoted."""
        if isinstance(name, bytes):
            name = name.decode("ascii", "backslashreplace")
        return IntakeError(f"{self.where}: {quoted(name)}: {why}")

    def path(self, name: str | bytes) -> str:
        """Turn a member's name into a path below the root; `""` is the root itself.

        Raises IntakeError for a name that could lead anywhere else (H08).
        """
        text = self._decoded(name) if isinstance(name, bytes) else name
        if not (text.isascii() and text.isprintable()) and _CONTROL.search(text):
            raise self.refusal(text, "names hold no control characters and are UTF-8")
        if text.startswith("/") or _DRIVE.search(text):
            raise self.refusal(text, "names are relative to the submission's root")
        if "\\" in text:
            raise self.refusal(text, "names hold no backslash; '/' parts folders")
        if len(text) > _LONGEST_NAME:
            raise self.refusal(text, f"longer than {_LONGEST_NAME} characters")
        parts = [part for part in text.split("/") if part not in {"", "."}]
        if ".." in parts:
            raise self.refusal(text, "names do not go up with '..'")
        return "/".join(parts)

    def leaves_out(self, path: str, *, folder: bool) -> bool:
        """Say whether `path` is left out for its name, and note it if so."""
        parts = path.split("/")
        for index, part in enumerate(parts):
            whole = folder or index < len(parts) - 1
            if why := _why_left_out(part, folder=whole):
                self.leave_out("/".join(parts[: index + 1]), why)
                return True
        return False

    def leave_out(self, path: str, why: str) -> None:
        """Note that `path` is dropped."""
        self._measure(path)
        self._left_out[path] = why
        if len(self._left_out) > self.caps.files:
            raise self.refusal(path, f"more than {self.caps.files} files to leave out")

    def folder(self, path: str) -> None:
        """Admit a folder, and those above it; seeing one again is fine."""
        self._measure(path)
        while path and (key := _normal(path)) not in self._folders:
            if key in self._named:
                raise self.refusal(path, "is both a file and a folder")
            self._folders.add(key)
            if len(self._folders) > self.caps.files:
                raise self.refusal(path, f"more than {self.caps.files} folders")
            path = path.rpartition("/")[0]

    def expect(self, path: str, size: int) -> None:
        """Refuse a file of `size` bytes before any of it is read."""
        self._measure(path)
        if len(self.files) >= self.caps.files:
            raise self.refusal(path, f"more than {self.caps.files} files")
        if size > self.caps.file_bytes:
            raise self.refusal(path, f"larger than {self.caps.file_bytes} bytes")
        if self._bytes + size > self.caps.total_bytes:
            raise self.refusal(path, f"more than {self.caps.total_bytes} bytes in all")

    def file(self, path: str, data: bytes) -> None:
        """Admit a file, or leave it out for what it holds."""
        self.expect(path, len(data))
        key = _normal(path)
        if key in self._named:
            raise self.refusal(path, "is there twice")
        if key in self._folders:
            raise self.refusal(path, "is both a file and a folder")
        self.folder(path.rpartition("/")[0])
        self._named.add(key)
        # Dropped content counts as well: memory was spent on it.
        self._bytes += len(data)
        if why := opaque(data):
            self.leave_out(path, why)
        else:
            self.files[path] = data

    def unwrap(self) -> None:
        """Drop a single top folder that only wraps the package.

        An archive of a folder usually holds the folder. It is a wrapper if it has
        the files of a project (PKG-INFO, pyproject.toml, setup.py, setup.cfg), or
        no `__init__.py`; otherwise it is the package itself.
        """
        tops = {path.partition("/")[0] for path in self.files}
        if len(tops) != 1 or not all("/" in path for path in self.files):
            return
        top = f"{tops.pop()}/"
        project = ("PKG-INFO", "pyproject.toml", "setup.py", "setup.cfg")
        if f"{top}__init__.py" in self.files and not any(
            top + name in self.files for name in project
        ):
            return
        cut = len(top)
        self.files = {path[cut:]: data for path, data in self.files.items()}
        self._left_out = {
            path[cut:] if path.startswith(top) else path: why
            for path, why in self._left_out.items()
        }

    def _decoded(self, name: bytes) -> str:
        try:
            return name.decode()
        except UnicodeDecodeError:
            raise self.refusal(name, "names are UTF-8") from None

    def _measure(self, path: str) -> None:
        """Hold a path to the caps on depth and length."""
        if path.count("/") >= self.caps.depth:
            raise self.refusal(path, f"more than {self.caps.depth} names deep")
        if len(path.encode()) > self.caps.path_bytes:
            raise self.refusal(path, f"longer than {self.caps.path_bytes} bytes")


def resolve(below: str, target: str) -> str | None:
    """Follow a link's target from the folder `below`; None if it leaves the root."""
    if target.startswith("/"):
        return None
    parts = below.split("/") if below else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def quoted(text: str) -> str:
    """Show hostile text in a message: on one line, escaped, and not at length."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def opaque(data: bytes) -> str | None:
    """Say why content is no source: compiled or packed, under whatever name (I10).

    Python imports from any file that ends like a zip, so both ends are looked at.
    Data that hides code in plain bytes passes; the copy guard judges behaviour.
    """
    if data.startswith(_NATIVE) or _is_windows(data) or _is_bytecode(data):
        return _COMPILED
    if data.startswith(b"PK\3\4") or data.rfind(_ZIP_END, -_ZIP_TAIL) >= 0:
        return "an archive"
    return None


def _is_windows(data: bytes) -> bool:
    """Say whether this is a PE file; text may begin with `MZ`, so that is not enough."""
    header = int.from_bytes(data[0x3C:0x40], "little")
    return data.startswith(b"MZ") and data[header : header + 4] == b"PE\0\0"


def _is_bytecode(data: bytes) -> bool:
    """Say whether this is a compiled module, of any Python 3 (F02, G02)."""
    return (
        data[2:4] == b"\r\n"
        and int.from_bytes(data[:2], "little") in _BYTECODE
        and int.from_bytes(data[4:8], "little")
        in range(4)  # what the loader takes as flags
    )


def _why_left_out(part: str, *, folder: bool) -> str | None:
    """Say why a name is left out, or None."""
    if part in _TREES:
        return _TREES[part]
    suffix = part[part.rfind(".") :].lower() if "." in part else ""
    if suffix in _TREE_SUFFIXES:
        return _TREE_SUFFIXES[suffix]
    if folder:
        return None
    if part.startswith("._"):
        return "an archiver's records"
    return _FILE_SUFFIXES.get(suffix)


def _normal(path: str) -> str:
    if path.isascii():
        return path
    # Imported when the first such name comes: most submissions never need it.
    from unicodedata import normalize  # noqa: PLC0415  # a table of a megabyte

    return normalize("NFC", path)
