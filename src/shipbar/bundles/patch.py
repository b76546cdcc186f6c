"""A reference as a patch: `git apply` in a solver's starting tree, and it can be handed in.

The starting tree holds the specification and nothing else, so a patch only adds files.
The same files give the same bytes: no times, no git of this machine, ids in full.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha1

from shipbar.errors import UserError

_NOTHING = "0" * 40
_ESCAPES = {
    ord(char): f"\\{word}"
    for char, word in zip('\a\b\t\n\v\f\r"\\', 'abtnvfr"\\', strict=True)
}
_PLAIN = frozenset(map(chr, range(0x20, 0x7F))) - set('"\\')


def reference_patch(files: Mapping[str, bytes], *, note: str, where: str) -> bytes:
    """Return the patch that adds ``files``.

    Args:
        files: contents by path below the tree's root.
        note: a line above the first file, which `git apply` passes over.
        where: names the reference in messages.

    Raises:
        UserError: a file is no text, which a patch cannot hold.
    """
    parts = [note.encode() + b"\n"]
    for path, data in sorted(files.items()):
        if b"\0" in data:
            raise UserError(
                f"{where}/{path}: expected text, got a NUL byte; a reference that is delivered as a patch holds text alone"
            )
        parts += _added(path, data)
    return b"".join(parts)


def _added(path: str, data: bytes) -> Iterator[bytes]:
    old, new = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    yield f"diff --git {old} {new}\nnew file mode 100644\n".encode()
    yield f"index {_NOTHING}..{_blob_id(data)}\n".encode()
    if not data:
        return
    lines = data.split(b"\n")
    ends = lines[-1] == b""
    if ends:
        lines.pop()
    # A tab after a name with a blank says where the name ends.
    tab = "\t" if " " in path else ""
    count = f",{len(lines)}" if len(lines) > 1 else ""
    yield f"--- /dev/null\n+++ {new}{tab}\n@@ -0,0 +1{count} @@\n".encode()
    yield from (b"+" + line + b"\n" for line in lines)
    if not ends:
        yield b"\\ No newline at end of file\n"


def _blob_id(data: bytes) -> str:
    """The id that git gives a file's content."""
    head = f"blob {len(data)}\0".encode()
    return sha1(head + data, usedforsecurity=False).hexdigest()


def _quoted(path: str) -> str:
    """A path as git writes it: in quotes, and escaped, where it is not plain."""
    if set(path) <= _PLAIN:
        return path
    escaped = "".join(
        chr(byte) if chr(byte) in _PLAIN else _ESCAPES.get(byte, f"\\{byte:03o}")
        for byte in path.encode()
    )
    return f'"{escaped}"'
