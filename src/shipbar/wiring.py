"""Names to objects: one table of strings, plus entry points.

A name is imported only when it is asked for. Others add their own under the
entry point groups `shipbar.sandbox`, …; what they name is called with the
`Config`.
"""

import contextlib
import functools
import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, cast

import attrs

from shipbar.config import Config
from shipbar.errors import (
    GraderFault,
    SandboxError,
    ShipbarError,
    UnknownNameError,
    UserError,
)
from shipbar.ports import Availability, Guard, Habits, Sandbox, Written

if TYPE_CHECKING:
    from shipbar.building.family import Family
    from shipbar.gates import Gate
    from shipbar.grading.tasks import Task
    from shipbar.verdict import Copying

BUILT_IN: dict[str, dict[str, str]] = {
    "sandbox": {
        "bubblewrap": "shipbar.sandboxes.bubblewrap:Bubblewrap",
        "podman": "shipbar.sandboxes.container:podman",
        "docker": "shipbar.sandboxes.container:docker",
        "landlock": "shipbar.sandboxes.landlock:Landlock",
    },
    "gate": {
        "reference": "shipbar.gates.reference:GATE",
        "known-bad": "shipbar.gates.known_bad:GATE",
        "plagiarist": "shipbar.gates.plagiarist:GATE",
        "isolation": "shipbar.gates.isolation:GATE",
        "break": "shipbar.gates.breaking:GATE",
        "reproduce": "shipbar.gates.reproduce:GATE",
        "strength": "shipbar.gates.strength:GATE",
        "gradient": "shipbar.gates.gradient:GATE",
        "specification": "shipbar.gates.specification:GATE",
        "agreement": "shipbar.gates.agreement:GATE",
        "novelty": "shipbar.gates.novelty:GATE",
        "review": "shipbar.gates.review:GATE",
    },
}
"""Kinds of thing, and for each its names; sandboxes from the strongest to the
weakest, gates in their order."""

AUTO = "auto"
TAKES_RUNTIME = ("docker", "podman")
"""Sandboxes whose name may go on with an OCI runtime, as in `docker:runsc`."""


def names(kind: str) -> list[str]:
    """Return what may be asked for, ours first."""
    return list(_in_turn(kind))


def _added(kind: str) -> dict[str, str]:
    """What others added, by name."""
    # Here, since it takes long to import and most calls ask for what is ours.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return {entry.name: entry.value for entry in entry_points(group=f"shipbar.{kind}")}


def _built_in(kind: str) -> Mapping[str, str]:
    return _family_folders() if kind == "family" else BUILT_IN[kind]


@functools.cache
def _family_folders() -> Mapping[str, str]:
    """Our families, by name: every folder below `families/`. Nothing else knows them."""
    found = {}
    for half in ("invented", "mutated"):
        package = import_module(f"shipbar.families.{half}")
        for module in iter_modules(package.__path__):
            home = f"shipbar.families.{half}.{module.name}.family"
            found[module.name.replace("_", "-")] = f"{home}:FAMILY"
    return dict(sorted(found.items()))


def family(name: str) -> "Family":
    """Return the family called ``name``.

    Raises:
        UnknownNameError: there is none of that name.
        UserError: it is somebody else's, and cannot be loaded, is no family, or has
            another name.
    """
    # Here, since whoever grades needs nothing of what builds.
    from shipbar.building.family import Family  # noqa: PLC0415

    ours = name in _built_in("family")
    try:
        found = resolve("family", name)
    except UnknownNameError:
        raise
    except Exception as cause:
        if ours:
            raise
        # Whatever code of somebody else's raises when it is loaded.
        raise UserError(
            f"family {name}: cannot be loaded: {type(cause).__name__}: {cause}; mend or remove the package that adds it"
        ) from cause
    if not isinstance(found, Family):
        if ours:
            raise GraderFault(f"family {name}: expected a Family, got {found!r}")
        raise UserError(
            f"family {name}: expected a Family, got {type(found).__name__}; mend or remove the package that adds it"
        )
    if found.name != name:
        # A task notes its family's name, and is built again by it.
        raise UserError(
            f"family {name}: expected an entry point of the family's own name, which is {found.name}"
        )
    return found


def families() -> tuple[list["Family"], list[UserError]]:
    """Return every family, and what is wrong with those of others that cannot be loaded."""
    found: list[Family] = []
    broken: list[UserError] = []
    for name in names("family"):
        try:
            found.append(family(name))
        except UserError as why:
            broken.append(why)
    return found, broken


def gate(name: str) -> "Gate":
    """Return the gate called ``name``.

    Raises:
        UnknownNameError: there is none of that name.
    """
    # Here, since whoever grades needs nothing of what proves.
    from shipbar.gates import Gate  # noqa: PLC0415

    found = resolve("gate", name)
    if not isinstance(found, Gate):
        raise GraderFault(f"gate {name}: expected a Gate, got {found!r}")
    return found


def resolve(kind: str, name: str) -> object:
    """Import the implementation of ``kind`` called ``name``.

    Raises:
        UnknownNameError: there is none; the message lists those there are.
    """
    where = _built_in(kind).get(name) or _added(kind).get(name)
    if where is None:
        raise UnknownNameError(kind, name, names(kind))
    module, _, attribute = where.partition(":")
    return getattr(import_module(module), attribute)


def sandbox(name: str, config: Config) -> Sandbox:
    """Return the sandbox called ``name``; for `auto` the strongest that works here.

    Raises:
        UnknownNameError: there is none of that name.
        SandboxError: `auto` was asked for, and none works here.
    """
    if name != AUTO:
        return _made(name, config)
    if (remembered := _remembered(config)) is not None:
        return _made(remembered, config)
    told = []
    for known in _in_turn("sandbox"):
        tried = try_sandbox(known, config)
        if tried.found.works and tried.backend is not None:
            remember(known, config)
            return tried.backend
        told.append(f"  {known}: {tried.found.detail}\n    {tried.found.remedy}")
    raise SandboxError(
        "\n".join(
            [
                "no sandbox works on this machine, and there is no grading without one:",
                *told,
            ]
        )
    )


class _Deferred(Guard):
    """A guard that is made when it is first asked, beside a subject that is at work.

    Its parsers take longer to import than a small submission takes to be graded.
    """

    def __init__(
        self,
        make: Callable[[], Guard],
        observe: Callable[[], Habits | ShipbarError] | None,
    ) -> None:
        self._make = functools.cache(make)
        self._observe = functools.cache(observe) if observe else None

    @property
    def name(self) -> str:  # type: ignore[override]  # it is read alone
        return self._make().name

    def _check(self, written: Written) -> "Copying":
        return self._make().check(written)

    def _habits(self) -> Habits | None:
        found = self._observe() if self._observe else None
        if isinstance(found, ShipbarError):
            raise found
        return found


def guard(task: "Task", config: Config, quirks_in: Sandbox | None = None) -> Guard:
    """Return the copy guard of ``task``; whatever is wrong with it, its first check raises.

    Args:
        task: whose sources submissions are compared with.
        config: where its cache is.
        quirks_in: where to run the sources, for submissions to be asked for their quirks;
            None: they are not asked.
    """

    def make() -> Guard:
        from shipbar.similarity.guard import guard_of  # noqa: PLC0415  # as said above

        return guard_of(task, config.cache)

    if quirks_in is None:
        return _Deferred(make, None)

    def observe() -> Habits | ShipbarError:
        from shipbar.similarity.quirks import Place, habits_of  # noqa: PLC0415  # likewise

        place = Place(sandbox=quirks_in, work=config.work, cache=config.cache)
        try:
            return habits_of(task, place)
        except ShipbarError as cause:  # once for all: it may take a minute to find out
            return cause

    return _Deferred(make, observe)


def remember(name: str, config: Config) -> None:
    """Note which sandbox `auto` is, so that the next command need not try it again."""
    # A cache that cannot be written costs a trial a command, and nothing else.
    with contextlib.suppress(OSError):
        _memory(config).write_text(f"{_machine()} {name}\n", "utf-8")


def forget(config: Config) -> None:
    """Have `auto` try again: what worked does not any more."""
    with contextlib.suppress(OSError):
        _memory(config).unlink(missing_ok=True)


def _remembered(config: Config) -> str | None:
    try:
        machine, _, name = _memory(config).read_text("utf-8").strip().rpartition(" ")
    except (OSError, UnicodeDecodeError):
        return None
    return name if machine == _machine() and name in BUILT_IN["sandbox"] else None


def _memory(config: Config) -> Path:
    return config.cache / "auto"


def _machine() -> str:
    """What a trial holds for: this boot of the machine, this user."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot} {os.geteuid()}"


def _in_turn(kind: str) -> Iterator[str]:
    """Ours first, and only then what others added."""
    ours = _built_in(kind)
    yield from ours
    yield from sorted(_added(kind).keys() - ours.keys())


def working_sandboxes(first: Sandbox, config: Config) -> tuple[Sandbox, ...]:
    """Return every sandbox that works here, ``first`` before the others."""
    tried = [
        try_sandbox(name, config) for name in names("sandbox") if name != first.name
    ]
    return (first, *(it.backend for it in tried if it.backend and it.found.works))


@attrs.frozen(kw_only=True)
class Tried:
    """A backend that was tried for real."""

    backend: Sandbox | None
    """The backend; None if it did not even load."""
    found: Availability
    """What came of it."""


def try_sandbox(name: str, config: Config) -> Tried:
    """Try one backend for real; one that somebody added may not even load."""
    try:
        backend = _made(name, config)
        return Tried(backend=backend, found=backend.available())
    except Exception as cause:  # noqa: BLE001  # whatever stops a backend is a finding
        found = Availability(
            works=False,
            detail=f"cannot be loaded: {type(cause).__name__}: {cause}",
            remedy="reinstall or remove the package that adds this backend",
        )
        return Tried(backend=None, found=found)


def _made(name: str, config: Config) -> Sandbox:
    """Make the backend called ``name``; `docker:runsc` is docker with that OCI runtime."""
    base, _, variant = name.partition(":")
    make = resolve("sandbox", base)
    if not callable(make):
        raise SandboxError(
            f"sandbox {base}: expected something that is called with a Config, got {make!r}"
        )
    if variant and base not in TAKES_RUNTIME:
        raise UnknownNameError("sandbox", name, names("sandbox"))
    made = make(config, oci_runtime=variant) if variant else make(config)
    return cast("Sandbox", made)
