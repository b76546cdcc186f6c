"""Every attack of the corpus gains from its weak twin, and nothing from the sealed grader.

The first half says that the attack is alive; without it the second would prove
nothing.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shipbar.attacks import Attack, Ground, NotApplicable, corpus, weak
from shipbar.attacks.base import Files
from shipbar.errors import IntakeError
from shipbar.verdict import Outcome, Verdict
from tests.attacks.conftest import Sealed

CORPUS = corpus()
TRIED = [attack for attack in CORPUS if isinstance(attack, Attack)]

IN_SCOPE = {
    "A": (2, 4, 5, 6, 7, 8, 9, 11, 12, 14),
    "B": (1, 2, 3, 4, 7, 8, 9, 10, 12, 13, 14, 16),
    "C": (1, 4, 5, 6, 7, 8, 9, 10, 12),
    "D": (2, 3, 6, 7, 8, 9, 10, 11, 12),
    "E": (1, 2, 3, 5, 6, 7, 10, 12, 14, 15, 16, 17, 18, 19, 20),
    "F": (2, 3, 4),
    "G": (2, 3, 4, 5, 6, 7, 8),
    "I": (1, 2, 5, 7, 8, 9, 10, 11),
    "J": (1, 3, 5, 6, 7, 8, 9, 10, 11, 13),
    "K": (1, 2, 4, 5),
    "L": (2, 3, 4, 5, 6),
    "M": (1, 2, 3, 4, 6, 7, 8, 9, 11, 12),
    "N": (1, 2, 4, 6, 7, 8, 9, 10),
    "P": (1, 2, 4),
}
"""The catalogue's mechanisms in the groups that concern grading a library."""

REFUSED = {"I05"}
"""Those whose payload is no submission, so that there is no score at all."""

by_id = pytest.mark.parametrize(
    "attack", [pytest.param(attack, id=attack.id) for attack in TRIED]
)


def gains(honest: float, tricked: float) -> str:
    """Say what a trick has won; empty if nothing."""
    if tricked > honest:
        return f"scores {tricked:.3f}, its honest part deserves {honest:.3f}"
    return ""


def passed(verdict: Verdict) -> set[str]:
    return {case.id for case in verdict.cases if case.outcome is Outcome.PASSED}


def keeps_whole(honest: Files, files: Files) -> list[str]:
    """The honest part's files that a payload has lost or changed, but for what it added behind."""
    return [
        name for name in honest if not files.get(name, b"").startswith(honest[name])
    ]


@pytest.mark.parametrize(
    "sandbox", ["auto", pytest.param("landlock", marks=pytest.mark.slow)]
)
@by_id
def test_the_sealed_grader_scores_it_at_no_more_than_its_honest_part(
    attack: Attack,
    sandbox: str,
    ground: Ground,
    sealed_by: Callable[[str], Sealed],
    honest: Verdict,
):
    sealed = sealed_by(sandbox)
    if attack.id in REFUSED:
        with pytest.raises(IntakeError):
            sealed(attack.payload(ground))
    else:
        verdict = sealed(attack.payload(ground))
        assert not gains(honest.score, verdict.score)
        assert not verdict.shipped
        assert passed(verdict) <= passed(honest), "passed what its honest part does not"
    assert sealed(ground.honest).digest == honest.digest, "the next grade is affected"


@by_id
def test_it_is_the_honest_part_with_a_trick_on_top(attack: Attack, ground: Ground):
    files = attack.payload(ground)
    assert keeps_whole(ground.honest, files) == []
    assert files != ground.honest


def lingering(place: Path) -> list[str]:
    """The processes that still live in a folder; one that was killed takes a moment to be gone."""
    deadline = time.monotonic() + 5
    while True:
        found = []
        for link in Path("/proc").glob("[0-9]*/cwd"):
            with contextlib.suppress(OSError):
                if link.readlink().is_relative_to(place):
                    found.append(link.parent.name)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.02)


_scores: dict[tuple[weak.Twin, str], float] = {}


def twin_score(
    attack: Attack, which: str, ground: Ground, new: Callable[[], Path]
) -> float:
    """Score a submission without a trick, once a weak grader."""
    key = (attack.twin, which)
    if key not in _scores:
        files = {"honest": ground.honest, "passing": ground.passing}[which]
        _scores[key] = attack.twin(ground, files, new())
    return _scores[key]


@pytest.mark.slow
@by_id
def test_the_weak_twin_is_fooled(
    attack: Attack,
    ground: Ground,
    honest: Verdict,
    tmp_path_factory: pytest.TempPathFactory,
):
    def new() -> Path:
        return tmp_path_factory.mktemp(attack.id)

    fair = twin_score(attack, "honest", ground, new)
    assert 0.0 <= fair <= honest.score + 0.05, "no credit where none is due"
    folder = new()
    tricked = attack.twin(ground, attack.payload(ground), folder)
    assert lingering(folder) == []
    assert gains(fair, tricked), "the payload is dead"
    assert tricked <= 1.0
    assert twin_score(attack, "passing", ground, new) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id_", "grade"),
    [
        ("A02", weak.by_exit_code),
        ("A04", weak.by_failures),
        ("B01", weak.by_log),
        ("C01", weak.by_junit),
        ("C04", weak.by_log),
        ("C08", weak.script_equals),
        ("B09", weak.script_descriptor),
    ],
    ids=lambda it: it if isinstance(it, str) else it.__name__,
)
def test_a_weak_grader_in_the_sealed_ones_place_would_be_caught(
    id_: str, grade: weak.Twin, ground: Ground, honest: Verdict, tmp_path: Path
):
    [attack] = [attack for attack in TRIED if attack.id == id_]
    score = grade(ground, attack.payload(ground), tmp_path)
    assert gains(honest.score, score)


def test_a_payload_that_loses_its_honest_part_would_be_caught():
    honest = {"a.py": b"1\n", "b.py": b"2\n"}
    assert keeps_whole(honest, {"a.py": b"1\n3\n", "b.py": b"2\n", "c.py": b""}) == []
    assert keeps_whole(honest, {"a.py": b"3\n1\n"}) == ["a.py", "b.py"]


def test_the_corpus_is_the_catalogue():
    ids = [f"{group}{number:02}" for group in IN_SCOPE for number in IN_SCOPE[group]]
    assert [attack.id for attack in CORPUS] == ids


def test_what_is_not_tried_says_why():
    reasons = [it.why for it in CORPUS if isinstance(it, NotApplicable)]
    assert [why for why in reasons if len(why.split()) < 8] == []
    assert len(reasons) < len(TRIED) / 4


def test_every_attack_says_in_a_sentence_what_closes_it():
    closed = {attack.id: attack.closed_by for attack in TRIED}
    assert [id_ for id_, text in closed.items() if not text.endswith(".")] == []
    assert [id_ for id_, text in closed.items() if len(text.split()) < 8] == []
