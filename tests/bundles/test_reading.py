import os
import shutil

import pytest

from shipbar.attest import keys
from shipbar.bundles import reading
from shipbar.errors import AttestationError, UserError

ALL = {"brevok", "helda", "tally"}


def _flip(path, at=None):
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else at] ^= 1
    path.write_bytes(data)


def _damages(delivered, kind):
    root = delivered.place / f"first-{kind}"
    return list(reading.damages(reading.open_bundle(root, delivered.keys)))


@pytest.mark.parametrize(
    ("kind", "path", "tasks"),
    [
        ("solver", "tasks/tally/SPEC.md", {"tally"}),
        ("grader", "tasks/tally/tests/test_tally.py", {"tally"}),
        ("grader", "tasks/tally/as-built/TASK.md", {"tally"}),
        ("grader", "tasks/brevok/reference.patch", {"brevok"}),
        ("grader", "receipts/tally/G5.dsse.json", {"tally"}),
        ("solver", "LICENSES/CC-BY-4.0.txt", ALL),
        ("grader", "REUSE.toml", {""}),
    ],
)
def test_a_flipped_byte_touches_its_tasks_and_no_other(delivered, kind, path, tasks):
    _flip(delivered.place / f"first-{kind}" / path)
    found = _damages(delivered, kind)
    assert {(it.path, it.task) for it in found} == {(path, task) for task in tasks}
    assert all("was changed: signed sha256:" in it.what for it in found)
    other = {"solver": "grader", "grader": "solver"}[kind]
    assert _damages(delivered, other) == []


def test_a_flipped_byte_in_an_index_touches_one_line(delivered):
    index = delivered.place / "first-grader" / "index.jsonl"
    _flip(index, index.read_bytes().rindex(b"tally"))
    (found,) = _damages(delivered, "grader")
    assert (found.path, found.task) == ("index.jsonl", "tally")
    root = reading.open_bundle(index.parent, delivered.keys)
    assert {it.task_id for it in reading.grader_lines(root)} == ALL - {"tally"}


def test_a_line_that_was_taken_out_is_missed_and_one_put_in_not_believed(delivered):
    index = delivered.place / "first-solver" / "index.jsonl"
    lines = index.read_bytes().splitlines(keepends=True)
    index.write_bytes(b"".join([lines[0], lines[0], *lines[2:]]))
    (found,) = _damages(delivered, "solver")
    assert found.task == "helda"
    root = reading.open_bundle(index.parent, delivered.keys)
    assert [it.task_id for it in reading.solver_lines(root)] == ["brevok", "tally"]


@pytest.mark.parametrize("name", ["MANIFEST.json", "MANIFEST.sig"])
def test_a_flipped_byte_in_manifest_or_signature_closes_the_bundle(delivered, name):
    root = delivered.place / "first-solver"
    before = (root / name).read_bytes()
    for at in range(0, len(before), 7):
        _flip(root / name, at)
        with pytest.raises(AttestationError, match="first-solver"):
            reading.open_bundle(root, delivered.keys)
        (root / name).write_bytes(before)
    assert reading.open_bundle(root, delivered.keys).signers


@pytest.mark.parametrize("name", ["MANIFEST.json", "MANIFEST.sig"])
def test_a_missing_one_is_told(delivered, name):
    root = delivered.place / "first-solver"
    (root / name).unlink()
    with pytest.raises(UserError, match=f"{name}: cannot be read"):
        reading.open_bundle(root, delivered.keys)


def test_another_key_opens_nothing(delivered, tmp_path):
    other = keys.make(tmp_path / "other").signer.public_key
    with pytest.raises(AttestationError, match="none of which is a key that you trust"):
        reading.open_bundle(delivered.place / "first-solver", [other])


@pytest.mark.parametrize(
    ("change", "path", "what"),
    [
        ("remove", "tasks/tally/SPEC.md", "is missing"),
        ("add", "tasks/tally/more.md", "was not signed"),
        ("link", "tasks/tally/SPEC.md", "is no plain file"),
        ("link", "tasks/tally/more", "is no plain file"),
        ("folder link", "tasks/tally/inner", "is no plain file"),
    ],
)
def test_what_is_missing_or_too_much_or_a_link_is_told(delivered, change, path, what):
    place = delivered.place / "first-solver" / path
    if change in ("remove", "link"):
        place.unlink(missing_ok=True)
    if change == "add":
        place.write_text("more")
    elif change != "remove":
        inside = delivered.place / "first-solver" / "tasks"
        place.symlink_to(
            inside / "brevok" if "folder" in change else inside / "brevok/SPEC.md"
        )
    (found,) = _damages(delivered, "solver")
    assert (found.path, found.task) == (path, "tally")
    assert what in found.what


@pytest.mark.timeout(20)
@pytest.mark.parametrize("path", ["index.jsonl", "tasks/tally/SPEC.md"])
def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(delivered, path):
    place = delivered.place / "first-solver" / path
    place.unlink()
    os.mkfifo(place)
    assert {(it.path, it.task) for it in _damages(delivered, "solver")} >= {
        (path, "tally")
    }


def test_damaged_files_are_left_out_of_a_task(delivered):
    root = delivered.place / "first-grader"
    _flip(root / "tasks/tally/tests/test_tally.py")
    bundle = reading.open_bundle(root, delivered.keys)
    files = bundle.files_of("tally")
    assert "tasks/tally/tests/test_tally.py" not in files
    assert "tasks/tally/task.toml" in files
    assert not any("brevok" in path for path in files)


def test_bundles_are_found_by_the_folder_of_both_or_their_own(delivered):
    both = reading.find(delivered.place)
    assert both.solver == delivered.place / "first-solver"
    assert both.grader == delivered.place / "first-grader"
    alone = reading.find(delivered.place / "first-grader")
    assert (alone.solver, alone.grader) == (None, both.grader)


def test_a_folder_without_bundles_is_told(tmp_path):
    with pytest.raises(UserError, match="expected a delivery"):
        reading.find(tmp_path)
    with pytest.raises(UserError, match="cannot read it"):
        reading.find(tmp_path / "nowhere")


def test_two_deliveries_in_one_folder_are_told(delivered):
    shutil.copytree(delivered.place / "first-solver", delivered.place / "second-solver")
    with pytest.raises(UserError, match="expected one solver bundle"):
        reading.find(delivered.place)
