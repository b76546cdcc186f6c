"""Folders, links and what is neither file nor folder."""

import inspect
import os
import sys
from pathlib import Path

import pytest

from shipbar.canary import Unread
from shipbar.canary.walk import File, Remark, walk
from shipbar.errors import UserError


def names(folder, kind):
    found = [it for it in walk([folder]) if isinstance(it, kind)]
    return [Path(it.path).relative_to(folder).as_posix() for it in found]


def test_every_file_comes_once_in_the_order_of_names(tmp_path):
    for name in ("b/z", "b/.hidden", "a", "c/d/e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert names(tmp_path, File) == ["a", "b/.hidden", "b/z", "c/d/e"]


def test_links_are_followed_and_no_folder_is_searched_twice(tmp_path):
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / "x").touch()
    (tmp_path / "snapshot").symlink_to("blobs/x")
    (tmp_path / "z").symlink_to("blobs")
    (tmp_path / "blobs" / "up").symlink_to("..")
    assert names(tmp_path, File) == ["blobs/x", "snapshot"]
    remarks = [it.text for it in walk([tmp_path]) if isinstance(it, Remark)]
    assert remarks == [
        f"{tmp_path}/{name}: a way to a folder that is searched anyway"
        for name in ("blobs/up", "z")
    ]


def test_links_to_nothing_and_in_a_circle_are_named(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to("gone")
    whys = [it.why for it in walk([tmp_path]) if isinstance(it, Unread)]
    assert ["circle" in why for why in whys] == [True, True, False]
    assert "to what is not there" in whys[2]


def test_a_pipe_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert names(tmp_path, Unread) == ["pipe"]


def test_folders_may_lie_deeper_than_calls_go(tmp_path):
    (tmp_path / Path(*"d" * 300)).mkdir(parents=True)
    (tmp_path / Path(*"d" * 300) / "x").touch()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        (it,) = walk([tmp_path])
    finally:
        sys.setrecursionlimit(limit)
    assert isinstance(it, File)


def test_a_name_that_is_no_text_is_walked_over(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff\n"
    os.close(os.open(path, os.O_CREAT))
    (it,) = walk([tmp_path])
    assert isinstance(it, File)
    assert os.fsencode(it.path) == path


def test_a_path_that_is_not_there_is_the_caller_s_mistake(tmp_path):
    with pytest.raises(UserError, match="gone: not there"):
        list(walk([tmp_path, tmp_path / "gone"]))
