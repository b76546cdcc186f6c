"""Whose a canary is, as task folders and the indexes of deliveries say it."""

import json

import pytest

from shipbar.canary import Owner, for_client, from_indexes, from_tasks
from shipbar.errors import ContractError, UserError
from tests.canary.samples import CANARY, UUID
from tests.cli import tiny

KEY = bytes(32)


def index(path, *lines):
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_tasks_are_found_in_a_folder_and_below_it(tmp_path):
    tiny.task(tmp_path / "some" / "tally")
    for folder in (tmp_path, tmp_path / "some" / "tally"):
        known = from_tasks(folder)
        assert known.of("shipbar-canary-5b8f3c1e-0f6c-4d29-9a43-7c1f0f2e9d11") == (
            Owner(task_id="tally"),
        )
        assert known.of(CANARY) == ()


def test_hyphens_and_case_make_no_other_canary(tmp_path):
    path = index(tmp_path / "index.jsonl", {"task_id": "t", "canary": UUID})
    known = from_indexes([path])
    bare = "shipbar-canary-" + UUID[15:].replace("-", "").upper()
    assert known.of(bare) == known.of(UUID) == (Owner(task_id="t"),)


def test_an_index_names_the_client_whose_copy_it_is(tmp_path):
    theirs = for_client(KEY, "acme", "t")
    line = {
        "client": "acme",
        "client_canary": theirs,
        "contract": {"task_id": "t", "canary": CANARY},
    }
    known = from_indexes([index(tmp_path / "index.jsonl", line)])
    assert known.of(theirs) == known.of(CANARY) == (Owner(task_id="t", client="acme"),)


def test_indexes_of_several_clients_go_together(tmp_path):
    paths = [
        index(
            tmp_path / client,
            {
                "id": "t",
                "canaries": [for_client(KEY, client, "t"), CANARY],
                "client": client,
            },
        )
        for client in ("acme", "bolt")
    ]
    known = from_indexes(paths)
    both = (Owner(task_id="t", client="acme"), Owner(task_id="t", client="bolt"))
    assert known.of(CANARY) == both
    assert known.of(for_client(KEY, "bolt", "t")) == both[1:]


def test_a_line_of_a_withheld_task_has_no_canary_and_is_passed_over(tmp_path):
    path = index(tmp_path / "i", {"task_id": "a"}, {"task_id": "b", "canary": CANARY})
    assert from_indexes([path]).of(CANARY) == (Owner(task_id="b"),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]\n", "i:1: expected one JSON object a line"),
        ('{"task_id": "t", "canary": "x"}\n{', "i:2: expected one JSON object a line"),
        ('{"canary": "x"}\n', "i:1: expected the task's id"),
        ('{"task_id": "t"}\n', "no line holds a canary"),
        ("", "no line holds a canary"),
        ("\udcff", "cannot be read as an index"),
    ],
    ids=["no object", "cut", "no task", "no canary", "empty", "not UTF-8"],
)
def test_what_is_no_index_is_refused_with_its_line(tmp_path, text, says):
    path = tmp_path / "i"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError, match=says):
        from_indexes([path])


def test_no_task_and_a_broken_one_are_refused(tmp_path):
    with pytest.raises(UserError, match="no task here"):
        from_tasks(tmp_path)
    (tmp_path / "task.toml").write_text("canary = 1\n")
    with pytest.raises(ContractError, match=r"task\.toml"):
        from_tasks(tmp_path)


def test_only_a_newline_ends_a_line(tmp_path):
    line = {"contract": {"task_id": "t", "canary": CANARY, "why": "a\u2028b\x85c"}}
    path = tmp_path / "index.jsonl"
    path.write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")
    assert from_indexes([path]).of(CANARY) == (Owner(task_id="t"),)
