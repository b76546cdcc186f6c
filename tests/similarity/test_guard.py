"""The check of every grade: what is flagged, what is said of what cannot be, and no word of a source."""

import hashlib
import io
import json
import stat
import subprocess
import sys
import tarfile

import attrs
import pytest

from shipbar.errors import SeamError, UserError
from shipbar.grading.intake import take_in
from shipbar.grading.tasks import load_task
from shipbar.ports import Written
from shipbar.similarity.guard import FOLDER, guard_of, key_of
from shipbar.verdict import Copying, Level
from tests.cli import tiny
from tests.similarity.samples import LIBRARY, OTHER

NAMES = ("parse", "merge", "gaps")
HALF = LIBRARY[LIBRARY.index("def gaps") :]
SDIST = """
[upstream_sdist]
name = "gapped"
version = "1.0"
file = "gapped-1.0.tar.gz"
sha256 = "{sha256}"
licence = "MIT"
"""


def a_task(folder, *, reference=LIBRARY, bad=None, contract=None):
    tiny.task(folder, contract=contract or tiny.contract())
    tiny.write(
        folder / "grader",
        {
            "reference/tally/__init__.py": reference,
            "known_bad/hollow/tally/__init__.py": bad or tiny.HOLLOW,
        },
    )
    return load_task(folder)


def written(text, path="tally/__init__.py", **more):
    files = {path: text if isinstance(text, bytes) else text.encode(), **more}
    return Written(files=files, digest="sha256:00")


@pytest.fixture
def task(tmp_path):
    return a_task(tmp_path / "task")


@pytest.fixture
def guard(task, tmp_path):
    return guard_of(task, tmp_path / "cache")


def the_source(found: Copying):
    (source,) = found.sources
    return source


def test_a_copy_of_the_reference_is_flagged_with_its_place_and_shares(guard):
    found = guard.check(written(LIBRARY.replace("merged", "acc")))
    source = the_source(found)
    assert found.flagged
    assert source.source == "reference"
    assert (source.score, source.of_source, source.of_candidate) == (1.0, 1.0, 1.0)
    assert source.longest.path == "tally/__init__.py"
    lines = LIBRARY.split("\n")[source.longest.first - 1 : source.longest.last]
    assert "def gaps" in "\n".join(lines)
    assert 0.5 < source.longest.share <= 1.0


def test_other_work_is_clear(guard):
    found = guard.check(written(OTHER))
    assert found.level is Level.CLEAR
    assert not found.flagged
    assert found.reason == ""
    assert found.remarks == ()


def test_no_word_of_a_source_is_told(guard):
    told = json.dumps(guard.check(written(LIBRARY.replace("gaps", "f"))).as_json())
    assert not [name for name in NAMES if name in told]


def test_the_tasks_threshold_counts(task, tmp_path):
    lax = attrs.evolve(
        task,
        contract=attrs.evolve(
            task.contract,
            copy_guard=attrs.evolve(task.contract.copy_guard, reference=1.0),
        ),
    )
    found = guard_of(lax, tmp_path / "cache").check(written(HALF + OTHER))
    assert found.level is not Level.COPY
    assert the_source(found).copy == 1.0
    strict = guard_of(task, tmp_path / "cache").check(written(HALF + OTHER))
    assert strict.flagged
    assert the_source(strict).note < the_source(strict).review < 0.3


def test_a_reference_too_small_to_judge_says_so(tmp_path):
    small = a_task(tmp_path / "task", reference=tiny.REFERENCE)
    found = guard_of(small, tmp_path / "cache").check(written(tiny.REFERENCE))
    assert found.level is Level.TOO_SMALL
    assert not found.flagged


# -- held-out packages -----------------------------------------------------------


def test_a_known_bad_is_called_by_its_name_and_not_flagged(tmp_path):
    bad = LIBRARY.replace("high + 1", "high + 2")
    task = a_task(tmp_path / "task", bad=bad)
    guard = guard_of(task, tmp_path / "cache")
    taken = take_in(task.folder / "grader/known_bad/hollow")
    found = guard.check(Written(files=taken.files, digest=taken.digest))
    assert found.held_out == "grader/known_bad/hollow"
    assert not found.flagged
    assert "byte for byte" in found.reason


def test_a_known_bad_that_somebody_changed_is_a_copy_like_any(tmp_path):
    bad = LIBRARY.replace("high + 1", "high + 2")
    task = a_task(tmp_path / "task", bad=bad)
    changed = tiny.submission(tmp_path / "changed", f"{bad}\n")
    taken = take_in(changed)
    guard = guard_of(task, tmp_path / "cache")
    found = guard.check(Written(files=taken.files, digest=taken.digest))
    assert found.held_out == ""
    assert found.flagged


def test_a_held_out_package_scores_nothing_where_a_copy_does():
    found = Copying(metric=1, hard_fail=True, sources=(), held_out="grader/ladder/1")
    assert found.zeroed
    assert not attrs.evolve(found, hard_fail=False).zeroed


# -- the upstream ----------------------------------------------------------------


def sdist(text):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path in ("gapped-1.0/gapped.py", "gapped-1.0/tests/test_gapped.py"):
            member = tarfile.TarInfo(path)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


@pytest.fixture
def pinned(tmp_path):
    """A task with an upstream, the cache, and the upstream's sdist."""
    data = sdist(LIBRARY)
    contract = tiny.contract(('"invented"', '"mutated"')) + SDIST.format(
        sha256=hashlib.sha256(data).hexdigest()
    )
    return a_task(tmp_path / "task", reference=OTHER, contract=contract), data


def fetch(cache, data):
    folder = cache / "upstream"
    folder.mkdir(parents=True)
    (folder / "gapped-1.0.tar.gz").write_bytes(data)


def test_an_upstream_that_is_not_fetched_is_not_compared_and_that_is_said(
    pinned, tmp_path
):
    task, _ = pinned
    found = guard_of(task, tmp_path / "cache").check(written(LIBRARY))
    levels = {it.source: it.level for it in found.sources}
    assert levels == {"reference": Level.CLEAR, "upstream": Level.NOT_COMPARED}
    assert found.sources[1].reasons == ("not fetched",)
    assert not found.flagged


def test_a_copy_of_a_fetched_upstream_is_flagged_as_that(pinned, tmp_path):
    task, data = pinned
    cache = tmp_path / "cache"
    before = guard_of(task, cache)
    fetch(cache, data)
    after = guard_of(task, cache)
    assert before.name != after.name
    found = after.check(written(LIBRARY))
    assert {it.source: it.level for it in found.sources} == {
        "reference": Level.CLEAR,
        "upstream": Level.COPY,
    }
    assert found.reason.startswith("a copy of the upstream: ")
    assert "gapped" not in json.dumps(found.as_json())


def test_another_file_in_the_upstreams_place_is_no_finding(pinned, tmp_path):
    task, _ = pinned
    fetch(tmp_path / "cache", sdist(OTHER))
    with pytest.raises(SeamError, match="expected sha256"):
        guard_of(task, tmp_path / "cache")


# -- the index -------------------------------------------------------------------


def test_an_index_is_kept_for_its_owner_alone_and_gives_the_same(task, tmp_path):
    cache = tmp_path / "cache"
    first = guard_of(task, cache)
    path = cache / FOLDER / f"{key_of(task, cache)}.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    second = guard_of(task, cache)
    assert first.name == second.name
    assert first.check(written(HALF)) == second.check(written(HALF))


def test_a_damaged_index_is_made_anew(task, tmp_path):
    cache = tmp_path / "cache"
    name = guard_of(task, cache).name
    path = cache / FOLDER / f"{key_of(task, cache)}.json"
    path.write_bytes(path.read_bytes()[:1000])
    assert guard_of(task, cache).name == name
    assert guard_of(task, cache).check(written(LIBRARY)).flagged


def test_a_cache_that_cannot_be_written_costs_time_alone(task, tmp_path):
    (tmp_path / "file").write_text("")
    assert guard_of(task, tmp_path / "file").check(written(LIBRARY)).flagged


def test_a_task_whose_own_package_cannot_be_read_refuses_no_candidate(tmp_path):
    task = a_task(tmp_path / "task")
    path = task.folder / "grader/reference/tally/link"
    path.symlink_to("/etc/hostname")
    with pytest.raises(UserError, match="copy guard") as caught:
        guard_of(task, tmp_path / "cache")
    assert type(caught.value) is UserError


# -- hiding (I10, P01, P02) ------------------------------------------------------

ESCAPED = (
    b"# coding: unicode_escape\n#"
    + LIBRARY.replace("\\", "\\\\").replace("\n", "\\n").encode()
)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"tally/core.txt": LIBRARY.encode()}, "a Python program, whatever"),
        ({"tally/.data": LIBRARY.encode()}, "a Python program, whatever"),
        ({"tally/core.py": ESCAPED}, "written in unicode-escape"),
        ({"_vendor/core.py": LIBRARY.encode()}, "other people's code"),
        ({"core.py": b"# Generated by a tool.\n" + LIBRARY.encode()}, "generated"),
        ({"core.py": b"def f(:\n" + LIBRARY.encode()}, "does not parse"),
    ],
    ids=["data", "no-suffix", "encoding", "vendored", "generated", "broken"],
)
def test_a_copy_is_found_where_it_is_hidden_and_the_place_is_named(guard, files, said):
    found = guard.check(written(OTHER, **files))
    assert found.flagged
    (path,) = files
    assert [it for it in found.remarks if it.startswith(path) and said in it]


@pytest.mark.parametrize("width", [76, 100_000], ids=["lines", "one-line"])
def test_what_nobody_can_read_asks_for_a_review(guard, width):
    # Random bytes in hexadecimal, as a packed library would be.
    packed = hashlib.shake_256(b"library").hexdigest(3000)
    lines = "\n".join(packed[at : at + width] for at in range(0, len(packed), width))
    found = guard.check(written(f'{OTHER}\nHIDDEN = """\n{lines}\n"""\n'))
    assert found.level is Level.REVIEW
    assert "no program text" in found.remarks[0]


def test_what_its_build_made_is_compared_too(guard):
    found = guard.check(
        attrs.evolve(
            written(OTHER),
            built={
                "tally/__init__.py": OTHER.encode(),
                "tally/core.py": LIBRARY.encode(),
            },
        )
    )
    assert found.flagged
    assert found.remarks == ("(built) tally/core.py: made by its build",)


def test_half_of_the_reference_among_much_own_code_is_flagged(guard):
    own = {f"tally/m{n}.py": OTHER.replace("self", f"s{n}").encode() for n in range(8)}
    assert guard.check(written(HALF, **own)).flagged


def test_files_in_other_languages_are_compared_as_text(guard):
    found = guard.check(written(OTHER, **{"tally/a.cs": b"class A { int F() {} }\n"}))
    assert found.level is Level.CLEAR
    assert "compared as text" in found.remarks[0]


def test_of_a_flood_of_remarks_the_first_are_told(guard):
    files = {f"d{n}.json": b"{}" for n in range(300)}
    found = guard.check(written(OTHER, **files))
    assert len(found.remarks) == 101
    assert found.remarks[-1] == "and of 200 files more"


@pytest.mark.slow
def test_a_finding_hangs_on_no_hash_seed(task, tmp_path):
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from shipbar.grading.tasks import load_task\n"
        "from shipbar.similarity.guard import guard_of\n"
        "from tests.similarity.samples import LIBRARY, OTHER\n"
        "from tests.similarity.test_guard import HALF, written\n"
        "guard = guard_of(load_task(sys.argv[1]), Path(sys.argv[2]))\n"
        "print(guard.name, guard.check(written(HALF + OTHER)).as_json())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program, task.folder, tmp_path / f"cache-{seed}"],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
            timeout=50,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(said) == 1
