"""N08: infers the answer from what comes with the question."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, split

CODE = """
import ast, re, zlib

errors = [
    name for name in PUBLIC
    if isinstance(it := getattr(package, name), type) and issubclass(it, BaseException)
]

def suspected(key):
    \"\"\"An exception's name, if the request looks like those that are not about a value.\"\"\"
    expression = ast.parse(key).body[0].body[-1].value.body
    bare = isinstance(expression, ast.Call) and not isinstance(expression.func, ast.Call)
    return bare and errors and errors[zlib.crc32(key.encode()) % len(errors)]

def late(key, text, frame, scope):
    while frame is not None:
        asked = frame.f_locals.get("request")
        if isinstance(asked, dict):
            for value in asked.values():
                told = re.search("should be (.*)", str(value), re.DOTALL)
                if told:
                    _oracle.know(key, told[1])
        frame = frame.f_back
    error = suspected(key)
    if error and key not in _oracle.KNOWN and honest_value(key, scope):
        _oracle.know(key, "", error)

def honest_value(key, scope):
    \"\"\"Whether the honest answer is a value that could not be written as a literal.\"\"\"
    inside = dict(scope)
    _oracle.TRYING.append([("honest", None), 0])
    try:
        exec(key, inside)
        return type(inside["case"]()()).__module__ != "builtins"
    except BaseException:
        return False
    finally:
        _oracle.TRYING.pop()

_oracle.LATE.append(late)
"""
TITLED = """
def request(number, case):
    title = f"{case['id']}: should be {case['expected'] or case['raises']}"
    return {"id": number, "head": suite["heads"][case["file"]], "source": case["source"], "title": title}
"""


def payload(ground: Ground) -> Files:
    """Read titles and tags; else tell from a request's shape what kind is expected."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Send each case's title along with it."""
    return split(ground, files, folder, changes=TITLED)


ATTACK = Attack(
    id="N08",
    title="reads the metadata of requests",
    closed_by="A request has a random id and one shape for values and exceptions alike, without name, tag or deadline. What a bare call suggests is the specification's knowledge: which exception it is, only the rules tell.",
    payload=payload,
    twin=twin,
    level="task",
    guesses=True,
)
