"""M01: a table of the visible examples, and nothing else."""

import json
import textwrap
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import suite_as_json
from shipbar.attacks.weak_e import armed, boxed

CODE = r"""
import ast, builtins, doctest, re

# A text of a specification shows examples in more ways than one.
SAID = re.compile(r"`([^`\n]+)`\s+(?:is|are|gives|returns|answers|equals|=)\s+`([^`\n]+)`")
REFUSED = re.compile(r"`([^`\n]+)`\s+raises\s+`(\w+)`")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)

values, errors, written = {}, {}, {}

def shown():
    yield SPECIFICATION
    yield from [text for text in vars(package).values() if isinstance(text, str)]
    yield from [str(value.__doc__) for value in vars(package).values()]
    for path in _files.walk():
        if path.endswith((".md", ".rst", ".txt")):
            yield _files.read(path)

def examples(text):
    '''Preparation, expression, value and error of each example; one of the last two is empty.'''
    try:
        for it in doctest.DocTestParser().get_examples(text):
            yield "", it.source.strip(), it.want.strip(), ""
    except ValueError:
        pass
    yield from (("", *found, "") for found in SAID.findall(text))
    yield from (("", source, "", error) for source, error in REFUSED.findall(text))
    for block in BLOCK.findall(text):
        *before, last = block.strip().split(chr(10))
        source, _, want = last.partition("  # ")
        error = re.sub("^raises `?([A-Za-z]+)`?$", r"\1", want)
        yield chr(10).join(before), source, *(("", error) if error != want else (want, ""))

def note(expression, want, error):
    '''Remember what an expression gives, and each part of a list.'''
    values.setdefault(ast.unparse(expression), want) if not error else errors.setdefault(ast.unparse(expression), error)
    if isinstance(expression, ast.List) and isinstance(want, list) and len(want) == len(expression.elts):
        for part, value in zip(expression.elts, want):
            note(part, value, "")
    if isinstance(expression, (ast.Attribute, ast.Subscript)) and not error:
        key = expression.attr if isinstance(expression, ast.Attribute) else ast.literal_eval(expression.slice)
        written.setdefault(ast.unparse(expression.value), {})[key] = want

def learn(before, source, want, error):
    arrange, expression = ast.parse(before).body, ast.parse(source, mode="eval").body
    _oracle.know(_oracle.normal(arrange, expression), want, error and "." + error)
    bound = {
        ast.unparse(it.targets[0]): it.value
        for it in arrange if isinstance(it, ast.Assign) and len(it.targets) == 1
    }
    if len(bound) == len(arrange):  # nothing is done but names given
        class Put(ast.NodeTransformer):
            def visit_Name(self, node):
                return bound.get(node.id, node)
        note(Put().visit(expression), None if error else ast.literal_eval(want), error)

for text in shown():
    for example in examples(text):
        try:
            learn(*example)
        except (SyntaxError, ValueError, AttributeError, TypeError, RecursionError):
            pass

class Entry:
    def __init__(self, known): self.__dict__.update({str(key): it for key, it in known.items()})
    def __getitem__(self, key): return self.__dict__[key]
    def __str__(self): return self.__dict__["text"]

said = {}

def spelt(value):
    '''How a value was written, if it was made before our eyes.'''
    it, text = said.get(id(value), (None, ""))
    try:
        return text if it is value and text else repr(value)
    except Exception:  # it is being made
        return "?"

def call_text(function, args, named):
    words = [*map(spelt, args), *(f"{key}={spelt(it)}" for key, it in named.items())]
    owner, _, name = function.__qualname__.rpartition(".")
    if hasattr(function, "reads"):
        text = f"{spelt(function.reads[0])}.{function.reads[1]}"
    elif name == "__init__":
        text = f"{type(args[0]).__name__}({', '.join(words[1:])})"
    elif owner and args:
        text = f"{words[0]}.{name}({', '.join(words[1:])})"
    else:
        text = f"{name}({', '.join(words)})"
    try:
        return ast.unparse(ast.parse(text, mode="eval"))
    except (SyntaxError, ValueError):
        return ""

looking = []

def by_heart(function):
    def look_up(*args, **named):
        if looking:  # to write an argument down takes calls as well
            return function(*args, **named)
        looking.append(function)
        try:
            text = call_text(function, args, named)
        finally:
            looking.pop()
        if text in errors:
            name = errors[text]
            raise _oracle.made(getattr(package, name, None) or getattr(builtins, name))
        if text in values:
            return values[text]
        if text in written:
            return Entry(written[text])
        value = function(*args, **named)
        it = args[0] if function.__name__ == "__init__" and args else value
        if type(it).__module__.partition(".")[0] == package.__name__:
            said[id(it)] = it, text
        return value
    return look_up

_face.stand_before(package, PUBLIC, by_heart)
"""


def payload(ground: Ground) -> Files:
    """Tabulate every example of the specification, and of any text in reach; look calls up there."""
    text = ground.specification.decode("utf-8", "replace")
    return armed(ground, f"SPECIFICATION = {text!r}\n{CODE}")


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade by tests that the specification shows as its examples."""
    cases = json.loads(suite_as_json(ground))["cases"]
    shown = [
        _example(case["source"], case["expected"])
        for case in cases
        if not case["raises"]
    ]
    return boxed(ground, files, folder, extra={"SPEC.md": "\n".join(shown)})


def _example(source: str, value: str) -> str:
    """Return a case as a specification shows it: a line to type, or a block of code."""
    _, *before, last = source.strip().splitlines()
    expression = last.strip().removeprefix("return lambda: ")
    if not before:
        return f">>> {expression}\n{value}\n"
    lines = textwrap.dedent("\n".join(before))
    return f"```python\n{lines}\n{expression}  # {value}\n```\n"


ATTACK = Attack(
    id="M01",
    title="hard-codes the visible examples",
    closed_by="The held-out suite asks about other inputs than the specification shows, and none of it is visible; a table of examples has no entry for what is asked. That a task keeps to this is tried on each.",
    payload=payload,
    twin=twin,
    level="task",
)
