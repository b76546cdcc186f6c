import pytest

from shipbar.contract import parse_contract
from shipbar.errors import UserError
from shipbar.grading.scaffold import import_name_for, make_task
from tests.grading.authoring import contents


def test_no_two_tasks_share_a_canary(tmp_path):
    texts = set()
    for name in ("one", "two"):
        make_task("strips", tmp_path / name)
        texts.add(parse_contract((tmp_path / name / "task.toml").read_bytes()).canary)
    assert len(texts) == 2


def test_nothing_is_left_to_fill_in(tmp_path):
    make_task("strips-2", tmp_path / "task", mutated=True)
    files = contents(tmp_path / "task")
    assert not [path for path in files if "PACKAGE" in path or path.endswith(".txt")]
    assert not [path for path, data in files.items() if b"@" in data]
    assert "grader/tests/test_strips_2.py" in files


def test_a_mutated_task_names_its_upstream(tmp_path):
    make_task("strips", tmp_path / "a")
    make_task("strips", tmp_path / "b", mutated=True)
    plain, mutated = (
        parse_contract((tmp_path / name / "task.toml").read_bytes()) for name in "ab"
    )
    assert (plain.task_class, plain.upstream_sdist) == ("invented", None)
    assert mutated.task_class == "mutated"
    assert mutated.upstream_sdist is not None


@pytest.mark.parametrize(
    ("task_id", "name"),
    [
        ("check-character-36", "check_character_36"),
        ("36-check", "kit_36_check"),
        ("class", "class_kit"),
        ("json", "json_kit"),
        ("pytest", "pytest_kit"),
        ("a" * 100, "a" * 48),
    ],
)
def test_the_package_is_called_after_the_task_and_hides_nothing(
    tmp_path, task_id, name
):
    assert import_name_for(task_id) == name
    make_task(task_id, tmp_path / "task")
    assert (tmp_path / "task/grader/reference" / name / "__init__.py").is_file()


@pytest.mark.parametrize(
    "task_id", ["", "Strips", "a--b", "../x", "a b", "a" * 101, "-a"]
)
def test_what_is_no_id_is_refused_and_leaves_nothing(tmp_path, task_id):
    with pytest.raises(UserError, match="expected lower-case letters"):
        make_task(task_id, tmp_path / "task")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", ["folder", "file", "dangling link"])
def test_what_is_there_is_never_touched(tmp_path, there):
    place = tmp_path / "task"
    if there == "folder":
        place.mkdir()
    elif there == "file":
        place.write_text("mine")
    else:
        place.symlink_to("nowhere")
    with pytest.raises(UserError, match="expected nothing there"):
        make_task("strips", place)
    assert [path.name for path in tmp_path.iterdir()] == ["task"]


def test_a_place_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UserError, match="make it first"):
        make_task("strips", tmp_path / "no" / "task")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_half_way_leaves_nothing(tmp_path, monkeypatch):
    written = []

    def full(self, text, encoding):
        written.append(self)
        if len(written) == 5:
            raise OSError(28, "No space left on device")
        self.write_bytes(text.encode(encoding))

    monkeypatch.setattr("pathlib.Path.write_text", full)
    with pytest.raises(UserError, match="No space left"):
        make_task("strips", tmp_path / "task")
    assert list(tmp_path.iterdir()) == []
