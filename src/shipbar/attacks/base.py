"""What an attack is, and the ground it is tried on."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import attrs

Files = Mapping[str, bytes]
"""Contents by POSIX path."""

Level = Literal["task", "harness"]
"""What decides whether a mechanism could have a hold on a sealed grade.

`task`: what a task chose, such as the questions of its suite, the helpers in its head, its
errors or the examples of its specification. `harness`: how any task's cases are asked,
answered, counted and kept apart.
"""


@attrs.frozen(kw_only=True)
class Ground:
    """The task that an attack is made for."""

    import_name: str
    """The package that a submission must provide."""
    symbols: tuple[str, ...]
    """Its public symbols."""
    honest: Files
    """The honest part: a poor submission, importable at its root. Payloads keep it whole."""
    suite: Files
    """The held-out suite, for the weak twin alone: a payload never sees it."""
    passing: Files
    """A correct submission, for the weak twin alone (a grader that keeps its reference at hand)."""
    specification: bytes = b""
    """What a solver is given, so that a payload may have it too."""


@attrs.frozen(kw_only=True)
class Attack:
    """A mechanism that can be tried against a library task."""

    id: str
    """As in the catalogue, such as `A02`."""
    title: str
    """What it does, in a few words."""
    closed_by: str
    """What in the sealed grader gives it nothing to hold on to."""
    payload: Callable[[Ground], Files]
    """Makes the submission: the honest part with the trick on top."""
    twin: Callable[[Ground, Files, Path], float]
    """The weak twin: grades a submission in an empty folder and returns its score in [0, 1].

    It is a small but plausible grader: the honest part alone gets from it what it
    deserves, the payload gets more.
    """
    level: Level
    """`harness` mechanisms do not depend on the task and are tried once a sandbox."""
    guesses: bool = False
    """Whether it gives blind answers in place of honest ones, and so may hit a case by chance.

    What such a one wins says how little a suite's cases ask, and not that anything gave way.
    """


@attrs.frozen(kw_only=True)
class NotApplicable:
    """A mechanism that has no hold on a library task graded this way."""

    id: str
    """As in the catalogue."""
    title: str
    """What it does, in a few words."""
    why: str
    """Why it cannot be tried here, and where it is met instead."""
