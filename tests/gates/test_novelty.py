"""Books of what was delivered, and what the gate depends on."""

import pytest

from shipbar.gates import Status
from shipbar.gates.novelty import NoveltyGate
from shipbar.grading.tasks import load_task
from tests.repository import ROOT

EXAMPLE = ROOT / "examples" / "check-character-36"


def test_a_task_that_a_client_has_is_stopped(trial_of):
    found = NoveltyGate(lambda digest: ["North"]).examine(trial_of(EXAMPLE))
    assert found.status is Status.FAILED
    assert found.problems == ("it was delivered to North already",)


@pytest.mark.parametrize(
    ("books", "told"), [(None, "no books were given"), (lambda digest: [], 0)]
)
def test_it_says_whether_there_were_books(trial_of, books, told):
    found = NoveltyGate(books).examine(trial_of(EXAMPLE))
    assert (found.status, found.figures["delivered"]) == ("not applicable", told)


def test_a_receipt_is_of_the_others_that_it_was_held_against(trial_of):
    other = load_task(EXAMPLE)
    alone, beside = trial_of(EXAMPLE), trial_of(EXAMPLE, others=(other,))
    assert NoveltyGate().depends(alone) != NoveltyGate().depends(beside)
