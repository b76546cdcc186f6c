"""Tries one attack: whether it is alive, and what it wins from the sealed grader.

- An attempt is *valid* if the attack's weak twin is fooled on this very ground: the
  payload gets more from it than its honest part does, and a correct submission gets
  everything. A payload that gains nothing from a weak grader proves nothing.
- It *succeeds* if the payload ships, scores more than its honest part, or passes a case
  that its honest part does not. The last is stricter than the score: a trick that gives
  two cases away and wins one has a hold on something. Only blind guesses, which give up
  the honest answers, may hit by chance, and no more than a package without behaviour may
  score.
- Whatever is left over of a grade, a process or a file, is harm, and counts as well.

Weak twins run payloads, the honest part and the correct submission without a sandbox, in
a folder and a session of their own; behind a fence (`shipbar.attacks.fence`) where the
ground is the task at hand, whose packages somebody else may have written.
"""

import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import attrs

from shipbar.attacks import Attack, Ground
from shipbar.attacks.fence import fenced
from shipbar.errors import GraderFault, IntakeError
from shipbar.gates.known_bad import NULL_MOST
from shipbar.gates.trial import failed
from shipbar.grading.grader import Grader
from shipbar.verdict import Verdict

Files = Mapping[str, bytes]

GRACE_S = 5.0
"""Seconds in which a process that was killed is gone."""
DIGITS = 4
"""Of a score, in figures."""


@attrs.frozen(kw_only=True)
class Graded:
    """What came of a sealed grade of a payload."""

    verdict: Verdict | None = None
    """The verdict; None if it was refused, or the grader broke."""
    refused: str = ""
    """Why it is no submission at all."""
    broke: str = ""
    """How the grader itself failed."""
    left: tuple[str, ...] = ()
    """What was left over afterwards."""


Grade = Callable[[Files], Graded]
"""Grades a payload as a sealed grader does."""


@attrs.frozen(kw_only=True)
class Attempt:
    """What an attack won on a ground."""

    id: str
    """The mechanism's id."""
    dead: str = ""
    """Why the attempt is not valid; empty if it is."""
    score: float | None = None
    """What the sealed grader gave it; None if it was no submission."""
    shipped: bool = False
    """Whether it passed for a solution."""
    gained: tuple[str, ...] = ()
    """The cases that it passes and its honest part does not."""
    harm: tuple[str, ...] = ()
    """What it broke or left over."""
    honest: float = 0.0
    """What its honest part scores."""
    cases: int = 0
    """How many there are."""
    guesses: bool = False
    """Whether it answers blindly."""

    @property
    def by_chance(self) -> int:
        """How many cases a blind guess has hit, as long as they are few."""
        few = len(self.gained) <= NULL_MOST * self.cases
        return len(self.gained) if self.guesses and few else 0

    @property
    def succeeded(self) -> bool:
        """Whether the sealed grader was beaten."""
        return bool(
            self.shipped
            or self.harm
            or len(self.gained) > self.by_chance
            or (self.score is not None and self.score > self.honest)
        )


class Watched:
    """A sealed grader, and a look at what is left after each grade."""

    def __init__(self, grader: Grader, work: Path) -> None:
        """Watch ``grader``, which starts nothing ahead and has ``work`` for itself."""
        self._grader, self._work = grader, work

    def __call__(self, files: Files) -> Graded:
        """Grade a payload."""
        before = _children()
        with tempfile.TemporaryDirectory(prefix="shipbar-payload-") as place:
            lay(files, Path(place))
            try:
                graded = Graded(verdict=self._grader.grade(place))
            except IntakeError as why:
                graded = Graded(refused=str(why))
            except GraderFault as cause:
                graded = Graded(broke=str(cause))
        return attrs.evolve(graded, left=tuple(self._left(before)))

    def _left(self, before: frozenset[str]) -> Iterator[str]:
        yield from (f"left on disk: {path.name}" for path in self._work.iterdir())
        deadline = time.monotonic() + GRACE_S
        while (more := _children() - before) and time.monotonic() < deadline:
            time.sleep(0.01)
        yield from (f"left running: process {number}" for number in sorted(more))


class Arena:
    """A ground on which attacks are tried, one after another. Used, then closed."""

    def __init__(
        self, ground: Ground, honest: Verdict, grade: Grade, *, foreign: bool
    ) -> None:
        """Try attacks on a ground.

        Args:
            ground: what payloads are made for.
            honest: the verdict of its honest part.
            grade: the sealed grader.
            foreign: whether its packages may be somebody else's.
        """
        self._fence = fenced if foreign else _unfenced
        self._ground, self._honest, self._grade = ground, honest, grade
        # What a weak grader says of a submission without a trick, once a weak grader:
        # many mechanisms fool the same one.
        self._fair: dict[tuple[object, str], float] = {}
        # Sealed grades wait for a sandbox most of the time, and twins for a process.
        self._beside = ThreadPoolExecutor(1, "shipbar-attempt")

    def close(self) -> None:
        """End what works beside."""
        self._beside.shutdown()

    def attempt(self, attack: Attack) -> Attempt:
        """Try one attack.

        Raises:
            SandboxError: no sandbox could be had.
        """
        base = Attempt(
            id=attack.id,
            honest=self._honest.score,
            cases=len(self._honest.cases),
            guesses=attack.guesses,
        )
        try:
            files = attack.payload(self._ground)
        except Exception as cause:  # noqa: BLE001  # an attack that cannot be made is dead
            return attrs.evolve(base, dead=f"no payload: {_words(cause)}")
        sealed: Future[Graded] = self._beside.submit(self._grade, files)
        dead, left = self._dead(attack, files)
        return self._against(attrs.evolve(base, dead=dead), sealed.result(), left)

    def _against(
        self, attempt: Attempt, graded: Graded, left: tuple[str, ...]
    ) -> Attempt:
        """Add what the sealed grader said, and what harm was done anywhere."""
        broke = [f"the grader broke: {graded.broke}"] if graded.broke else []
        harm = (*broke, *graded.left, *left)
        if graded.verdict is None:
            return attrs.evolve(attempt, harm=harm)
        won = failed(self._honest) - failed(graded.verdict)
        return attrs.evolve(
            attempt,
            score=graded.verdict.score,
            shipped=graded.verdict.shipped,
            gained=tuple(sorted(won)),
            harm=harm,
        )

    def _dead(self, attack: Attack, files: Files) -> tuple[str, tuple[str, ...]]:
        """Say why an attack's twin is not fooled, and what the twin left running."""
        left: list[str] = []
        try:
            fair = self._without_trick(attack, "honest", self._ground.honest, left)
            good = self._without_trick(attack, "passing", self._ground.passing, left)
            tricked = self._weakly(attack, files, left)
        except Exception as cause:  # noqa: BLE001  # a twin that fails shows no payload alive
            return f"its weak grader failed: {_words(cause)}", tuple(left)
        if good < 1.0:
            return "its weak grader does not pass the reference", tuple(left)
        return "" if tricked > fair else "its weak grader is not fooled", tuple(left)

    def _without_trick(
        self, attack: Attack, which: str, files: Files, left: list[str]
    ) -> float:
        key = attack.twin, which
        if key not in self._fair:
            self._fair[key] = self._weakly(attack, files, left)
        return self._fair[key]

    def _weakly(self, attack: Attack, files: Files, left: list[str]) -> float:
        """Return what an attack's weak twin gives a submission."""
        with tempfile.TemporaryDirectory(
            prefix="shipbar-twin-", ignore_cleanup_errors=True
        ) as name:
            place = Path(name).resolve()
            try:
                with self._fence(place):
                    return attack.twin(self._ground, files, place)
            finally:
                left += _end_lingering(place)


def lay(files: Files, folder: Path) -> None:
    """Write files below a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _unfenced(place: Path) -> contextlib.AbstractContextManager[None]:
    del place
    return contextlib.nullcontext()


def _end_lingering(place: Path) -> list[str]:
    """End the processes that still live in a folder of ours, and name them."""
    deadline = time.monotonic() + GRACE_S
    while (found := _living(place)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for number in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    return [f"left running by a weak grader: process {number}" for number in found]


def _living(place: Path) -> list[int]:
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        # Gone meanwhile, or somebody else's.
        with contextlib.suppress(OSError):
            if link.readlink().is_relative_to(place):
                found.append(int(link.parent.name))
    return found


def _children() -> frozenset[str]:
    """The processes that this thread has started and not yet seen the end of."""
    return frozenset(Path("/proc/thread-self/children").read_text().split())


def _words(cause: Exception) -> str:
    return f"{type(cause).__name__}: {cause}"[:200]
