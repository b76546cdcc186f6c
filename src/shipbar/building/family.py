"""What a family is: the port that authors fill, and the values that they fill it with.

A family is one folder:

    family.py        the axes, the public surface, the probes; binds FAMILY
    spec.md.j2       the specification, one short section a rule
    reference.py.j2  the implementation, one block a rule
    upstream.toml    (mutated) name, version, sdist, size, sha256, licence, deny-list extras
    adapter.py.j2    (mutated) the new surface over the genuine upstream library

Templates read `r.<axis>` (the rules; hyphens in ids become underscores),
`deep.<axis>` (the same at a rule's *consequences*: places that follow from it
without being where it is stated; a headline reader gets those wrong), `n.<role>`
(names) and `p.<name>` (drawn parameters). A specification also calls
`example("expression")`, which shows what the reference really answers.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import attrs

from shipbar.building.names import Names, Role
from shipbar.building.rules import Axis, Constraint, Rules, Space
from shipbar.contract import TaskClass


@attrs.frozen(kw_only=True)
class Draw:
    """A variant as templates and probes see it."""

    rules: Rules
    """Its selection."""
    names: Names
    """Its names, by role and `package`."""
    parameters: Mapping[str, object]
    """What `Family.parameters` drew."""


@attrs.frozen
class Probe:
    """Arrange lines and an expression, tagged with the rule that it is for."""

    axis: str
    """The axis that it exercises first, or `joint` or `spine`; its rule in test ids."""
    expression: str
    """What to ask; one line of Python."""
    arrange: str = ""
    """Statements that prepare it."""


@attrs.frozen(kw_only=True)
class Upstream:
    """The pinned genuine library of a mutated family."""

    name: str
    """Its distribution's name."""
    version: str
    """The release that models remember."""
    file: str
    """The sdist's file name."""
    size: int
    """Its size in bytes."""
    sha256: str
    """Its digest, hexadecimal."""
    licence: str
    """As SPDX names it."""
    packages: tuple[str, ...]
    """Top-level modules or packages that the adapter imports."""
    deny: tuple[str, ...] = ()
    """Words beside those that are found in the sdist which no solver may see."""


class Family(ABC):
    """A domain whose meaning is a set of independent choices."""

    name: ClassVar[str]
    """A slug; also the folder's name with underscores."""
    title: ClassVar[str]
    """What the library is, in a few words that disclose nothing."""
    task_class: ClassVar[TaskClass]
    """`invented` or `mutated`."""
    axes: ClassVar[tuple[Axis, ...]]
    """Ten to thirteen."""
    constraints: ClassVar[tuple[Constraint, ...]] = ()
    """Which selections make no coherent library."""
    most_inverted: ClassVar[int | None] = None
    """Axes that a variant may turn away from what is remembered; None is any number.
    A small suite has room for `select.LEAST_OWN` assertions of each for so many only."""
    roles: ClassVar[tuple[Role, ...]]
    """The public surface."""
    folder: ClassVar[Path]
    """Where its templates lie."""
    upstream: ClassVar[Upstream | None] = None
    """The pinned library of a mutated family."""
    count: ClassVar[int]
    """Assertions that a variant has unless asked otherwise."""

    @property
    def space(self) -> Space:
        """All its selections."""
        return Space(self.axes, self.constraints, self.most_inverted)

    def parameters(self, rules: Rules, rng: random.Random) -> Mapping[str, object]:
        """Draw what varies beside the rules: alphabets, moduli, bounds. None unless overridden."""
        del rules, rng
        return {}

    def head(self, draw: Draw) -> str:
        """Return bindings and helpers that probes need, as Python. None unless overridden."""
        del draw
        return ""

    @abstractmethod
    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Yield probes: corner cases first, then random inputs; several times what a suite needs.

        They must not depend on which values the axes have, except to be valid
        Python: what splits is searched for, not known.
        """
        ...
