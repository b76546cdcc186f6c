import shutil
import subprocess

import pytest

from shipbar.bundles.patch import reference_patch
from shipbar.errors import UserError

GIT = shutil.which("git") or ""
FILES = {
    "pack/__init__.py": b"from pack.inner import f\n",
    "pack/inner.py": b"def f():\n    return 1\n",
    "pack/one_line.py": b"X = 1",
    "pack/empty.py": b"",
    "pack/blank.py": b"\n",
    "pack/returns.py": b"X = 1\r\nY = 2\r\n",
    "pack/latin.py": b"# -*- coding: latin-1 -*-\nX = '\xe9'\n",
    "pack/sep.py": "X = '\u2028\x0c'\n".encode(),
    "pack/looks_like.py": b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- \n",
    'data/odd "name" \t\\.txt': b"odd\n",
    "data/na\u00efve name.txt": b"naive\n",
    "data/with blank.txt": b"blank\n",
}


def _git(folder, *words, data=None):
    return subprocess.run(
        [GIT, *words], cwd=folder, input=data, capture_output=True, check=False
    )


@pytest.mark.skipif(not GIT, reason="git is not installed")
@pytest.mark.parametrize("repository", [True, False])
def test_git_makes_the_very_files_of_it(tmp_path, repository):
    (tmp_path / "SPEC.md").write_text("What to do.\n")
    if repository:
        _git(tmp_path, "init", "-q")
    data = reference_patch(FILES, note="Of a task.", where="here")
    done = _git(tmp_path, "apply", "--whitespace=error-all", data=data)
    if b"whitespace" in done.stderr:  # returns.py ends its lines as Windows does
        done = _git(tmp_path, "apply", data=data)
    assert done.returncode == 0, done.stderr.decode()
    found = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }
    assert found == {"SPEC.md": b"What to do.\n", **FILES}


@pytest.mark.skipif(not GIT, reason="git is not installed")
def test_git_says_of_it_what_it_says_of_its_own(tmp_path):
    _git(tmp_path, "init", "-q")
    data = reference_patch(FILES, note="Of a task.", where="here")
    assert _git(tmp_path, "apply", "--index", data=data).returncode == 0
    own = _git(tmp_path, "diff", "--cached", "--full-index", "--no-renames")
    assert own.stdout == data.partition(b"\n")[2]


def test_the_same_files_give_the_same_bytes_in_any_order():
    one = reference_patch(FILES, note="n", where="here")
    assert one == reference_patch(dict(reversed(FILES.items())), note="n", where="here")


def test_what_is_no_text_is_refused():
    with pytest.raises(UserError, match=r"here/a\.bin: expected text"):
        reference_patch({"a.bin": b"\0"}, note="n", where="here")
