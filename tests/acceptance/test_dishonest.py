"""What a maker may try, who has the key and signs whatever they like."""

import gzip
import io
import json
import shutil
import tarfile
from pathlib import Path

import attrs
import pyrage  # type: ignore[import-untyped]  # ships no types
import pytest

from shipbar.acceptance import pictures, record
from shipbar.attest import envelope, keys, store
from shipbar.attest.statement import statement_of
from shipbar.bundles import paths, sealing
from shipbar.bundles.index import GraderLine
from shipbar.errors import AttestationError
from shipbar.gates import plagiarist
from shipbar.gates.receipts import parts_in
from shipbar.grading.intake import Submission
from shipbar.grading.tasks import digest_of, read_contract
from shipbar.oci.tars import Entry
from shipbar.oci.values import compact
from shipbar.store.acceptance import read_report
from shipbar.store.ledger import Ledger
from shipbar.store.values import AcceptanceRecord
from tests.acceptance import market
from tests.delivery import making
from tests.delivery.making import House
from tests.gates import mutated
from tests.oci.places import BASE, small_base


def reworked(house: House, task_id: str, gate: str, change) -> None:
    """Sign another receipt of a gate in the place of the true one."""
    path = house.receipts / task_id / f"{gate}.dsse.json"
    receipt = store.open_receipt(path, [house.own.signer.public_key]).receipt
    changed = envelope.sign(statement_of(change(receipt)), house.own.signer)
    store.write(path, changed)


def sold(house: House, buyer, **changes) -> Path:
    return market.sold(house, buyer.root / "sold", **changes)


def test_a_figure_that_does_not_come_out_again_rejects_its_task(house, buyer):
    def brag(receipt):
        figures = {**receipt.figures, "agree": 7}
        return attrs.evolve(receipt, cell="7/7", figures=figures)

    reworked(house, "tally", "G10", brag)
    done = buyer.accept(sold(house, buyer))
    assert market.outcomes(done)["tally"] == "rejected"
    why = market.reasons(done, "tally")
    assert "G10: cell: claimed 7/7, measured 2/2" in why
    assert "G10: figures: agree: claimed 7, measured 2" in why
    assert "brevok" not in market.outcomes(done)


def test_a_figure_is_held_to_though_its_receipt_names_another_tool(house, buyer):
    def brag(receipt):
        used = attrs.evolve(
            receipt.question.conditions, tool_digest="sha256:" + "0" * 64
        )
        asked = attrs.evolve(receipt.question, conditions=used)
        return attrs.evolve(receipt, question=asked, figures={"agree": 7})

    reworked(house, "tally", "G10", brag)
    assert "figures: agree" in market.reasons(buyer.accept(sold(house, buyer)), "tally")


def test_another_interpreter_or_tool_is_told_and_not_held_against_it(house, buyer):
    def elsewhere(receipt):
        used = attrs.evolve(
            receipt.question.conditions,
            tool_digest="sha256:" + "0" * 64,
            interpreter="CPython 3.99.0",
        )
        asked = attrs.evolve(receipt.question, conditions=used)
        return attrs.evolve(receipt, question=asked)

    reworked(house, "tally", "G10", elsewhere)
    done = buyer.accept(sold(house, buyer))
    assert "tally" not in market.outcomes(done)
    (told,) = [it for it in done.summary.notes if "interpreter" in it]
    assert "CPython 3.99.0" in told


def test_a_corpus_of_this_very_tool_that_is_another_one_is_a_false_claim(house, buyer):
    def other(receipt):
        asked = attrs.evolve(receipt.question, depends={"pytest": "sha256:" + "1" * 64})
        return attrs.evolve(receipt, question=asked)

    reworked(house, "tally", "G10", other)
    why = market.reasons(buyer.accept(sold(house, buyer)), "tally")
    assert "G10: depends: pytest: claimed sha256:111" in why


WEAKER = ("assert tally_add(1, 2) == 4", "assert (tally_add(1, 2) == 9) is False")


def _weaken(suite: Path) -> bytes:
    text = suite.read_text()
    assert WEAKER[0] in text
    return text.replace(*WEAKER).encode()


def test_a_suite_that_was_weakened_after_proving_is_not_the_one_in_the_receipts(
    delivery, buyer, proven
):
    path = "tasks/tally/tests/test_tally.py"
    data = _weaken(market.root(delivery, "grader") / path)
    market.resigned(delivery, proven.own, {"grader": {path: data}})
    done = buyer.accept(delivery)
    assert market.outcomes(done)["tally"] == "rejected"
    assert "do not make the task that was proven" in market.reasons(done, "tally")


def test_a_patch_that_makes_something_else_than_the_reference_is_found(
    delivery, buyer, proven
):
    path = "tasks/tally/reference.patch"
    data = (market.root(delivery, "grader") / path).read_bytes()
    other = data.replace(b"+def tally_add", b"+def tally_sum", 1)
    assert other != data
    market.resigned(delivery, proven.own, {"grader": {path: other}})
    done = buyer.accept(delivery)
    assert market.outcomes(done)["tally"] == "rejected"
    assert "brevok" not in market.outcomes(done)
    assert f"{path}: is not the reference" in market.reasons(done, "tally")


def test_a_weakened_suite_under_a_new_digest_is_told_by_every_receipt(
    delivery, buyer, proven
):
    path = "tasks/tally/tests/test_tally.py"
    data = _weaken(market.root(delivery, "grader") / path)
    task = Path(shutil.copytree(proven.root / "tasks/tally", buyer.root / "tally"))
    (task / "grader/tests/test_tally.py").write_bytes(data)
    nonce = "7" * 64

    def line(old):
        digest = digest_of(task)
        return attrs.evolve(
            GraderLine.parse(old, "here"),
            digest=digest,
            nonce=nonce,
            commitment=sealing.commitment(digest, nonce),
        ).render()

    market.resigned(
        delivery,
        proven.own,
        {"grader": {path: data}},
        {"grader": {"tally": line}},
    )
    why = market.reasons(buyer.accept(delivery), "tally")
    for gate in ("G1", "G10"):
        assert f"{gate}: receipts/tally/{gate}.dsse.json: the task is not" in why
    assert "suite: signed sha256:" in why


def test_a_weakened_suite_with_receipts_to_match_shows_in_the_figures(house, buyer):
    suite = house.root / "tasks/tally/grader/tests/test_tally.py"
    suite.write_bytes(_weaken(suite))
    task = house.root / "tasks/tally"

    def moved(receipt):
        parts = parts_in(task, read_contract(task))
        return attrs.evolve(
            receipt, question=attrs.evolve(receipt.question, parts=parts)
        )

    for gate in ("G1", "G3", "G4", "G10", "G11"):
        reworked(house, "tally", gate, moved)
    done = buyer.accept(sold(house, buyer))
    why = market.reasons(done, "tally")
    assert "G10: figures: passed: claimed" in why
    assert '"grader/known_bad/hollow": 4' in why.partition("measured")[2]


def test_a_reference_that_leaks_into_the_solver_image_is_found(house, buyer):
    reference = house.root / "tasks/tally/grader/reference/tally/__init__.py"
    leak = Entry(path="usr/lib/helper.py", content=reference.read_bytes())
    small_base(buyer.root / "leaky", (*BASE, leak))
    delivery = sold(house, buyer, base=buyer.root / "leaky")
    done = buyer.accept(delivery)
    assert market.outcomes(done)["tally"] == "rejected"
    assert "usr/lib/helper.py" in market.reasons(done, "tally")


def test_what_is_hidden_beside_the_images_is_found(delivery, buyer, proven):
    hidden = {"solver": {"images/blobs/sha256/" + "0" * 64: b"a reference"}}
    market.resigned(delivery, proven.own, hidden)
    done = buyer.accept(delivery)
    assert "belongs to no image" in market.reasons(done, "tally")
    assert done.summary.counts["accepted"] == 0


@pytest.mark.parametrize("place", ["list", "image"])
def test_more_in_the_list_of_images_is_found(delivery, buyer, proven, place):
    path = market.root(delivery, "solver") / "images/index.json"
    said = json.loads(path.read_bytes())
    more = said if place == "list" else said["manifests"][0]["annotations"]
    more["note"] = "def tally_add"
    market.resigned(
        delivery,
        proven.own,
        {"solver": {"images/index.json": compact(said)}},
    )
    assert "says more" in market.reasons(buyer.accept(delivery), "tally")


def test_a_receipt_that_is_not_there_rejects_what_the_index_says_passed(
    delivery, buyer, proven
):
    path = paths.receipt("tally", "G4")
    market.resigned(delivery, proven.own, {"grader": {path: None}})
    done = buyer.accept(delivery)
    assert market.outcomes(done)["tally"] == "rejected"
    assert "G4: the index says passed 0 leaks, and there is no receipt" in (
        market.reasons(done, "tally")
    )


def test_a_gate_that_the_index_does_not_speak_of_rejects(delivery, buyer, proven):
    def quiet(line):
        it = GraderLine.parse(line, "here")
        return attrs.evolve(
            it, gates={gate: said for gate, said in it.gates.items() if gate != "G4"}
        ).render()

    market.resigned(delivery, proven.own, lines={"grader": {"tally": quiet}})
    why = market.reasons(buyer.accept(delivery), "tally")
    assert why == "G4: the index does not say that it was passed"


def test_an_index_that_says_more_than_the_receipt_rejects(delivery, buyer, proven):
    def brag(line):
        return line.replace(b'"cell":"2/2"', b'"cell":"9/9"')

    market.resigned(delivery, proven.own, lines={"grader": {"tally": brag}})
    why = market.reasons(buyer.accept(delivery), "tally")
    assert why == "G10: the index says passed 9/9, its receipt passed 2/2"


def test_a_receipt_of_another_task_stands_for_nothing(delivery, buyer, proven):
    other = market.root(delivery, "grader") / paths.receipt("brevok", "G10")
    changes = {paths.receipt("tally", "G10"): other.read_bytes()}
    market.resigned(delivery, proven.own, {"grader": changes})
    why = market.reasons(buyer.accept(delivery), "tally")
    assert "is of G10 on brevok, expected G10 on tally" in why


def test_a_receipt_by_a_stranger_stands_for_nothing(house, buyer, proven):
    path = house.receipts / "tally" / "G10.dsse.json"
    receipt = store.open_receipt(path, [house.own.signer.public_key]).receipt
    stranger = keys.make(buyer.root / "stranger").signer
    data = envelope.render(envelope.sign(statement_of(receipt), stranger))
    delivery = sold(house, buyer)
    changes = {paths.receipt("tally", "G10"): data}
    market.resigned(delivery, proven.own, {"grader": changes})
    why = market.reasons(buyer.accept(delivery), "tally")
    assert "none of which is a key that you trust" in why


def test_whoever_is_not_the_maker_signs_in_vain(delivery, buyer):
    market.resigned(delivery, keys.make(buyer.root / "stranger"))
    done = buyer.accept(delivery)
    assert done.summary.counts["rejected"] == 3
    assert "none of which is a key that you trust" in done.summary.closed


def test_a_training_grader_that_is_kept_back_is_no_way_out(delivery, buyer, proven):
    def kept_back(line):
        return GraderLine.parse(line, "here").closed("withheld").render()

    grader = market.bundle(delivery, "grader", proven.own)
    gone = dict.fromkeys(grader.files_of("tally"))
    market.resigned(
        delivery, proven.own, {"grader": gone}, {"grader": {"tally": kept_back}}
    )
    done = buyer.accept(delivery)
    assert market.outcomes(done)["tally"] == "not measured"
    assert done.summary.open_questions == 1


def test_limits_or_a_contract_other_than_the_task_s_own_are_told(
    delivery, buyer, proven
):
    def roomy(line):
        return line.replace(b'"memory_mib":256', b'"memory_mib":4096')

    market.resigned(delivery, proven.own, lines={"solver": {"tally": roomy}})
    assert "limits: the index says" in market.reasons(buyer.accept(delivery), "tally")


# -- an upstream that was never run ----------------------------------------------------------


@pytest.fixture
def mutated_house(tmp_path, monkeypatch) -> House:
    """One task that departs from a library, delivered with a G3 that nobody ran."""

    def installed(sdist, sha256, sandbox, work):
        return Submission(
            files={"tinysums.py": mutated.LIBRARY.encode()},
            left_out=("tiny_sums-1.2.dist-info: packaging records",),
            digest="",
            kind="tar",
        )

    monkeypatch.setattr(plagiarist, "install_pinned", installed)
    root = tmp_path / "mutated"
    (root / "licences").mkdir(parents=True)
    (root / "licences" / "LicenseRef-Ours.txt").write_text("Ours.\n")
    mutated.write(root / "tasks" / "small-sums", tmp_path / "cache")
    return House(root=root, own=keys.make(root / "keys" / "default"))


G3 = ("plagiarist",)


def _with_g3(house: House, **claimed: object) -> None:
    task = house.root / "tasks" / "small-sums"
    gate = next(it for it in market.wanted() if it.name == "plagiarist")
    pin = read_contract(task).upstream_sdist
    assert pin is not None
    receipt = making.receipt(task, gate, figures={}, **claimed)
    depends = {"upstream": f"sha256:{pin.sha256}"}
    asked = attrs.evolve(receipt.question, depends=depends)
    making.keep(attrs.evolve(receipt, question=asked), house.own, house.receipts)


def _buys(buyer, house: House, cache: Path, monkeypatch):
    monkeypatch.setattr(market, "GATES", G3)
    known = attrs.evolve(buyer, maker=house.root / "keys" / "default.pub")
    delivery = market.sold(house, house.root / "sold", images=False)
    return known.accept(delivery, "mutated-report", cache=cache, gates=G3)


@pytest.mark.parametrize(
    "claimed",
    [
        {"status": "passed", "cell": "31 %"},
        {"status": "not applicable", "cell": "n/a", "why": "an invented task"},
    ],
    ids=["made up", "not applicable"],
)
def test_an_upstream_that_was_never_run_is_run_here(
    mutated_house, buyer, claimed, tmp_path, monkeypatch
):
    _with_g3(mutated_house, **claimed)
    done = _buys(buyer, mutated_house, tmp_path / "cache", monkeypatch)
    assert done.summary.counts["rejected"] == 1
    why = market.reasons(done, "small-sums")
    assert f"G3: cell: claimed {claimed['cell']}, measured 45 %" in why


def test_without_the_upstream_nothing_is_accepted_and_it_says_what_to_run(
    mutated_house, buyer, tmp_path, monkeypatch
):
    _with_g3(mutated_house, status="passed", cell="45 %")
    (tmp_path / "nothing").mkdir()
    done = _buys(buyer, mutated_house, tmp_path / "nothing", monkeypatch)
    assert done.summary.counts == {"accepted": 0, "rejected": 0, "not measured": 1}
    assert "`shipbar upstream fetch tiny-sums`" in market.reasons(done, "small-sums")
    assert done.summary.open_questions == 1


# -- sealed graders ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def identity():
    return pyrage.x25519.Identity.generate()


@pytest.fixture
def sealed(proven, identity, tmp_path) -> Path:
    recipient = sealing.recipient_of(str(identity.to_public()))
    sale = attrs.evolve(market.SALE, withhold=False, recipient=recipient)
    return market.sold(proven, tmp_path / "sealed", sale)


def test_a_sealed_grader_is_measured_by_whoever_can_open_it(sealed, buyer, identity):
    done = buyer.accept(sealed)
    assert market.outcomes(done) == {"helda": "not measured"}
    assert "--identity" in market.reasons(done, "helda")
    assert done.summary.open_questions == 0
    opened = sealing.identity_of(str(identity), "here")
    done = buyer.accept(sealed, identity=opened)
    assert done.summary.counts == {"accepted": 3, "rejected": 0, "not measured": 0}


def test_an_identity_that_does_not_open_it_leaves_a_question_open(sealed, buyer):
    other = sealing.identity_of(str(pyrage.x25519.Identity.generate()), "here")
    done = buyer.accept(sealed, identity=other)
    assert market.outcomes(done) == {"helda": "not measured"}
    assert "cannot be opened with that identity" in market.reasons(done, "helda")
    assert done.summary.open_questions == 1


def test_what_is_sealed_is_held_to_the_commitment(sealed, buyer, proven, identity):
    path = paths.sealed("helda")
    place = market.root(sealed, "grader") / path
    opened = sealing.identity_of(str(identity), "here")
    files = sealing.opened(place.read_bytes(), opened, "here")
    line = GraderLine.parse(files[sealing.LINE].strip(), "here")
    other = attrs.evolve(line, commitment="sha256:" + "0" * 64)
    files[sealing.LINE] = other.render()
    data = sealing.sealed(files, sealing.recipient_of(str(identity.to_public())))
    market.resigned(sealed, proven.own, {"grader": {path: data}})
    done = buyer.accept(sealed, identity=opened)
    assert market.outcomes(done) == {"helda": "rejected"}
    assert "something else of helda inside" in market.reasons(done, "helda")


def test_a_sealed_file_that_would_fill_the_memory_is_refused(identity):
    it = tarfile.TarInfo("tasks/helda/x")
    it.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.realsize": str(2**50),
        "GNU.sparse.name": "tasks/helda/x",
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        it.size = 512
        archive.addfile(it, io.BytesIO(b"0\n".ljust(512, b"\0")))
    data = pyrage.encrypt(out.getvalue(), [identity.to_public()])
    opened = sealing.identity_of(str(identity), "here")
    with pytest.raises(AttestationError, match="expected plain files inside"):
        sealing.opened(data, opened, "here")


@pytest.mark.parametrize("hostile", ["compressed", "sparse"])
def test_a_layer_that_would_fill_the_memory_is_refused(tmp_path, hostile):
    path = tmp_path / "layer"
    if hostile == "compressed":
        path.write_bytes(gzip.compress(bytes(2**20)))
    else:
        it = tarfile.TarInfo("usr/x")
        it.size = 2**50
        path.write_bytes(it.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    with pytest.raises(AttestationError):
        pictures._bounded(path)


def test_a_damaged_sealed_grader_rejects_its_task_alone(sealed, buyer, identity):
    market.flip(market.root(sealed, "grader") / paths.sealed("helda"))
    opened = sealing.identity_of(str(identity), "here")
    done = buyer.accept(sealed, identity=opened)
    assert market.outcomes(done) == {"helda": "rejected"}
    assert done.summary.counts["accepted"] == 2
    assert _told_at_home(sealed, buyer).rate == done.summary.rate == 2 / 3


def test_a_damaged_line_of_a_sealed_grader_rejects_its_task_alone(sealed, buyer):
    market.flip_line(market.root(sealed, "grader") / paths.INDEX, "helda")
    done = buyer.accept(sealed)
    assert market.outcomes(done) == {"helda": "rejected"}
    assert _told_at_home(sealed, buyer).rate == done.summary.rate == 2 / 3


def _told_at_home(delivery, buyer) -> AcceptanceRecord:
    """Import the signed report where the delivery was made; say what it names without a digest."""
    path = buyer.root / "report" / record.NAME
    key = buyer.own.signer.public_key
    said, signed = read_report(path.read_bytes(), [key], str(path))
    assert [it.task_id for it in said.tasks if not it.digest] == ["helda"]
    ledger = Ledger.open(str(delivery.with_suffix(".db")))
    assert ledger.record_acceptance(said, signed)
    ((helda, found),) = (
        (it, one.record)
        for one in ledger.acceptance()
        for it in one.record.tasks
        if it.outcome == "rejected"
    )
    wanted = {it.task_id: it.digest for it in ledger.delivery(1).tasks}
    assert (helda.task_id, helda.digest) == ("helda", wanted["helda"])
    assert paths.sealed("helda") in helda.reason or paths.INDEX in helda.reason
    return found


def test_the_nonce_of_an_open_grader_is_held_to_its_commitment(delivery, buyer, proven):
    def other(line):
        return attrs.evolve(GraderLine.parse(line, "here"), nonce="0" * 64).render()

    market.resigned(delivery, proven.own, lines={"grader": {"tally": other}})
    assert "is no commitment to" in market.reasons(buyer.accept(delivery), "tally")
