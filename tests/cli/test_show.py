import pytest

from shipbar.cli import show
from shipbar.errors import UserError
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


def test_a_page_takes_the_place_of_an_older_one(tmp_path):
    page = tmp_path / "card.html"
    page.write_text("old")
    show._write(page, "new")
    assert page.read_text() == "new"
    assert list(tmp_path.iterdir()) == [page]


def test_a_page_that_cannot_be_written_is_told_and_leaves_nothing(tmp_path):
    with pytest.raises(UserError, match=r"--html .*gone.*: cannot be written"):
        show._write(tmp_path / "gone" / "card.html", "new")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match=r"cannot be written: Is a directory"):
        show._write(tmp_path / "folder", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
