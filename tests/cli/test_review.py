"""`shipbar review`, and the gate that counts what was signed."""

import pytest

from shipbar import config, wiring
from shipbar.gates import Trial
from shipbar.grading.tasks import load_task
from tests.cli import proven, tiny
from tests.cli.tiny import Command, command


@pytest.fixture
def home(monkeypatch):
    with proven.household(monkeypatch) as folder:
        yield folder


@pytest.fixture
def task(home):
    return tiny.task(home / "tally")


@pytest.fixture
def shipbar(capsys, home) -> Command:
    run = command(capsys)
    for name in ("ada", "brook"):
        run("key", "new", name)
    return run


@pytest.fixture
def sign(shipbar, task):
    def signed(role, name, *words):
        key = name.lower()
        return shipbar(
            *("review", "sign", task, "--role", role, "--name", name, "--key", key),
            *words,
        )

    return signed


@pytest.fixture
def asked(home, task):
    """Ask the gate."""

    def ask():
        settings = config.current()
        with Trial(
            task=load_task(task),
            sandbox=wiring.sandbox(wiring.AUTO, settings),
            work=settings.work,
            cache=settings.cache,
        ) as trial:
            return wiring.gate("review").examine(trial)

    return ask


def test_a_task_that_two_people_signed_passes(sign, asked):
    assert sign("breaker", "Ada").code == 0
    assert sign("senior", "Brook").code == 0
    found = asked()
    assert (found.status, found.cell) == ("passed", "2/2")
    assert [(it["role"], it["name"]) for it in found.figures["signed"]] == [
        ("breaker", "Ada"),
        ("senior", "Brook"),
    ]
    assert found == asked()


def test_a_signature_changes_nothing_of_what_is_signed(sign, task):
    before = load_task(task).digest
    sign("breaker", "Ada")
    assert load_task(task).digest == before
    (path,) = (task.parent / "tally.reviews").iterdir()
    assert path.name.startswith("breaker-")


def test_before_that_it_is_not_run_and_says_what_to_do(sign, asked, task):
    found = asked()
    assert (found.status, found.problems) == ("not run", ())
    sign("breaker", "Ada")
    found = asked()
    assert found.status == "not run"
    assert "no senior signed" in found.why
    assert f"shipbar review sign {task} --role senior --name NAME" in found.why
    assert "--role breaker" not in found.why


def test_a_review_of_another_state_does_not_count(sign, asked, task, shipbar):
    before = load_task(task).digest
    sign("breaker", "Ada")
    sign("senior", "Brook")
    (task / "TASK.md").write_text("Tally, again.\n")
    found = asked()
    assert found.status == "not run"
    assert f"Ada, breaker, signed {before}" in found.why
    shown = shipbar("review", "show", task)
    assert shown.out.count(f"of another state, {before}") == 2


def test_a_rejection_stops_the_task_until_it_is_taken_back(sign, asked):
    sign("senior", "Brook")
    said = sign("breaker", "Ada", "--reject", "constants score 0.4")
    assert said.out.startswith("rejected tally sha256:")
    found = asked()
    assert found.status == "failed"
    assert "constants score 0.4" in found.problems[0]
    sign("breaker", "Ada")
    assert asked().status == "passed"


def test_one_person_is_not_two(sign, asked):
    sign("breaker", "Ada")
    sign("senior", "Ada")
    found = asked()
    assert found.status == "failed"
    assert "are one person" in found.problems[0]


def test_a_rejection_counts_before_everybody_has_signed(sign, asked):
    sign("breaker", "Ada", "--reject", "it leaks")
    assert asked().status == "failed"


def test_show_says_whose_keys_you_know(sign, shipbar, task, home, monkeypatch):
    sign("breaker", "Ada")
    sign("senior", "Brook")
    (home / "keys" / "brook.pub").rename(home / "brook.pub")
    breaker, senior = shipbar("review", "show", task).out.splitlines()
    assert breaker.startswith("breaker: approved by Ada on ")
    assert "your key ada" in breaker
    assert "a key that you do not know" in senior
    said = shipbar("review", "show", task, "--key", home / "brook.pub")
    assert "your key brook" in said.out


def test_a_changed_review_is_told_and_stops_the_task(sign, asked, shipbar, task):
    sign("breaker", "Ada")
    (path,) = (task.parent / "tally.reviews").iterdir()
    text = path.read_text()
    at = text.index('"payload": "') + 200
    path.write_text(text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1 :])
    said = shipbar("review", "show", task)
    assert said.code == 2
    assert str(path) in said.err
    found = asked()
    assert found.status == "failed"
    assert str(path) in found.problems[0]


def test_what_the_gate_depends_on_changes_with_each_review(sign, home, task):
    gate, settings = wiring.gate("review"), config.current()
    trial = Trial(
        task=load_task(task),
        sandbox=wiring.sandbox(wiring.AUTO, settings),
        work=settings.work,
        cache=settings.cache,
    )
    seen = [gate.depends(trial)]
    for role, name in (("breaker", "Ada"), ("senior", "Brook")):
        sign(role, name)
        seen.append(gate.depends(trial))
    assert len({it["reviews"] for it in seen}) == 3


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--name", " "], "expected the name of a person"),
        (["--name", "Ada", "--key", "nobody"], "shipbar key new"),
        (["--name", "Ada", "--reject", " "], "expected a reason"),
    ],
    ids=["no-name", "no-key", "no-reason"],
)
def test_a_mistake_signs_nothing(words, why, shipbar, task):
    said = shipbar("review", "sign", task, "--role", "breaker", *words)
    assert said.code == 2
    assert why in said.err
    assert not (task.parent / "tally.reviews").exists()


def test_no_reviews_is_no_mistake(shipbar, task):
    said = shipbar("review", "show", task)
    assert (said.code, said.out) == (0, "")
    assert "no reviews in" in said.err
