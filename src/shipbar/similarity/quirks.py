"""What a task's sources do where the specification leaves freedom: observed, never guessed.

The reference is run in the sandbox, once a task, and asked all that submissions may be
asked; so is the pinned upstream behind the task's adapter, if it is in the cache. Kept is
what can tell one author from another:

- not what it answers to a case that it fails: there it is not free, it is wrong;
- not what another hash seed changes, nor what hangs on the cases that came before;
- not an empty text, nor one that stands in the specification, in the case or in its file;
- not how objects show themselves, if the specification speaks of that;
- not an order that sorting gives, or in which the case names the items;
- not what one of the task's independent implementations answers too;
- each wording once, however many cases show it and whatever they fill into it, and at
  most `QUESTIONS` for each source.

An observation lies beside the copy guard's index, under a name made of all that decides
it, and holds digests of answers. As the index does, it belongs to the held-out half.
"""

import ast
import builtins
import contextlib
import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from shipbar.errors import GraderFault, IntakeError, SeamError
from shipbar.grading import quirks
from shipbar.grading.bench import Seat, world_readable
from shipbar.grading.install import Install, Installed, install, install_pinned
from shipbar.grading.intake import take_in, write_tree
from shipbar.grading.judge import judge
from shipbar.grading.quirks import Answers, ask, can_be_asked, digest_of
from shipbar.grading.tasks import ADAPTER, SPECIFICATION, Task
from shipbar.grading.upstream import NotFetchedError, cached
from shipbar.ports import SURROUNDINGS, Habits, Job, Question, Sandbox
from shipbar.similarity.guard import FOLDER, keep
from shipbar.similarity.tasks import INDEPENDENT, REFERENCE, UPSTREAM
from shipbar.verdict import Outcome, canonical, sha256

FORMAT = 1
QUESTIONS = 64
"""To one submission, of each source."""
OBSERVED_S = 60.0
"""Wall seconds for all questions to a source."""
LEAST = 4
"""Characters of an answer that can tell anything."""
SEEDS = ("0", "1")
_SHOWN = re.compile(r"\brepr\b|\bstr\(|__str__|__repr__")
"""What a specification has in it that says how objects show themselves."""

_FILLED = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")
"""What a message has from the case: whatever is quoted, and numbers."""


@attrs.frozen(kw_only=True)
class Place:
    """Where sources are run and what was observed is kept."""

    sandbox: Sandbox
    """Runs them."""
    work: Path
    """Folder for the sandbox's own folders."""
    cache: Path
    """Where upstreams and observations lie."""


def habits_of(task: Task, place: Place) -> Habits:
    """Return what the sources of ``task`` answer; from the cache, or observed and kept.

    Raises:
        SandboxError: no subject started.
        SeamError: the pinned upstream cannot be installed.
        GraderFault: a source cannot be asked.
    """
    path = place.cache / FOLDER / f"{key_of(task, place)}.quirks.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return _parsed(path.read_bytes())
    found = observed(task, place)
    with contextlib.suppress(OSError):  # costs an observation a process, no more
        keep(path, _rendered(found))
    return found


def key_of(task: Task, place: Place) -> str:
    """Return the name of a task's observation: equal where all that decides it is equal."""
    pin = task.contract.upstream_sdist
    fetched = pin is not None and (place.cache / "upstream" / pin.file).is_file()
    decides = {
        "task": task.digest,
        "format": FORMAT,
        "version": quirks.VERSION,
        "sandbox": place.sandbox.name,
        "python": sys.version,
        "upstream": pin.sha256 if pin is not None and fetched else "",
    }
    return sha256(canonical(decides)).partition(":")[2][:32]


def observed(task: Task, place: Place) -> Habits:
    """Run the sources and see what they answer; see `habits_of` for what it raises."""
    sources = {REFERENCE: _installed(task, task.contract.reference_install, place)}
    missing = []
    if task.contract.upstream_sdist is not None:
        try:
            sources[UPSTREAM] = _adapted(task, place)
        except NotFetchedError:
            missing.append(UPSTREAM)
    others = _independent(task, place)
    return Habits(
        sources={
            name: _habits(task, package, others, place)
            for name, package in sources.items()
        },
        missing=tuple(missing),
    )


def answers_of(
    task: Task, package: Installed, place: Place, cases: Iterable[int], seed: str
) -> Answers:
    """Run a package of the task's own as a grade does, and ask it about what it passes; see `habits_of`.

    Args:
        task: whose suite it is asked first.
        package: what is run.
        place: where.
        cases: what it is asked then.
        seed: of hashes.
    """
    job = Job(
        limits=task.contract.grader.limits,
        surroundings={**SURROUNDINGS, "PYTHONHASHSEED": seed},
    )
    seat = Seat(place.sandbox, job, place.work)
    try:
        write_tree(
            package.files,
            seat.folder,
            package.root or "",
            world_readable=world_readable(),
        )
        judged = judge(seat, task.suite, task.contract)
        if not can_be_asked(judged):
            raise GraderFault("a source ends before it can be asked")
        heard = ask(seat, task, cases, wall_s=OBSERVED_S)
    finally:
        seat.leave()
    if heard.failure:
        raise GraderFault(f"a source cannot be asked: {heard.failure}")
    return {
        it: answer
        for it, answer in heard.answers.items()
        if judged.outcomes[it.case] is Outcome.PASSED
    }


def telling(task: Task, answers: Answers) -> dict[Question, str]:
    """Return those answers that neither the specification nor the case gives away."""
    specification = (task.folder / SPECIFICATION).read_text("utf-8", "replace")
    shown = _SHOWN.search(specification) is not None
    found: dict[Question, str] = {}
    for question, answer in answers.items():
        kind = question.kind.partition(" ")[0]
        case = task.suite.cases[question.case]
        head = task.suite.heads[case.file]
        if kind == "order":
            tells = _is_odd(answer, case.source)
        elif kind == "class":
            public = task.contract.public_symbols
            tells = answer not in public and not hasattr(builtins, answer)
        else:
            given = any(
                _within(answer, it) for it in (specification, case.source, head)
            )
            free = kind == "text" or not shown
            tells = len(answer.strip()) >= LEAST and free and not given
        if tells:
            found[question] = answer
    return found


def _habits(
    task: Task, package: Installed, others: list[Installed], place: Place
) -> Mapping[Question, str]:
    cases = range(len(task.suite.cases))
    first = telling(task, answers_of(task, package, place, cases, SEEDS[0]))
    for other in others:
        its = answers_of(task, other, place, {it.case for it in first}, SEEDS[0])
        first = {it: answer for it, answer in first.items() if its.get(it) != answer}
    first = _spread(_distinct(first))
    again = answers_of(task, package, place, {it.case for it in first}, SEEDS[1])
    return {
        it: digest_of(answer) for it, answer in first.items() if again.get(it) == answer
    }


def _distinct(answers: Mapping[Question, str]) -> dict[Question, str]:
    """Each wording once, where it is given first."""
    seen: dict[tuple[str, str], Question] = {}
    for question, answer in answers.items():
        kind = question.kind.partition(" ")[0]
        # An object shows itself in one way, whatever is in it.
        wording = answer.partition("(")[0] if kind in ("repr", "str") else answer
        seen.setdefault((kind, _FILLED.sub("…", wording)), question)
    return {question: answers[question] for question in seen.values()}


def _spread(answers: Mapping[Question, str]) -> dict[Question, str]:
    """As many as may be asked, from all over the suite."""
    asked = list(answers)
    if len(asked) > QUESTIONS:
        asked = [asked[n * len(asked) // QUESTIONS] for n in range(QUESTIONS)]
    return {it: answers[it] for it in asked}


def _within(answer: str, text: str) -> bool:
    return " ".join(answer.split()) in " ".join(text.split())


def _is_odd(answer: str, source: str) -> bool:
    """Whether an order is none that everybody's would be."""
    try:
        orders = ast.literal_eval(answer)
        return any(it != sorted(it) and not _as_named(it, source) for it in orders)
    except (ValueError, TypeError, SyntaxError):
        return False


def _as_named(items: list[object], source: str) -> bool:
    at = 0
    for item in items:
        at = source.find(repr(item), at)
        if at < 0:
            return False
    return True


# -- packages of the task's own


def _installed(task: Task, path: str, place: Place) -> Installed:
    try:
        found = install(
            take_in(task.folder / path),
            task.contract,
            Install.AUTO,
            place.sandbox,
            place.work,
        )
    except IntakeError as cause:
        raise GraderFault(f"{path} cannot be installed: {cause}") from cause
    if found.root is None:
        raise GraderFault(f"{path} holds no package {task.contract.import_name}")
    return found


def _adapted(task: Task, place: Place) -> Installed:
    """The pinned upstream with the task's surface over it."""
    pin = task.contract.upstream_sdist
    if pin is None or not (task.folder / ADAPTER).is_dir():
        raise NotFetchedError("the task has no adapter to its upstream")
    sdist = cached(pin, place.cache)
    adapter = _installed(task, ADAPTER, place)
    if adapter.root:
        raise SeamError(f"{ADAPTER}: expected the package at its root")
    library = install_pinned(sdist, pin.sha256, place.sandbox, place.work)
    return Installed(way="pip", files={**library.files, **adapter.files}, root="")


def _independent(task: Task, place: Place) -> list[Installed]:
    folder = task.folder / INDEPENDENT
    names = sorted(it.name for it in folder.iterdir()) if folder.is_dir() else []
    return [
        _installed(task, f"{INDEPENDENT}/{name}", place)
        for name in names
        if (folder / name).is_dir()
    ]


# -- the cache


def _rendered(habits: Habits) -> bytes:
    record = {
        "format": FORMAT,
        "sources": {
            name: [[it.case, it.kind, digest] for it, digest in known.items()]
            for name, known in habits.sources.items()
        },
        "missing": list(habits.missing),
    }
    return canonical(record) + b"\n"


def _parsed(data: bytes) -> Habits:
    record = json.loads(data)
    if record["format"] != FORMAT:
        raise ValueError("an observation of another format")
    return Habits(
        sources={
            name: {
                Question(case=int(case), kind=str(kind)): str(digest)
                for case, kind, digest in known
            }
            for name, known in record["sources"].items()
        },
        missing=tuple(record["missing"]),
    )
