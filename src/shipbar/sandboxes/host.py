"""What every backend needs of the machine it runs on."""

import functools
import hashlib
import importlib.resources
import os
import py_compile
import select
import shutil
from pathlib import Path
from typing import TypedDict

from shipbar.errors import SandboxError
from shipbar.ports import Availability, Job, Sandbox
from shipbar.sealed.frames import READY

NOBODY_ID = 65534
TRY_S = 20.0
"""Seconds in which a working sandbox has started the runner, first use included."""


class Identity(TypedDict, total=False):
    """Keyword arguments of `subprocess.Popen` that say who a child runs as."""

    user: int
    group: int
    extra_groups: list[int]


def drop_root() -> Identity:
    """Who a sandbox is started as: nobody when we are root, else ourselves.

    Root's own id is never used: the kernel does not hold it to a limit on
    processes, and a hole in the sandbox would be root's.
    """
    if os.geteuid() != 0:
        return {}
    return {"user": NOBODY_ID, "group": NOBODY_ID, "extra_groups": []}


@functools.lru_cache(maxsize=8)
def subject_folder(cache: Path) -> Path:
    """Return a copy of `shipbar/subject` that any user can read, by the digest of its content.

    Raises:
        SandboxError: the cache cannot be written.
    """
    source = Path(str(importlib.resources.files("shipbar"))) / "subject"
    files = {
        path.name: path.read_bytes() for path in sorted(source.glob("*.py"))
    }  # what runs in it, and no folder
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    target = cache / f"subject-{digest}"
    if target.is_dir():
        return target
    scratch = target.with_name(f".{target.name}-{os.getpid()}")
    try:
        scratch.mkdir(parents=True)
        for name, content in files.items():
            (scratch / name).write_bytes(content)
            (scratch / name).chmod(0o644)
            # Compiled here, since nothing can be written there. Unchecked: the
            # folder is named by its content.
            compiled = py_compile.compile(
                str(scratch / name),
                dfile=f"/shipbar/{name}",
                doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            Path(str(compiled)).chmod(0o644)
        (scratch / "__pycache__").chmod(0o755)
        scratch.chmod(0o755)
        scratch.rename(target)
    except OSError as cause:
        if not target.is_dir():
            raise SandboxError(
                f"cannot write {target}: {cause}; set SHIPBAR_CACHE to a folder that can be written"
            ) from cause
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def try_out(sandbox: Sandbox, remedy: str, detail: str = "") -> Availability:
    """Start the runner in ``sandbox`` and hear it say that it is ready."""
    try:
        running = sandbox.start(Job())
    except SandboxError as failure:
        return Availability(
            works=False, detail=str(failure), remedy=remedy, lacks=sandbox.lacks
        )
    try:
        heard = b""
        while (
            len(heard) < len(READY)
            and select.select([running.answers], [], [], TRY_S)[0]
        ):
            part = os.read(running.answers, len(READY) - len(heard))
            if not part:
                break
            heard += part
    finally:
        tail = running.stop()
    if heard == READY:
        return Availability(
            works=True,
            detail=detail or "started a runner and stopped it",
            lacks=sandbox.lacks,
        )
    return Availability(
        works=False,
        detail=tail or "the runner did not start",
        remedy=remedy,
        lacks=sandbox.lacks,
    )
