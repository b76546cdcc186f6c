import pytest

from shipbar import config
from shipbar.errors import UserError
from shipbar.grading.checks import SuiteReport, TaskReport, check_suite, check_task
from shipbar.grading.tasks import read_contract
from tests.grading.authoring import (
    PROBES,
    REFERENCE,
    SUITE,
    contents,
    edit,
    new_task,
    public,
    sandbox,
)

REMEMBERED = "grader/known_bad/remembered/strips/__init__.py"


@pytest.fixture
def folder(tmp_path):
    return new_task(tmp_path)


def suite_of(folder) -> SuiteReport:
    contract = read_contract(folder)
    return check_suite(folder, contract, sandbox(), config.current().work)


def report_on(folder) -> TaskReport:
    return check_task(folder, sandbox(), config.current().work)


def by_hand(folder, *tests: str, count: int | None = None) -> SuiteReport:
    """Replace the suite by hand-written tests and check it."""
    (folder / PROBES).unlink()
    head = "import pytest\nfrom strips import StripFault, count, cut\n\n"
    (folder / SUITE).write_text(head + "\n\n".join(tests), "utf-8")
    edit(folder / "task.toml", "min_passed = 12", f"min_passed = {count or len(tests)}")
    return suite_of(folder)


# -- a suite


def test_the_scaffold_has_neither_problems_nor_warnings(folder):
    before = contents(folder)
    found = suite_of(folder)
    assert (found.problems, found.warnings) == ((), ())
    assert found.rules == {"signs": 3, "gaps": 3, "cutting": 3, "faults": 3}
    assert found.count == 12
    assert contents(folder) == before


def test_every_test_that_cannot_be_lifted_is_told_with_how_to_reshape_it(folder):
    found = by_hand(
        folder,
        "def test_a_1():\n    assert count('|')\n",
        "def test_a_2(tmp_path):\n    assert count('|') == 7\n",
        "def test_a_3():\n    assert count('|') == 7\n",
    )
    assert [item.partition(": ")[0] for item in found.problems] == [
        f"{SUITE}:4",
        f"{SUITE}:8",
    ]
    assert "write `assert (count('|')) is True`" in found.problems[0]
    assert "fixture" in found.problems[1]
    assert found.suite is None


def test_an_answer_that_the_reference_does_not_give_is_shown_beside_the_expected(
    folder,
):
    found = by_hand(
        folder,
        "def test_a_1():\n    assert count('|') == 8\n",
        "def test_a_2():\n    assert cut(-1) == ''\n",
        "def test_a_3():\n    with pytest.raises(ValueError):\n        cut(0)\n",
        "def test_a_4():\n    strip = cut(-1)\n    assert strip == ''\n",
        "def test_a_5():\n    import os\n    assert os._exit(0) is None\n",
        "def test_a_6():\n    assert count == 1\n",
    )
    said = [item.partition("does not pass it: ")[2] for item in found.problems]
    assert [why.partition("; correct one of the two")[0] for why in said] == [
        "it answers 7, expected 8",
        'it raises StripFault, expected ""',
        'it answers "", expected it to raise ValueError',
        'it raises StripFault, already in the arrange part, expected ""',
        "it ended the process (a crash, an exit, or too much memory)",
        said[5].partition("; correct one of the two")[0],
    ]
    assert "is no plain data; observe it through attributes" in said[5]


def test_what_hashing_or_order_decides_is_not_repeatable(folder):
    found = by_hand(
        folder,
        "SEEN = []\n\ndef test_a_1():\n    SEEN.append(1)\n    assert len(SEEN) == 1\n",
        "def test_a_2():\n    SEEN.append(2)\n    assert count('|') == 7\n",
        count=2,
    )
    (problem,) = found.problems
    assert problem.startswith(f"{SUITE}:6: test_a_1: not repeatable")
    assert "it answers 2, expected 1" in problem


def test_errors_must_be_what_the_reference_has_and_the_line_is_given(folder):
    test = "def test_a_1():\n    with pytest.raises(StripFault):\n        cut(-1)\n"
    found = by_hand(folder, "ERRORS = {'StripFault': ('KeyError',)}\n", test, count=1)
    assert found.errors == 'ERRORS = {"StripFault": ("ValueError",)}'
    assert "declared (KeyError), the reference has (ValueError)" in found.problems[0]


def test_errors_that_are_missing_are_given_too(folder):
    found = by_hand(
        folder,
        "def test_a_1():\n    with pytest.raises(StripFault):\n        cut(-1)\n",
    )
    assert "ERRORS has no entry for StripFault" in found.problems[0]
    assert found.errors == 'ERRORS = {"StripFault": ("ValueError",)}'


def test_an_expected_error_that_is_no_exception_is_told(folder):
    found = by_hand(
        folder,
        "ERRORS = {'count': ()}\n",
        "def test_a_1():\n    with pytest.raises(count):\n        cut(-1)\n",
        count=1,
    )
    assert "count: expected an exception class" in found.problems[0]


def test_lineages_name_public_and_library_classes_and_nothing_private(folder):
    code = (
        "class _Base(KeyError):\n    pass\n\nclass Deep(StripFault, _Base):\n    pass\n"
    )
    with (folder / REFERENCE).open("a") as file:
        file.write(f"\n\n{code}")
    public(folder, "Deep")
    found = by_hand(folder, "ERRORS = {'Deep': ()}\n", count=1)
    assert found.errors == (
        'ERRORS = {"Deep": ("StripFault", "ValueError", "KeyError", "LookupError")}'
    )


def test_a_suite_that_its_probes_do_not_give_is_told(folder):
    edit(folder / SUITE, "assert count(\"|'.''.|.\") == 255", "assert count('|') == 7")
    assert "differs from what grader/probes.py gives" in suite_of(folder).problems[0]


def test_a_wrong_count_is_told_with_its_line(folder):
    edit(folder / "task.toml", "min_passed = 12", "min_passed = 11")
    assert (
        "task.toml:23: grader.min_passed: expected 12" in suite_of(folder).problems[0]
    )


def test_a_reference_that_does_not_import_is_told_beside_the_rest(folder):
    (folder / REFERENCE).write_text("raise OSError('not today')\n")
    edit(folder / SUITE, "assert count(\"|'.''.|.\") == 255", "assert count('|')")
    found = suite_of(folder)
    assert "not liftable" in found.problems[0]
    assert "cannot be imported" in found.problems[1]
    assert "not today" in found.problems[1]


# -- a task


def test_the_scaffold_is_in_order(folder):
    found = report_on(folder)
    assert found.ok
    assert [
        (item.path.rpartition("/")[2], item.role, item.verdict and item.verdict.passed)
        for item in found.packages
    ] == [
        ("reference", "reference", 12),
        ("remembered", "known-bad", 3),
        ("hollow", "known-bad", 0),
    ]


def test_a_contract_that_cannot_be_read_is_a_finding_with_all_its_problems(folder):
    edit(folder / "task.toml", 'split = "train"', 'split = "both"')
    edit(folder / "task.toml", "min_passed = 12", "min_passed = 0")
    found = report_on(folder)
    assert [item.rpartition("/")[2].partition(": ")[0] for item in found.problems] == [
        "task.toml:6",
        "task.toml:23",
    ]


def test_no_task_at_all_is_an_error(tmp_path):
    with pytest.raises(UserError, match="is no task"):
        report_on(tmp_path)


def test_layout_suite_and_packages_are_told_together(folder):
    (folder / "solver/HINTS.md").write_text("hidden tests are in grader/")
    (folder / "TASK.md").unlink()
    edit(folder / SUITE, "== 255", "== 256")
    (folder / PROBES).unlink()
    said = "\n".join(report_on(folder).problems)
    for words in (
        "TASK.md: expected by the contract",
        "HINTS.md: the solver-visible tree holds",
        "test_gaps_003: the reference does not pass it",
        "the reference must ship, and passes 11 of 12; test_gaps_003: wrong",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "raise ImportError('no')\n",
            "clear the structural check: raised: ImportError: no",
        ),
        ("def count(strip): ...\n", "symbols missing: StripFault, cut"),
        (None, "passes every assertion"),
    ],
)
def test_a_known_bad_must_import_and_fail(folder, code, words):
    reference = (folder / REFERENCE).read_text()
    (folder / REMEMBERED).write_text(code or reference)
    (problem,) = report_on(folder).problems
    assert problem.startswith(f"{folder}/grader/known_bad/remembered: ")
    assert words in problem


def test_a_known_bad_that_is_no_submission_is_told(folder):
    (folder / REMEMBERED).unlink()
    (folder / REMEMBERED).parent.rmdir()
    assert "holds no file to grade" in report_on(folder).problems[0]


def test_only_the_first_known_bad_is_held_to_the_recall_ceiling(folder):
    edit(folder / "task.toml", "recall_ceiling = 0.5", "recall_ceiling = 0.2")
    assert "scores 0.2500, over recall_ceiling" in report_on(folder).problems[0]
    edit(
        folder / "task.toml",
        '["grader/known_bad/remembered", "grader/known_bad/hollow"]',
        '["grader/known_bad/hollow", "grader/known_bad/remembered"]',
    )
    assert report_on(folder).ok
