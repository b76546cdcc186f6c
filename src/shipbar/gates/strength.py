"""G7: small changes of the reference are noticed.

The reference is mutated by mutmut's operators, and each mutant is asked until it first
fails; the rules of the task, where they are known, are mutants as well: every
known-bad and every partial implementation. Of the mutants that count at least
`LEAST` must fail, and of the rule mutants all.

Not counted is what no suite may kill: what the specification leaves free, decided
from the source, and what a person has judged to be equivalent. The judgements stand in
`grader/equivalent.json`:

    {"mutants": [{
      "file": "spans/__init__.py",  the module, below the reference
      "line": 41,                   where the changed text begins
      "before": "if low > high:",   the changed line, and what stands there in the
      "after": "if low >= high:",   mutant, as this gate prints them
      "reason": "…",                why no call can tell them apart
      "name": "…"                   who says so
    }]}

An entry that is no mutant of the reference fails the task, and so does one that
the suite kills. A survivor that is neither is listed, for a person to judge or for a
probe that tells it apart. Mutants that no case even reaches survive too, and are marked.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import attrs

from shipbar.gates.base import Evidence, Gate
from shipbar.gates.packages import installed_reference, modules_of
from shipbar.gates.trial import Trial
from shipbar.grading.install import Installed
from shipbar.grading.lineup import Line, Lineup
from shipbar.grading.tasks import Task
from shipbar.verdict import sha256

if TYPE_CHECKING:
    from shipbar.grading.mutation import Mutant

LEAST = Fraction(95, 100)
"""Share of the mutants that count which must be killed."""
MOST = 1500
"""Mutants that are graded; of more, so many are drawn."""
EQUIVALENT = "grader/equivalent.json"
"""Where a task keeps what a person judged to be equivalent; it may have none."""
JUDGED = "judged equivalent"

_KEYS = ("file", "line", "before", "after", "reason", "name")

Key = tuple[str, int, str, str]


class StrengthGate(Gate):
    """Mutants of the reference through the judge."""

    id, name = "G7", "strength"
    title = "small changes of the reference are noticed"

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """Name the operators, and what they work on."""
        del trial
        return {
            "operators": sha256(f"{_version('mutmut')}, {_version('libcst')}".encode())
        }

    def _examine(self, trial: Trial) -> Evidence:
        # Here, since parsing and mutating costs an import that no other gate needs.
        from shipbar.grading.mutation import mutants_of  # noqa: PLC0415

        task = trial.task
        package = installed_reference(task, trial.sandbox, trial.work)
        suite = [*task.suite.heads, *(case.source for case in task.suite.cases)]
        made = mutants_of(modules_of(package, task.contract.import_name), suite)
        judged, problems = judgements(trial, made)
        counted = [mutant for mutant in made if not mutant.aside]
        asked = drawn(counted, task.digest)
        with Lineup(task, package, trial.sandbox, trial.work) as lineup:
            found = _Inquest(lineup, package, task).hold(asked)
        survivors = [
            it for it in found if it.survives and key_of(it.mutant) not in judged
        ]
        problems += [
            f"{EQUIVALENT}: {shown(it.mutant)}: judged equivalent, and killed by {it.killer}"
            for it in found
            if not it.survives and key_of(it.mutant) in judged
        ]
        total = sum(
            it.survives is False or key_of(it.mutant) not in judged for it in found
        )
        killed = total - len(survivors)
        rules = _rule_mutants(trial)
        problems += [
            f"{path} is not killed" for path, dead in rules.items() if not dead
        ]
        problems += _too_few(killed, total, survivors)
        aside = Counter(mutant.aside for mutant in made if mutant.aside)
        aside[JUDGED] = len(found) - total
        return self._verdict(
            f"{100 * killed / max(total, 1):.1f} %",
            problems,
            {
                "killed": killed,
                "mutants": total,
                "rate": round(killed / max(total, 1), 4),
                "made": len(made),
                "graded": len(asked),
                "not_counted": dict(sorted(aside.items())),
                "rules_killed": sum(rules.values()),
                "rules": len(rules),
                "survivors": [_as_json(it) for it in survivors],
                "unreached": sum(not it.reached for it in survivors),
                "too_slow": sum(it.too_slow for it in found),
            },
            {"least": float(LEAST), "most": MOST, "operators": _version("mutmut")},
        )


def _too_few(killed: int, total: int, survivors: Sequence["Fate"]) -> list[str]:
    if not total:
        return ["the reference has nothing to mutate: a task asks for behaviour"]
    if Fraction(killed, total) >= LEAST:
        return []
    return [
        f"{killed} of {total} mutants are killed, at least {float(LEAST):.0%}; tell these apart, or judge them in {EQUIVALENT}",
        *(
            f"{shown(it.mutant)}{'' if it.reached else ' (no case reaches it)'}"
            for it in survivors
        ),
    ]


@attrs.frozen(kw_only=True)
class Fate:
    """What became of a mutant."""

    mutant: "Mutant"
    """The mutant."""
    killer: str
    """The first case that failed; `import` if it does not even load; empty for a survivor."""
    reached: bool
    """Whether any case runs the statement that is changed."""
    too_slow: bool
    """Whether it was killed for taking many times the steps of the reference."""

    @property
    def survives(self) -> bool:
        """Whether every case passes."""
        return not self.killer


class _Inquest:
    """Asks mutants, those cases first which run the change and have killed before."""

    def __init__(self, lineup: Lineup, package: Installed, task: Task) -> None:
        self._lineup, self._package = lineup, package
        self._cases = task.suite.cases
        self._kills: Counter[int] = Counter()
        self._cut = len(package.root) + 1 if package.root else 0

    def hold(self, mutants: Sequence["Mutant"]) -> list[Fate]:
        reached = self._lineup.reached()
        return [self._fate(mutant, reached) for mutant in mutants]

    def _fate(self, mutant: "Mutant", reached: Sequence[frozenset[Line]]) -> Fate:
        lines = {(mutant.file[self._cut :], line) for line in mutant.lines}
        near = [
            number
            for number, seen in enumerate(reached)
            if mutant.imported or lines & seen
        ]
        order = sorted(near, key=lambda number: (-self._kills[number], number))
        heard = self._lineup.judge(mutant.of(self._package.files), order, most=1)
        self._kills.update(heard.failed)
        killer = self._cases[heard.failed[0]].id if heard.failed else ""
        return Fate(
            mutant=mutant,
            killer=killer if heard.loads else "import",
            reached=bool(near),
            too_slow=bool(heard.stopped),
        )


def judgements(
    trial: Trial, made: Sequence["Mutant"]
) -> tuple[frozenset[Key], list[str]]:
    """Return the mutants that a person judged to be equivalent, and what is wrong with the record."""
    path = trial.task.folder / EQUIVALENT
    if not path.is_file():
        return frozenset(), []
    try:
        entries = json.loads(path.read_text("utf-8"))["mutants"]
        keys = [_entry(entry) for entry in entries]
    except (ValueError, KeyError, TypeError) as cause:
        return frozenset(), [
            f'{EQUIVALENT}: expected {{"mutants": [{{{", ".join(_KEYS)}}}, …]}}: {cause}'
        ]
    known = {key_of(mutant) for mutant in made if not mutant.aside}
    problems = [
        f"{EQUIVALENT}: {file}:{line}: `{before}` → `{after}`: no mutant that counts; take it out"
        for file, line, before, after in keys
        if (file, line, before, after) not in known
    ]
    return frozenset(keys) & known, problems


def _entry(entry: Mapping[str, Any]) -> Key:
    if set(entry) != set(_KEYS):
        raise ValueError(f"an entry has {', '.join(sorted(entry))}")
    texts = [entry[key] for key in _KEYS if key != "line"]
    if type(entry["line"]) is not int or not all(
        isinstance(text, str) and text.strip() for text in texts
    ):
        raise ValueError("a line is a number, and all else a text that is not empty")
    return entry["file"], entry["line"], entry["before"], entry["after"]


def key_of(mutant: "Mutant") -> Key:
    """Return what tells a mutant from all others of its package."""
    return mutant.file, mutant.line, mutant.before, mutant.after


def drawn(mutants: Sequence["Mutant"], digest: str) -> list["Mutant"]:
    """Return up to `MOST` mutants, in order; which ones follows from the task's digest."""
    ranked = sorted(
        range(len(mutants)),
        key=lambda number: hashlib.sha256(
            f"{digest} mutant {number}".encode()
        ).digest(),
    )
    return [mutants[number] for number in sorted(ranked[:MOST])]


def shown(mutant: "Mutant") -> str:
    """Say where a mutant is and what it changes, on one line."""
    return f"{mutant.file}:{mutant.line}: {mutant.place or 'module'}: `{mutant.before}` → `{mutant.after}`"


def _rule_mutants(trial: Trial) -> dict[str, bool]:
    """Whether each of the task's own wrong and partial packages is killed."""
    return {
        path: not trial.verdict(path).shipped
        for path in (*trial.known_bad, *trial.ladder)
    }


def _as_json(fate: Fate) -> dict[str, Any]:
    mutant = fate.mutant
    return {
        "file": mutant.file,
        "line": mutant.line,
        "place": mutant.place,
        "before": mutant.before,
        "after": mutant.after,
        "reached": fate.reached,
    }


def _version(package: str) -> str:
    # Here, since it takes longer to import than most gates need.
    from importlib.metadata import version  # noqa: PLC0415

    return f"{package} {version(package)}"


GATE = StrengthGate()
