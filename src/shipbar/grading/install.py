"""Installs a submission: copies a plain tree, builds the rest with pip in the sandbox.

A plain tree is one that holds the package at its root or under `src/` and has
nothing that a copy would miss: no `setup.py`, no build backend of its own in
the tree. Everything else goes through

    pip install --no-index --no-deps --no-build-isolation

on the path, inside the sandbox, with no network and with only pip, setuptools
and wheel beside the standard library. What comes out is read like any other
hostile archive, and its metadata like any other declaration of dependencies.

A task's pinned upstream is installed in the same way, by path and hash, into an
environment of its own.
"""

import enum
import importlib.resources
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import attrs

from shipbar.contract import Contract, Limits
from shipbar.errors import IntakeError, SandboxError, SeamError
from shipbar.grading.bench import world_readable
from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.grading.intake import Submission, find_import_root, take_in, write_tree
from shipbar.ports import Job, Sandbox
from shipbar.sealed.frames import LOAD, VALUE

TOOLS = ("pip", "setuptools", "wheel", "packaging")
"""What a build may use beside the standard library."""
BUILD_LIMITS = Limits(
    wall_s=120.0,
    case_wall_s=120.0,
    cpu_s=60.0,
    memory_mib=1024,
    processes=32,
    output_kib=8 * 1024,
)
"""What a build may use. Builds are rare, so these are ours and not the contract's."""
BUILD_TMP_MIB = 256
READY_S = 30.0


class Install(enum.StrEnum):
    """How to install a submission."""

    AUTO = "auto"
    """A plain tree is copied, the rest is built."""
    TREE = "tree"
    """Copied, whatever it holds."""
    PIP = "pip"
    """Built by pip, whatever it holds."""


@attrs.frozen(kw_only=True)
class Installed:
    """What can be imported, or why nothing can."""

    way: str
    """`tree` or `pip`."""
    files: Mapping[str, bytes]
    """Contents by path."""
    root: str | None
    """The folder among ``files`` that holds the package; None if none does."""
    left_out: tuple[str, ...] = ()
    """What was built but not taken."""
    notes: tuple[str, ...] = ()
    """Why this way was chosen."""
    failure: str = ""
    """The build's own words if it failed; hostile text."""


def install(
    submission: Submission,
    contract: Contract,
    how: Install,
    sandbox: Sandbox,
    work: Path,
) -> Installed:
    """Install ``submission`` in the way asked for.

    Raises:
        IntakeError: what was built is hostile, or declares dependencies.
        SandboxError: the sandbox in which to build did not start.
    """
    root = find_import_root(submission.files, contract.import_name)
    reason = needs_build(submission.files, root)
    if how is Install.TREE or (how is Install.AUTO and not reason):
        return Installed(way="tree", files=submission.files, root=root)
    notes = (f"built with pip: {reason or 'asked for'}",)
    with _folder(work) as place:
        built = _build(submission, sandbox, place)
        if isinstance(built, str):
            return Installed(way="pip", files={}, root=None, notes=notes, failure=built)
        try:
            taken = take_in(built)
        except IntakeError as refusal:
            text = str(refusal).replace(str(built), "what pip built from it")
            raise type(refusal)(text) from refusal
    root = find_import_root(taken.files, contract.import_name)
    return Installed(
        way="pip", files=taken.files, root=root, left_out=taken.left_out, notes=notes
    )


def needs_build(files: Mapping[str, bytes], root: str | None) -> str:
    """Say why a copy of the tree would miss something; empty if it would not."""
    if "setup.py" in files:
        return "it has a setup.py"
    if "pyproject.toml" not in files and "setup.cfg" not in files:
        return ""
    if root is None:
        return "the package is neither at its root nor under src/"
    if "backend-path" in _build_system(files.get("pyproject.toml", b"")):
        return "it brings a build backend of its own"
    return ""


def _build_system(pyproject: bytes) -> Mapping[str, object]:
    import tomllib  # noqa: PLC0415  # most submissions have none to read

    try:
        table = tomllib.loads(pyproject.decode("utf-8-sig")).get("build-system", {})
    except ValueError:
        return {}
    return table if isinstance(table, dict) else {}


@contextmanager
def _folder(work: Path) -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="shipbar-build-", dir=work))
    try:
        if world_readable():
            place.chmod(0o755)
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def install_pinned(
    sdist: Path, sha256: str, sandbox: Sandbox, work: Path
) -> Submission:
    """Install an sdist by path and hash into an environment of its own; return what is there.

    Packaging records are left out, by name: they say what pip has installed.

    Raises:
        SeamError: it could not be installed; with pip's own words.
        SandboxError: the sandbox in which to install it did not start.
    """
    with _folder(work) as place:
        folder = place / "tree"
        folder.mkdir()
        shutil.copyfile(sdist, folder / sdist.name)
        if world_readable():
            folder.chmod(0o755)
            (folder / sdist.name).chmod(0o644)
        made = _pip(folder, f"{sdist.name} --hash=sha256:{sha256}", sandbox, place)
        if isinstance(made, str):
            raise SeamError(f"{sdist.name} cannot be installed: {made.strip()}")
        (place / "environment.tar").write_bytes(made)
        try:
            return take_in(place / "environment.tar")
        except IntakeError as refusal:
            text = str(refusal).replace(str(place), "")
            raise SeamError(f"{sdist.name}: what pip installed: {text}") from refusal


def _build(submission: Submission, sandbox: Sandbox, place: Path) -> Path | str:
    """Return the built wheel's path below ``place``, or the build's own words."""
    tree = place / "tree"
    tree.mkdir()
    if world_readable():
        tree.chmod(0o755)
    write_tree(submission.files, tree, "", world_readable=world_readable())
    made = _pip(tree, "", sandbox, place)
    if isinstance(made, str):
        return made
    wheel = place / "built.whl"
    wheel.write_bytes(made)
    return wheel


def _pip(tree: Path, request: str, sandbox: Sandbox, place: Path) -> bytes | str:
    """Return the archive that pip made in the sandbox, or its own words."""
    tools = place / "tools"
    _copy_tools(tools)
    _copy_installer(place / "installer")
    running = sandbox.start(
        Job(
            program=place / "installer",
            folders={"candidate": tree, "extra": tools},
            limits=BUILD_LIMITS,
            tmp_mib=BUILD_TMP_MIB,
        )
    )
    channel = Channel(running, cap=BUILD_LIMITS.output_kib * 1024)
    try:
        try:
            channel.ready(READY_S)
        except (Gone, Slow, Garbled) as cause:
            raise SandboxError(
                f"a build did not start: {running.stop() or type(cause).__name__.lower()}"
            ) from cause
        channel.send([(LOAD, request)])
        frame = channel.answer(BUILD_LIMITS.wall_s)
    except (Gone, Slow, Garbled) as event:
        return f"the build was ended: {_ENDS[type(event)]}"
    finally:
        running.stop()
    if frame.kind != VALUE:
        return frame.payload.decode("utf-8", "replace")
    return frame.payload


_ENDS = {
    Gone: "it crashed or used up its memory or time",
    Slow: f"it took more than {BUILD_LIMITS.wall_s:.0f} s",
    Garbled: f"it wrote what is no wheel, or more than {BUILD_LIMITS.output_kib} KiB",
}


def _copy_installer(folder: Path) -> None:
    """Copy the program that runs pip to where the sandbox can read it."""
    folder.mkdir()
    source = (
        importlib.resources.files("shipbar") / "subject" / "installer" / "__main__.py"
    )
    (folder / "__main__.py").write_bytes(source.read_bytes())
    (folder / "__main__.py").chmod(0o644)
    folder.chmod(0o755)


def _copy_tools(folder: Path) -> None:
    """Copy the build tools and their metadata to where the sandbox can read them."""
    # Here, since it takes longer to import than a plain tree takes to grade.
    import importlib.metadata  # noqa: PLC0415

    for name in TOOLS:
        for file in importlib.metadata.files(name) or ():
            source = Path(str(file.locate()))
            if ".." in file.parts or not source.is_file():
                continue  # a script beside the library, or bytecode never made
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            # With its times, by which Python knows that bytecode is still good:
            # compiling pip and setuptools takes longer than most builds.
            shutil.copy2(source, target)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
