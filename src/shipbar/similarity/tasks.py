"""What a task's candidates are compared with, and its base material."""

from pathlib import Path

import attrs

from shipbar.contract import Contract
from shipbar.grading.tasks import SPECIFICATION, read_contract
from shipbar.grading.upstream import NotFetchedError, cached, unpacked
from shipbar.similarity.base import Base, learn, of_specification
from shipbar.similarity.fingerprints import Fingerprint, fingerprint
from shipbar.similarity.languages import LANGUAGES
from shipbar.similarity.reading import Package, package_of, read_package

REFERENCE, UPSTREAM = "reference", "upstream"
_NOT_PROGRAM = frozenset({"tests", "test", "docs", "doc", "examples", "benchmarks"})


@attrs.frozen(kw_only=True)
class Source:
    """Something that a candidate must not be a copy of."""

    print: Fingerprint
    """What of it is compared."""
    package: Package
    """Its files, to show them."""


@attrs.frozen(kw_only=True)
class Guarded:
    """A task as the copy guard sees it."""

    sources: tuple[Source, ...]
    """The reference, and the upstream where it is in the cache."""
    base: Base
    """What counts nowhere."""
    remarks: tuple[str, ...]
    """What a reader must know, such as an upstream that is not fetched."""


def guarded(folder: Path, cache: Path, independent: tuple[Path, ...] = ()) -> Guarded:
    """Read what candidates of the task in ``folder`` are compared with.

    Args:
        folder: of the task.
        cache: where upstreams lie.
        independent: other implementations of the same specification.

    Raises:
        UserError: there is no task there, or a part of it cannot be read.
        ContractError: its contract is wrong.
    """
    contract = read_contract(folder)
    sources = [_source(read_package(folder / contract.reference_install), REFERENCE)]
    remarks = []
    try:
        sources += _upstream(contract, cache)
    except NotFetchedError as cause:
        remarks.append(f"not compared with the upstream: {cause}")
    base = of_specification(
        (folder / SPECIFICATION).read_text("utf-8", "replace"), LANGUAGES[0]
    )
    others = {
        **{Path(it).name: folder / it for it in contract.known_bad_install},
        **{str(it): it for it in independent},
    }
    implementations = [
        fingerprint(read_package(path), name, as_source=True)
        for name, path in others.items()
    ]
    base = learn(base, implementations, [it.print for it in sources])
    return Guarded(sources=tuple(sources), base=base, remarks=tuple(remarks))


def _source(package: Package, name: str) -> Source:
    return Source(print=fingerprint(package, name, as_source=True), package=package)


def _upstream(contract: Contract, cache: Path) -> list[Source]:
    pin = contract.upstream_sdist
    if pin is None:
        return []
    files = {
        path: data
        for path, data in unpacked(cached(pin, cache)).items()
        if not _NOT_PROGRAM & set(Path(path).parts) and Path(path).name != "setup.py"
    }
    return [_source(package_of(files), UPSTREAM)]
