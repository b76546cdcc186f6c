import re

from shipbar.attacks import corpus
from shipbar.contract import parse_contract
from shipbar.delivery.notes import notes, sections
from shipbar.gates.standing import corpus_digest
from tests.delivery import making


def _notes(built, mechanisms=(), **changes):
    task = built.tasks[-1]
    contract = parse_contract((task / "task.toml").read_bytes())
    found = [(gate, making.receipt(task, gate, **changes)) for gate in making.GATES]
    own = (task / "TASK.md").read_text()
    return notes(own, contract, found, mechanisms).decode()


def test_they_say_each_thing_that_a_buyer_asks_once(built):
    text = _notes(built)
    titles = re.findall(r"(?m)^## (.*)$", text)
    assert titles == [
        "Set up",
        "Expected behaviour",
        "How it is graded",
        "How it could be gamed, and what closes it",
        "Limits",
        "Licence",
        "Yet more",
    ]
    assert text.startswith("# tally\n\nAn introduction.\n")
    assert text.count("Nothing to install.") == 1
    assert text.count("Own words.") == 1


def test_they_hold_what_a_task_s_user_needs(built):
    text = _notes(built)
    for word in (
        "`tally_add`",
        "reference.patch",
        "| G5 | no known trick scores | passed | 4/4 |",
        "20 seconds, 2 of them for one case",
        "256 MiB",
        "CC-BY-4.0",
        "LicenseRef-Shipbar-Grader",
        f"shipbar-canary-{1:032x}",
    ):
        assert word in text


def test_every_known_mechanism_is_told_with_what_closes_it(built):
    text = _notes(built, corpus(), parameters={"corpus": corpus_digest()})
    gamed = text.partition("## How it could be gamed")[2]
    rows = re.findall(r"(?m)^\| ([A-Z]\d\d) \| (.*) \| (.*) \| (.*) \|$", gamed)
    assert [row[0] for row in rows] == [it.id for it in corpus()]
    assert all(closed for _, _, _, closed in rows)
    outcomes = {row[0]: row[2] for row in rows}
    assert outcomes["M06"] == "does not count: its weak grader is not fooled"
    assert outcomes["I05"] == "refused"
    assert outcomes["P04"] == "not tried"
    assert outcomes["A02"] == "won nothing"


def test_nothing_is_claimed_that_another_corpus_showed(built):
    text = _notes(built, corpus(), parameters={"corpus": "sha256:" + "0" * 64})
    assert "won nothing |" not in text
    assert "| see the receipt |" in text


def test_a_mechanism_that_won_is_not_hidden(built):
    figures = {**making.BREAK, "successes": ["A02"]}
    text = _notes(
        built, corpus(), figures=figures, parameters={"corpus": corpus_digest()}
    )
    assert "A02 won" in text
    assert re.search(r"(?m)^\| A02 \| .* \| won \|", text)


def test_a_page_without_sections_is_an_introduction():
    assert sections("Tally.\n") == {"": "Tally."}
    assert sections("# t\n\nAll.\n\n## One\n\nText\n") == {"": "All.", "One": "Text"}
