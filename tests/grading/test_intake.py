import importlib.util
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from shipbar.errors import IntakeError, RequirementError
from shipbar.grading.intake import Caps, find_import_root, take_in, write_tree
from tests.grading.packing import COMPRESSORS, TREE, tar_of, wheel_of, write


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "solution", TREE)


def refused(path, match, **caps):
    with pytest.raises(IntakeError, match=match) as caught:
        take_in(path, caps=Caps(**caps))
    assert "\n" not in str(caught.value)
    return caught.value


# -- what comes in -------------------------------------------------------------------


def test_a_folder_is_taken_in_by_content(folder):
    taken = take_in(folder)
    assert taken.files == TREE
    assert list(taken.files) == sorted(TREE)
    assert taken.left_out == ()
    assert taken.kind == "directory"


def test_a_folder_its_tar_and_its_wheel_have_one_digest(folder, tmp_path):
    digests = {take_in(str(folder)).digest}
    for name, compress in COMPRESSORS.items():
        path = tmp_path / f"{name}.bin"
        path.write_bytes(compress(tar_of(TREE, "roman-1.0/")))
        taken = take_in(path)
        assert taken.kind == "tar"
        digests.add(taken.digest)
    path = tmp_path / "roman-1.0-py3-none-any.whl"
    path.write_bytes(wheel_of(TREE))
    assert take_in(path).kind == "wheel"
    digests.add(take_in(path).digest)
    assert len(digests) == 1
    assert digests.pop().startswith("sha256:")


def test_the_digest_tells_apart_what_differs(tmp_path):
    trees = [
        {"a.py": b"1", "b.py": b"2"},
        {"a.py": b"2", "b.py": b"1"},
        {"a.py": b"1", "c.py": b"2"},
        {"a.py": b"1"},
        {"a.py": b"", "b.py": b"12"},
    ]
    taken = [take_in(write(tmp_path / str(n), tree)) for n, tree in enumerate(trees)]
    assert len({one.digest for one in taken}) == len(trees)


def test_modes_and_times_do_not_change_the_digest(folder):
    before = take_in(folder).digest
    path = folder / "roman/__init__.py"
    path.chmod(0o4755)
    os.utime(path, (1, 1))
    assert take_in(folder).digest == before


def test_untidy_honest_files_stay(tmp_path):
    files = {
        "roman/__init__.py": b"\xef\xbb\xbfx = 1\r\n",
        "roman/größe.py": b"x = 1\n",
        "roman/table.dat": bytes(range(256)),
        "roman/rows.csv": b"MZ,1\r\n",
        "roman/sub/deep.pyi": b"x: int\n",
        "requirements.txt": b"requests==2.0\n",
        "uv.lock": b"version = 1\n",
        "README.md": b"# Roman\r\n",
        "tests/conftest.py": b"",
        "tests/test_roman.py": b"def test(): pass\n",
        "pyproject.toml": b'\xef\xbb\xbf[project]\r\nname = "roman"\r\n',
        ".gitignore": b"*.pyc\n",
    }
    taken = take_in(write(tmp_path / "s", files))
    assert taken.files == files
    assert taken.left_out == ()


@pytest.mark.parametrize("flags", [0, 1, 2, 3])
def test_bytecode_is_left_out_under_any_name_and_whatever_the_loader_takes(
    tmp_path, flags
):
    code = importlib.util.MAGIC_NUMBER + bytes([flags, 0, 0, 0]) + bytes(8)
    taken = take_in(write(tmp_path / "s", {**TREE, "roman/table.txt": code}))
    assert taken.files == TREE
    assert taken.left_out == ("roman/table.txt: compiled code: a submission is source",)


def test_caches_and_compiled_code_are_left_out_and_named(tmp_path):
    pyc = (3495).to_bytes(2, "little") + b"\r\n" + b"\1\0\0\0" + bytes(20)
    windows = b"MZ".ljust(0x3C, b"\0") + (0x40).to_bytes(4, "little") + b"PE\0\0"
    left_out = {
        "__pycache__/x.cpython-311.pyc": b"",
        "roman/__pycache__/x.pyc": b"",
        ".git/hooks/post-checkout": b"",
        ".venv/bin/python": b"",
        "node_modules/a/b.js": b"",
        "roman.egg-info/requires.txt": b"requests",
        "roman-1.dist-info/entry_points.txt": b"[pytest11]\nx = y\n",
        "roman/fast.so": b"",
        "roman/fast.PYD": b"",
        "roman/old.pyc": b"",
        "evil.pth": b"import os\n",
        "vendor.zip": b"",
        "upstream.whl": b"",
        "roman/native.dat": b"\x7fELF\2\1\1",
        "roman/module.wasm.txt": b"\0asm\1\0\0\0",
        "roman/mac.bin": b"\xcf\xfa\xed\xfe",
        "roman/windows.json": windows,
        "roman/sourceless.py": pyc,
        "roman/packed.csv": b"PK\3\4rest",
        "roman/appended.py": b"#!/usr/bin/python\nPK\5\6" + bytes(18),
    }
    taken = take_in(write(tmp_path / "s", {**TREE, **left_out}))
    assert taken.files == TREE
    named = [line.partition(": ")[0] for line in taken.left_out]
    assert len(named) == len(left_out)
    assert {".git", ".venv", "roman/__pycache__", "roman/fast.so"} <= set(named)
    assert "roman/native.dat: compiled code: a submission is source" in taken.left_out
    assert named == sorted(named)


def test_an_environment_is_not_walked(folder):
    # Links, depth and numbers inside would all be refused elsewhere.
    write(folder / ".venv", {"/".join("abcdefghijklmnopqrstuvw"): b"", "x": b""})
    (folder / ".venv/python").symlink_to("/usr/bin/python3")
    assert take_in(folder, caps=Caps(files=3)).files == TREE


def test_files_named_like_a_suffix_stay(tmp_path):
    files = {"so": b"1", "zip": b"2", "pyc.py": b"3"}
    assert take_in(write(tmp_path / "s", files)).files == files


def test_upper_and_lower_case_stay_apart(tmp_path):
    files = {"roman.py": b"1", "Roman.py": b"2"}
    assert take_in(write(tmp_path / "s", files)).files == files


def test_nothing_left_to_grade_is_an_error(tmp_path):
    refused(write(tmp_path / "empty", {}), "holds no file to grade$")
    only = write(tmp_path / "only", {"a.so": b""})
    refused(only, "left out: a.so: compiled code")


def test_intake_of_a_folder_loads_no_archive_reader():
    code = (
        "import sys, shipbar.grading.intake as i; i.take_in(sys.argv[1]);"
        "heavy = {'tarfile', 'zipfile', 'lzma', 'bz2', 'tomllib', 'packaging'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    folder = Path(__file__).parent
    ran = subprocess.run(
        [sys.executable, "-c", code, folder], check=False, capture_output=True
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


# -- the path ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "roman",
        "roman==4.1",
        "roman>=4,<5",
        "roman[fast]",
        "roman; python_version > '3'",
        "roman @ file:///tmp/roman",
        "roman @ ./roman",
        "https://example.org/roman.tar.gz",
        "git+https://example.org/roman.git",
        "git+ssh://git@example.org/roman.git@v1",
        "git@example.org:owner/roman.git",
        "file:///tmp/roman",
        "--extra-index-url https://example.org/simple roman",
        "roman --index-url=mirror",
        "-e .",
    ],
)
def test_names_are_never_resolved(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RequirementError, match="names are never resolved"):
        take_in(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "./roman", "out/roman", "/nowhere", "roman.tar.gz", "roman-1.whl", "a\0b",
     "x" * 5000, "../roman", "~/roman"],
    ids=range(11),
)  # fmt: skip
def test_a_path_that_is_not_there(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error = refused(text, "no such file or directory")
    assert not isinstance(error, RequirementError)
    assert len(str(error)) < 200


def test_a_bare_name_that_exists_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "roman==4.1", TREE)
    assert take_in("roman==4.1").files == TREE


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "roman.py"
    for data in (b"", b"x = 1\n", bytes(512), bytes(10240), b"x" * 600):
        path.write_bytes(data)
        refused(path, "expected a folder, a tar .* or a wheel")


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    refused(tmp_path / "fifo", "neither a folder nor a regular file")
    refused("/dev/zero", "neither a folder nor a regular file")


@pytest.mark.parametrize("slash", ["", "/", "/."])
def test_h01_a_link_in_place_of_the_path_is_refused(folder, tmp_path, slash):
    (tmp_path / "link").symlink_to(folder)
    refused(f"{tmp_path}/link{slash}", "a symbolic link; give the path it leads to")


def test_unreadable_files_are_refused(folder, monkeypatch):
    open_it = os.open

    def denied(path, *args, **kwargs):
        if path == "data.json":
            raise PermissionError(13, "Permission denied")
        return open_it(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", denied)
    refused(folder, "data.json': cannot be opened: Permission denied")


def test_hostile_folder_names_are_shown_escaped(tmp_path):
    path = write(tmp_path / "a\x1b[2Jb", {"x/y.so": b""})
    assert "\x1b" not in str(refused(path, "holds no file"))


# -- hostile folders -----------------------------------------------------------------


def test_h01_links_inside_count_as_copies(folder):
    (folder / "roman/twin.py").symlink_to("__init__.py")
    (folder / "roman/chain.py").symlink_to("../roman/twin.py")
    taken = take_in(folder)
    assert taken.files["roman/twin.py"] == TREE["roman/__init__.py"]
    assert taken.files["roman/chain.py"] == TREE["roman/__init__.py"]


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("/etc/passwd", "out of the submission"),
        ("../secret", "out of the submission"),
        ("roman/../../secret", "out of the submission"),
        ("nothing", "cannot be opened"),
        ("nothing/at/all", "cannot be opened"),
        ("roman", "not a regular file"),
        (".", "not taken in"),
        ("a_link", "more than 8 links in a row"),
        (".git/config", "not taken in"),
        ("fifo", "not a regular file"),
        ("out/secret", "cannot be opened"),
        ("\x1b]0;title\x07" * 50, "cannot be opened"),
    ],
    ids=range(12),
)
def test_h01_other_links_are_refused(folder, tmp_path, target, why):
    (tmp_path / "secret").write_bytes(b"held out")
    write(folder / ".git", {"config": b""})
    (folder / "out").symlink_to(tmp_path)
    os.mkfifo(folder / "fifo")
    (folder / "a_link").symlink_to(target)  # the first name, so the first that is read
    error = str(refused(folder, why))
    assert "a_link" in error
    assert error.isprintable()


def test_n07_special_files_are_refused(folder):
    os.mkfifo(folder / "fifo")
    refused(folder, "'fifo': not a regular file, folder or link")
    (folder / "fifo").unlink()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(folder / "socket"))
        refused(folder, "'socket': not a regular file")


@pytest.mark.parametrize("swap", ["link", "fifo", "folder", "gone"])
def test_n07_a_swap_between_look_and_use_gains_nothing(
    folder, tmp_path, swap, monkeypatch
):
    secret = write(tmp_path / "secret", {"data.json": b"held out"}) / "data.json"
    victim = folder / "roman/data.json"
    open_it = os.open

    def swapping(path, *args, **kwargs):
        if path == "data.json":
            victim.unlink()
            if swap == "link":
                victim.symlink_to(secret)
            elif swap == "fifo":
                os.mkfifo(victim)
            elif swap == "folder":
                victim.mkdir()
        return open_it(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", swapping)
    refused(folder, "data.json': (cannot be opened|not a regular file)")


def test_n07_a_folder_swapped_for_a_link_is_not_entered(folder, tmp_path, monkeypatch):
    secret = write(tmp_path / "secret", {"data.json": b"held out"})
    open_it = os.open

    def swapping(path, *args, **kwargs):
        if path == "roman":
            (folder / "roman").rename(tmp_path / "away")
            (folder / "roman").symlink_to(secret)
        return open_it(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", swapping)
    refused(folder, "'roman': cannot be opened")


def test_a_file_that_grows_while_it_is_read_is_still_capped(folder, monkeypatch):
    read = os.read

    def growing(descriptor, size):
        return read(descriptor, size) or b"x" * size

    monkeypatch.setattr(os, "read", growing)
    refused(folder, "larger than 10000 bytes", file_bytes=10_000)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\\b.py", "backslash"),
        ("C:evil.py", "relative"),
        ("a\nb.py", "control"),
        ("a\x1b[2J.py", "control"),
        ("a\u2028b.py", "control"),
        (b"\xe9.py", "UTF-8"),
    ],
)
def test_h08_hostile_names_are_refused(folder, name, why):
    Path(os.fsdecode(os.fsencode(folder) + b"/" + os.fsencode(name))).write_bytes(b"")
    assert str(refused(folder, why)).isprintable()


def test_names_equal_after_normalisation_are_refused(folder):
    write(folder, {"\u00e9.py": b"1", "e\u0301.py": b"2"})
    refused(folder, "is there twice")


@pytest.mark.parametrize(
    ("caps", "why"),
    [
        ({"files": 2}, "more than 2 files"),
        ({"total_bytes": 40}, "more than 40 bytes in all"),
        ({"file_bytes": 30}, "larger than 30 bytes"),
        ({"depth": 1}, "more than 1 names deep"),
        ({"path_bytes": 14}, "longer than 14 bytes"),
    ],
)
def test_caps_hold_for_folders(folder, caps, why):
    refused(folder, why, **caps)


def test_caps_that_just_fit_are_fine(folder):
    size = sum(map(len, TREE.values()))
    caps = Caps(files=3, total_bytes=size, file_bytes=38, depth=2, path_bytes=17)
    assert take_in(folder, caps=caps).files == TREE


def test_many_empty_folders_and_left_out_files_are_capped(tmp_path):
    folders = tmp_path / "folders"
    for n in range(11):
        (folders / f"d{n}").mkdir(parents=True)
    refused(folders, "more than 10 folders", files=10)
    refused(
        write(tmp_path / "s", {f"{n}.so": b"" for n in range(11)}),
        "to leave out",
        files=10,
    )
    refused(
        write(tmp_path / "t", {f"{n}": b"" for n in range(31)}),
        "more than 30 names",
        files=10,
    )


def test_no_descriptor_is_left_open(folder):
    (folder / "roman/link").symlink_to("nothing")
    before = len(list(Path("/proc/self/fd").iterdir()))
    refused(folder, "cannot be opened")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# -- what is done with it ------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "root"),
    [
        (["roman/__init__.py"], ""),
        (["roman.py"], ""),
        (["roman/core.py"], ""),
        (["src/roman/__init__.py"], "src"),
        (["src/roman.py"], "src"),
        (["src/roman/core.py"], "src"),
        (["roman/tool.py", "src/roman/__init__.py"], "src"),
        (["roman/__init__.py", "src/roman/__init__.py"], ""),
        (["roman/data.json", "lib/roman/__init__.py"], None),
        (["romanic/__init__.py", "roman/sub/x.py"], None),
        ([], None),
    ],
)
def test_the_import_root(paths, root):
    assert find_import_root(dict.fromkeys(paths, b""), "roman") == root


def test_the_import_root_of_a_dotted_name():
    assert find_import_root({"src/a/b/__init__.py": b""}, "a.b") == "src"


@pytest.mark.parametrize(
    ("readable", "file_mode", "folder_mode"),
    [(True, 0o644, 0o755), (False, 0o600, 0o700)],
)
def test_written_trees_have_safe_modes(tmp_path, readable, file_mode, folder_mode):
    files = {
        "src/a/b/c.py": b"1" * 100_000,
        "src/d.py": b"",
        "srcs/e.py": b"",
        "f.py": b"",
    }
    old = os.umask(0o077)
    try:
        write_tree(files, tmp_path, "src", world_readable=readable)
    finally:
        os.umask(old)
    found = {str(p.relative_to(tmp_path)): p for p in tmp_path.rglob("*")}
    assert set(found) == {"a", "a/b", "a/b/c.py", "d.py"}
    assert found["a/b/c.py"].read_bytes() == b"1" * 100_000
    for path in found.values():
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (folder_mode if path.is_dir() else file_mode)


def test_a_written_tree_is_what_was_taken_in(folder, tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    taken = take_in(folder)
    write_tree(taken.files, target, "", world_readable=True)
    assert take_in(target).digest == taken.digest


def test_write_tree_overwrites_nothing(tmp_path):
    (tmp_path / "a.py").symlink_to("/dev/null")
    with pytest.raises(FileExistsError):
        write_tree({"a.py": b"x"}, tmp_path, "", world_readable=True)
