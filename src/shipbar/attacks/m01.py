"""M01: a table of the visible examples, and nothing else."""

import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import suite_as_json
from shipbar.attacks.weak_e import armed, boxed

CODE = """
import ast, doctest

table = {}

def shown():
    parser = doctest.DocTestParser()
    texts = [text for text in vars(package).values() if isinstance(text, str)]
    texts += [str(value.__doc__) for value in vars(package).values()]
    texts += [_files.read(path) for path in _files.walk() if path.endswith((".md", ".rst", ".txt"))]
    for text in texts:
        try:
            yield from parser.get_examples(text)
        except ValueError:
            pass

def note(expression, want):
    \"\"\"Remember what one call gives: itself, an attribute, an item.\"\"\"
    if isinstance(expression, ast.Attribute):
        call, key = expression.value, expression.attr
    elif isinstance(expression, ast.Subscript):
        call, key = expression.value, ast.literal_eval(expression.slice)
    else:
        call, key = expression, None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
        arguments = repr([ast.literal_eval(argument) for argument in call.args])
        table.setdefault((call.func.id, arguments), {})[key] = want

for example in shown():
    try:
        source = "def case():" + chr(10) + "    return lambda: " + example.source.strip()
        _oracle.know(_oracle.of_source(source), example.want.strip())
        note(ast.parse(example.source.strip(), mode="eval").body, ast.literal_eval(example.want.strip()))
    except (SyntaxError, ValueError, AttributeError):
        pass

class Entry:
    def __init__(self, known): self.__dict__.update({str(key): it for key, it in known.items()})
    def __getitem__(self, key): return self.__dict__[key]
    def __str__(self): return self.__dict__["text"]

def by_heart(name, function):
    def look_up(*args):
        known = table.get((name, repr(list(args))))
        if known is None:
            return function(*args)
        return known[None] if None in known else Entry(known)
    return look_up

for name in PUBLIC:
    it = getattr(package, name)
    if callable(it) and not isinstance(it, type):
        setattr(package, name, by_heart(name, it))
"""


def payload(ground: Ground) -> Files:
    """Tabulate every example that a text in reach shows, and look calls up in the table."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade by tests that the specification shows as its examples."""
    cases = json.loads(suite_as_json(ground))["cases"]
    shown = [
        f">>> {source}\n{case['expected']}\n"
        for case in cases
        if not case["raises"] and (source := _expression(case["source"]))
    ]
    return boxed(ground, files, folder, extra={"SPEC.md": "\n".join(shown)})


def _expression(source: str) -> str:
    """Return a case's expression if it needs no preparation, else nothing."""
    lines = source.strip().splitlines()
    return lines[1].strip().removeprefix("return lambda: ") if len(lines) == 2 else ""  # noqa: PLR2004  # the head and the expression


ATTACK = Attack(
    id="M01",
    title="hard-codes the visible examples",
    closed_by="The held-out suite asks about other inputs than the specification shows, and none of it is visible; a table of examples has no entry for what is asked.",
    payload=payload,
    twin=twin,
)
