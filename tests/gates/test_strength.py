"""Which mutants are drawn where there are too many."""

from shipbar.gates import strength
from shipbar.grading.mutation import mutants_of


def test_a_draw_follows_from_the_digest_alone(monkeypatch):
    text = "".join(f"A{number} = {number + 7}\n" for number in range(40))
    mutants = mutants_of({"pack/__init__.py": text.encode()})
    assert strength.drawn(mutants, "one") == mutants
    monkeypatch.setattr(strength, "MOST", 10)
    first, other = strength.drawn(mutants, "one"), strength.drawn(mutants, "two")
    assert first == strength.drawn(mutants, "one")
    assert first != other
    assert len(first) == 10
    assert [it.line for it in first] == sorted(it.line for it in first)
