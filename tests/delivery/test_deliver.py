import json
import shutil
import subprocess
from pathlib import Path

import attrs
import pyrage  # type: ignore[import-untyped]  # ships no types
import pytest

from shipbar.attest import keys, reviews
from shipbar.attest.store import open_receipt
from shipbar.bundles import paths, reading, sealing
from shipbar.bundles.index import GraderLine
from shipbar.delivery.deliver import deliver
from shipbar.delivery.order import Order
from shipbar.delivery.proofs import Wanted
from shipbar.errors import AttestationError, UserError
from shipbar.grading.tasks import digest_of
from shipbar.store.entries import entry_of
from shipbar.store.ledger import Ledger
from shipbar.verdict import canonical, sha256
from tests.cli import tiny
from tests.delivery import making
from tests.store.samples import mended, reviewed

ORDER = Order(client="north-lab", tranche="first", withhold=True)


def _deliver(house, order=ORDER, target=None, **changes):
    out = house.root / "out" if target is None else target
    return deliver(order, house.tasks, out, house.maker(**changes))


@pytest.fixture(scope="module")
def sealed(built):
    """A delivery with a sealed grader, and the identity that opens it; not to be changed."""
    identity = pyrage.x25519.Identity.generate()
    recipient = sealing.recipient_of(str(identity.to_public()))
    order = attrs.evolve(ORDER, withhold=False, recipient=recipient)
    ledger = Ledger.open(str(built.root / "sealed.db"))
    out = built.root / "sealed"
    return deliver(order, built.tasks, out, built.maker(ledger=ledger)), identity


def test_both_bundles_hold_to_their_manifests(house):
    done = _deliver(house)
    solver, grader = making.opened(house)
    assert [*reading.damages(solver), *reading.damages(grader)] == []
    assert grader.manifest.solver == solver.digest
    assert done.digest == grader.digest
    assert {it.manifest.client for it in (solver, grader)} == {"north-lab"}
    assert {it.manifest.serial for it in (solver, grader)} == {done.serial}


def test_a_solver_bundle_holds_specifications_and_no_other_file_of_a_task(house):
    _deliver(house)
    root = house.root / "out" / "first-solver"
    files = {it.relative_to(root).as_posix() for it in root.rglob("*") if it.is_file()}
    assert {it for it in files if it.startswith("tasks/")} == {
        f"tasks/{it.name}/SPEC.md" for it in house.tasks
    }
    tops = {it.partition("/")[0] for it in files}
    assert tops == {
        *(*("MANIFEST.json", "MANIFEST.sig", "index.jsonl"), "REUSE.toml"),
        *("LICENSES", "keys", "tasks"),
    }


def test_a_task_is_put_together_again_just_as_it_was(house, tmp_path):
    _deliver(house)
    solver, grader = making.opened(house)
    lines = [it for it in reading.grader_lines(grader) if it.state == "open"]
    assert [it.task_id for it in lines] == ["brevok", "tally"]
    for line in lines:
        into = tmp_path / "again" / line.task_id
        files = solver.files_of(line.task_id)
        specification = files[paths.specification(line.task_id)]
        reading.assemble(
            line.task_id,
            specification,
            grader.files_of(line.task_id),
            into,
            digest=line.digest,
        )
        original = house.root / "tasks" / line.task_id
        assert tiny.snapshot(into) == tiny.snapshot(original)
        assert digest_of(into) == line.digest


def test_a_task_of_other_bundles_is_told(house, tmp_path):
    _deliver(house)
    _, grader = making.opened(house)
    line = next(it for it in reading.grader_lines(grader) if it.state == "open")
    with pytest.raises(AttestationError, match="do not make the task that was proven"):
        reading.assemble(
            line.task_id,
            b"Do something else.\n",
            grader.files_of(line.task_id),
            tmp_path / "again",
            digest=line.digest,
        )


def test_receipts_and_reviews_go_with_the_task(house, tmp_path):
    beside = house.root / "tasks" / "tally.reviews"
    beside.mkdir()
    (beside / "note.txt").write_text("kept as it is\n")
    _deliver(house)
    grader = making.opened(house)[1]
    root = grader.root
    kept = open_receipt(
        root / paths.receipt("tally", "G5"), [house.own.signer.public_key]
    )
    assert kept.receipt.question.parts["task"] == digest_of(house.root / "tasks/tally")
    reading.assemble(
        "tally", b"", grader.files_of("tally"), tmp_path / "tally", digest=None
    )
    found = (tmp_path / "tally.reviews" / "note.txt").read_text()
    assert found == "kept as it is\n"


def test_nothing_of_a_withheld_grader_is_in_any_file(house):
    _deliver(house)
    task = house.root / "tasks" / "helda"
    hidden = [
        b"helda_add(1, 2) == 13",
        b"grader/known_bad/hollow/helda",
        f"shipbar-canary-{10:032x}".encode(),
        digest_of(task).removeprefix("sha256:").encode(),
    ]
    for path in (house.root / "out").rglob("*"):
        if path.is_file():
            assert not any(it in path.read_bytes() for it in hidden), path


def test_a_withheld_grader_can_be_shown_later_and_no_other_for_it(house, tmp_path):
    _deliver(house)
    grader = making.opened(house)[1]
    before = {it.task_id: it.commitment for it in reading.grader_lines(grader)}
    identity = pyrage.x25519.Identity.generate()
    recipient = sealing.recipient_of(str(identity.to_public()))
    order = attrs.evolve(ORDER, withhold=False, recipient=recipient)
    _deliver(house, order, house.root / "later", again=True)
    later = making.opened(house, house.root / "later")[1]
    files = sealing.opened(
        (later.root / "sealed/helda.tar.age").read_bytes(), identity, "here"
    )
    line = GraderLine.parse(files["LINE.json"], "here")
    assert line.commitment == before["helda"]
    assert line.digest
    assert line.nonce
    assert sealing.commitment(line.digest, line.nonce) == before["helda"]


def test_a_sealed_grader_is_all_that_an_open_one_is(sealed, built, tmp_path):
    done, identity = sealed
    solver, grader = making.opened(built, done.place)
    path = grader.root / paths.sealed("helda")
    mine = sealing.identity_of(str(identity), "key")
    files = sealing.opened(path.read_bytes(), mine, "here")
    line = GraderLine.parse(files["LINE.json"], "here")
    specification = (solver.root / paths.specification("helda")).read_bytes()
    into = tmp_path / "helda"
    reading.assemble("helda", specification, files, into, digest=line.digest)
    assert digest_of(into) == digest_of(built.root / "tasks" / "helda")
    assert {paths.receipt("helda", it.id) for it in making.GATES} <= files.keys()
    assert line.closed("sealed", "sealed/helda.tar.age") in list(
        reading.grader_lines(grader)
    )


def test_a_sealed_grader_s_task_has_one_file_and_nothing_in_the_open(sealed, built):
    _, grader = making.opened(built, sealed[0].place)
    own = [it for it in grader.manifest.files if paths.task_of(it) == "helda"]
    assert own == ["sealed/helda.tar.age"]


def test_an_evaluation_grader_is_never_open(house):
    order = Order(client="north-lab", tranche="first")
    with pytest.raises(UserError, match="helda is of the evaluation split"):
        _deliver(house, order)
    assert not (house.root / "out").exists()
    assert house.ledger.deliveries() == []


def test_the_same_delivery_is_the_same_bytes(built, tmp_path):
    houses = [making.copied(built, tmp_path / word) for word in ("one", "two")]
    for house in houses:
        _deliver(house)
    one, two = (tiny.snapshot(it.root / "out") for it in houses)
    assert one == two


# -- what does not go out ---------------------------------------------------------------


def _refused(house, match, order=ORDER, **changes):
    with pytest.raises(UserError, match=match) as caught:
        _deliver(house, order, **changes)
    assert not (house.root / "out").exists()
    assert house.ledger.deliveries() == []
    return str(caught.value)


def test_every_gate_that_is_missing_is_named(house):
    (house.receipts / "tally" / "G1.dsse.json").unlink()
    (house.receipts / "brevok" / "G5.dsse.json").unlink()
    said = _refused(house, "nothing is delivered")
    assert "tally is not proven" in said
    assert "G1 reference has no receipt" in said
    assert "G5 break has no receipt" in said
    assert "shipbar verify" in said


def test_a_changed_task_is_not_proven_any_more(house):
    with (house.root / "tasks/tally/grader/reference/tally/__init__.py").open(
        "a"
    ) as file:
        file.write("# changed\n")
    said = _refused(house, "tally is not proven as it is now")
    assert all(f"{gate.told} has no receipt" in said for gate in making.GATES)
    assert "brevok" not in said


@pytest.mark.parametrize("status", ["failed", "not run"])
def test_a_gate_that_did_not_pass_stops_it_and_says_why(house, status):
    task = house.root / "tasks" / "tally"
    made = making.receipt(
        task, making.GATES[0], status=status, why="for a reason", cell=""
    )
    making.keep(made, house.own, house.receipts)
    _refused(house, f"G1 reference says {status}: for a reason")


def test_a_stranger_s_receipt_does_not_count_and_is_told(house, tmp_path):
    stranger = keys.make(tmp_path / "stranger")
    task = house.root / "tasks" / "tally"
    making.keep(making.receipt(task, making.GATES[0]), stranger, house.receipts)
    said = _refused(house, "G1 reference has no receipt")
    assert "not counted" in said
    assert stranger.id in said


def test_a_changed_receipt_does_not_count(house):
    path = house.receipts / "tally" / "G1.dsse.json"
    fields = json.loads(path.read_text())
    fields["payload"] = json.loads(
        (house.receipts / "tally" / "G5.dsse.json").read_text()
    )["payload"]
    path.write_text(json.dumps(fields))
    _refused(house, "was changed after it was signed")


def test_a_receipt_of_an_older_version_of_the_gate_does_not_count(house):
    newer = [attrs.evolve(making.GATES[0], version=2), *making.GATES[1:]]
    _refused(house, "G1 reference has no receipt", gates=newer)


def test_a_new_gate_stops_what_has_not_passed_it(house):
    more = Wanted(id="G12", name="review", version=1, title="people")
    _refused(house, "G12 review has no receipt", gates=[*making.GATES, more])


def test_a_failure_by_this_shipbar_counts_before_an_older_one_s_word(house):
    task = house.root / "tasks" / "tally"
    made = making.receipt(task, making.GATES[0])
    asked = made.question
    older = attrs.evolve(
        made,
        question=attrs.evolve(
            asked,
            conditions=attrs.evolve(asked.conditions, tool_digest="sha256:" + "0" * 64),
        ),
    )
    making.keep(older, house.own, house.root / "more")
    now = attrs.evolve(made, status="failed", problems=("broken",))
    making.keep(now, house.own, house.receipts)
    folders = [house.receipts, house.root / "more"]
    _refused(house, "G1 reference says failed: broken", receipts=folders)


def test_reviews_that_came_after_the_receipt_of_them_are_told(house):
    task = house.root / "tasks" / "tally"
    made = making.receipt(task, making.GATES[0])
    none = sha256(canonical({}))
    question = attrs.evolve(made.question, depends={"reviews": none})
    path = making.keep(attrs.evolve(made, question=question), house.own, house.receipts)
    assert path.is_file()
    beside = house.root / "tasks" / "tally.reviews"
    beside.mkdir()
    (beside / "senior.txt").write_text("new\n")
    _refused(house, "G1 is of other reviews than lie beside the task")
    shutil.rmtree(beside)
    assert _deliver(house).serial == 1


def test_a_failure_of_other_reviews_is_mended_by_signing_again(house):
    task = house.root / "tasks" / "tally"
    made = making.receipt(task, making.GATES[0])

    def asked_of(files):
        listed = {name: sha256(data) for name, data in files.items()}
        depends = {"reviews": sha256(canonical(listed))}
        return attrs.evolve(made.question, depends=depends)

    failed = attrs.evolve(
        made,
        question=asked_of({"senior.txt": b"no\n"}),
        status="failed",
        problems=("rejected",),
    )
    passed = attrs.evolve(made, question=asked_of({}))
    making.keep(failed, house.own, house.root / "before")
    making.keep(passed, house.own, house.receipts)
    folders = (house.receipts, house.root / "before")
    assert _deliver(house, receipts=folders).serial == 1


def test_a_link_in_a_task_is_refused(house):
    link = house.root / "tasks/tally/grader/reference/tally/more.py"
    link.symlink_to("__init__.py")
    making.prove([house.root / "tasks/tally"], house.own, house.receipts)
    _refused(house, "expected a plain file")


def test_a_damaged_task_is_told_with_the_others(house):
    (house.root / "tasks/tally/task.toml").write_text("task_id = 3\n")
    said = _refused(house, "nothing is delivered")
    assert "tasks/tally/task.toml" in said


def test_a_licence_without_a_text_is_refused(house):
    for task in house.tasks:
        path = task / "task.toml"
        path.write_text(path.read_text().replace("-Shipbar-Grader", "-Ours"))
    making.prove(house.tasks, house.own, house.receipts)
    _refused(house, r"no text of LicenseRef-Ours.*--licences")
    (house.root / "texts").mkdir()
    (house.root / "texts" / "LicenseRef-Ours.txt").write_text("Ours.\n")
    _deliver(house, attrs.evolve(ORDER, licences=house.root / "texts"))
    there = house.root / "out/first-grader/LICENSES"
    assert [it.name for it in there.iterdir()] == ["LicenseRef-Ours.txt"]


def test_a_licence_that_is_none_is_refused(house):
    for task in house.tasks:
        path = task / "task.toml"
        path.write_text(path.read_text().replace("LicenseRef-Shipbar-Grader", "Mine"))
    making.prove(house.tasks, house.own, house.receipts)
    _refused(house, "Mine: expected ids of SPDX's list")


@pytest.mark.parametrize("client", ["", "North", "../up", "a/b", "a b"])
def test_a_client_s_name_that_is_none_is_refused(client):
    with pytest.raises(UserError, match="client"):
        Order(client=client, tranche="first")


def test_a_task_goes_to_one_client(house):
    _deliver(house)
    other = attrs.evolve(ORDER, client="south-lab")
    with pytest.raises(UserError, match="north-lab has it, by delivery 1"):
        _deliver(house, other, house.root / "second")
    assert not (house.root / "second").exists()


def test_a_second_delivery_names_the_one_before(house):
    first = _deliver(house)
    second = _deliver(house, target=house.root / "second", again=True)
    assert second.serial == first.serial + 1
    grader = making.opened(house, house.root / "second")[1]
    assert grader.manifest.previous == first.digest


def test_other_options_are_another_delivery(house):
    _deliver(house)
    other = attrs.evolve(ORDER, holder="somebody else")
    with pytest.raises(UserError, match="use --again"):
        _deliver(house, other, house.root / "second")
    assert not (house.root / "second").exists()


def test_a_grader_that_would_be_given_away_stops_the_delivery(house):
    held = house.root / "tasks/helda/grader/tests/test_helda.py"
    task = house.root / "tasks/tally"
    (task / "grader" / "left.txt").write_bytes(b"# by\n# mistake\n" + held.read_bytes())
    making.prove([task], house.own, house.receipts)
    with pytest.raises(UserError, match="would be given away") as caught:
        _deliver(house)
    assert "first-grader/tasks/tally/left.txt: a piece of" in str(caught.value)
    assert not (house.root / "out").exists()


def test_an_evaluation_canary_in_a_specification_stops_the_delivery(house):
    task = house.root / "tasks/tally"
    with (task / "solver/SPEC.md").open("a") as file:
        file.write(f"shipbar-canary-{10:032x}\n")
    making.prove([task], house.own, house.receipts)
    with pytest.raises(
        UserError, match=r"first-solver/tasks/tally/SPEC\.md: the canary of helda"
    ):
        _deliver(house)


def test_what_a_delivery_went_out_on_is_in_the_ledger(house):
    for task in house.tasks:
        reviews.write(task, *reviewed(entry_of(task)))
        reviews.write(task, *reviewed(mended(entry_of(task), "before"), "breaker"))
    _deliver(house)
    digests = {it.digest for it in house.ledger.delivery(1).tasks}
    found = [(it.digest, it.gate) for it in house.ledger.receipts()]
    assert sorted(found) == sorted((it, g.id) for it in digests for g in making.GATES)
    assert {(it.digest, it.role) for it in house.ledger.reviews()} == {
        (it, "senior") for it in digests
    }


# -- licences, with the tool that checks them -------------------------------------------


@pytest.mark.skipif(shutil.which("reuse") is None, reason="reuse is not installed")
def test_the_bundles_are_as_reuse_wants_them(sealed):
    for root in sorted(Path(sealed[0].place).iterdir()):
        subprocess.run(["reuse", "--root", root, "lint"], check=True, timeout=50)
