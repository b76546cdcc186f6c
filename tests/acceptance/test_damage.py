"""One flipped byte in each kind of file: rejected for the right reason, and only what it touches."""

import os
import shutil
from pathlib import Path

import attrs
import pytest

from shipbar.acceptance import record
from shipbar.bundles import paths
from shipbar.errors import UserError
from shipbar.oci import open_base
from shipbar.oci.layout import Layout
from shipbar.store.acceptance import read_report
from tests.acceptance import market

ALL = {"brevok", "helda", "tally"}
FILES = {
    "suite": ("grader", "tasks/tally/tests/test_tally.py", {"tally"}),
    "reference": ("grader", "tasks/tally/reference/tally/__init__.py", {"tally"}),
    "contract": ("grader", "tasks/tally/task.toml", {"tally"}),
    "patch": ("grader", "tasks/tally/reference.patch", {"tally"}),
    "receipt": ("grader", "receipts/tally/G4.dsse.json", {"tally"}),
    "specification": ("solver", "tasks/tally/SPEC.md", {"tally"}),
    "licence of one": ("grader", "LICENSES/LicenseRef-Brevok.txt", {"brevok"}),
    "licence of two": (
        "grader",
        "LICENSES/LicenseRef-Shipbar-Grader.txt",
        {"tally", "helda"},
    ),
    "licence of all": ("solver", "LICENSES/CC-BY-4.0.txt", ALL),
    "licences' list": ("grader", "REUSE.toml", ALL),
    "list of images": ("solver", "images/index.json", ALL),
}


def touched(done):
    return {it.task_id for it in done.told if it.outcome == "rejected"}


@pytest.mark.parametrize(("kind", "path", "tasks"), FILES.values(), ids=FILES)
def test_a_flipped_byte_rejects_what_it_touches(buyer, delivery, kind, path, tasks):
    market.flip(market.root(delivery, kind) / path)
    done = buyer.accept(delivery)
    assert touched(done) == tasks
    for task_id in tasks:
        why = market.reasons(done, task_id)
        assert f"first-{kind}/{path}: was changed: signed sha256:" in why
    assert done.summary.counts["accepted"] == len({"brevok", "tally"} - tasks)
    assert not done.summary.met


@pytest.mark.parametrize("kind", ["solver", "grader"])
def test_a_flipped_byte_in_a_line_rejects_its_task(buyer, delivery, kind):
    market.flip_line(market.root(delivery, kind) / "index.jsonl", "tally")
    done = buyer.accept(delivery)
    assert touched(done) == {"tally"}
    assert f"first-{kind}/index.jsonl: was changed" in market.reasons(done, "tally")


def test_a_list_of_images_touches_no_task_without_one(buyer, proven, tmp_path):
    base = open_base(proven.root / "base")
    sale = attrs.evolve(market.SALE, images=("solver", "grader"), base=base)
    delivery = market.sold(proven, tmp_path / "pictured", sale, images=False)
    market.flip(market.root(delivery, "grader") / "images/manifest.json")
    done = buyer.accept(delivery)
    assert touched(done) == {"brevok", "tally"}, "the grader of helda is withheld"
    assert market.outcomes(done)["helda"] == "not measured"
    why = market.reasons(done, "tally")
    assert "first-grader/images/manifest.json: was changed" in why


def test_a_list_of_images_is_told_by_its_place_in_the_bundle(buyer, delivery):
    place = market.root(delivery, "solver") / "images/index.json"
    digest = Layout.open(place.parent).image("solver-tally").manifest_digest
    market.flip(place, place.read_bytes().index(digest[7:].encode()))
    why = market.reasons(buyer.accept(delivery), "tally")
    assert "; first-solver/images: blobs/sha256/" in why
    assert str(delivery) not in why


def _layer(delivery: Path, task: str, number: int) -> Path:
    layout = Layout.open(market.root(delivery, "solver") / paths.IMAGES)
    return layout.layer_file(layout.image(f"solver-{task}"), number)


def test_a_flipped_byte_in_a_task_s_layer_rejects_that_task(buyer, delivery):
    market.flip(_layer(delivery, "tally", -1))
    done = buyer.accept(delivery)
    assert touched(done) == {"tally"}
    assert "images/blobs/sha256/" in market.reasons(done, "tally")


def test_a_flipped_byte_in_the_base_rejects_all_that_stand_on_it(buyer, delivery):
    market.flip(_layer(delivery, "tally", 0))
    assert touched(buyer.accept(delivery)) == ALL


def test_a_flipped_byte_in_what_is_said_of_an_image_rejects_its_task(buyer, delivery):
    layout = Layout.open(market.root(delivery, "solver") / paths.IMAGES)
    image = layout.image("solver-tally")
    market.flip(layout.path / "blobs" / image.config_digest.replace(":", "/"), 0)
    done = buyer.accept(delivery)
    assert touched(done) == {"tally"}, market.reasons(done, "brevok")


@pytest.mark.parametrize("kind", ["solver", "grader"])
@pytest.mark.parametrize("name", ["MANIFEST.json", "MANIFEST.sig"])
def test_a_flipped_byte_in_a_manifest_or_its_signature_rejects_everything(
    buyer, delivery, kind, name
):
    market.flip(market.root(delivery, kind) / name)
    done = buyer.accept(delivery)
    assert touched(done) == ALL
    assert f"first-{kind}/MANIFEST" in done.summary.closed
    assert not done.signed


def test_a_manifest_that_is_no_json_any_more_still_has_every_task_rejected(
    buyer, delivery
):
    market.flip(market.root(delivery, "grader") / "MANIFEST.json", 0)
    done = buyer.accept(delivery)
    assert touched(done) == ALL
    assert "no manifest of a bundle" in done.summary.closed


def test_a_key_in_the_delivery_is_not_trusted_and_its_damage_touches_nothing(
    buyer, delivery
):
    (key,) = (market.root(delivery, "grader") / "keys").iterdir()
    shutil.copy(buyer.maker.with_name("default.pub"), key)
    key.write_bytes(b"-----BEGIN PUBLIC KEY-----\n")
    done = buyer.accept(delivery)
    assert touched(done) == set()
    assert any("no key of a delivery is used here" in it for it in done.summary.notes)


def test_what_is_missing_or_was_never_signed_is_told(buyer, delivery):
    (market.root(delivery, "grader") / "receipts/tally/G4.dsse.json").unlink()
    (market.root(delivery, "grader") / "tasks/brevok/more.py").write_text("")
    done = buyer.accept(delivery)
    assert "G4.dsse.json: is missing" in market.reasons(done, "tally")
    assert "more.py: is there and was not signed" in market.reasons(done, "brevok")


def test_a_name_that_is_no_text_is_told_and_signed(buyer, delivery):
    folder = os.fsencode(market.root(delivery, "grader") / "tasks/tally")
    Path(os.fsdecode(folder + b"/\xff\x1b.py")).write_text("")
    done = buyer.accept(delivery)
    assert touched(done) == {"tally"}
    path = buyer.root / "report" / record.NAME
    said, _ = read_report(path.read_bytes(), [buyer.own.signer.public_key], str(path))
    (why,) = (it.reason for it in said.tasks if it.outcome == "rejected")
    assert why.endswith("\\udcff\x1b.py: is there and was not signed; remove it")


@pytest.mark.parametrize("kind", ["solver", "grader"])
def test_a_bundle_without_its_manifest_is_damaged_and_not_away(buyer, delivery, kind):
    (market.root(delivery, kind) / "MANIFEST.json").unlink()
    done = buyer.accept(delivery)
    assert touched(done) == ALL
    assert f"first-{kind}/MANIFEST.json: cannot be read" in done.summary.closed


def test_a_link_is_damage_wherever_it_leads(buyer, delivery):
    path = market.root(delivery, "grader") / "tasks/tally/tests/test_tally.py"
    shutil.move(path, buyer.root / "elsewhere.py")
    path.symlink_to(buyer.root / "elsewhere.py")
    done = buyer.accept(delivery)
    assert touched(done) == {"tally"}
    assert "is no plain file" in market.reasons(done, "tally")


def test_a_pipe_in_the_place_of_a_file_stops_nobody(buyer, delivery):
    path = market.root(delivery, "grader") / "tasks/tally/tests/test_tally.py"
    path.unlink()
    os.mkfifo(path)
    assert touched(buyer.accept(delivery)) == {"tally"}


def test_bundles_of_two_deliveries_do_not_go_together(buyer, delivery, proven):
    other = market.sold(proven, buyer.root / "other", images=False)
    shutil.rmtree(market.root(delivery, "solver"))
    shutil.copytree(market.root(other, "solver"), market.root(delivery, "solver"))
    done = buyer.accept(delivery)
    assert touched(done) == ALL
    assert "are of two deliveries" in done.summary.closed


@pytest.mark.parametrize("kind", ["solver", "grader"])
def test_one_bundle_alone_can_be_checked_and_not_measured(buyer, delivery, kind):
    shutil.rmtree(market.root(delivery, kind))
    done = buyer.accept(delivery)
    assert done.summary.counts == {"accepted": 0, "rejected": 0, "not measured": 3}
    assert f"there is no {kind} bundle" in market.reasons(done, "tally")
    assert done.summary.rate is None
    assert not done.signed


def test_what_is_no_delivery_is_said_to_be_none(buyer, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="expected a delivery"):
        buyer.accept(tmp_path / "empty")
    with pytest.raises(UserError, match="cannot read it"):
        buyer.accept(tmp_path / "nowhere")


def test_a_report_is_not_written_into_the_delivery(buyer, delivery):
    with pytest.raises(UserError, match="lies in the delivery"):
        buyer.accept(delivery, report=delivery / "report")
