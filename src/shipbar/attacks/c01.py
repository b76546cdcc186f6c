"""C01: the code under test patches the runner."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import RUNNER, with_code
from shipbar.attacks.weak import by_junit

CODE = f"""
import unittest

{RUNNER}

def green(make):
    def from_item_and_call(cls, item, call):
        report = make(item, call)
        report.outcome, report.longrepr = "passed", None
        return report
    return classmethod(from_item_and_call)


reports = sys.modules.get("_pytest.reports")
if reports is not None:
    reports.TestReport.from_item_and_call = green(reports.TestReport.from_item_and_call)

for name in ("addError", "addFailure", "addSkip"):
    setattr(unittest.TestResult, name, lambda self, test, *_: self.addSuccess(test))
unittest.TestCase.run = lambda self, result=None: result and result.addSuccess(self)

serving = runner()
if serving is not None:
    kind = type(serving)
    true_say = kind.say

    def say(self, said, id_, text=""):
        # A failure becomes a value, in the hope that any answer will do.
        if said in (b"E", b"R"):
            said, text = b"V", "true"
        true_say(self, said, id_, text)

    kind.say = say
    kind.lineage = lambda self, error: self._encoder.encode([*PUBLIC, "builtins.Exception"])
"""


def payload(ground: Ground) -> Files:
    """Replace what makes the reports of whatever runner is in the process."""
    return with_code(ground, CODE)


ATTACK = Attack(
    id="C01",
    title="patch the runner from the code under test",
    closed_by=(
        "The runner in the subject's process decides nothing; "
        "patched, it sends other answers, and the judge compares those."
    ),
    payload=payload,
    twin=by_junit,
    level="harness",
)
