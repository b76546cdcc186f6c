"""Drives subjects through a suite and says how each case went.

The list of cases is the judge's own, and each has an outcome before anything
is heard: what is not answered stays a failure (D6). Once the package is there,
requests are sent ahead; answers are taken in order, each within its own wall limit, all within the
limit of the run. A crash, a hang or a malformed answer costs the case that was
due: the subject is ended, and the next one goes on with the next case.

Only a subject that fails before it has seen any candidate code is the
machine's fault; from then on whatever happens is the candidate's (N09).
"""

import time
from collections.abc import Callable, Sequence

import attrs

from shipbar.contract import Contract, Limits
from shipbar.errors import SandboxError
from shipbar.grading.bench import Seat
from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.sealed.codec import DecodeError, decode, decode_names
from shipbar.sealed.compare import Raises, raised_as_expected, value_as_expected
from shipbar.sealed.compiled import case_request, head_request
from shipbar.sealed.frames import (
    CASE,
    DONE,
    ESCAPED,
    LOAD,
    PREAMBLE,
    RAISED,
    VALUE,
    Frame,
)
from shipbar.sealed.lift import Case, Suite
from shipbar.verdict import Outcome, Structure

READY_S = 30.0
"""Wall seconds in which a subject has started on a busy machine."""
IMPORT_S = 10.0
"""Least wall seconds for importing the package: the first use of a cold disk is not the candidate's fault."""
KIB = 1024
TRACE_CHARS = 20_000
"""Kept of what a candidate says on why it could not be imported."""

_FATES: dict[type[Exception], Outcome] = {
    Gone: Outcome.CRASHED,
    Slow: Outcome.TIMED_OUT,
    Garbled: Outcome.MALFORMED,
}

_FATE_NAMED = {str(fate): fate for fate in _FATES.values()}


@attrs.frozen(kw_only=True)
class Judged:
    """How a candidate did."""

    structure: Structure
    """Whether it is there at all."""
    outcomes: tuple[Outcome, ...]
    """For each case of the suite, in order."""
    trace: str = ""
    """The candidate's own words on why it could not be imported; hostile text."""


def judge(
    seat: Seat,
    suite: Suite,
    contract: Contract,
    *,
    meanwhile: Callable[[], None] = lambda: None,
) -> Judged:
    """Grade the candidate in ``seat``; its last subject is ended by who leaves the seat.

    Args:
        seat: holds the candidate's files.
        suite: what to ask and what to expect.
        contract: names, symbols and limits.
        meanwhile: called once, while the first subject is at work on what it was asked;
            not at all if the package cannot be imported.

    Raises:
        SandboxError: a subject did not start.
    """
    return _Hearing(seat, suite, contract).hold(meanwhile)


class _Unimportable(Exception):  # noqa: N818
    """The package cannot be used; carries the finding."""

    def __init__(self, structure: Structure, trace: str = "") -> None:
        self.structure, self.trace = structure, trace
        super().__init__(structure.why)


class _Hearing:
    """The state of one grade."""

    def __init__(self, seat: Seat, suite: Suite, contract: Contract) -> None:
        self._seat, self._suite, self._contract = seat, suite, contract
        self._limits: Limits = contract.grader.limits
        self._outcomes = [Outcome.UNREACHED] * len(suite.cases)
        self._deadline = 0.0

    def hold(self, meanwhile: Callable[[], None]) -> Judged:
        self._await_start()
        self._deadline = time.monotonic() + self._limits.wall_s
        structure, trace, done = Structure(imports=True), "", 0
        while done < len(self._suite.cases) and self._left() > 0:
            try:
                done = self._one_subject(done, meanwhile)
            except _Unimportable as found:
                if done == 0:
                    structure, trace = found.structure, found.trace
                    break
                # It could be imported before: that it cannot any more costs the next case.
                self._outcomes[done] = _FATE_NAMED.get(
                    found.structure.why, Outcome.CRASHED
                )
                done += 1
            if done < len(self._suite.cases):
                self._seat.stop()
            meanwhile = _nothing
        return Judged(structure=structure, outcomes=tuple(self._outcomes), trace=trace)

    def _left(self) -> float:
        return self._deadline - time.monotonic()

    def _await_start(self) -> Channel:
        """Wait for a subject that says it is ready; a second one if the first does not."""
        for attempt in (1, 2):
            channel = Channel(self._seat.running, cap=self._limits.output_kib * KIB)
            try:
                channel.ready(READY_S)
            except (Gone, Slow, Garbled) as cause:
                tail = self._seat.stop()
                if attempt == 2:  # noqa: PLR2004  # the second is the last
                    raise SandboxError(
                        f"a subject did not start: {tail or type(cause).__name__.lower()}"
                    ) from cause
            else:
                self._channel = channel
                return channel
        raise AssertionError("unreachable")

    def _one_subject(self, first: int, meanwhile: Callable[[], None]) -> int:
        """Hear cases from ``first`` on until all are done or this subject is lost; return the next one."""
        channel = self._channel if first == 0 else self._await_start()
        cases = self._suite.cases[first:]
        channel.send([self._opening()])
        self._load(channel)
        channel.send(self._questions(cases))
        meanwhile()
        broken = [self._head(channel) for _ in self._suite.heads]
        for number, case in enumerate(cases, start=first):
            wait = min(self._limits.case_wall_s, self._left())
            try:
                frame = channel.answer(wait)
                outcome = (
                    Outcome.RAISED if broken[case.file] else outcome_of(case, frame)
                )
            except (Gone, Slow, Garbled) as event:
                outcome = _FATES[type(event)]
            self._outcomes[number] = outcome
            if outcome in _FATES.values():
                return number + 1
        return first + len(cases)

    def _opening(self) -> tuple[bytes, str]:
        """The request to import the package.

        Sent alone: what a failed import says is told in the verdict, so nothing
        that is held out may be in reach of the code that says it (E18).
        """
        names = [self._contract.import_name, *self._contract.public_symbols]
        return LOAD, "\n".join(names)

    def _questions(self, cases: Sequence[Case]) -> list[tuple[bytes, str | bytes]]:
        heads = self._suite.heads
        return [
            *((PREAMBLE, head_request(*item)) for item in enumerate(heads)),
            *(
                (CASE, case_request(case.file, case.source, heads[case.file]))
                for case in cases
            ),
        ]

    def _load(self, channel: Channel) -> None:
        """The structural check: the package imports, and has every public symbol."""
        frame = self._structural(channel)
        if frame.kind == ESCAPED:
            trace = frame.payload.decode("utf-8", "replace")[-TRACE_CHARS:]
            raise _Unimportable(Structure(imports=False, why="raised"), trace)
        if frame.kind != DONE:
            raise _Unimportable(Structure(imports=False, why=str(Outcome.MALFORMED)))
        said = set(frame.payload.decode("utf-8", "replace").split("\n"))
        # Only names that we know are repeated: the answer is hostile text.
        missing = tuple(
            symbol for symbol in self._contract.public_symbols if symbol in said
        )
        if missing:
            raise _Unimportable(
                Structure(imports=True, missing=missing, why="symbols missing")
            )

    def _head(self, channel: Channel) -> bool:
        """Whether a file's head could not be run: its cases fail, as they would under pytest."""
        return self._structural(channel).kind != DONE

    def _structural(self, channel: Channel) -> Frame:
        wait = min(max(IMPORT_S, self._limits.case_wall_s), self._left())
        try:
            return channel.answer(wait)
        except (Gone, Slow, Garbled) as event:
            raise _Unimportable(
                Structure(imports=False, why=str(_FATES[type(event)]))
            ) from event


def _nothing() -> None:
    """Nothing is left to do meanwhile."""


def outcome_of(case: Case, frame: Frame) -> Outcome:
    """Judge one answer to one case. Total: whatever the frame holds has an outcome."""
    expected = case.expectation
    try:
        if frame.kind == ESCAPED:
            decode_names(frame.payload)
            return Outcome.RAISED
        if frame.kind == RAISED:
            names = decode_names(frame.payload)
            if not isinstance(expected, Raises):
                return Outcome.RAISED
            return (
                Outcome.PASSED if raised_as_expected(expected, names) else Outcome.WRONG
            )
        if frame.kind == VALUE:
            value = decode(frame.payload)
            if isinstance(expected, Raises):
                return Outcome.NOT_RAISED
            return (
                Outcome.PASSED if value_as_expected(expected, value) else Outcome.WRONG
            )
    except DecodeError:
        pass
    return Outcome.MALFORMED
