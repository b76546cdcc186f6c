"""Scores, levels, and what a reader is told with them."""

import textwrap

import attrs
import pytest

from shipbar.similarity import (
    Basis,
    Level,
    Thresholds,
    compare,
    fingerprint,
    learn,
    of_specification,
    package_of,
)
from shipbar.similarity.base import Base
from shipbar.similarity.languages import LANGUAGES
from tests.similarity.samples import LIBRARY, OTHER, printed

SOURCE = printed(LIBRARY, "library.py", as_source=True)


def test_a_copy_is_flagged_whatever_its_names():
    disguised = LIBRARY.replace("merged", "acc").replace("pairs", "spans")
    found = compare(printed(disguised), SOURCE)
    assert found.level is Level.COPY
    assert found.flagged
    assert found.score == 1.0
    assert found.basis is Basis.LARGE
    assert {it.name for it in found.functions} == {"parse", "merge", "gaps"}


def test_other_work_is_clear():
    found = compare(printed(OTHER), SOURCE)
    assert found.level is Level.CLEAR
    assert found.score < 0.05
    assert found.functions == ()


def test_a_whole_library_in_much_other_code_shows_as_a_share_of_the_source():
    files = {f"m{n}.py": OTHER.replace("[]", f"[{', x' * n}]") for n in range(5)}
    package = package_of(
        {path: text.encode() for path, text in {**files, "z.py": LIBRARY}.items()}
    )
    found = compare(fingerprint(package), SOURCE)
    assert found.of_source == 1.0
    assert found.of_candidate < 1.0
    assert found.flagged


def test_half_a_library_alone_shows_as_a_share_of_the_candidate():
    half = LIBRARY[LIBRARY.index("def gaps") :]
    found = compare(printed(half), SOURCE)
    assert found.of_candidate > found.of_source
    assert found.flagged


def test_a_small_source_says_so_even_of_itself():
    text = "def f(a, b):\n    return a + b\n"
    found = compare(printed(text), printed(text, as_source=True))
    assert found.level is Level.TOO_SMALL
    assert not found.flagged
    assert "are needed" in found.reasons[0]


def test_a_source_of_small_functions_is_judged_by_all_of_them_at_raised_thresholds():
    text = "".join(
        f"def f{n}(a, b):\n    c = a {op} g(b, a)\n    return [c, h(b){op}a, k(c)]\n"
        for n, op in enumerate(["+", "-", "*", "/", "%", "|", "&", "^", "//", "**"])
    )
    found = compare(printed(text), printed(text, as_source=True))
    assert found.basis is Basis.FUNCTIONS
    assert found.thresholds.copy > Thresholds().copy
    assert found.level is Level.COPY


def test_an_empty_candidate_is_clear():
    found = compare(printed(""), SOURCE)
    assert (found.level, found.score) == (Level.CLEAR, 0.0)


def test_a_candidate_that_does_not_parse_is_still_found():
    found = compare(printed("def broken(:\n" + LIBRARY), SOURCE)
    assert found.level in (Level.REVIEW, Level.COPY)


def test_a_copy_in_what_is_no_program_yet_is_found_by_tokens():
    found = compare(printed(f"%% cut here\n{LIBRARY}", "library.part"), SOURCE)
    assert found.basis is Basis.TOKENS
    assert found.flagged


def test_what_was_not_read_wholly_is_for_review():
    candidate = attrs.evolve(printed(OTHER), unread=("a.py",))
    found = compare(candidate, SOURCE)
    assert found.level is Level.REVIEW
    assert "not all of the candidate was read" in found.reasons


def test_functions_that_are_mostly_there_ask_for_a_review_and_never_more():
    thresholds = Thresholds(note=1.0, review=1.0, copy=1.0, least_mass=60)
    half = LIBRARY[: LIBRARY.index("def gaps")]
    found = compare(printed(half + OTHER), SOURCE, thresholds=thresholds)
    assert found.mass >= 60
    assert found.level is Level.REVIEW


def test_a_function_out_of_a_wrapper_counts_and_none_counts_twice():
    wrapped = printed(
        "def module():\n" + textwrap.indent(LIBRARY, "    "), as_source=True
    )
    part = LIBRARY[LIBRARY.index("def merge") : LIBRARY.index("def gaps")]
    found = compare(printed(part + OTHER), wrapped)
    assert [it.name for it in found.functions] == ["merge"]
    assert found.mass == found.functions[0].grams
    whole = compare(wrapped, wrapped)
    assert {"module", "merge"} < {it.name for it in whole.functions}
    assert whole.mass == whole.source_grams


def test_thresholds_that_were_not_measured_for_a_language_are_named():
    text = "int f(int a) { return a; }"
    found = compare(printed(text, "a.c"), printed(text, "a.c", as_source=True))
    assert "not measured for this language" in found.reasons[-1]


@pytest.mark.parametrize("side", ["candidate", "source"])
def test_base_material_is_left_out_of_both_sides(side):
    base = learn(
        Base(), [printed(LIBRARY[LIBRARY.index("def gaps") :], as_source=True)], []
    )
    found = compare(printed(LIBRARY), SOURCE, base)
    whole = compare(printed(LIBRARY), SOURCE)
    assert found.excluded > 0
    assert getattr(found, f"{side}_grams") < getattr(whole, f"{side}_grams")
    # Identical is still identical: nothing of the base stays in a denominator.
    assert found.score == pytest.approx(found.shared / max(found.source_grams, 80))


def test_an_implementation_like_a_source_teaches_nothing_and_is_named():
    base = learn(Base(), [attrs.evolve(SOURCE, name="bad")], [SOURCE])
    assert base.grams == frozenset()
    assert base.set_aside == ("bad: 1.00 of it and library.py is the same",)
    assert compare(printed(LIBRARY), SOURCE, base).flagged


def test_a_background_counts_where_enough_of_it_agree():
    one, other = printed(OTHER), printed(OTHER + "x = f(1)\n")
    assert learn(Base(), [one, other], [], agreeing=2).grams == one.grams
    assert learn(Base(), [one], [], agreeing=2).grams == frozenset()


def test_a_specifications_own_code_counts_nowhere():
    example = LIBRARY[LIBRARY.index("def gaps") :]
    text = f"# A library\n\n```python\n{example}```\n\nand `Gap(first, last)`\n"
    base = of_specification(text, LANGUAGES[0])
    assert printed(example).grams <= base.grams
    assert base.learned == ("specification",)
    assert compare(printed(example), printed(example), base).level is Level.TOO_SMALL
