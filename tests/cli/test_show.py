"""`shipbar show`: what it says of a task that has no card."""

import pytest

from shipbar.grading.tasks import RECORD
from tests.cli import tiny
from tests.cli.tiny import Command, command


@pytest.fixture
def shipbar(capsys: pytest.CaptureFixture[str]) -> Command:
    return command(capsys)


@pytest.fixture
def task(tmp_path):
    return tiny.task(tmp_path / "task")


@pytest.mark.parametrize("text", ["[]", "{", '{"rules": 2}', '{"scores": [1]}'])
def test_a_record_that_is_none_is_named(text, task, shipbar):
    (task / RECORD).write_text(text)
    said = shipbar("show", task)
    assert said.code == 2
    assert f"{RECORD}: expected" in said.err


def test_a_task_that_no_family_built_is_told(task, shipbar):
    said = shipbar("show", task)
    assert said.code == 2
    assert "expected a task built from a family" in said.err
