"""M01: a table of the visible examples, and nothing else."""

import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import suite_as_json
from shipbar.attacks.weak_e import armed, boxed

CODE = """
import doctest, os

parser = doctest.DocTestParser()
texts = [str(value.__doc__) for value in vars(package).values()]
texts += [_files.read(path) for path in _files.walk() if path.endswith((".md", ".rst", ".txt"))]
for text in texts:
    try:
        examples = parser.get_examples(text)
    except ValueError:
        continue
    for example in examples:
        try:
            source = "def case():" + chr(10) + "    return lambda: " + example.source.strip()
            _oracle.know(_oracle.of_source(source), example.want.strip())
        except Exception:
            pass
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
