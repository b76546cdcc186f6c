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
