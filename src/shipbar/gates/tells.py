"""Tells: words that give a held-out part away, and hidden cases that are given away.

What is no tell was measured on the reference tranche: a rule's id alone ("order",
"last-workday") is a word of the subject, which a specification needs; with its value,
or in the name of a test or a known-bad, it can only come from the maker's side. A
family's name of one word is the subject's own word as well.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from shipbar.gates.fragments import tokens
from shipbar.gates.trial import FLIP_BACK, Trial
from shipbar.grading.tasks import ADAPTER, LADDER, RECORD, Task
from shipbar.grading.upstream import COMMON, deny_words
from shipbar.sealed.compare import Expectation, Raises
from shipbar.sealed.lift import Case
from shipbar.sealed.literals import Writer

LEAST_LITERALS = 6
"""Characters that a hidden case's literals come to at least, for them to tell of it."""
LEAST_NAME = 5
"""Letters from which on an invented name is taken for one."""
PATH, TEST = "the path of a held-out part", "the name of a hidden test"
_HOST = re.compile(r"(?<![\w/])(?:/home|/Users|/root|[A-Z]:\\\\?Users)[/\\][\w.-]+")
_SEED = re.compile(r"(?i)\bseed\b[\"'`]?\s*[:=]\s*[\"'`]?\w+")
_LITERAL = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|(?<![\w.])-?\d+(?:\.\d+)?")
_SETUP = frozenset({"setup", "conftest", "test", "bootstrap", "noxfile"})


class Tells:
    """The words that give one task away."""

    def __init__(self, trial: Trial) -> None:
        """Collect them from a task."""
        self.canary = trial.task.contract.canary
        self._task_id = trial.task.contract.task_id
        self.phrases = _phrases(trial)
        self._found = re.compile(
            r"(?<![\w-])(?:"
            + "|".join(sorted(map(re.escape, self.phrases), reverse=True))
            + r")(?![\w-])"
        )
        self._pairs = _pairs(trial.record.get("rules", {}))

    def within(self, text: str) -> list[str]:
        """Return what a text says that only the maker's side knows."""
        found = [f"the canary {self.canary}"] if self.canary in text else []
        hits = dict.fromkeys(it[0] for it in self._found.finditer(text))
        found += [f"{self.phrases[word]} `{word}`" for word in hits]
        if self._pairs is not None:
            pairs = dict.fromkeys(it[0] for it in self._pairs.finditer(text))
            found += [f"a rule and its value `{pair}`" for pair in pairs]
        found += [f"a path of its maker's machine `{it}`" for it in _HOST.findall(text)]
        found += [f"a seed `{it}`" for it in _SEED.findall(text)]
        return found

    def public(self, text: str) -> str:
        """Return a text without the task's id, which stands on every delivery."""
        return text.replace(self._task_id, "")


def _phrases(trial: Trial) -> dict[str, str]:
    """What only the maker's side says, each with what it is."""
    contract, record = trial.task.contract, trial.record
    named = {
        PATH: {
            *("known_bad", "task.toml", "variant.json", "probes.py"),
            *(case.id.partition("::")[0].rpartition("/")[2] for case in _cases(trial)),
            *(
                path
                for path in (
                    *(contract.reference_install, *contract.known_bad_install),
                    *(*contract.grader.pytest_paths, RECORD, ADAPTER, LADDER),
                )
                if "/" in path  # one word alone is anybody's
            ),
        },
        TEST: {case.id.rpartition("::")[2] for case in _cases(trial)},
        "the name of a known-bad": {
            *(path.rpartition("/")[2] for path in trial.flip_backs.values()),
            *(f"{FLIP_BACK}{rule}" for rule in record.get("rules", ())),
        },
        "the name of its family": {
            form
            for name in [record.get("family", "")]
            if "-" in name
            for form in (name, name.replace("-", "_"))
        },
    }
    return {word: what for what, words in named.items() for word in words}


def _cases(trial: Trial) -> Sequence[Case]:
    return trial.task.suite.cases


def _pairs(rules: Mapping[str, str]) -> re.Pattern[str] | None:
    """Match a rule's id with its value, as code or a table would have them."""
    if not rules:
        return None
    each = "|".join(
        f"{re.escape(rule)}[\"'`]?\\s*(?:[:=|]|->)\\s*[\"'`]?{re.escape(value)}"
        for rule, value in rules.items()
    )
    return re.compile(rf"(?<![\w-])(?:{each})(?![\w-])")


def invented_names(trial: Trial) -> tuple[str, ...]:
    """Return the names that stand in this task alone; the package's is the first."""
    contract = trial.task.contract
    names = [contract.import_name]
    if trial.record:
        names += [*trial.record.get("names", {}).values(), *contract.public_symbols]
    return tuple(dict.fromkeys(name for name in names if len(name) >= LEAST_NAME))


# -- the upstream ------------------------------------------------------------------------


def modules_of(files: Iterable[str]) -> tuple[str, ...]:
    """Return the modules that an sdist brings, by the paths of its files."""
    found = set()
    for path in files:
        parts = path.removesuffix(".py").split("/")
        parts = parts[1:] if parts[0] in ("src", "lib") else parts
        if len(parts) == 1 or parts[1:] == ["__init__"]:
            found.add(parts[0] if path.endswith(".py") else "")
    return tuple(sorted(found - COMMON - _SETUP - {""}))


def denied(
    name: str, files: Mapping[str, bytes], record: Mapping[str, object]
) -> frozenset[str]:
    """Return the words of an upstream that no specification may hold.

    Args:
        name: its distribution's name.
        files: of its sdist.
        record: of the task, with what its family denies beside.
    """
    more = record.get("denied", ())
    listed = more if isinstance(more, list | tuple) else ()
    return deny_words(files, (name, *modules_of(files), *listed))


# -- hidden cases ------------------------------------------------------------------------


def leaked(task: Task, text: str) -> list[tuple[str, str]]:
    """Return the hidden cases whose input and answer stand together in a text.

    Each comes as its id and what was found. Together is in one paragraph. Either the
    case's own source stands there with its answer, however it is laid out and quoted;
    or its literals do, in order, those of the answer right behind those of the input.
    """
    paragraphs = [
        (f" {' '.join(tokens(part))} ", _literals(part))
        for part in re.split(r"\n\s*\n", text)
    ]
    found = []
    for case in task.suite.cases:
        source, answer = _source(case), _answer(case.expectation)
        asked = f" {' '.join(tokens(source))} "
        told = f" {' '.join(tokens(answer))} "
        row = [*_literals(source), *_literals(answer)]
        tells = bool(_literals(answer)) and sum(map(len, row)) >= LEAST_LITERALS
        for words, literals in paragraphs:
            if asked in words and told in words.replace(asked, " "):
                found.append((case.id, f"{source.strip()} … {answer}"))
                break
            if tells and _holds(literals, row):
                found.append((case.id, f"{', '.join(row)}"))
                break
    return found


def _source(case: Case) -> str:
    """What is asked: the arrange part and the expression."""
    (function,) = ast.parse(case.source).body
    assert isinstance(function, ast.FunctionDef)  # noqa: S101  # as the lift makes it
    *arrange, last = function.body
    value = last.value if isinstance(last, ast.Return) else None
    asked = value.body if isinstance(value, ast.Lambda) else last
    return "\n".join(ast.unparse(node) for node in [*arrange, asked])


def _answer(expected: Expectation) -> str:
    if isinstance(expected, Raises):
        return expected.error.rpartition(".")[2]
    return Writer().write(expected.value)


def _literals(text: str) -> list[str]:
    return [found.strip("\"'") for found in _LITERAL.findall(text)]


def _holds(row: list[str], part: list[str]) -> bool:
    return any(row[at : at + len(part)] == part for at in _places(row, part[0]))


def _places(row: list[str], first: str) -> Iterator[int]:
    return (at for at, item in enumerate(row) if item == first)
