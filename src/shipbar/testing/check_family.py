"""What any family must satisfy; the public conformance suite for family authors.

    problems = check_family(family, sandbox, work, variants=20)

Each promise is a function of its own in `PROMISES`, so that a test can show them
one by one. What needs the upstream or a second interpreter and cannot be run is
said so by `NotRunError`; not run is not kept.
"""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from shipbar.building.bands import FLIP_COST, MEMORY
from shipbar.building.builder import Builder, Built, Order
from shipbar.building.family import Draw, Family
from shipbar.building.mutants import FLIP_BACK, Files
from shipbar.building.observe import Observer
from shipbar.building.render import ADAPTER, REFERENCE, SPECIFICATION, render_package
from shipbar.building.rules import LEAST_DISTANCE, child_rng, distance
from shipbar.building.shares import SHARES, by_role
from shipbar.building.suite import contract_of, head_of, write_task
from shipbar.building.upstream import deny_list, sources
from shipbar.grading.grader import Grader
from shipbar.grading.tasks import load_task
from shipbar.grading.upstream import NotFetchedError, denied_in
from shipbar.ports import Sandbox
from shipbar.verdict import Outcome

AXES = (10, 13)
VALUES = (2, 5)
LEAST_CAPACITY = 60
SHARED = 0.4
"""Share of its items that a variant may have in common with one that is no neighbour."""
AGREEMENT = 0.95
"""Share of the probes on which the adapter must answer as the remembered package does."""
RELEASES = ("3.11", "3.12", "3.13")
"""Releases of Python in any of which a suite must come out alike."""
SEEDS = ("check-1", "check-2")
"""Neighbours; variants are drawn below both."""


class NotRunError(Exception):
    """A promise could not be tried here; says why."""


class NoInterpreterError(NotRunError):
    """There is no second interpreter on this machine."""


@attrs.define
class FamilyBench:
    """A family, and the variants that are built of it once and looked at by every promise."""

    family: Family
    """The family."""
    sandbox: Sandbox
    """Where its packages run."""
    work: Path
    """Folder for the sandbox's own folders."""
    cache: Path
    """Where fetched upstreams lie."""
    variants: int = 20
    """How many are built."""
    _built: list[Built] = attrs.field(factory=list)

    def built(self) -> list[Built]:
        """Return the variants, half of them below each seed."""
        if not self._built:
            builder = Builder(self.sandbox, self.work)
            for seed in SEEDS:
                draws = self.rules(seed)
                for place in range(self.variants // len(SEEDS)):
                    order = Order(family=self.family, seed=seed, place=place)
                    self._built.append(builder.build(order, next(draws)))
        return self._built

    def rules(self, seed: str) -> Iterator[dict[str, str]]:
        """Draw selections as `shipbar build` does."""
        return self.family.space.sequence(
            child_rng(seed, self.family.name, "rules"), {}, LEAST_DISTANCE
        )


Promise = Callable[[FamilyBench], None]


def shape(bench: FamilyBench) -> None:
    """Ten to thirteen axes of two to five values, one remembered; all templates are there."""
    family = bench.family
    assert AXES[0] <= len(family.axes) <= AXES[1], f"{len(family.axes)} axes"
    for axis in family.axes:
        assert VALUES[0] <= len(axis.values) <= VALUES[1], (
            f"{axis.id} has {len(axis.values)} values"
        )
        assert sum(value.remembered for value in axis.values) == 1, (
            f"{axis.id}: one value is remembered"
        )
        assert axis.question.endswith("?"), f"{axis.id}: its question is a question"
    wanted = [
        REFERENCE,
        SPECIFICATION,
        *([ADAPTER, "upstream.toml"] if family.upstream else []),
    ]
    missing = [name for name in wanted if not (family.folder / name).is_file()]
    assert not missing, f"missing: {missing}"
    assert (family.upstream is not None) == (family.task_class == "mutated")


def capacity(bench: FamilyBench) -> None:
    """Many selections lie three axes apart."""
    found = bench.family.space.capacity(LEAST_DISTANCE)
    assert found >= LEAST_CAPACITY, f"{found} selections, at least {LEAST_CAPACITY}"


def same_seed_same_bytes(bench: FamilyBench) -> None:
    """The same seed gives the same task, byte for byte."""
    first = bench.built()[0]
    order = Order(family=bench.family, seed=SEEDS[0])
    again = Builder(bench.sandbox, bench.work).build(order, next(bench.rules(SEEDS[0])))
    assert _task_files(again) == _task_files(first), "two builds differ"


def neighbours_share_nothing(bench: FamilyBench) -> None:
    """Neighbours share no name, and no item, whatever its names are called.

    Neighbours are `SHARES` places in a row below one seed, and the variants at one
    place below seeds that follow each other. Others have at most `SHARED` of their items
    in common.
    """
    built = bench.built()
    half = len(built) // len(SEEDS)
    items = [_items(one) for one in built]
    for number, one in enumerate(built):
        for later, other in enumerate(built[number + 1 :], number + 1):
            which = f"{one.variant.task_id} and {other.variant.task_id}"
            near = _neighbours(number, later, half)
            names = set(one.variant.draw.names.values()) & set(
                other.variant.draw.names.values()
            )
            assert not (near and names), f"{which} share the names {names}"
            same = items[number] & items[later]
            most = 0 if near else SHARED * len(items[number])
            assert len(same) <= most, f"{which} share {len(same)} items: {min(same)}"


def _neighbours(one: int, other: int, half: int) -> bool:
    """Whether two of the variants, ``half`` below each seed, must have nothing in common."""
    if (one < half) == (other < half):
        return other - one < SHARES
    return other - one == half


def _items(built: Built) -> set[str]:
    """Return a variant's items with roles in place of names."""
    told = by_role(built.variant.draw.names)
    return {told(f"{p.arrange.strip()}\n{p.expression}") for p in built.parts.probes}


def variants_lie_apart(bench: FamilyBench) -> None:
    """Variants below one seed differ in at least three axes."""
    built = bench.built()
    half = len(built) // len(SEEDS)
    for part in (built[:half], built[half:]):
        for number, one in enumerate(part):
            for other in part[number + 1 :]:
                assert (
                    distance(one.variant.draw.rules, other.variant.draw.rules)
                    >= LEAST_DISTANCE
                )


def score_bands(bench: FamilyBench) -> None:
    """Every wrong package scores in its band, measured on the final suite."""
    for item in bench.built():
        assert not item.bands.broken, f"{item.variant.task_id}: {item.bands.broken}"
        assert len(item.parts.probes) == bench.family.count


def examples_decide(bench: FamilyBench) -> None:
    """Every inverted axis is decided by a worked example, and none of those is a hidden input."""
    for item in bench.built():
        asked = [(e.arrange, e.expression) for e in item.specified.examples]
        hidden = {(p.arrange.strip(), p.expression.strip()) for p in item.parts.probes}
        assert hidden.isdisjoint((a.strip(), e.strip()) for a, e in asked), (
            "an example is a hidden input"
        )
        truth = item.observer.answers(item.parts.reference, asked)
        for name, package in item.parts.bad.items():
            if name.startswith(FLIP_BACK):
                told = item.observer.answers(package, asked)
                assert told != truth, (
                    f"{item.variant.task_id}: no example decides {name.removeprefix(FLIP_BACK)}"
                )


def nothing_discloses(bench: FamilyBench) -> None:
    """A solver sees neither the family, nor a rule as the maker writes it, nor the seed, nor a denied word."""
    pin = bench.family.upstream
    # A slug of one word is the domain's own word, which may call memory up.
    denied = {bench.family.name} if "-" in bench.family.name else set()
    if pin is not None:
        try:
            denied |= deny_list(pin, bench.cache)
        except NotFetchedError as cause:
            raise NotRunError(str(cause)) from cause
    for item in bench.built():
        text = item.parts.specification
        told = [it for it in _makers_words(bench, item) if it in text.lower()]
        found = [*denied_in(text, frozenset(denied)), *told]
        assert not found, f"{item.variant.task_id}: the specification says {found}"


def _makers_words(bench: FamilyBench, item: Built) -> list[str]:
    """Return what only templates that leak would put into a specification."""
    rules = item.variant.draw.rules.items()
    words = [f"{axis}{sign}{value}" for axis, value in rules for sign in ("=", ": ")]
    name = bench.family.name
    spelt = [name.replace("-", it) for it in (" ", "")] if "-" in name else []
    return [*words, *SEEDS, *spelt]


def the_upstream_fails(bench: FamilyBench) -> None:
    """Behind the adapter the genuine library is what is remembered, and fails what is inverted."""
    pin = bench.family.upstream
    if pin is None:
        return
    try:
        library = sources(pin, bench.cache)
    except NotFetchedError as cause:
        raise NotRunError(str(cause)) from cause
    item = bench.built()[0]
    agreement = remembered_agreement(bench, item, library)
    assert agreement >= AGREEMENT, (
        f"the adapter agrees on {agreement:.3f} of the probes"
    )
    for built in bench.built():
        killed = built.observer.killed(
            adapted(bench.family, built.variant.draw, library), built.final.suite
        )
        score = 1 - len(killed) / len(built.parts.probes)
        assert MEMORY[0] <= score <= MEMORY[1], (
            f"{built.variant.task_id}: the upstream scores {score:.3f}"
        )
        for name, package in built.parts.bad.items():
            if name.startswith(FLIP_BACK):
                own = built.observer.killed(package, built.final.suite)
                assert len(own & killed) >= FLIP_COST, (
                    f"{built.variant.task_id}: upstream passes {name}"
                )


def adapted(family: Family, draw: Draw, library: Files) -> Files:
    """Return the genuine library behind the adapter, under ``draw``'s names."""
    return {
        **library,
        **render_package(family, draw, family.space.memory, template=ADAPTER),
    }


def remembered_agreement(bench: FamilyBench, item: Built, library: Files) -> float:
    """Return the share of probes that the adapter answers as the remembered package does."""
    family = bench.family
    rules = family.space.memory
    draw = Draw(
        rules=rules,
        names=item.variant.draw.names,
        parameters=item.variant.draw.parameters,
    )
    variant = attrs.evolve(item.variant, draw=draw)
    observer = Observer(
        contract=contract_of(variant, ["remembered"]),
        head=head_of(family, draw),
        sandbox=bench.sandbox,
        work=bench.work,
    )
    probes = []
    for probe in family.probes(draw, child_rng(SEEDS[0], family.name, "agreement")):
        probes.append(probe)
        if len(probes) == family.count * 8:
            break
    pool = observer.pool(render_package(family, draw), list(dict.fromkeys(probes)))
    failed = observer.killed(adapted(family, draw, library), pool.suite)
    return 1 - len(failed) / len(pool.probes)


def stock_pytest_agrees(bench: FamilyBench) -> None:
    """Stock pytest passes just the tests that the judge passes, on right and wrong packages."""
    _hold_against_pytest(bench, Path(sys.executable))


def second_interpreter_agrees(bench: FamilyBench) -> None:
    """So does stock pytest in another release of Python."""
    found = other_interpreter()
    if found is None:
        raise NoInterpreterError(f"no other of {', '.join(RELEASES)} is installed")
    _hold_against_pytest(bench, found)


def other_interpreter() -> Path | None:
    """Return an interpreter of another of the `RELEASES`: beside ours, as version managers keep them, or on the path."""
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    for release in (item for item in RELEASES if item != ours):
        name = f"python{release}"
        beside = sorted(Path(sys.base_prefix).parent.glob(f"{release}*/bin/{name}"))
        on_path = shutil.which(name)
        for path in [*beside, *([Path(on_path)] if on_path else [])]:
            tried = subprocess.run(  # noqa: S603  # only asks an interpreter whether it runs
                [path, "-c", "pass"], capture_output=True, check=False
            )
            if tried.returncode == 0:
                return path
    return None


def _hold_against_pytest(bench: FamilyBench, interpreter: Path) -> None:
    item = bench.built()[0]
    with tempfile.TemporaryDirectory(dir=bench.work) as name:
        folder = Path(name) / "task"
        write_task(folder, item.variant, item.parts)
        Path(name).chmod(0o755)
        task = load_task(folder)
        packages = [
            task.contract.reference_install,
            *task.contract.known_bad_install[:3],
        ]
        with Grader(task, bench.sandbox, bench.work) as grader:
            for path in packages:
                verdict = grader.grade(folder / path)
                sealed = {
                    c.id.rpartition("::")[2]
                    for c in verdict.cases
                    if c.outcome is Outcome.PASSED
                }
                stock = _stock(interpreter, folder, folder / path)
                assert sealed == stock, (
                    f"{path}: pytest under {interpreter.name} and the judge differ: {min(sealed ^ stock)}"
                )


def _stock(interpreter: Path, folder: Path, package: Path) -> set[str]:
    """Return the names of the tests that stock pytest passes."""
    # pytest and what it needs are plain Python, so any release can use ours.
    home = sysconfig.get_path("purelib")
    done = subprocess.run(  # noqa: S603  # an interpreter, our own suite
        [
            interpreter,
            "-m",
            "pytest",
            "-rA",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            "/dev/null",
            str(folder / "grader" / "tests"),
        ],
        env={
            "PYTHONPATH": f"{package}:{home}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("PASSED ")]
    return {line.rpartition("::")[2].strip() for line in lines}


def _task_files(built: Built) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "task"
        write_task(folder, built.variant, built.parts)
        files = {
            str(p.relative_to(folder)): p.read_bytes()
            for p in sorted(folder.rglob("*"))
            if p.is_file()
        }
        shutil.rmtree(folder)
        return files


PROMISES: tuple[Promise, ...] = (
    shape,
    capacity,
    same_seed_same_bytes,
    neighbours_share_nothing,
    variants_lie_apart,
    score_bands,
    examples_decide,
    nothing_discloses,
    the_upstream_fails,
    stock_pytest_agrees,
    second_interpreter_agrees,
)


def check_family(bench: FamilyBench) -> list[str]:
    """Try every promise; return what could not be run, with the reason.

    Raises:
        AssertionError: a promise is broken; says which and what was seen.
        UserError: a variant cannot be built.
    """
    not_run = []
    for promise in PROMISES:
        try:
            promise(bench)
        except NotRunError as why:
            not_run.append(f"{promise.__name__}: {why}")
        except AssertionError as broken:
            raise AssertionError(
                f"{bench.family.name}: {promise.__name__}: {broken}"
            ) from broken
    return not_run
