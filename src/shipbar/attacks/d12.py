"""D12: values whose hooks run in the grader when they cross to it."""

import textwrap
from pathlib import Path

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import MARKER, twisted

_CARGO = """
_order = '''
import __main__
for function in list(vars(__main__).values()):
    code = getattr(function, "__code__", None)
    if code and code.co_argcount == 2:
        function.__code__ = (lambda one, other: True).__code__
'''

def _hook(self, *args):
    return exec, (_order,)

_hooks = ("__reduce__", "__reduce_ex__", "__deepcopy__", "__copy__", "__getstate__")
_hooks += ("__getnewargs__", "__getnewargs_ex__", "__json__", "__conform__", "_asdict")
_cargoes = {}

def cargo(value):
    base = type(value)
    if base in (bool, type(None)):
        return value
    if base not in _cargoes:
        inside = dict.fromkeys(_hooks, _hook)
        inside["__dataclass_fields__"] = {}
        _cargoes[base] = type(base.__name__, (base,), inside)
    return _cargoes[base](value)

leaf = box = cargo
"""

_HEAD = """
import json, pickle, sys
sys.path.insert(0, "tree")
with open("suite.json", encoding="utf-8") as file:
    suite = json.load(file)
"""
_SUBJECT = """
def observed(case):
    scope = {"__name__": "suite"}
    try:
        exec(suite["heads"][case["file"]], scope)
        exec(case["source"], scope)
        return pickle.dumps(("value", scope["case"]()()))
    except Exception as error:
        names = [cls.__name__ for cls in type(error).__mro__]
        return pickle.dumps(("raised", names))

with open("answers", "wb") as file:
    pickle.dump([observed(case) for case in suite["cases"]], file)
"""
_GRADER = """
def equal(value, expected):
    return value == expected

def holds(case, answer):
    kind, value = pickle.loads(answer)
    if case["raises"]:
        return kind == "raised" and case["raises"].rpartition(".")[2] in value
    return kind == "value" and equal(value, eval(case["expected"]))

with open("answers", "rb") as file:
    answers = pickle.load(file)
passed = sum(map(holds, suite["cases"], answers))
result = {"passed": passed, "total": len(suite["cases"])}
"""


def payload(ground: Ground) -> Files:
    """Answer with values that carry an order for whoever unpickles or copies them."""
    return twisted(ground, _CARGO)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Ask in one process, compare in another; pickle is the way between them."""
    weak.lay(files, folder / "tree")
    suite = weak.suite_as_json(ground)
    (folder / "suite.json").write_text(suite)
    marked = {MARKER: str(folder)}
    for part in (_SUBJECT, _GRADER + weak.WRITE_RESULT):
        script = textwrap.dedent(_HEAD + part)
        weak.run(weak.python("-c", script), folder, env=marked)
    result = weak.read_json(folder / "result.json")
    return weak.believed(result, len(weak.test_names(ground)))


ATTACK = Attack(
    id="D12",
    title="hooks that run in the grader when a value is carried over",
    closed_by="Answers are JSON text with a schema; the judge's decoder builds plain data and "
    "knows no pickle, no hook and no class of the candidate.",
    payload=payload,
    twin=twin,
    level="harness",
)
