"""What a solver may see of a task and of a verdict wins no held-out case."""

import ast
import json
from collections.abc import Iterator

import attrs

from shipbar.attacks import Ground, m01
from shipbar.verdict import Verdict
from tests.attacks.conftest import TASK, Sealed, tree

LONG = 8
"""Characters from which on a text is no coincidence."""


def expected_texts(ground: Ground) -> Iterator[str]:
    """The longer strings on the right side of the suite's assertions."""
    for data in ground.suite.values():
        for node in ast.walk(ast.parse(data)):
            if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare):
                for part in ast.walk(node.test.comparators[0]):
                    if isinstance(part, ast.Constant) and len(str(part.value)) >= LONG:
                        yield str(part.value)


def test_a_verdict_tells_no_expectation(ground: Ground, honest: Verdict):
    told = json.dumps(honest.as_json())
    names = {*ground.symbols}  # an exception's name is public
    texts = [text for text in expected_texts(ground) if text not in names]
    assert len(texts) > 10
    assert [text for text in texts if text in told] == []


def test_cases_of_a_kind_look_alike_in_a_verdict(honest: Verdict):
    assert {frozenset(case) for case in honest.as_json()["cases"]} == {
        frozenset({"id", "rule", "outcome"})
    }


def test_a_table_of_the_specifications_examples_wins_nothing(
    ground: Ground, sealed: Sealed
):
    hollow = tree(TASK / "grader" / "known_bad" / "hollow")
    init = f"{ground.import_name}/__init__.py"
    text = (TASK / "solver" / "SPEC.md").read_text()
    hollow[init] += f"\n__doc__ = {text!r}\n".encode()
    by_heart = m01.payload(attrs.evolve(ground, honest=hollow))
    verdict = sealed(by_heart)
    assert verdict.structure.ok
    assert verdict.passed == 0


PEEK = """
import select, sys
frame = sys._getframe()
while frame and "requests" not in frame.f_locals:
    frame = frame.f_back
requests = frame.f_locals["requests"]
came = select.select([requests.fileno()], [], [], 0.5)[0]
raise ImportError(requests.peek().decode("utf-8", "replace") if came else "nothing")
"""


def test_a_failed_import_tells_no_question(ground: Ground, sealed: Sealed):
    """The package's own words come back in the verdict, so it must not have been asked yet."""
    files = dict(ground.honest)
    init = f"{ground.import_name}/__init__.py"
    files[init] += f"\n{PEEK}".encode()
    verdict = sealed(files)
    assert verdict.structure.why == "raised"
    assert "ImportError" in verdict.run.trace
    assert "def case" not in verdict.run.trace


def test_a_forged_import_that_fails_later_tells_no_question(
    ground: Ground, sealed: Sealed
):
    """Answering for the runner brings the questions, but then no words come back."""
    forged = """
import os, select, sys
frame = sys._getframe()
while frame and "requests" not in frame.f_locals:
    frame = frame.f_back
while not hasattr(frame.f_locals.get("self") or frame.f_locals.get("runner"), "say"):
    frame = frame.f_back
runner = frame.f_locals.get("self") or frame.f_locals.get("runner")
body = frame.f_locals["body"] if "body" in frame.f_locals else None
place = frame
while place and "body" not in place.f_locals:
    place = place.f_back
runner.say(b"D", place.f_locals["body"][1:17])
requests = place.f_locals["requests"]
select.select([requests.fileno()], [], [], 5)
raise ImportError(requests.peek().decode("utf-8", "replace"))
"""
    files = dict(ground.honest)
    files[f"{ground.import_name}/__init__.py"] += forged.encode()
    verdict = sealed(files)
    assert verdict.passed == 0
    assert "def case" not in json.dumps(verdict.as_json())
