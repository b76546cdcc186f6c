"""Installing: which trees are copied, which are built, and what a build may hand back.

Builds here are scripts that say what they please; real ones are in tests/e2e.
"""

import attrs
import pytest

from shipbar.errors import IntakeError, RequirementError, SandboxError, SeamError
from shipbar.grading import install as module
from shipbar.grading.install import Install, install, install_pinned, needs_build
from shipbar.grading.intake import take_in
from shipbar.sealed.frames import ESCAPED, LOAD, VALUE
from shipbar.testing.fakes import Scripted
from tests.contract.samples import EXPECTED
from tests.grading.packing import TREE, tar_of, wheel_of, write

TERMS = attrs.evolve(EXPECTED, import_name="roman")
SETUP = {"setup.py": b"from setuptools import setup\nsetup()\n"}
PYPROJECT = b'[project]\nname = "roman"\nversion = "1"\n'


def never(actor):
    raise AssertionError("nothing is to be built")


def installed(tmp_path, files, how=Install.AUTO, script=never):
    submission = take_in(write(tmp_path / "submission", files))
    sandbox = Scripted(script)
    work = tmp_path / "work"
    work.mkdir()
    try:
        return install(submission, TERMS, how, sandbox, work), sandbox
    finally:
        assert list(work.iterdir()) == []


def moved(prefix):
    return {f"{prefix}/{name}": data for name, data in TREE.items()}


# -- which way -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "root"),
    [
        (TREE, ""),
        (moved("src"), "src"),
        ({"roman.py": b""}, ""),
        ({**TREE, "pyproject.toml": PYPROJECT}, ""),
        ({**moved("src"), "pyproject.toml": PYPROJECT, "setup.cfg": b""}, "src"),
        ({**TREE, "pyproject.toml": b"not toml ["}, None),
        ({**TREE, "conftest.py": b"", "tests/test_a.py": b"", "README.md": b""}, ""),
        (
            {
                **TREE,
                "pyproject.toml": PYPROJECT
                + b'[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
            },
            "",
        ),
    ],
    ids=["flat", "src", "module", "pyproject", "src and setup.cfg", "broken", "untidy", "setuptools"],
)  # fmt: skip
def test_a_plain_tree_is_copied(tmp_path, files, root):
    if root is None:
        with pytest.raises(IntakeError):
            installed(tmp_path, files)
        return
    found, sandbox = installed(tmp_path, files)
    assert (found.way, found.root, found.failure) == ("tree", root, "")
    assert sandbox.actors == []
    assert found.notes == ()


@pytest.mark.parametrize(
    ("files", "root", "why"),
    [
        ({**TREE, **SETUP}, "", "setup.py"),
        ({"lib/roman.py": b"", "pyproject.toml": PYPROJECT}, None, "neither at its root"),
        ({"lib/roman.py": b"", "setup.cfg": b""}, None, "neither at its root"),
        (
            {**TREE, "pyproject.toml": b'[build-system]\nrequires = []\nbackend-path = ["."]\n'},
            "",
            "backend of its own",
        ),
        ({"lib/roman.py": b""}, None, ""),
        (TREE, "", ""),
        ({**TREE, "tests/setup.py": b""}, "", ""),
        ({**TREE, "pyproject.toml": b"build-system = 3"}, "", ""),
    ],
)  # fmt: skip
def test_what_a_copy_would_miss_is_built(files, root, why):
    assert (why in needs_build(files, root)) if why else not needs_build(files, root)


def test_a_tree_is_copied_whatever_it_holds_if_asked_for(tmp_path):
    found, sandbox = installed(tmp_path, {**TREE, **SETUP}, Install.TREE)
    assert found.way == "tree"
    assert sandbox.actors == []


# -- builds --------------------------------------------------------------------------


def builds(payload, kind=VALUE):
    def script(actor):
        actor.ready()
        request = actor.hear()
        assert request.kind == LOAD
        assert request.payload == b""
        actor.say(kind, request.id, payload)
        actor.wait()

    return script


def test_what_was_built_is_what_is_installed(tmp_path):
    wheel = wheel_of({"roman/__init__.py": b"built = True\n"})
    found, sandbox = installed(tmp_path, {**TREE, **SETUP}, script=builds(wheel))
    assert found.way == "pip"
    assert found.root == ""
    assert found.files["roman/__init__.py"] == b"built = True\n"
    assert found.notes == ("built with pip: it has a setup.py",)
    [job] = sandbox.jobs
    assert set(job.folders) == {"candidate", "extra"}
    assert job.limits == module.BUILD_LIMITS


def test_a_plain_tree_is_built_if_asked_for(tmp_path):
    found, _ = installed(tmp_path, TREE, Install.PIP, builds(wheel_of(TREE)))
    assert found.way == "pip"
    assert found.notes == ("built with pip: asked for",)


def test_a_build_that_fails_tells_its_own_words(tmp_path):
    words = b"error: no such option \xff"
    found, _ = installed(tmp_path, {**TREE, **SETUP}, script=builds(words, ESCAPED))
    assert found.root is None
    assert found.files == {}
    assert found.failure.startswith("error: no such option")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (lambda actor: actor.ready(), "crashed"),
        (lambda actor: (actor.ready(), actor.write(b"\xff" * 99), actor.wait()), "no wheel"),
        (lambda actor: (actor.ready(), actor.wait()), "took more than"),
    ],
    ids=["ends", "noise", "hangs"],
)  # fmt: skip
def test_a_build_that_does_not_end_well_is_the_submission_s_failure(
    script, why, tmp_path, monkeypatch
):
    limits = attrs.evolve(module.BUILD_LIMITS, wall_s=0.2)
    monkeypatch.setattr(module, "BUILD_LIMITS", limits)
    found, _ = installed(tmp_path, {**TREE, **SETUP}, script=script)
    assert found.root is None
    assert why in found.failure


def test_a_build_that_never_starts_is_the_machine_s_fault(tmp_path):
    with pytest.raises(SandboxError, match="a build did not start"):
        installed(tmp_path, {**TREE, **SETUP}, script=lambda actor: None)


@pytest.mark.parametrize(
    ("wheel", "error"),
    [
        (b"", IntakeError),
        (b"no wheel at all" * 99, IntakeError),
        (wheel_of({"../../etc/roman.py": b""}), IntakeError),
        (wheel_of({"/roman.py": b""}), IntakeError),
        (
            wheel_of(TREE, b"Metadata-Version: 2.4\nName: roman\nVersion: 1\nRequires-Dist: six\n"),
            RequirementError,
        ),
    ],
    ids=["empty", "noise", "upwards", "absolute", "dependency"],
)  # fmt: skip
def test_what_a_build_hands_back_is_taken_in_like_any_hostile_archive(
    wheel, error, tmp_path
):
    with pytest.raises(error):
        installed(tmp_path, {**TREE, **SETUP}, script=builds(wheel))


def test_a_wheel_without_the_package_is_not_found(tmp_path):
    found, _ = installed(
        tmp_path, {**TREE, **SETUP}, script=builds(wheel_of({"other/__init__.py": b""}))
    )
    assert found.root is None
    assert found.failure == ""


# -- a pinned upstream ----------------------------------------------------------------


def environment_of(files):
    """What the installer hands out: a tar of the new environment, below one folder."""
    return tar_of({f"site/{name}": data for name, data in files.items()})


def pinned(tmp_path, script):
    sdist = tmp_path / "roman-3.3.tar.gz"
    sdist.write_bytes(b"an sdist")
    sandbox = Scripted(script)
    work = tmp_path / "work"
    work.mkdir()
    try:
        return install_pinned(sdist, "ab" * 32, sandbox, work), sandbox
    finally:
        assert list(work.iterdir()) == []


def installs(payload, asked, kind=VALUE):
    def script(actor):
        actor.ready()
        request = actor.hear()
        asked.append(request.payload)
        actor.say(kind, request.id, payload)
        actor.wait()

    return script


def test_an_upstream_is_installed_by_path_and_hash(tmp_path):
    asked: list[bytes] = []
    made = environment_of(
        {
            "roman.py": b"built = True\n",
            "roman-3.3.dist-info/METADATA": b"Name: roman\n",
        }
    )
    found, sandbox = pinned(tmp_path, installs(made, asked))
    assert dict(found.files) == {"roman.py": b"built = True\n"}
    assert found.left_out == ("roman-3.3.dist-info: packaging records",)
    assert asked == [b"roman-3.3.tar.gz --hash=sha256:" + b"ab" * 32]
    [job] = sandbox.jobs
    assert set(job.folders) == {"candidate", "extra"}


@pytest.mark.parametrize(
    ("payload", "kind", "why"),
    [
        (b"THESE PACKAGES DO NOT MATCH THE HASHES", ESCAPED, "DO NOT MATCH"),
        (b"no archive" * 99, VALUE, "what pip installed"),
        (b"", VALUE, "what pip installed"),
    ],
    ids=["refused", "noise", "empty"],
)
def test_an_upstream_that_cannot_be_installed_is_nobody_s_score(
    payload, kind, why, tmp_path
):
    with pytest.raises(SeamError, match=why):
        pinned(tmp_path, installs(payload, [], kind))
