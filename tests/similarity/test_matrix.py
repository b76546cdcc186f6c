"""Who copied from whom, and what a batch has in common."""

import attrs

from shipbar.similarity import matrix
from tests.similarity.samples import LIBRARY, OTHER, printed


def named(name: str, text: str):
    return attrs.evolve(printed(text), name=name)


def own(number: int) -> str:
    """Return code that no other number gives."""
    body = "".join(
        f"    {'xyz'[(number >> bit) % 3]} = {'fgh'[bit % 3]}({'+-*'[(number * 7 + bit * 5) % 3].join(['a'] * (2 + (number * bit) % 5))})\n"
        f"    {'if' if (number >> bit) & 1 else 'while'} a: g(b{', c' * ((number + bit) % 4)})\n"
        for bit in range(12)
    )
    return f"def run(a, b, c):\n{body}    return x\n"


def test_copies_are_paired_and_clustered_and_others_are_not():
    found = matrix(
        [
            named("ada", LIBRARY),
            named("bob", LIBRARY.replace("merged", "acc")),
            named("cyd", OTHER),
            named("dan", "x = 1\n"),
        ]
    )
    assert [(it.one, it.other, it.score) for it in found.pairs] == [("ada", "bob", 1.0)]
    assert found.clusters == (("ada", "bob"),)
    assert found.too_small == ("dan",)
    assert found.names == ("ada", "bob", "cyd", "dan")


def test_a_partial_copy_is_found_through_what_it_shares():
    part = LIBRARY[LIBRARY.index("def merge") :]
    found = matrix([named("ada", LIBRARY), named("bob", part + OTHER)])
    (pair,) = found.pairs
    assert 0.3 < pair.score < 1.0


def test_what_most_of_a_batch_has_counts_for_nobody():
    batch = [named(f"s{n:02}", OTHER + own(n * 37)) for n in range(12)]
    found = matrix(batch)
    assert found.common >= len(printed(OTHER).inner)
    alone = matrix(batch[:5])
    assert alone.common == 0
    assert len(alone.pairs) == 10


def test_copies_of_one_solution_are_one_voice_and_do_not_become_common():
    batch = [named(f"c{n:02}", LIBRARY) for n in range(30)]
    batch += [named(f"h{n:02}", own(n * 37)) for n in range(12)]
    found = matrix(batch)
    assert found.clusters[0] == tuple(f"c{n:02}" for n in range(30))


def test_base_material_counts_for_nobody():
    batch = [named("ada", LIBRARY), named("bob", LIBRARY)]
    assert matrix(batch, printed(LIBRARY).grams).pairs == ()


def test_an_empty_batch_is_no_error():
    assert matrix([]).pairs == ()
