"""What is shown lies where it says, is the same, and is called what it is."""

from shipbar.similarity import Region, fingerprint, package_of, regions
from shipbar.similarity.base import Base
from tests.similarity.samples import LIBRARY, OTHER


def found(candidate: str, source: str, base: Base | None = None) -> tuple[Region, ...]:
    packages = [
        package_of({path: text.encode()})
        for path, text in (("c.py", candidate), ("s.py", source))
    ]
    prints = [fingerprint(it, as_source=True) for it in packages]
    return regions((prints[0], packages[0]), (prints[1], packages[1]), base or Base())


def test_a_copy_is_one_verbatim_region_with_its_lines():
    (region,) = found(LIBRARY, LIBRARY)
    assert region.verbatim
    assert region.candidate.text in LIBRARY
    lines = LIBRARY.split("\n")
    first, last = region.source.first, region.source.last
    assert "\n".join(lines[first - 1 : last]) == region.source.text
    assert "def parse" in region.source.text
    assert '"share"' in region.source.text


def test_a_renamed_copy_is_called_renamed():
    text = LIBRARY
    for number, name in enumerate(
        ["parse", "merge", "gaps", "pairs", "merged", "found", "position", "total",
         "low", "high", "match", "part", "text", "limit", "first", "last", "previous_"]
    ):  # fmt: skip
        text = text.replace(name, f"z{number}")
    (region, *_) = found(text, LIBRARY)
    assert not region.verbatim


def test_reordered_parts_are_found_each_in_its_place():
    parts = LIBRARY.split("\n\n\n")
    moved = "\n\n\n".join([parts[0], *reversed(parts[1:])])
    shown = found(moved, LIBRARY)
    heads = [
        (it.candidate.text.split("(")[0], it.source.text.split("(")[0]) for it in shown
    ]
    assert len(shown) >= 3
    assert all(one == other for one, other in heads)


def test_regions_share_no_line_range_and_the_largest_comes_first():
    shown = found(LIBRARY + OTHER, OTHER + LIBRARY)
    assert [it.symbols for it in shown] == sorted(
        (it.symbols for it in shown), reverse=True
    )
    assert len({(it.candidate.first, it.candidate.last) for it in shown}) == len(shown)


def test_unlike_and_empty_code_shows_nothing():
    assert found(OTHER, LIBRARY) == ()
    assert found("", LIBRARY) == ()
    assert found("", "") == ()


def test_base_material_is_no_evidence():
    whole = fingerprint(package_of({"a.py": LIBRARY.encode()}), as_source=True)
    base = Base(grams=whole.grams, tokens=whole.tokens)
    assert found(LIBRARY, LIBRARY, base) == ()


def test_one_line_a_thousand_times_ends():
    text = "x = f(a, b) + g(c)\n" * 3000
    assert found(text, text)
