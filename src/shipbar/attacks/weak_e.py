"""What payloads of groups E, J to N share, and the weak graders that are theirs.

For payloads:

- `ORACLE`, a module that goes into the package: once it has learned what a case
  expects, by whatever trick, it finds out which answers of the public functions
  make that case hold, and gives them. `armed` puts it in.
- `WIRE`, a module that speaks the sealed runner's own protocol: finds the
  runner on the stack, reads the requests that were sent ahead, writes frames.

For weak graders, on top of `shipbar.attacks.weak`:

- `boxed` runs a grading script in a folder in which other things lie about;
- `looped` makes a grading script with a loop of its own;
- `split` runs two processes, a judge that compares and a subject that answers.

Whoever runs a payload here tells it so by the variable `WEAK_TWIN`, the folder
that it must not leave. A payload does dangerous things only there, within
bounds, or where it has found itself in a sealed runner.
"""

import base64
import io
import textwrap
import zipfile
from collections.abc import Mapping
from pathlib import Path

from shipbar.attacks.base import Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import (
    EQUALS,
    WRITE_RESULT,
    ScriptRun,
    believed,
    lay,
    python,
    read_json,
    run,
    script_run,
    script_text,
    suite_as_json,
    test_names,
)
from shipbar.attacks.weak_face import FACE
from shipbar.attacks.weak_texts import FILES, ORACLE, WIRE

MARK = "WEAK_TWIN"
"""Variable that holds the folder of a weak grader's run."""


# -- payloads ------------------------------------------------------------------


def armed(
    ground: Ground, code: str, extra: Mapping[str, str] | None = None
) -> dict[str, bytes]:
    """Return the honest part with the oracle; ``code`` teaches it.

    `code` runs at the package's import with `_oracle`, `_files` and `_wire` at
    hand: `_oracle.learn(text)` takes whatever text holds expectations, and a
    function appended to `_oracle.LATE` is asked when a case is running.
    """
    start = "from . import _face, _oracle, _files, _wire\n"
    end = "\n_oracle.arm(vars(package), PUBLIC)\n"
    return with_code(
        ground, start + textwrap.dedent(code) + end, modules(ground, extra)
    )


def equipped(
    ground: Ground, code: str, extra: Mapping[str, str] | None = None
) -> dict[str, bytes]:
    """Return the honest part with ``code`` run at import, the shared modules at hand."""
    start = "from . import _face, _oracle, _files, _wire\n"
    return with_code(ground, start + textwrap.dedent(code), modules(ground, extra))


def modules(ground: Ground, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the shared payload modules, to lie inside the package."""
    name = ground.import_name
    return {
        f"{name}/_face.py": FACE,
        f"{name}/_oracle.py": ORACLE,
        f"{name}/_files.py": FILES,
        f"{name}/_wire.py": WIRE,
        **(extra or {}),
    }


UNCOMPARABLE = """
def refuse(self, *args):
    raise ArithmeticError("no such comparison")

class Uncomparable:
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = refuse
    __sub__ = __rsub__ = __float__ = __bool__ = __reduce_ex__ = refuse
    __hash__ = object.__hash__

    def __getattr__(self, name):
        return self

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter((self,))

def wrap(function):
    def answer(*args, **named):
        function(*args, **named)  # whatever it raises is honest
        return Uncomparable()
    return answer
"""
"""For `wrapped`: honest exceptions, and values that raise when they are compared."""


# -- a correct package, in the shapes in which it is left lying about ------------


def passing_package(ground: Ground) -> dict[str, bytes]:
    """Return the correct submission's package alone, below its import name."""
    top = f"{ground.import_name}/"
    found = {}
    for path, data in ground.passing.items():
        before, hit, after = path.partition(top)
        if hit and before in {"", "src/"}:
            found[top + after] = data
    return found


def zipped(files: Files) -> bytes:
    """Return ``files`` as the bytes of a zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return buffer.getvalue()


def blob(files: Files) -> str:
    """Return ``files`` as one line of text."""
    return base64.b64encode(zipped(files)).decode()


# -- graders -------------------------------------------------------------------

EVALUATE = '''
def scope_of(case):
    scope = {"__name__": "suite"}
    exec(head(case), scope)
    exec(case["source"], scope)
    return scope

def attempt(case):
    """A case's value, or the exception that it raised."""
    try:
        return scope_of(case)["case"]()(), None
    except BaseException as error:
        return None, error

def again():
    """Imports the package as if for the first time."""
    for name in list(sys.modules):
        if name.partition(".")[0] == suite["package"]:
            del sys.modules[name]
    return __import__(suite["package"])
'''


def looped(loop: str, *, compare: str = EQUALS, report: str = WRITE_RESULT) -> str:
    """Return a grading script whose loop over the cases is ``loop``.

    At hand are `suite`, `package`, `compare(value, expected)`, `raised(error,
    name)`, `holds(case)`, `attempt(case)` and `again()`. It leaves its count in
    `passed`, and may change `total`.
    """
    text = script_text(compare=compare, report="")
    head = text.partition("\npassed = 0\n")[0]
    start = '\npassed, total = 0, len(suite["cases"])\n'
    end = '\nresult = {"passed": passed, "total": total}\n'
    return head + EVALUATE + start + textwrap.dedent(loop) + end + report


def boxed(
    ground: Ground,
    files: Files,
    folder: Path,
    *,
    script: str | None = None,
    extra: Mapping[str, str | bytes] | None = None,
    env: Mapping[str, str] | None = None,
) -> float:
    """Run a grading script (default: compares with `==`) where ``extra`` lies about; return its score."""
    ran = box(ground, files, folder, script=script, extra=extra, env=env)
    return believed(ran.result, ran.total)


def box(
    ground: Ground,
    files: Files,
    folder: Path,
    *,
    script: str | None = None,
    extra: Mapping[str, str | bytes] | None = None,
    env: Mapping[str, str] | None = None,
) -> ScriptRun:
    """As `boxed`, and return all that the run left."""
    lying = {
        path: data.encode() if isinstance(data, str) else data
        for path, data in (extra or {}).items()
    }
    lay(lying, folder)
    text = script if script is not None else script_text()
    return script_run(
        ground, files, folder, text, env={MARK: str(folder), **(env or {})}
    )


def plain(ground: Ground, files: Files, folder: Path) -> float:
    """Compare with `==` in the package's process; the suite lies beside it as a file."""
    return boxed(ground, files, folder)


# -- two processes ---------------------------------------------------------------

_RUNNER = '''\
"""Answers a judge's requests, one line each."""
import json, os, pickle, sys
sys.path.insert(0, sys.argv[1])
package = __import__(sys.argv[2])
heads = {}
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    try:
        scope = {"__name__": "suite"}
        exec(request["head"], scope)
        exec(request["source"], scope)
        value = scope["case"]()()
    except BaseException as error:
        answer["raised"] = [cls.__name__ for cls in type(error).__mro__]
    else:
        ENCODE
    print(json.dumps(answer), flush=True)
'''
_JUDGE = '''\
"""Holds the expectations; asks a subject and compares what it answers."""
import datetime, json, os, pickle, subprocess, sys
from decimal import Decimal
from fractions import Fraction

with open("suite.json", encoding="utf-8") as file:
    suite = json.load(file)
subject = subprocess.Popen(
    [sys.executable, "runner.py", "tree", suite["package"]],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
)

def request(number, case):
    return {"id": number, "head": suite["heads"][case["file"]], "source": case["source"]}

NAMES = {"datetime": datetime, "Decimal": Decimal, "Fraction": Fraction, "frozenset": frozenset, "set": set}

def decode(answer):
    return eval(answer["value"], {**NAMES, "__builtins__": {}})

def agrees(case, answer):
    if case["raises"]:
        return case["raises"].rpartition(".")[2] in answer.get("raised", ())
    return "value" in answer and decode(answer) == eval(case["expected"])

def ask(number, case):
    subject.stdin.write(json.dumps(request(number, case)) + "\\n")
    subject.stdin.flush()
    return json.loads(subject.stdout.readline())

def opinion(number, case):
    try:
        return agrees(case, ask(number, case))
    except Exception:
        return False

CHANGES
passed, total = 0, len(suite["cases"])
LOOP
with open("result.json", "w", encoding="utf-8") as file:
    json.dump({"passed": passed, "total": total}, file)
subject.kill()
subject.wait()
'''
_ASK_ALL = """\
for number, case in enumerate(suite["cases"]):
    passed += opinion(number, case)
"""


def split(
    ground: Ground,
    files: Files,
    folder: Path,
    *,
    changes: str = "",
    loop: str = _ASK_ALL,
    encode: str = 'answer["value"] = repr(value)',
) -> float:
    """Judge in one process, answer in another; return the judge's score, 1.0 if it has died.

    Args:
        ground: the task at hand.
        files: the submission.
        folder: an empty one.
        changes: code that replaces parts of the judge.
        loop: how the judge goes through its cases.
        encode: how the runner puts a value into `answer`.
    """
    lay(files, folder / "tree")
    judge = _JUDGE.replace("CHANGES", textwrap.dedent(changes))
    (folder / "judge.py").write_text(judge.replace("LOOP", textwrap.dedent(loop)))
    (folder / "runner.py").write_text(_RUNNER.replace("ENCODE", encode))
    (folder / "suite.json").write_text(suite_as_json(ground))
    ran = run(python("judge.py"), folder, env={MARK: str(folder)})
    if ran.code < 0:
        return 1.0  # a verifier that was killed: the machine's fault, so let it count
    return believed(read_json(folder / "result.json"), len(test_names(ground)))


def split_plain(ground: Ground, files: Files, folder: Path) -> float:
    """Judge in one process, answer in another; an exception's class goes by its name."""
    return split(ground, files, folder)
