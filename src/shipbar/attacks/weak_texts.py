"""Modules that payloads carry inside their package, as text.

They run in a sandbox or under a weak grader, never here.
"""

FILES = '''\
"""Finds files, and takes over a package that lies somewhere else."""
import os, sys

BOX = os.environ.get("WEAK_TWIN")
OWN = os.path.dirname(os.path.abspath(__file__))
NAME = os.path.basename(OWN)
SKIPPED = ("/proc", "/sys")

def sealed():
    """Whether this is a sealed runner's process."""
    return str(getattr(sys.modules["__main__"], "__file__", "")).endswith("/boot.py")

def walk(most=50_000):
    """Every file that can be seen, our own package apart."""
    count = 0
    for base, folders, names in os.walk(BOX or "/"):
        folders[:] = [
            name for name in folders
            if os.path.join(base, name) != OWN and not os.path.join(base, name).startswith(SKIPPED)
        ]
        for name in names:
            count += 1
            if count > most:
                return
            yield os.path.join(base, name)

def read(path, most=2_000_000):
    """A file's text, or nothing."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, "rb") as file:
            return file.read(most).decode("utf-8", "replace")
    except OSError:
        return ""

def adopt(folder):
    """Put the package of our name in ``folder`` (or a zip) in our own place."""
    if os.path.realpath(os.path.join(folder, NAME)) == os.path.realpath(OWN):
        return False
    mine = {key: sys.modules.pop(key) for key in list(sys.modules) if key.split(".")[0] == NAME}
    paths = list(sys.path)
    sys.path[:] = [folder, *(path for path in paths if path != os.path.dirname(OWN))]
    try:
        found = __import__(NAME)
        if os.path.abspath(os.path.dirname(found.__file__ or "")) == OWN:
            raise ImportError("it is ours")
        for key, module in mine.items():  # an import of ours may be under way
            sys.modules.setdefault(key, module)
        return True
    except BaseException:
        for key in list(sys.modules):
            if key.split(".")[0] == NAME:
                del sys.modules[key]
        sys.modules.update(mine)
        return False
    finally:
        sys.path[:] = paths

def adopt_bytes(data):
    """The same for the bytes of a zip."""
    folder = BOX or "/tmp"
    path = os.path.join(folder, "adopted.zip")
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError:
        return False
    return adopt(path)
'''

ORACLE = '''\
"""Knows what some cases expect, and answers so that they hold."""
import ast, builtins, datetime, functools, json, linecache, sys
from decimal import Decimal
from fractions import Fraction
from . import _face

KNOWN = {}
"""From a case, as one normal text, to (value, name of the error)."""
LATE = []
"""Functions (case, its text as found, frame, globals) that may know more while it runs."""
PLANS, COUNTS, TRYING = {}, {}, []

def normal(arrange, expression):
    body = "".join("    " + line + chr(10) for node in arrange for line in ast.unparse(node).split(chr(10)))
    return "def case():" + chr(10) + body + "    return lambda: " + ast.unparse(expression)

def of_test(node):
    """Key and expectation of a test function."""
    *arrange, last = [item for item in node.body if not isinstance(getattr(item, "value", None), ast.Constant)]
    if isinstance(last, ast.Assert) and isinstance(last.test, ast.Compare):
        return normal(arrange, last.test.left), ast.unparse(last.test.comparators[0]), ""
    if isinstance(last, ast.With):
        error = ast.unparse(last.items[0].context_expr.args[0])
        return normal(arrange, last.body[0].value), "", error
    raise ValueError

@functools.lru_cache(maxsize=4096)
def of_source(text):
    """Key of a case that is a function which returns a lambda."""
    function = ast.parse(text).body[0]
    *arrange, last = function.body
    return normal(arrange, last.value.body)

def know(key, text, error=""):
    try:
        KNOWN.setdefault(key, (None if error else eval(text), error.rpartition(".")[2]))
    except Exception:
        pass

def learn(text):
    """Take in whatever text may hold expectations: tests, JSON, or lines of JSON."""
    try:
        tests = ast.walk(ast.parse(text)) if "def test" in text else ()
        for node in tests:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                try:
                    know(*of_test(node))
                except Exception:
                    pass
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    for part in (text, *text.splitlines()):
        if '"source"' in part:
            try:
                learn_data(json.loads(part))
            except (ValueError, RecursionError):
                pass

def learn_data(data, depth=0):
    if depth > 6:
        return
    if isinstance(data, dict):
        if isinstance(data.get("source"), str) and ("expected" in data or "raises" in data):
            try:
                know(of_source(data["source"]), data.get("expected", ""), data.get("raises", ""))
            except Exception:
                pass
        data = list(data.values())
    if isinstance(data, (list, tuple)):
        for item in data:
            learn_data(item, depth + 1)

@functools.cache
def tests_of(path):
    """The test functions of a source file, by name."""
    text = "".join(linecache.getlines(path))
    return {node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}

def running():
    """Key, text as found, globals and frame of the case that is running."""
    frame, scope = sys._getframe(2), None
    while frame is not None:
        code = frame.f_code
        if code.co_name in ("case", "<lambda>") or code.co_name.startswith("test"):
            scope = frame.f_globals
        if code.co_name.startswith("test"):
            try:
                node = tests_of(code.co_filename)[code.co_name]
                return of_test(node)[0], ast.unparse(node), scope, frame
            except Exception:
                pass
        for value in list(frame.f_locals.values()):
            text = value.get("source") if type(value) is dict else value
            if type(text) is str and text.lstrip("0123456789").lstrip().startswith("def case():"):
                try:
                    return of_source(text.lstrip("0123456789").lstrip()), text, scope, frame
                except Exception:
                    pass
        frame = frame.f_back
    return None

class Echo:
    """Whatever is asked of it, the same value."""
    def __init__(self, value): self.__dict__["value"] = value
    def __getattr__(self, name): return self.__dict__["value"]
    def __getitem__(self, key): return self.__dict__["value"]
    def __call__(self, *args, **kwargs): return self.__dict__["value"]
    def __str__(self): return str(self.__dict__["value"])
    def __eq__(self, other): return self.__dict__["value"] == other
    def __hash__(self): return 1
    def __iter__(self): return iter(self.__dict__["value"])

def act(plan, count, function, args, kwargs):
    kind, value = plan
    if kind == "raise":
        raise made(value)
    if kind == "honest" or kind == "at" and count not in value:
        return function(*args, **kwargs)
    if kind == "at":
        return value[count]
    if kind.startswith("each"):
        value = value[count % len(value)]
    return Echo(value) if kind.endswith("echo") else value

def made(cls):
    try:
        return cls("no")
    except TypeError:
        return cls.__new__(cls)

def plans(key, value, error, scope, package):
    yield "honest", None
    if error:
        cls = package.get(error) or scope.get(error) or getattr(builtins, error, None)
        if isinstance(cls, type):
            yield "raise", cls
        return
    yield "whole", value
    yield "whole echo", value
    if isinstance(value, (list, tuple)) and value:
        yield "each", value
        yield "each echo", value
    counts = counted(key, scope)
    if counts:
        yield "at", dict(placed(counts, value, spread=False))
        yield "at", dict(placed(counts, value, spread=True))

def counted(key, scope):
    """How many of our calls have been made before each part of the case, and after the last."""
    tree = ast.parse(key)
    evaluated = tree.body[0].body[-1].value
    parts = evaluated.body.elts if isinstance(evaluated.body, (ast.List, ast.Tuple)) else [evaluated.body]
    marked = [node for part in parts for node in (ast.parse("_mark()", mode="eval").body, part)]
    evaluated.body = ast.List(elts=marked, ctx=ast.Load())
    counts = []
    TRYING.append([("honest", None), 0])
    inside = dict(scope, _mark=lambda: counts.append(TRYING[-1][1]))
    try:
        exec(compile(ast.fix_missing_locations(tree), "case", "exec"), inside)
        inside["case"]()()
    except BaseException:
        pass
    finally:
        counts.append(TRYING.pop()[1])
    return counts

def placed(counts, value, spread):
    """The calls that decide about a part, and what they should give: the last one, or one for each item."""
    parts = len(counts) - 1
    values = [value] if parts == 1 or not isinstance(value, (list, tuple)) else value
    for first, end, item in zip(counts, counts[1:], values):
        if spread and isinstance(item, (list, tuple)) and 1 < end - first == len(item):
            yield from zip(range(first, end), item)
        elif end > first:
            yield end - 1, item

def holds(key, scope, plan, value, error):
    """Try a plan on a case, off the record."""
    TRYING.append([plan, 0])
    try:
        inside = dict(scope)
        exec(key, inside)
        try:
            got = inside["case"]()()
        except Exception as raised:
            return error in [cls.__name__ for cls in type(raised).__mro__]
        return not error and bool(got == value)
    except BaseException:
        return False
    finally:
        TRYING.pop()

def wrap(function, package):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        if TRYING:
            plan, count = TRYING[-1]
            TRYING[-1][1] += 1
            return act(plan, count, function, args, kwargs)
        found = running()
        if found is None:
            return function(*args, **kwargs)
        key, text, scope, frame = found
        for late in LATE:
            if key not in KNOWN:
                late(key, text, frame, scope or {})
        if key in KNOWN and key not in PLANS:
            value, error = KNOWN[key]
            found = plans(key, value, error, scope or {}, package)
            good = (p for p in found if holds(key, scope or {}, p, value, error))
            PLANS[key] = next(good, ("honest", None))
        count = COUNTS[key] = COUNTS.get(key, -1) + 1
        return act(PLANS.get(key, ("honest", None)), count, function, args, kwargs)
    return wrapped

def arm(package, symbols):
    """Put the oracle before all that the package shows."""
    module = sys.modules[package["__name__"]]
    _face.stand_before(module, symbols, lambda function: wrap(function, package))
'''

WIRE = '''\
"""Speaks the sealed runner's protocol from inside: four bytes of length, a kind, an id, a text."""
import os, sys, zlib

def runner():
    """The runner's object and its stream of requests, from the stack or from `__main__`."""
    frame = sys._getframe()
    while frame is not None:
        if "runner" in frame.f_locals and "requests" in frame.f_locals:
            return frame.f_locals["runner"], frame.f_locals["requests"]
        frame = frame.f_back
    return None, None

def due():
    """The id of the request that the runner is about."""
    frame = sys._getframe()
    while frame is not None:
        id_ = frame.f_locals.get("id_")
        if isinstance(id_, bytes) and "self" in frame.f_locals:
            return id_
        frame = frame.f_back
    return bytes(16)

def cut(data):
    """Whole frames of ``data`` as (kind, id, text)."""
    found = []
    while len(data) >= 4:
        size = int.from_bytes(data[:4], "big")
        if len(data) < 4 + size:
            break
        found.append((data[4:5], data[5:21], data[21 : 4 + size].partition(bytes(1))[0].decode("utf-8", "replace")))
        data = data[4 + size :]
    return found

def ahead():
    """The requests that lie ready, left where they are (as much as the buffer holds); waits for none."""
    _, requests = runner()
    if requests is None:
        return []
    os.set_blocking(requests.fileno(), False)
    try:
        return cut(requests.peek())
    except BlockingIOError:
        return []
    finally:
        os.set_blocking(requests.fileno(), True)

def turn(count):
    """A number below ``count`` that the case that is due decides, the same at every run."""
    frame = sys._getframe(1)
    while frame is not None:
        text = frame.f_locals.get("text")
        if isinstance(text, str) and "def case" in text:
            return zlib.crc32(text.encode()) % count
        frame = frame.f_back
    return 0

def take():
    """The requests that lie ready, taken away from the runner."""
    _, requests = runner()
    if requests is None:
        return []
    os.set_blocking(requests.fileno(), False)
    data = requests.peek()
    requests.read(len(data))
    try:
        while more := os.read(requests.fileno(), 65536):
            data += more
    except BlockingIOError:
        pass
    os.set_blocking(requests.fileno(), True)
    return cut(data)

def frame(kind, id_, body=b""):
    body = kind + id_ + (body.encode() if isinstance(body, str) else body)
    return len(body).to_bytes(4, "big") + body

def outlets():
    """Descriptors on which a judge may listen: the runner's own, else every open pipe."""
    it, _ = runner()
    if it is not None:
        return [it._answers]
    return [number for number in range(3, 64) if is_pipe(number)]

def is_pipe(number):
    try:
        return (os.fstat(number).st_mode & 0o170000) == 0o010000
    except OSError:
        return False

def write(data):
    for number in outlets():
        try:
            while data:
                data = data[os.write(number, data) :]
        except OSError:
            pass
'''

HOSTILE = '''\
"""Answers that a judge may choke on, one after another, under the right ids."""
import pickle
from . import _wire

def many(tag, items):
    return '["' + tag + '",' + ",".join(items) + "]"

def deep(tag, levels):
    return ('["' + tag + '",') * levels + "1" + "]" * levels

class Run:
    def __reduce__(self):
        return exec, ("raise SystemExit",)

COLLIDING = [str(number * ((1 << 61) - 1)) for number in range(1, 1999)]
DECODED = (
    pickle.dumps(Run()), b"!!python/object/apply:os.system [id]", b"__import__('os')._exit(0)",
    "[" * 300_000, "{" * 300_000, deep("list", 55), deep("list", 70_000), deep("enum", 100_000),
    "9" * 900_000, "-" + "9" * 4_200, '["int","0x' + "f" * 900_000 + '"]', "1e400", "NaN", "-Infinity", "1.5",
    many("set", COLLIDING), many("frozenset", COLLIDING * 3), many("dict", [f"[{n},1]" for n in COLLIDING]),
    many("list", ["1"] * 200_000), many("list", [many("set", COLLIDING)] * 12),
    '["decimal","sNaN"]', '["set",["decimal","sNaN"],["decimal","NaN"]]', '["decimal","1e999999999"]',
    '["decimal","' + "9" * 500_000 + '"]', '["dict",["a",1],["a",2]]', '["dict",[["list"],1]]', '["set",1,true]',
    '["fraction","0x1","0x0"]', '["fraction","0x' + "f" * 4_000 + '","0x' + "e" * 4_000 + '"]',
    '["range",0,1,0]', '["range",0,["int","0x' + "f" * 100_000 + '"],1]', '["float","0x1p999999999"]',
    '["complex","nan","inf"]', '["bytes","zz"]', '["timedelta",999999999999,0,0]', '["datetime","9999-99-99"]',
    '["time","00:00+99:99"]', '{"py/object":"os.system"}', '["opaque",5]', '["enum","A","B"]', "", "null null",
    b"\\xff\\xfe\\x00", b"\\xef\\xbb\\xbftrue", '"\\\\ud800"', '["list"', "[1]", "[[]]", '["",1]',
)
COMPARED = (
    '["int","0x' + "f" * 250_000 + '"]', '["decimal","1e9999"]', '["decimal","-1e-9999"]', '["decimal","NaN"]',
    '["complex","0x1.fffffffffffffp+1023","0x1.fffffffffffffp+1023"]', '["float","inf"]', '["float","nan"]',
    '["fraction","0x' + "f" * 4_900 + '","0x3"]', '["list",' + ",".join(['["float","nan"]'] * 9) + "]",
    '["dict",[["float","nan"],1],[["float","nan"],1]]', '["dict",["payload",["opaque","x"]],["values",["int","0xf"]]]',
    '["datetime","2020-01-01T00:00:00+00:00"]', '["time","00:00:00"]', '["range",0,["int","0x' + "f" * 9_000 + '"],1]',
    '["enum","A","B",["enum","C","D",["enum","E","F",null]]]', '["enum","A","B",["list",["float","nan"]]]',
    '["dict",[["enum","A","B",["list"]],1]]', '["set",["tuple",["range",0,9,1]],["opaque","a"],["opaque","a"]]',
    deep("tuple", 50), deep("list", 50), '"' + "\\\\ud83d" * 100_000 + '"', '["bytes","' + "00" * 400_000 + '"]',
    many("list", ["null"] * 24_000), many("set", COLLIDING), '["frozenset",["frozenset",["frozenset"]]]',
)

def replace_answers(bodies):
    """Let every answer to a case be one of these."""
    runner, _ = _wire.runner()
    if runner is None:
        return
    say = runner.say

    def hostile(kind, id_, text=""):
        if kind not in (b"V", b"R", b"E"):
            say(kind, id_, text)
            return
        number = _wire.turn(4 * len(bodies))
        _wire.write(_wire.frame((b"V", b"R", b"E", b"V")[number % 4], id_, bodies[number // 4]))

    runner.say = hostile
'''
