"""Asks a subject what no assertion asks: wordings, orders, and how objects show themselves.

A specification dictates that a text is refused, and not in which words. Who says it in
the reference's words has hardly come to them alone. So a subject that has been judged
may be asked some of its cases once more, in a way that shows what they keep to themselves:

- `text N`: what the Nth exception says, that the case raises or a helper of the suite
  catches, if code of the package raised it on purpose: what the interpreter says of a
  wrong type it says to everybody, also where the package hands it on as it is;
- `class N`: the name of its class;
- `order`: in which order the dicts and sets of the value iterate;
- `repr NAME`, `str NAME`: how an object of the package's own shows itself, that the case
  prepares and keeps under a name.

The outcomes are settled by then, and nothing here can change them. What is answered is
hostile text. It is bounded in the subject, where an honest one is cut short, and here,
where a hostile one is left out: not more than `LONGEST` characters an answer, `MOST`
answers a case, `CAP` bytes a frame, `WALL_S` seconds for all. Nobody is shown it.
"""

import ast
import functools
import re
import time
from collections.abc import Iterable, Mapping, Sequence

import attrs

from shipbar.contract import Contract
from shipbar.grading.bench import Seat
from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.grading.judge import Judged
from shipbar.grading.tasks import Task
from shipbar.ports import Habits, Question
from shipbar.sealed.codec import DecodeError, decode
from shipbar.sealed.compiled import case_request, head_request
from shipbar.sealed.frames import CASE, PREAMBLE, VALUE, Frame
from shipbar.verdict import Agreement, Outcome, Quirks, sha256

VERSION = 1
"""Of the way to ask. Answers to two versions cannot be compared."""
WALL_S = 2.0
"""Wall seconds for all questions to one submission."""
LONGEST = 400
"""Characters of an answer; of more, an honest subject tells the first."""
MOST = 16
"""Answers to one case."""
CAP = 128 * 1024
"""Bytes of one frame: somewhat more than the two above can take, however it is escaped."""
EXAMPLES = 5

Answers = Mapping[Question, str]

_LOST: dict[type[Exception], str] = {
    Gone: "the subject ended while it was asked",
    Slow: "the subject did not answer in time",
    Garbled: "the subject wrote what is no answer",
}
_LAST_WORDS = frozenset(
    {Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.MALFORMED, Outcome.UNREACHED}
)
"""Outcomes of a last case after which there is no subject that could be asked."""

# Comes before a suite file's own lines, whose handlers then show what they catch.
# `__ask__` makes of a case one that returns what there was to see.
_LISTENING = """\
def __ear__():
    import opcode, sys
    on_purpose = opcode.opmap["RAISE_VARARGS"]
    found = []
    caught = [0]
    def tell(kind, make, thing):
        if len(found) < {most}:
            try:
                found.append([kind, str.__getitem__(make(thing), slice({longest}))])
            except BaseException:
                pass
    def seen(error=None):
        try:
            error = sys.exc_info()[1] if error is None else error
            first = error
            for _ in range({most}):
                inner = first.__cause__ or first.__context__
                if inner is None or inner.args != error.args:
                    break
                first = inner
            last = first.__traceback__
            while last.tb_next is not None:
                last = last.tb_next
            code = last.tb_frame.f_code
            if code.co_filename in ("suite", "case") or code.co_code[last.tb_lasti] != on_purpose:
                return
        except BaseException:
            return
        caught[0] += 1
        tell("text %d" % caught[0], str, error)
        tell("class %d" % caught[0], lambda it: type(it).__qualname__, error)
    def shown(evaluate):
        for name, cell in zip(evaluate.__code__.co_freevars, evaluate.__closure__ or ()):
            try:
                made = type(cell.cell_contents)
                if made.__module__.partition(".")[0] != {package!r}:
                    continue
                if made.__repr__ is not object.__repr__:
                    tell("repr " + name, repr, cell.cell_contents)
                if made.__str__ is not object.__str__:
                    tell("str " + name, str, cell.cell_contents)
            except BaseException:
                pass
    def orders(value, depth=0):
        if depth > 20 or not isinstance(value, (dict, set, frozenset, list, tuple)):
            return []
        inner = list(value.values() if isinstance(value, dict) else value)
        own = [list(value)] if len(value) > 1 and not isinstance(value, (list, tuple)) else []
        return own + [it for one in inner[:{longest}] for it in orders(one, depth + 1)]
    def ask(case):
        def told():
            found.clear()
            caught[0] = 0
            try:
                evaluate = case()
                shown(evaluate)
                value = evaluate()
            except BaseException as error:
                seen(error)
            else:
                tell("order", lambda it: repr(orders(it) or ""), value)
            return found
        return lambda: told
    return seen, ask
__seen__, __ask__ = __ear__()
"""


@attrs.frozen(kw_only=True)
class Heard:
    """What a subject said."""

    answers: Answers
    """By question; each as it is compared."""
    failure: str = ""
    """Why it is not all; empty if it is."""


def can_be_asked(judged: Judged) -> bool:
    """Whether the subject that was judged is there, and waits for more."""
    return judged.structure.ok and judged.outcomes[-1] not in _LAST_WORDS


def ask(
    seat: Seat, task: Task, cases: Iterable[int], *, wall_s: float = WALL_S
) -> Heard:
    """Ask the subject in ``seat``, which has been judged, about some cases.

    Args:
        seat: whose subject can be asked; see `can_be_asked`.
        task: whose cases they are.
        cases: their places in the suite.
        wall_s: seconds for all of them.
    """
    asked = sorted(set(cases))
    deadline = time.monotonic() + wall_s
    channel = Channel(seat.running, cap=CAP)
    answers: dict[Question, str] = {}
    try:
        channel.send(_requests(task, asked))
        for _ in task.suite.heads:
            channel.answer(deadline - time.monotonic())
        for number in asked:
            each = min(task.contract.grader.limits.case_wall_s, wall_s)
            frame = channel.answer(min(each, deadline - time.monotonic()))
            answers.update(_answers(number, frame))
    except (Gone, Slow, Garbled) as event:
        return Heard(answers=answers, failure=_LOST[type(event)])
    return Heard(answers=answers)


def quirks_of(task: Task, habits: Habits, heard: Heard) -> Quirks:
    """Say how often a submission answers as each source does; the answers are not told."""
    return Quirks(
        version=VERSION,
        sources=tuple(
            _agreement(task, name, known, heard.answers)
            for name, known in habits.sources.items()
        ),
        missing=habits.missing,
        failure=heard.failure,
    )


def not_asked(why: str) -> Quirks:
    """Say that nothing was asked, and why."""
    return Quirks(version=VERSION, failure=why)


def questions_of(habits: Habits) -> frozenset[int]:
    """Return the cases that have to be asked."""
    return frozenset(it.case for known in habits.sources.values() for it in known)


def digest_of(answer: str) -> str:
    """Return what an answer is compared by."""
    return sha256(answer.encode("utf-8", "backslashreplace"))


def _agreement(
    task: Task, name: str, known: Mapping[Question, str], answers: Answers
) -> Agreement:
    agreed = [
        it
        for it, digest in known.items()
        if it in answers and digest_of(answers[it]) == digest
    ]
    cases = dict.fromkeys(task.suite.cases[it.case].id for it in agreed)
    return Agreement(
        source=name,
        asked=len(known),
        answered=len(known.keys() & answers.keys()),
        agreed=len(agreed),
        examples=tuple(cases)[:EXAMPLES],
    )


# -- what is sent


def _requests(task: Task, cases: Sequence[int]) -> list[tuple[bytes, str | bytes]]:
    contract, suite = task.contract, task.suite
    first = len(suite.heads)  # beside the heads by which it was judged
    heads = [_listening(head, contract) for head in suite.heads]
    return [
        *(
            (PREAMBLE, head_request(first + number, head))
            for number, head in enumerate(heads)
        ),
        *(
            (
                CASE,
                case_request(
                    first + case.file,
                    f"{case.source}\ncase = __ask__(case)\n",
                    heads[case.file],
                ),
            )
            for case in (suite.cases[number] for number in cases)
        ),
    ]


def _listening(head: str, contract: Contract) -> str:
    return _written(head, contract.import_name)


@functools.lru_cache(maxsize=256)
def _written(head: str, package: str) -> str:
    """A head whose handlers show what they catch before they do anything else."""
    tree = ast.parse(head)
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            node.body[:0] = ast.parse("__seen__()").body
    first = [it for it in tree.body if _is_future(it)]
    rest = [it for it in tree.body if not _is_future(it)]
    ear = ast.parse(_LISTENING.format(most=MOST, longest=LONGEST, package=package))
    return ast.unparse(ast.Module(body=[*first, *ear.body, *rest], type_ignores=[]))


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


# -- what comes back


def _answers(case: int, frame: Frame) -> dict[Question, str]:
    """Read one frame. Total: what is not as it must be is no answer."""
    try:
        told = decode(frame.payload) if frame.kind == VALUE else None
    except DecodeError:
        return {}
    if not isinstance(told, list) or len(told) > MOST:
        return {}
    found: dict[Question, str] = {}
    for pair in told:
        match pair:
            case [str(kind), str(text)] if len(kind) <= LONGEST >= len(text):
                found[Question(case=case, kind=kind)] = _plain(text)
            case _:
                return {}
    return found


_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_PATH = re.compile(r"(?:/[\w.+-]+){2,}")


def _plain(text: str) -> str:
    """An answer without what is another at each run: addresses and paths."""
    return _PATH.sub("/…", _ADDRESS.sub("0x…", text))
