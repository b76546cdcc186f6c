"""A task is a ground as it stands; the standing ground is a task like any other."""

from shipbar.attacks import Ground
from shipbar.attacks.ground import ground_of, lay_standing_task
from shipbar.grading.tasks import Task


def test_a_task_is_a_ground(task: Task, ground: Ground):
    found = ground_of(task)
    assert found.honest == ground.honest
    assert found.suite == ground.suite
    assert found.specification == ground.specification
    assert found.symbols == ground.symbols
    assert f"{found.import_name}/__init__.py" in found.passing
    assert found.passing != found.honest


def test_the_standing_ground_holds_what_tricks_live_on(tmp_path):
    suite = lay_standing_task(tmp_path).suite
    kinds = {type(case.expectation).__name__ for case in suite.cases}
    values = {
        type(value)
        for case in suite.cases
        if (value := getattr(case.expectation, "value", None)) is not None
    }
    assert kinds == {"Equals", "Raises"}
    assert values == {str, int, list, dict}
    assert len(suite.cases) > 40
