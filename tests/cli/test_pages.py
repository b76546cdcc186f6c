"""Pages that people asked for: written whole or not at all."""

import pytest

from shipbar.cli.pages import write_whole
from shipbar.errors import UserError


def test_a_page_takes_the_place_of_an_older_one(tmp_path):
    page = tmp_path / "card.html"
    page.write_text("old")
    write_whole(page, "new", "--html")
    assert page.read_text() == "new"
    assert list(tmp_path.iterdir()) == [page]


def test_a_page_that_cannot_be_written_is_told_and_leaves_nothing(tmp_path):
    with pytest.raises(UserError, match=r"--html .*gone.*: cannot be written"):
        write_whole(tmp_path / "gone" / "card.html", "new", "--html")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match=r"--junit .*cannot be written: Is a directory"):
        write_whole(tmp_path / "folder", "new", "--junit")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
