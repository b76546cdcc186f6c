"""Every byte of a task is in a part, and a part has one digest wherever it lies."""

import hashlib

import pytest

from shipbar.attest.parts import held_to, part_digests
from shipbar.errors import AttestationError
from shipbar.verdict import sha256

LISTING = {
    "TASK.md": sha256(b"card"),
    "grader/reference/x/__init__.py": sha256(b"1"),
    "grader/reference-old/x.py": sha256(b"2"),
    "grader/tests/test_x.py": sha256(b"3"),
    "task.toml": sha256(b"contract"),
}
PLACES = {
    "contract": "task.toml",
    "reference": "grader/reference",
    "suite": "grader/tests",
    "adapter": "grader/adapter",
}


def test_a_file_has_the_digest_that_anybody_computes():
    found = part_digests(LISTING, PLACES)
    assert found["contract"] == "sha256:" + hashlib.sha256(b"contract").hexdigest()


def test_what_is_not_there_is_no_part():
    assert set(part_digests(LISTING, PLACES)) == {
        *("task", "contract", "reference", "suite", "other")
    }


@pytest.mark.parametrize("path", LISTING)
def test_a_changed_byte_changes_the_whole_and_just_one_part(path):
    before = part_digests(LISTING, PLACES)
    after = part_digests({**LISTING, path: sha256(b"else")}, PLACES)
    changed = {name for name in before if before[name] != after[name]}
    assert len(changed) == 2
    assert "task" in changed


def test_a_file_that_moves_within_a_part_changes_it():
    moved = dict(LISTING)
    moved["grader/tests/test_y.py"] = moved.pop("grader/tests/test_x.py")
    assert (
        part_digests(moved, PLACES)["suite"] != part_digests(LISTING, PLACES)["suite"]
    )


def test_a_tampered_part_is_named_with_two_digests():
    before = part_digests(LISTING, PLACES)
    after = part_digests({**LISTING, "task.toml": sha256(b"x")}, PLACES)
    held_to(before, before, "here")
    with pytest.raises(AttestationError) as caught:
        held_to(before, after, "here")
    lines = str(caught.value).splitlines()
    contract = f"  contract: signed {before['contract']}, found {after['contract']}"
    assert lines[1] == contract
    assert [line.split(":")[0] for line in lines] == ["here", "  contract", "  task"]


def test_a_part_that_is_gone_or_new_is_named():
    before = part_digests(LISTING, PLACES)
    rest = {name: it for name, it in LISTING.items() if "tests" not in name}
    with pytest.raises(
        AttestationError, match=r"suite: signed sha256:.*, found not there"
    ):
        held_to(before, part_digests(rest, PLACES), "here")
    with pytest.raises(AttestationError, match="suite: signed as not there, found sha"):
        held_to(part_digests(rest, PLACES), before, "here")
