"""Disguises keep what a package does, and none of them hides a copy."""

from random import Random
from typing import Any

import pytest

from bench.disguises import DISGUISES, mixed
from shipbar.similarity import Level, compare, fingerprint, package_of
from tests.repository import ROOT
from tests.similarity.samples import LIBRARY, OTHER

CASES = ROOT / "tests" / "cases" / "independent"
PACKAGES = {
    folder.name: {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.py"))
    }
    for folder in sorted(CASES.iterdir())
    if folder.is_dir()
}


def printed(files, name=""):
    package = package_of({path: text.encode() for path, text in files.items()})
    return fingerprint(package, name, as_source=True)


PRINTS = {name: printed(files, name) for name, files in PACKAGES.items()}


@pytest.mark.parametrize("name", [it for it in DISGUISES if it != "split"])
def test_a_disguise_keeps_what_a_package_does(name):
    (text,) = DISGUISES[name]({"a.py": LIBRARY}, Random(7)).values()
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    exec(LIBRARY, before)
    exec(text, after)
    for call in (
        "parse('1-3, 5, 4, 9-12')",
        "merge([(5, 6), (1, 2), (3, 3)])",
        "gaps([(2, 3), (7, 8)], 1, 10)",
    ):
        assert eval(call, after) == eval(call, before)
    with pytest.raises(ValueError, match="not an interval"):
        after["parse"]("x")


@pytest.mark.parametrize("name", DISGUISES)
def test_no_disguise_hides_a_copy(name):
    for task, files in PACKAGES.items():
        copy = printed(DISGUISES[name](files, Random(1)), name)
        found = compare(copy, PRINTS[task])
        assert found.level is Level.COPY, (task, found.score)


def test_half_a_library_among_other_code_is_flagged():
    names = list(PACKAGES)
    for task, other in zip(names, names[1:] + names[:1], strict=True):
        copy = mixed(PACKAGES[task], PACKAGES[other], 0.5, Random(2))
        assert compare(printed(copy), PRINTS[task]).flagged, task


def test_packages_of_different_tasks_are_clear():
    for one, other in ((a, b) for a in PACKAGES for b in PACKAGES if a != b):
        found = compare(PRINTS[one], PRINTS[other])
        assert found.level is Level.CLEAR, (one, other, found.score)
    assert compare(printed({"a.py": OTHER}), PRINTS[next(iter(PRINTS))]).score < 0.05
