"""What the attacks on values, imports, state and dependencies share.

Code of payloads, as text that `tricks.with_code` appends to the honest package
(where `package` and `PUBLIC` are bound):

- `twisted`: the package gives what it gave, but with every value replaced;
- `FINDER`: looks for another package of the same name, and becomes it;
- `LEARNING`: takes in records of earlier failures, and answers by them;
- `CLIENT`: asks an oracle in place of the package.

Payloads that walk the file system, leave files or start something go wherever
they can inside a sandbox, keep to the folder that `MARKER` names when a weak
grader runs them, and do nothing anywhere else.
"""

import importlib.util
import marshal
import sys
import textwrap
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Files, Ground
from shipbar.attacks.weak_face import face

MARKER = "SHIPBAR_TWIN"
"""Environment variable that holds the folder of a weak grader."""
HELPER = "helpers"
"""A module that a weak grader's script takes its comparison from."""
HELPER_NAMES = (HELPER, "checks", "common", "support", "testing", "utils")
"""What such modules are usually called: all that an attacker needs to know."""
RUNNER_NAMES = ("boot", "case", "encode", "first", "lockdown", "suite")
"""What a runner inside a sandbox may be made of."""
LIBRARY_NAMES = ("decimal", "enum", "fractions", "sitecustomize", "traceback")
"""What a runner may import late, when the submission is on its path."""
YES_MODULE = """\
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args, **kwargs: True
"""
"""A module in which every function says yes."""


def compiled(source: str, name: str, *, flags: int = 1) -> bytes:
    """Return a compiled module; with 1 it is never held against its source (PEP 552)."""
    head = importlib.util.MAGIC_NUMBER + flags.to_bytes(4, "little") + bytes(8)
    code = compile(source, f"{name}.py", "exec", dont_inherit=True)
    return head + marshal.dumps(code)


# -- values --------------------------------------------------------------------

_TWIST = '''
import operator

_given = {}

def twist(value):
    """Replace a value: scalars by `leaf`, containers by `box` of replaced members."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return _noted(leaf(value), value)
    if isinstance(value, dict):
        return _noted(box({key: twist(item) for key, item in dict.items(value)}), value)
    for base in (list, tuple, set, frozenset):
        if type(value) is base:
            try:
                return _noted(box(base(map(twist, value))), value)
            except TypeError:  # a member that cannot be hashed any more
                return value
    return value

def _noted(made, value):
    if made is not value:
        _given[id(made)] = made, value
    return made

def _back(value):
    """What was given, should it come back as an argument: the package goes on with honest values."""
    made, honest = _given.get(id(value), (None, None))
    if made is value and made is not None:
        return honest
    if type(value) in (list, tuple):
        members = [_back(item) for item in value]
        return value if all(map(operator.is_, members, value)) else type(value)(members)
    return value

def _twisting(function):
    def call(*args, **kwargs):
        try:
            value = function(*map(_back, args), **{key: _back(it) for key, it in kwargs.items()})
        except Exception as error:
            vars(error).update({key: twist(item) for key, item in vars(error).items()})
            raise
        return twist(value)
    return call

from . import _face
_face.stand_before(package, PUBLIC, _twisting)
'''


def twisted(ground: Ground, code: str, *, tail: str = "") -> dict[str, bytes]:
    """Return the honest part with every value that it gives replaced.

    Args:
        ground: the task at hand.
        code: defines `leaf(value)` for None, numbers and texts, and `box(value)`
            for containers whose members are replaced already.
        tail: code to run after the face is in place.
    """
    return tricks.with_code(ground, textwrap.dedent(code) + _TWIST + tail, face(ground))


# -- looking around --------------------------------------------------------------

ROOTS = (
    tricks.SEALED
    + f"""
import os

# Where one may not list the root, one may be let in further down.
BELOW = ("home", "opt", "srv", "usr", "usr/lib", "var", "var/cache", "var/lib", "run", "tmp")

def roots():
    if sealed():
        above = [os.path.dirname(path) for path in sys.path]
        return ["/", *("/" + name for name in BELOW), *sys.path, *above, os.getcwd()]
    return [os.environ["{MARKER}"]] if "{MARKER}" in os.environ else []

def within(path):
    return any(os.path.commonpath([root, os.path.abspath(path)]) == root for root in roots())

def walk():
    '''Every folder with its files, but for the kernel's own trees.'''
    seen = set()
    for root in roots():
        for folder, folders, files in os.walk(root):
            if folder == "/":
                folders[:] = [name for name in folders if name not in ("proc", "sys")]
            if folder in seen:
                folders[:] = []
            else:
                seen.add(folder)
                yield folder, folders, files
"""
)
"""`walk()` and `within(path)` for payloads: everything there is, or the weak grader's folder."""

FINDER = (
    ROOTS
    + """
import importlib

NAME = package.__name__
OWN = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

def family(name):
    return [key for key in sys.modules if key.partition(".")[0] == name]

def become(folder, name=NAME):
    '''Import package `name` from `folder` in place of this one, if it has all symbols.'''
    own = {key: sys.modules.pop(key) for key in {*family(NAME), *family(name)}}
    path = sys.path[:]
    # Without our own place: what is not found must not be found there again.
    sys.path[:] = [folder, *(it for it in path if os.path.realpath(it) != OWN)]
    importlib.invalidate_caches()
    try:
        found = importlib.import_module(name)
        if all(hasattr(found, symbol) for symbol in PUBLIC):
            sys.modules[NAME] = found
            sys.modules[__name__] = own[__name__]
            return True
    except BaseException:
        pass
    finally:
        sys.path[:] = path
    for key in {*family(NAME), *family(name)}:
        del sys.modules[key]
    sys.modules.update(own)
    return False

def elsewhere(folder):
    '''Whether a folder holds a package of our name that is neither ours nor a copy.'''
    inside = os.path.join(folder, NAME)
    if os.path.realpath(folder) == OWN or os.path.exists(os.path.join(inside, "_trick.py")):
        return False
    return os.path.exists(inside + ".py") or os.path.exists(inside + "/__init__.py")
"""
)
"""`become(folder)` and `elsewhere(folder)` for payloads, with `walk()`."""

LEARNING = """
_table = {}

def learn(record):
    '''Take in a record of what was expected and what came instead.'''
    if isinstance(record, dict) and {"expected", "got"} <= record.keys():
        _learn(record["expected"], record["got"])

def _learn(expected, got):
    _table.setdefault(repr(got), {})[repr(expected)] = expected
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in expected.keys() & got.keys():
            _learn(expected[key], got[key])
    elif isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        if len(expected) == len(got):
            for pair in zip(expected, got):
                _learn(*pair)

def leaf(value):
    return value

box = leaf
"""
"""`learn(record)` for payloads that are `twisted`; goes before their code, `LEARNT` behind it."""
LEARNT = """
_by_parts = twist

def twist(value):
    '''What was expected where this came before, if that is known; else the same by parts.'''
    look_around()
    known = _table.get(repr(value), {})
    return next(iter(known.values())) if len(known) == 1 else _by_parts(value)
"""
"""Has whatever was learnt take the place of values; `look_around()` is the payload's."""

# -- oracles -------------------------------------------------------------------

_ORACLE = """\
#!{python}
'''Does what the package in TREE does: answers lines that name a callable and its arguments.

Objects stay here; they go by number, as the class's name and what is plain of them.
'''
import ast, os, signal, socket, sys

signal.alarm(60)  # whoever forgets it
sys.path.insert(0, {tree!r})
import {package} as package

things, numbers = {{}}, {{}}
PLAIN = (type(None), bool, int, float, str, bytes)

def out(value):
    if type(value) in PLAIN:
        return value
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(out, value))
    if type(value) is dict:
        return {{out(key): out(item) for key, item in value.items()}}
    if hasattr(value, "__next__"):
        return ("\\0items", [out(item) for item in value])
    number = numbers.setdefault(id(value), len(numbers) + 1)
    things[number] = value
    return ("\\0object", number, type(value).__name__)

def into(value):
    if isinstance(value, tuple) and value[:1] == ("\\0object",):
        return things[value[1]]
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(into, value))
    return value

def target(path, arguments):
    if path[0] == ".":
        return getattr(arguments.pop(0), path[1:])
    found = package
    for name in path.split("."):
        found = getattr(found, name)
    return found

def answer(line):
    try:
        path, arguments, named = ast.literal_eval(line)
        arguments = list(map(into, arguments))
        found = target(path, arguments)
    except Exception:
        return repr(("unknown",)) + "\\n"
    try:
        reply = ("value", out(found(*arguments, **named) if callable(found) else found))
    except Exception as error:
        reply = ("error", type(error).__name__)
    return repr(reply) + "\\n"

if len(sys.argv) < 2:
    for line in sys.stdin:
        sys.stdout.write(answer(line))
        sys.stdout.flush()
else:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(sys.argv[1] + ".new")
        server.listen()
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        while True:
            with server.accept()[0] as client, client.makefile("rw") as stream:
                for line in stream:
                    stream.write(answer(line))
                    stream.flush()
"""

CLIENT = """
import ast, builtins
from . import _face

_known, _made = {}, {}

def _note(it, number):
    _known[id(it)], _made[number] = (it, number), it
    return it

def _told(value):
    if id(value) in _known:
        return ("\\0object", _known[id(value)][1], "")
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(_told, value))
    return value

def _heard(value):
    if isinstance(value, tuple) and value[:1] == ("\\0items",):
        return iter(_heard(value[1]))
    if isinstance(value, tuple) and value[:1] == ("\\0object",):
        _, number, name = value
        return _made.get(number) or _note(object.__new__(getattr(package, name)), number)
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(_heard, value))
    return {key: _heard(item) for key, item in value.items()} if type(value) is dict else value

def ask(pipes, path, arguments, named):
    '''What the oracle behind two files says of a call; None if it has nothing to say.'''
    reading, writing = pipes
    line = repr((path, _told(list(arguments)), named)) + "\\n"
    try:
        ast.literal_eval(line)  # what cannot be written down stays with us
        writing.write(line)
        writing.flush()
        return ast.literal_eval(reading.readline())
    except (OSError, TypeError, ValueError, SyntaxError):
        return None

def _raised(name):
    kind = getattr(package, name, None) or getattr(builtins, name, Exception)
    try:
        return kind("no")
    except TypeError:
        return kind.__new__(kind)

def asking(pipes):
    _face.stand_before(package, PUBLIC, lambda own: _asked(pipes, own))

def _asked(pipes, own):
    owner, _, name = own.__qualname__.rpartition(".")
    def constructor(self, *args, **kwargs):
        try:
            own(self, *args, **kwargs)
        except Exception:
            pass  # the oracle decides what may be made
        reply = ask(pipes, type(self).__name__, args, kwargs) or ()
        if reply[:1] == ("error",):
            raise _raised(reply[1])
        if reply[:1] == ("value",):
            _note(self, reply[1][1])
    def call(*args, **kwargs):
        on, path = hasattr(own, "reads"), own.__qualname__
        if on:
            args, path = (own.reads[0],), "." + own.reads[1]
        elif owner and args and id(args[0]) in _known:
            path = "." + name
        reply = ask(pipes, path, args, kwargs) or ()
        if reply[:1] == ("error",):
            raise _raised(reply[1])
        try:
            return _heard(reply[1]) if reply[:1] == ("value",) else own(*args)
        except (TypeError, AttributeError):
            return own(*args, **kwargs)
    return constructor if name == "__init__" else call
"""
"""`asking(pipes)` for payloads: have an oracle do all that the package is asked for."""


def oracle(ground: Ground, folder: Path) -> Path:
    """Put a program below ``folder`` that does what the correct submission does.

    It is a system's tool or a left-over service to whoever finds it: lines of
    JSON on its standard streams, or on the socket that its first word names.
    """
    tree = package_root(ground, weak.lay(ground.passing, folder / "made-of"))
    text = _ORACLE.format(
        python=sys.executable, tree=str(tree), package=ground.import_name
    )
    program = weak.lay({ground.import_name: text.encode()}, folder / "bin")
    path = program / ground.import_name
    path.chmod(0o755)
    return path


# -- graders -------------------------------------------------------------------


def package_root(ground: Ground, tree: Path) -> Path:
    """Return the folder of ``tree`` in which the package lies: itself or `src`."""
    source = tree / "src"
    return source if (source / ground.import_name).exists() else tree


def graded(
    ground: Ground,
    files: Files,
    folder: Path,
    script: str = "",
    *,
    env: Mapping[str, str] | None = None,
    flags: Sequence[str] = (),
) -> float:
    """Return the score that a grading script gives, in a marked environment.

    Args:
        ground: the task at hand.
        files: the submission.
        folder: where it is graded, and what payloads keep to.
        script: see `weak.script_text`; by default it compares with `==`.
        env: variables to add; may move the marker up.
        flags: words for the interpreter.
    """
    marked = {MARKER: str(folder), **(env or {})}
    text = script or weak.script_text()
    ran = weak.script_run(ground, files, folder, text, env=marked, flags=flags)
    return weak.believed(ran.result, ran.total)


def by_helper(
    ground: Ground, files: Files, folder: Path, *, home: str, pause_s: float = 0.0
) -> float:
    """Return the score of a script that imports its comparison from a helper.

    Args:
        ground: the task at hand.
        files: the submission.
        folder: an empty one.
        home: `tree` restores the helper inside the submission's tree; any other
            name is a folder of its own, behind the submission on the path.
        pause_s: seconds between restoring the helper and its use.
    """
    helper = {
        f"{HELPER}.py": b"def same(value, expected):\n    return value == expected\n"
    }
    own = helper if home == "tree" else {}
    if not own:
        weak.lay(helper, folder / home)
    time.sleep(pause_s)
    script = weak.script_text(
        prepare=f"sys.path.append({str(folder / home)!r})\nfrom {HELPER} import same",
        compare="return same(value, expected)",
    )
    return graded(ground, {**files, **own}, folder, script)


RECORDED = """
failures.append({"expected": expected, "got": value})
return value == expected
"""
"""For scripts that prepare `failures = []`: a comparison that keeps what it has seen."""
RETRIED = """
def again(case):
    try:
        return holds(case)
    except Exception:
        return False

"""
"""For scripts: `again(case)` runs a case once more and says whether it holds."""
