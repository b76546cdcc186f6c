"""The plagiarist: what the genuine library must and must not do, and an adapter's own faults.

Most tests take the environment as if pip had made it; two have pip make it.
"""

import json
import shutil
from typing import Any

import pytest

from shipbar.errors import SeamError
from shipbar.gates import Status, plagiarist
from shipbar.grading.install import install_pinned
from shipbar.grading.intake import Submission
from tests.gates import mutated

GATE = plagiarist.GATE
RECORDS = "tiny_sums-1.2.dist-info: packaging records"


@pytest.fixture
def made(monkeypatch):
    """Have the library installed at once; the test may change what is there."""
    found: dict[str, Any] = {
        "tinysums.py": mutated.LIBRARY.encode(),
        "records": RECORDS,
    }

    def install_pinned(sdist, sha256, sandbox, work):
        files = {name: data for name, data in found.items() if name != "records"}
        return Submission(
            files=files, left_out=(found["records"],), digest="", kind="tar"
        )

    monkeypatch.setattr(plagiarist, "install_pinned", install_pinned)
    return found


@pytest.fixture
def examined(tmp_path, trial_of):
    """Write the small task, change it, and examine it."""

    def examine(change=lambda folder: None, **changed):
        folder = mutated.write(tmp_path / "task", tmp_path / "cache", **changed)
        change(folder)
        trial = trial_of(folder)
        trial.cache = tmp_path / "cache"
        return GATE.examine(trial)

    return examine


def test_the_genuine_library_fails_as_it_is_and_behind_its_adapter(made, examined):
    found = examined()
    assert (found.status, found.problems, found.why) == (Status.PASSED, (), "")
    assert found.cell == "45 %"
    assert found.figures["raw"] == {
        "structure": "not found",
        "passed": 0,
        "total": 11,
    }
    assert found.figures["upstream"]["public_names"] == {"tinysums": 3}
    assert found.figures["adapted"]["calibration"] == {"passed": 5, "total": 5}
    assert found.figures["adapted"]["fails_of"] == {"less": [3, 3], "fold": [3, 3]}
    assert json.loads(json.dumps(found.figures)) == found.figures


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_pip_installs_it_by_path_and_hash(examined):
    found = examined()
    assert (found.status, found.why) == (Status.PASSED, "")
    assert found.figures["upstream"] == {
        "installed": ["tiny_sums 1.2"],
        "sources": 1,
        "sources_of_the_sdist": 1,
        "public_names": {"tinysums": 3},
    }


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_pip_refuses_another_file_under_the_pinned_hash(
    tmp_path, trial_of, bases, sandbox
):
    mutated.write(tmp_path / "task", tmp_path / "cache")
    trial = trial_of(bases["check-character-36"])
    sdist = tmp_path / "cache" / "upstream" / mutated.FILE
    with pytest.raises(SeamError, match=r"(?i)hash"):
        install_pinned(sdist, "0" * 64, sandbox, trial.work)


# -- what fails the task -----------------------------------------------------------------

NO_LONGER_INVERTED = mutated.ADAPTER.replace(
    "tinysums.less(number)", "tinysums.less(number) + 2"
)
UNCALIBRATED = mutated.ADAPTER.replace(
    "tinysums.double(number)", "tinysums.double(number) + (number == 3)"
)


@pytest.mark.parametrize(
    ("adapter", "says"),
    [
        (
            NO_LONGER_INVERTED,
            "fails 0 of the 3 that rule less decides, at least 3",
        ),
        (
            UNCALIBRATED,
            "passes 4 of 5 that no rule inverts, at least 95%; it fails test_spine_003",
        ),
        (mutated.ADAPTER.replace("import tinysums", "import tinysum"), "raised"),
        (
            mutated.ADAPTER.replace("def fesk", "def task"),
            "does not clear the structural check: symbols missing fesk",
        ),
        (mutated.package("-", 4), "works without the upstream"),
        (mutated.package("+", 3), "the genuine upstream passes every assertion"),
        (mutated.package("+", 4), "the genuine upstream scores 0.7273, at most 0.6"),
    ],
    ids=[
        "obeys a rule",
        "miscalibrated",
        "does not import",
        "lacks a name",
        "no library",
        "ships",
        "over the ceiling",
    ],
)
def test_a_task_whose_library_does_otherwise_is_stopped(made, examined, adapter, says):
    found = examined(adapter=adapter)
    assert found.status is Status.FAILED
    assert says in "\n".join(found.problems)


FAULTS = {
    "attribute": ("tinysums.less(number)", "tinysums.lessen(number)"),
    "argument": ("tinysums.less(number)", "tinysums.less(number, 1)"),
    "keyword": ("tinysums.less(number)", "tinysums.less(number, by=1)"),
    "name": ("tinysums.less(number)", "tinysum.less(number)"),
    "module": ("return tinysums.less", "import nowhere\n    return tinysums.less"),
    "own signature": ("def dranok(number)", "def dranok(number, other)"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failure_that_is_the_adapter_s_own_is_told_from_the_library_s(
    made, examined, fault
):
    found = examined(adapter=mutated.ADAPTER.replace(*FAULTS[fault]))
    said = [it for it in found.problems if it.startswith("a fault of the adapter")]
    assert len(said) == 1, found.problems
    assert said[0].endswith("it costs test_less_001, test_less_002, test_less_003")


def test_a_fault_that_the_adapter_hides_is_found_all_the_same(made, examined):
    hidden = (
        "try:\n        return tinysums.lessen(number)\n"
        "    except Exception:\n        raise ZumentFault from None"
    )
    adapter = mutated.ADAPTER.replace("return tinysums.less(number)", hidden)
    found = examined(adapter=adapter)
    assert "AttributeError in zument: module 'tinysums'" in "\n".join(found.problems)


def test_what_the_library_itself_raises_is_no_fault_of_the_adapter(made, examined):
    # `fesk(-2)` has the library raise an AttributeError, as a case that it fails.
    assert examined().status is Status.PASSED


def test_a_library_of_the_task_s_own_names_is_stopped(made, examined):
    made["zument.py"] = mutated.package("-", 4).encode()
    problems = "\n".join(examined().problems)
    assert "as it is clears the structural check" in problems
    assert "the adapter brings its own zument" in problems


def test_another_distribution_is_stopped(made, examined):
    made["records"] = "other_sums-1.2.dist-info: packaging records"
    assert "installs other_sums 1.2; the contract says tiny-sums 1.2" in "\n".join(
        examined().problems
    )


# -- what cannot be run --------------------------------------------------------------------


def test_what_is_not_fetched_is_not_run_and_says_the_command(examined, tmp_path):
    found = examined(lambda folder: shutil.rmtree(tmp_path / "cache"))
    assert found.status is Status.NOT_RUN
    assert "shipbar upstream fetch tiny-sums" in found.why


def test_without_an_adapter_it_is_not_run(made, examined):
    found = examined(lambda folder: shutil.rmtree(folder / "grader/adapter"))
    assert (found.status, found.problems) == (Status.NOT_RUN, ())
    assert "has no grader/adapter" in found.why


def test_without_flip_backs_it_is_not_run(made, examined):
    def rename(folder):
        text = (folder / "task.toml").read_text().replace("flip-back-", "flip-")
        (folder / "task.toml").write_text(text)
        for path in list((folder / "grader/known_bad").glob("flip-back-*")):
            path.rename(path.with_name(path.name.replace("flip-back-", "flip-")))

    found = examined(rename)
    assert found.status is Status.NOT_RUN
    assert "add one a rule" in found.why


def test_a_broken_installation_is_not_run_and_never_a_failure(made, examined):
    made["tinysums.py"] = b"import nowhere\n"
    found = examined()
    assert found.status is Status.NOT_RUN
    assert "tiny_sums-1.2.tar.gz cannot be imported" in found.why


def test_an_invented_task_has_nothing_to_install(bases, trial_of):
    found = GATE.examine(trial_of(bases["check-character-36"]))
    assert found.status is Status.NOT_APPLICABLE
    assert found.why
