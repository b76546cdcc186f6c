"""What a task's candidates are compared with, and its base material.

The reference, and the upstream that the contract pins, if it is in the cache: what is
not fetched is said to be missing, and nothing is said of a likeness to it. Base
material is learned from the specification and from the task's other packages: its
known-bads, its ladder, and whatever independent implementations it keeps.

Known-bads and ladder of a built task are the reference with rules changed, so as good as
all are set aside, and as submissions they would be flagged. Nothing of the code tells
them from a copy that somebody changed a little; but they are known byte for byte, and
one that is handed in is called by its name. See the decision on the copy guard's scale.
"""

from collections.abc import Mapping
from pathlib import Path

import attrs

from shipbar.contract import Contract
from shipbar.errors import IntakeError
from shipbar.grading.intake import take_in
from shipbar.grading.tasks import ADAPTER, LADDER, SPECIFICATION, read_contract
from shipbar.grading.upstream import NotFetchedError, cached, unpacked
from shipbar.similarity.base import Base, learn, of_specification
from shipbar.similarity.compare import DEFAULT, Thresholds
from shipbar.similarity.fingerprints import Fingerprint, fingerprint
from shipbar.similarity.languages import LANGUAGES
from shipbar.similarity.reading import Package, package_of, read_package

REFERENCE, UPSTREAM = "reference", "upstream"
INDEPENDENT = "grader/independent"
"""Folder of implementations that were made from the specification alone; a task may have none."""
_NOT_PROGRAM = frozenset({"tests", "test", "docs", "doc", "examples", "benchmarks"})


@attrs.frozen(kw_only=True)
class Source:
    """Something that a candidate must not be a copy of."""

    print: Fingerprint
    """What of it is compared."""
    package: Package
    """Its files, to show them."""
    thresholds: Thresholds = DEFAULT
    """From which score on a candidate is what."""


@attrs.frozen(kw_only=True)
class Guarded:
    """A task as the copy guard sees it."""

    sources: tuple[Source, ...]
    """The reference, and the upstream where it is in the cache."""
    base: Base
    """What counts nowhere."""
    remarks: tuple[str, ...]
    """What a reader must know, such as an upstream that is not fetched."""
    missing: tuple[str, ...] = ()
    """Names of sources that could not be had."""
    held_out: Mapping[str, str] = attrs.field(factory=dict)
    """Paths of the task's other packages, by the digest of their content."""


def guarded(folder: Path, cache: Path, independent: tuple[Path, ...] = ()) -> Guarded:
    """Read what candidates of the task in ``folder`` are compared with.

    Args:
        folder: of the task.
        cache: where upstreams lie.
        independent: other implementations of the same specification, beside those
            that the task keeps.

    Raises:
        UserError: there is no task there, or a part of it cannot be read.
        ContractError: its contract is wrong.
        SeamError: the cached upstream is another file than the pinned one.
    """
    contract = read_contract(folder)
    terms = thresholds_of(contract)
    reference = read_package(folder / contract.reference_install)
    sources = [_source(reference, REFERENCE, terms)]
    remarks, missing = [], []
    try:
        sources += _upstream(contract, cache, terms)
    except NotFetchedError as cause:
        remarks.append(f"not compared with the upstream: {cause}")
        missing.append(UPSTREAM)
    base = of_specification(
        (folder / SPECIFICATION).read_text("utf-8", "replace"), LANGUAGES[0]
    )
    own = [folder / it for it in contract.known_bad_install]
    own += _inside(folder / LADDER)
    others = {
        **{it.name: it for it in (*own, *_inside(folder / INDEPENDENT))},
        **{str(it): it for it in independent},
    }
    implementations = [
        fingerprint(read_package(path), name, as_source=True)
        for name, path in others.items()
    ]
    base = learn(base, implementations, [it.print for it in sources])
    return Guarded(
        sources=tuple(sources),
        base=base,
        remarks=tuple(remarks),
        missing=tuple(missing),
        held_out=_by_digest(folder, [*own, folder / ADAPTER]),
    )


def thresholds_of(contract: Contract) -> dict[str, Thresholds]:
    """Return a task's thresholds, by the source's name."""
    return {
        REFERENCE: Thresholds.at(contract.copy_guard.reference),
        UPSTREAM: Thresholds.at(contract.copy_guard.upstream),
    }


def _inside(folder: Path) -> list[Path]:
    return (
        sorted(it for it in folder.iterdir() if it.is_dir()) if folder.is_dir() else []
    )


def _by_digest(folder: Path, packages: list[Path]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in packages:
        if path.is_dir():
            try:
                digest = take_in(path).digest
            except IntakeError:  # nobody could hand it in either
                continue
            found.setdefault(digest, path.relative_to(folder).as_posix())
    return found


def _source(package: Package, name: str, terms: Mapping[str, Thresholds]) -> Source:
    printed = fingerprint(package, name, as_source=True)
    return Source(print=printed, package=package, thresholds=terms[name])


def _upstream(
    contract: Contract, cache: Path, terms: Mapping[str, Thresholds]
) -> list[Source]:
    pin = contract.upstream_sdist
    if pin is None:
        return []
    files = {
        path: data
        for path, data in unpacked(cached(pin, cache)).items()
        if not _NOT_PROGRAM & set(Path(path).parts) and Path(path).name != "setup.py"
    }
    return [_source(package_of(files), UPSTREAM, terms)]
