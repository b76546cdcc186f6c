"""Asks an author's own package, in the sandbox, and keeps every answer.

Judging throws answers away; making and checking a suite needs them. What is asked
goes the way that cases go: the same runner, requests and bounds. A crash or a hang
costs the question that was due, and the next subject goes on with the next.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from shipbar.contract import Contract
from shipbar.errors import SandboxError, UserError
from shipbar.grading.bench import Seat, world_readable
from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.grading.install import Install, Installed, install
from shipbar.grading.intake import take_in, write_tree
from shipbar.grading.judge import IMPORT_S, KIB, READY_S
from shipbar.ports import SURROUNDINGS, Job, Sandbox
from shipbar.sealed.compiled import case_request, head_request
from shipbar.sealed.frames import CASE, DONE, LOAD, PREAMBLE, Frame

HASH_SEEDS = ("0", "271828")
"""The first is what subjects have; under the other nothing may change."""

_LOST: Mapping[type[Exception], str] = {
    Gone: "it ended the process (a crash, an exit, or too much memory)",
    Slow: "it took longer than case_wall_s",
    Garbled: "its answer is larger than output_kib, or it wrote into the protocol",
}


@attrs.frozen(kw_only=True)
class Question:
    """What to ask: a case without an expectation."""

    file: int
    """Which of the heads it needs."""
    source: str
    """A function `case` that arranges and returns one that evaluates."""


@attrs.frozen(kw_only=True)
class Answer:
    """What came back."""

    frame: Frame | None
    """The answer; None if there was none."""
    lost: str = ""
    """Why there was none."""


class Desk:
    """Where an installed package can be asked."""

    def __init__(
        self, installed: Installed, contract: Contract, sandbox: Sandbox, work: Path
    ) -> None:
        """Take a package that was installed and has an import root."""
        self._installed, self._contract = installed, contract
        self._sandbox, self._work = sandbox, work

    def ask(
        self, heads: Sequence[str], questions: Sequence[Question], *, hash_seed: str
    ) -> list[Answer]:
        """Return an answer to each question, in order.

        Raises:
            UserError: the package cannot be imported, lacks a public symbol, or a
                head does not run with it.
            SandboxError: a subject did not start.
        """
        answers: list[Answer] = []
        with self._seat(hash_seed) as seat:
            while len(answers) < len(questions):
                answers += self._one_subject(
                    seat, heads, questions[len(answers) :], first=not answers
                )
                seat.stop()
        return answers

    def ask_twice(
        self, heads: Sequence[str], questions: Sequence[Question]
    ) -> list[tuple[Answer, Answer]]:
        """Return two answers to each question: as a grade would ask, and otherwise.

        The second subject has another hash seed and is asked in the opposite order,
        so that what depends on hashing, chance, time or an earlier question shows.
        """
        usual, other = HASH_SEEDS
        first = self.ask(heads, questions, hash_seed=usual)
        second = self.ask(heads, questions[::-1], hash_seed=other)
        return list(zip(first, second[::-1], strict=True))

    @contextmanager
    def _seat(self, hash_seed: str) -> Iterator[Seat]:
        job = Job(
            limits=self._contract.grader.limits,
            surroundings={**SURROUNDINGS, "PYTHONHASHSEED": hash_seed},
        )
        seat = Seat(self._sandbox, job, self._work)
        try:
            write_tree(
                self._installed.files,
                seat.folder,
                self._installed.root or "",
                world_readable=world_readable(),
            )
            yield seat
        finally:
            seat.leave()

    def _one_subject(
        self,
        seat: Seat,
        heads: Sequence[str],
        questions: Sequence[Question],
        *,
        first: bool,
    ) -> list[Answer]:
        """Ask until all is answered or this subject is lost; return at least one answer."""
        channel = _started(seat, self._contract.grader.limits.output_kib * KIB)
        names = [self._contract.import_name, *self._contract.public_symbols]
        channel.send(
            [
                (LOAD, "\n".join(names)),
                *((PREAMBLE, head_request(*item)) for item in enumerate(heads)),
                *(
                    (CASE, case_request(item.file, item.source, heads[item.file]))
                    for item in questions
                ),
            ]
        )
        try:
            self._prepare(channel, heads)
        except (Gone, Slow, Garbled) as event:
            if first:
                raise UserError(
                    f"{self._reference} cannot be imported: {_LOST[type(event)]}"
                ) from event
            return [Answer(frame=None, lost=_LOST[type(event)])]
        return list(self._answers(channel, len(questions)))

    def _answers(self, channel: Channel, count: int) -> Iterator[Answer]:
        limits = self._contract.grader.limits
        deadline = time.monotonic() + limits.wall_s
        for _ in range(count):
            try:
                frame = channel.answer(
                    min(limits.case_wall_s, deadline - time.monotonic())
                )
            except (Gone, Slow, Garbled) as event:
                yield Answer(frame=None, lost=_LOST[type(event)])
                return
            yield Answer(frame=frame)

    def _prepare(self, channel: Channel, heads: Sequence[str]) -> None:
        wait = max(IMPORT_S, self._contract.grader.limits.case_wall_s)
        frame = channel.answer(wait)
        if frame.kind != DONE:
            raise UserError(f"{self._reference} cannot be imported:\n{_text(frame)}")
        if frame.payload:
            raise UserError(
                f"{self._reference} lacks public symbols: {', '.join(_text(frame).split())}"
            )
        for _ in heads:
            frame = channel.answer(wait)
            if frame.kind != DONE:
                raise UserError(
                    f"the head of the suite does not run with {self._reference}:\n{_text(frame)}"
                )

    @property
    def _reference(self) -> str:
        return self._contract.reference_install


def open_reference(
    folder: Path, contract: Contract, sandbox: Sandbox, work: Path
) -> Desk:
    """Install a task's reference, and return where it can be asked.

    Raises:
        UserError: it is no submission, or cannot be installed.
        SandboxError: no sandbox could be had.
    """
    path = folder / contract.reference_install
    installed = install(take_in(path), contract, Install.AUTO, sandbox, work)
    if installed.failure:
        raise UserError(f"{path} cannot be installed:\n{shown(installed.failure)}")
    if installed.root is None:
        raise UserError(
            f"{path} holds no package {contract.import_name}, at its root or under src/"
        )
    return Desk(installed, contract, sandbox, work)


def shown(text: str) -> str:
    """Return text that a package wrote with its control characters made visible."""
    return "".join(
        char if char == "\n" or char.isprintable() else repr(char)[1:-1]
        for char in text
    ).rstrip()


def _text(frame: Frame) -> str:
    return shown(frame.payload.decode("utf-8", "replace"))


def _started(seat: Seat, cap: int) -> Channel:
    channel = Channel(seat.running, cap=cap)
    try:
        channel.ready(READY_S)
    except (Gone, Slow, Garbled) as cause:
        raise SandboxError(
            f"a subject did not start: {seat.stop() or type(cause).__name__.lower()}"
        ) from cause
    return channel
