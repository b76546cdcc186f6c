"""Makes bases: from a tree of files, or from Debian's packages by mmdebstrap.

What a tool writes as a root file system goes through `normalised` first: devices are
left out, folders and what is younger carry `EPOCH`, owners keep their numbers alone.
After that, different versions of mmdebstrap give the same bytes for the same packages.
"""

import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import attrs

from shipbar.errors import SeamError, UserError
from shipbar.oci.layout import Layout
from shipbar.oci.minimal import architecture
from shipbar.oci.tars import EPOCH, Entry, entries_in
from shipbar.oci.values import CREATED, REF
from shipbar.oci.writer import Writer

NAME = "base"
"""The name of the one image of a base's layout."""
PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PACKAGES = ("python3", "usr-is-merged")
"""What a base has beside the essential packages; the second keeps Perl out of it."""
_MERGED = "/usr/share/mmdebstrap/hooks/merged-usr"
_TRACES = (
    'rm -f "$1/etc/resolv.conf" "$1/etc/hostname"',  # the host's
    ': > "$1/etc/apt/sources.list"',  # which mirror it was is no part of it
    'rm -rf "$1/var/log/"* "$1/var/cache/"* "$1/var/lib/apt/lists/"*',
)
_LEFT_OUT = (
    "path-exclude=/usr/share/man/*",
    "path-exclude=/usr/share/locale/*",
    "path-exclude=/usr/share/doc/*",
    "path-include=/usr/share/doc/*/copyright",
)


def write_base(
    path: Path, entries: Iterable[Entry], *, command: Sequence[str], made_by: str
) -> Layout:
    """Write a base of one layer as the layout ``path``.

    Args:
        path: the layout's folder, not there yet.
        entries: the layer.
        command: what a container of it runs if told nothing else.
        made_by: what its history says.

    Raises:
        UserError: there is something at ``path``, or the entries contradict each other.
        SeamError: it cannot be written.
    """
    with Writer(path) as out:
        layer = out.layer(entries, made_by=made_by)
        image = out.store.bare(
            {
                "architecture": architecture(),
                "os": "linux",
                "created": CREATED,
                "config": {"Env": [PATH], "Cmd": [*command]},
                "rootfs": {"type": "layers", "diff_ids": [layer.descriptor.digest]},
                "history": [{"created": CREATED, "created_by": made_by}],
            },
            [layer.descriptor],
        )
        manifest = attrs.evolve(image.manifest, annotations={REF: NAME})
        out.adopt(attrs.evolve(image, name=NAME, manifest=manifest))
        return out.finish()


def normalised(path: Path) -> Iterator[Entry]:
    """Yield the entries of a root file system's tar, without what differs from host to host.

    Raises:
        UserError: it is no uncompressed tar.
    """
    try:
        for entry in entries_in(path):
            if entry.path == "dev" or not entry.path.startswith("dev/"):
                folder = entry.kind == "folder"
                time = EPOCH if folder else min(entry.time, EPOCH)
                yield attrs.evolve(entry, time=time)
    except tarfile.TarError as cause:
        raise UserError(
            f"{path}: expected an uncompressed tar of a root file system: {cause}"
        ) from cause


def debian(
    path: Path,
    *,
    suite: str,
    sources: Sequence[str],
    packages: Sequence[str] = PACKAGES,
) -> Layout:
    """Make a base of Debian's packages as the layout ``path``.

    Which packages there are is decided by the sources: name a dated archive, or a pool
    of your own, and the base is the same on every day.

    Args:
        path: the layout's folder, not there yet.
        suite: as in `bookworm`.
        sources: a mirror's URL, or lines as in a sources.list; none is mmdebstrap's own.
        packages: what to have beside the essential ones.

    Raises:
        UserError: there is something at ``path``.
        SeamError: there is no mmdebstrap, or it failed.
    """
    program = shutil.which("mmdebstrap")
    if program is None:
        raise SeamError(
            "a base of Debian's packages is made by mmdebstrap, which is not on the PATH; install it (Debian and Ubuntu: apt install mmdebstrap), "
            "or give a base of your own with --base"
        )
    with tempfile.TemporaryDirectory(prefix="shipbar-debian-") as scratch:
        rootfs = Path(scratch) / "root.tar"
        words = [
            *(program, "--variant=essential", f"--include={','.join(packages)}"),
            *([f"--hook-dir={_MERGED}"] if Path(_MERGED).is_dir() else []),
            *(f"--dpkgopt={it}" for it in _LEFT_OUT),
            *(f"--customize-hook={it}" for it in _TRACES),
            *(suite, str(rootfs), *sources),
        ]
        if said := _ended_badly(words, rootfs):
            raise SeamError(
                f"mmdebstrap could not make {suite} from {' '.join(sources) or 'its own mirror'}: {said}"
            )
        return write_base(
            path,
            normalised(rootfs),
            command=["/bin/sh"],
            made_by=f"shipbar: Debian {suite}",
        )


def _ended_badly(words: Sequence[str], rootfs: Path) -> str:
    """Run mmdebstrap; return the end of what it said if there is no root file system."""
    done = subprocess.run(  # noqa: S603  # the program that was found, our own words
        words,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        # A path of Debian's, since packages' scripts are run by it.
        env={"PATH": PATH[5:], "SOURCE_DATE_EPOCH": str(EPOCH), "LC_ALL": "C.UTF-8"},
        umask=0o022,
    )
    if done.returncode == 0 and rootfs.is_file():
        return ""
    told = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return " / ".join(told[-3:]) or f"exit code {done.returncode}"
