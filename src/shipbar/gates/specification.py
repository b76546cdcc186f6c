"""G9: the specification is true, whole, and gives no answer away.

- Every worked example in it is what the reference answers.
- Every rule has assertions and every assertion a rule. A built task's record names
  its rules; in a task without a record they are the words in the names of its tests.
- Every public symbol is described in it, and so is every name by role of a record and
  every attribute that the suite asks for.
- No example is a hidden input: the same preparation and the same expression.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

from shipbar.contract import Contract
from shipbar.errors import UserError
from shipbar.gates.base import Evidence, Gate
from shipbar.gates.trial import Trial
from shipbar.gates.worked import Text, Worked, read_specification
from shipbar.grading.asking import HASH_SEEDS, Answer, Question, open_reference
from shipbar.grading.probes import parse_probes
from shipbar.grading.regenerate import PROBES
from shipbar.grading.tasks import SPECIFICATION
from shipbar.sealed.codec import DecodeError, decode, decode_names
from shipbar.sealed.frames import RAISED, VALUE
from shipbar.sealed.lift import Case
from shipbar.sealed.shape import source_of

SPINE = "spine"
"""The rule of assertions about what no axis touches, in a built task."""
AND = "_and_"
"""Joins the rules of an assertion that is for several, in its test's name."""


_AS_REPR = """\
import datetime, decimal, fractions
from decimal import Decimal
from fractions import Fraction
"""
"""What a value needs that is written as Python shows it."""


class SpecificationGate(Gate):
    """The specification against the reference and the suite."""

    id, name = "G9", "specification"
    title = "the specification is true and whole"

    def _examine(self, trial: Trial) -> Evidence:
        task = trial.task
        contract = task.contract
        text = (task.folder / SPECIFICATION).read_text("utf-8")
        read = read_specification(text, contract.import_name, contract.public_symbols)
        wrong = _untrue(trial, read)
        shown = _hidden(read.examples, task.suite.cases)
        by_rule = Counter(case.rule for case in task.suite.cases)
        problems = [*wrong, *shown, *_rules(trial, by_rule), *_probes(trial)]
        if not read.examples:
            problems.append(f"{SPECIFICATION} holds no worked example that can be run")
        names = _names(trial)
        problems += [
            f"{SPECIFICATION} does not describe {name}"
            for name in sorted(names)
            if not re.search(rf"\b{re.escape(name)}\b", read.code)
        ]
        return self._verdict(
            f"{len(read.examples) - len(wrong)}/{len(read.examples)} true",
            problems,
            {
                "examples": len(read.examples),
                "untrue": len(wrong),
                "hidden_inputs_shown": len(shown),
                "rules": dict(sorted(by_rule.items())),
                "names": len(names),
            },
        )


# -- examples are true


def _untrue(trial: Trial, read: Text) -> list[str]:
    """Say which examples are not what the reference answers."""
    contract = trial.task.contract
    desk = open_reference(trial.task.folder, contract, trial.sandbox, trial.work)
    questions = [it for example in read.examples for it in _questions(example)]
    head = _head(contract, read, trial.task.suite.heads)
    try:
        answers = desk.ask([head, _AS_REPR], questions, hash_seed=HASH_SEEDS[0])
    except UserError as why:
        return [f"the examples cannot be run: {why}"]
    threes = zip(answers[::3], answers[1::3], answers[2::3], strict=True)
    return [
        f"{SPECIFICATION}:{it.line}: `{it.expression}` is said to {_said(it)}, and the reference {_told(found)}"
        for it, (found, *wanted) in zip(read.examples, threes, strict=True)
        if not any(_holds(it, found, one) for one in wanted)
    ]


def _questions(example: Worked) -> list[Question]:
    """What asks for the answer, and for what is said of it: as code, and as a `repr`."""
    arrange = ast.parse(example.arrange).body
    asked = ast.parse(example.expression, mode="eval").body
    told = source_of([], ast.parse(example.value or "None", mode="eval").body)
    return [
        Question(file=0, source=source_of(arrange, asked)),
        Question(file=0, source=told),
        Question(file=1, source=told),
    ]


def _head(contract: Contract, read: Text, heads: Iterable[str]) -> str:
    """The package's names, and what the suite and the specification import."""
    imports = [
        f"from {contract.import_name} import {', '.join(contract.public_symbols)}"
    ]
    for head in heads:
        imports += [
            ast.unparse(node)
            for node in ast.parse(head).body
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
    return "\n".join(dict.fromkeys([*imports, *read.imports]))


def _holds(example: Worked, found: Answer, wanted: Answer) -> bool:
    if found.frame is None or wanted.frame is None:
        return False
    try:
        if example.value is None:
            names = (
                decode_names(found.frame.payload) if found.frame.kind == RAISED else []
            )
            return bool(names) and names[0].removeprefix("builtins.") == example.raises
        if found.frame.kind != VALUE or wanted.frame.kind != VALUE:
            return False
        if found.frame.payload == wanted.frame.payload:
            return True
        one, other = decode(found.frame.payload), decode(wanted.frame.payload)
    except DecodeError:
        return False
    # The same mapping or set may be written in another order.
    return (
        isinstance(one, dict | set | frozenset)
        and type(one) is type(other)
        and one == other
    )


def _said(example: Worked) -> str:
    return (
        f"raise {example.raises}" if example.value is None else f"be `{example.value}`"
    )


def _told(answer: Answer) -> str:
    if answer.frame is None:
        return f"has no answer: {answer.lost}"
    try:
        if answer.frame.kind == VALUE:
            return f"answers {decode(answer.frame.payload)!r}"
        return f"raises {decode_names(answer.frame.payload)[0]}"
    except (DecodeError, IndexError):
        return "answers what is no plain data"


# -- nothing is given away


def _hidden(examples: Sequence[Worked], cases: Sequence[Case]) -> list[str]:
    sources = {case.source: case.id for case in cases}
    return [
        f"{SPECIFICATION}:{it.line}: `{it.expression}` is the hidden input of {sources[source]}: show another"
        for it in examples
        if (source := _bare(it)) in sources
    ]


def _bare(example: Worked) -> str:
    """The example as a case asks it: without what makes a session's value a text."""
    asked = ast.parse(example.expression, mode="eval").body
    arrange = ast.parse(example.arrange).body
    if (
        isinstance(asked, ast.Call)
        and ast.unparse(asked.func) == "repr"
        and len(asked.args) == 1
    ):
        asked = asked.args[0]
    used = [it for it in arrange if not isinstance(it, ast.Import | ast.ImportFrom)]
    return source_of(used, asked)


# -- rules and names


def _rules(trial: Trial, by_rule: Counter[str]) -> list[str]:
    """Say which rules have no assertion, and which assertions no rule."""
    record = trial.record
    numbered = re.compile(r".+_\d+")
    problems = [
        f"{case.id} has no rule: expected a name test_<rule>_<number>"
        for case in trial.task.suite.cases
        if not numbered.fullmatch(case.id.rpartition("::")[2].removeprefix("test_"))
    ]
    if not record:
        return problems
    rules = {rule.replace("-", "_"): rule for rule in record["rules"]}
    # An assertion that asks several things may be for several rules.
    told = {part for word in by_rule for part in word.split(AND)}
    problems += [
        f"rule {rule} has no assertion"
        for word, rule in rules.items()
        if word not in told
    ]
    problems += [
        f"assertions are said to be for {word}, which is no rule of the record"
        for word in sorted(told - rules.keys() - {SPINE})
    ]
    counted = {
        rule.replace("-", "_"): count
        for rule, count in record["assertions_by_rule"].items()
    }
    if counted != dict(by_rule):
        problems.append("assertions_by_rule of the record is not what the suite holds")
    return problems


def _probes(trial: Trial) -> list[str]:
    """Say which tests have no probe, and which probes no test."""
    path = trial.task.folder / PROBES
    if not path.is_file():
        return [f"{PROBES} is not there: every rule has probes"]
    probes = parse_probes(
        PROBES, path.read_text("utf-8"), trial.task.contract.import_name
    )
    asked = {probe.test for probe in probes.probes}
    tests = {case.id.rpartition("::")[2] for case in trial.task.suite.cases}
    return [
        *map(str, probes.problems),
        *(f"{test} has no probe in {PROBES}" for test in sorted(tests - asked)),
        *(f"the probe of {test} has no test" for test in sorted(asked - tests)),
    ]


def _names(trial: Trial) -> set[str]:
    """What a solver must be told: public names, names by role, attributes that are asked for."""
    contract, suite = trial.task.contract, trial.task.suite
    asked = {
        name
        for text in (*suite.heads, *(case.source for case in suite.cases))
        for name in _attributes(ast.parse(text))
    }
    return {
        contract.import_name,
        *contract.public_symbols,
        *trial.record.get("names", {}).values(),
        *(asked - _USUAL),
    }


def _attributes(tree: ast.AST) -> set[str]:
    """Attributes that a piece of the suite asks for, other than a module's."""
    modules = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and not (isinstance(node.value, ast.Name) and node.value.id in modules)
        and not node.attr.startswith("__")
    }


_LIBRARY = (str, bytes, list, dict, set, tuple, int, float, complex, range)
_MORE = (
    Decimal,
    Fraction,
    datetime,
    date,
    time,
    timedelta,
    timezone,
    OSError,
    Iterator,
)
_USUAL = frozenset(name for cls in (*_LIBRARY, *_MORE) for name in dir(cls))
"""Attributes of plain data, which every solver knows."""


GATE = SpecificationGate()
