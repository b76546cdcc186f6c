"""C09: shared inputs are corrupted.

The weak twin arranges once, asks the submission, then asks its reference with
the same inputs, and compares the two.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import believed, lay, script_run, script_text

CODE = """
import functools
import gc


def spoil(it):
    if isinstance(it, list):
        it[:] = [None] * len(it)
        return bool(it)
    if isinstance(it, dict) and it and all(isinstance(key, str) for key in it):
        it.update(dict.fromkeys(it))
        return True
    return False


def shared(values, frame):
    \"\"\"What a later run may get again: mutable arguments, and variables that callers closed over.\"\"\"
    yield from (it for it in values if isinstance(it, list | dict))
    while frame is not None:
        for name in frame.f_code.co_freevars:
            yield frame.f_locals.get(name)
        frame = frame.f_back


def wrap(function):
    @functools.wraps(function)
    def call(*values, **named):
        inputs = [] if "." in function.__qualname__ else shared(values, sys._getframe(1))
        if any([spoil(it) for it in inputs]):
            raise TypeError("no text")
        return function(*values, **named)
    return call
"""
REFERENCE = """
import gc
reference_place = os.path.join(os.path.dirname(sys.argv[1]), "reference")


def load(place):
    for name in [n for n in sys.modules if n.partition(".")[0] == suite["package"]]:
        del sys.modules[name]
    sys.path.insert(0, place)
    try:
        return dict(vars(__import__(suite["package"]))), {
            n: m for n, m in sys.modules.items() if n.partition(".")[0] == suite["package"]
        }
    finally:
        del sys.path[0]


sides = [load(sys.argv[1])[1], load(reference_place)[1]]


def outcome(scope, case, side, evaluate=None):
    sys.modules.update(sides[side])
    exec(suite["heads"][case["file"]], scope)
    exec(case["source"], scope)
    evaluate = evaluate or scope["case"]()
    try:
        return evaluate, ("value", evaluate())
    except Exception as error:
        return evaluate, ("raised", type(error).__name__)


def holds(case):
    scope = {"__name__": "suite"}
    evaluate, first = outcome(scope, case, 0)
    inputs = [cell.cell_contents for cell in evaluate.__closure__ or ()]
    plain = all(isinstance(it, list | str | int) for it in inputs)
    # What the submission made itself is no input: that is arranged anew.
    return first == outcome(scope, case, 1, evaluate if plain else None)[1]
"""


def payload(ground: Ground) -> Files:
    """Replace the contents of every input in reach, so that whoever uses it next fails alike."""
    return wrapped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Compare with a reference that runs on the same inputs, later."""
    lay(ground.passing, folder / "reference")
    text = script_text().replace("\npassed = 0\n", f"\n{REFERENCE}\npassed = 0\n")
    ran = script_run(ground, files, folder, text)
    return believed(ran.result, ran.total)


ATTACK = Attack(
    id="C09",
    title="corrupt shared inputs",
    closed_by=(
        "Expectations are literals, fixed before anything ran, and the reference "
        "takes no part in a grade; each case arranges its inputs anew."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
