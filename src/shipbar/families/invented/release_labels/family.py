"""Labels of software versions: read, written, ordered, changed and chosen."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Constraint, Rules, Value
from shipbar.contract import TaskClass
from shipbar.families.invented.release_labels.questions import Questions

_CHANNELS = (
    "alpha",
    "beta",
    "canary",
    "dev",
    "draft",
    "edge",
    "nightly",
    "preview",
    "rc",
    "trial",
)


def _axis(id_: str, question: str, feature: str, remembered: str, *others: str) -> Axis:
    values = (Value(remembered, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _function(id_: str, about: str) -> Role:
    return Role(id=id_, kind="function", about=about)


def _method(id_: str, about: str) -> Role:
    return Role(id=id_, kind="method", about=about, public=False)


class ReleaseLabels(Family):
    """Spine: `label` from plain values, `fields` as a tuple; no axis touches either."""

    name: ClassVar[str] = "release-labels"
    title: ClassVar[str] = (
        "labels of software versions that are ordered, changed and chosen"
    )
    task_class: ClassVar[TaskClass] = "invented"
    count: ClassVar[int] = 84
    folder: ClassVar[Path] = Path(__file__).parent
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "release-side",
            "Is a label in a channel older or newer than the release of the same parts?",
            "ordering",
            "before",
            "after",
        ),
        _axis(
            "short-labels",
            "How does a label rank that has fewer parts than another?",
            "ordering",
            "padded",
            "shorter-first",
            "shorter-last",
        ),
        _axis(
            "part-order",
            "How are two part numbers ordered?",
            "ordering",
            "number",
            "text",
            "odd-first",
        ),
        _axis(
            "note-order",
            "What does a build note do to the order?",
            "ordering",
            "ignored",
            "after",
            "before",
        ),
        _axis(
            "era-order",
            "When does the era decide, and in which direction?",
            "ordering",
            "dominates",
            "last",
            "counts-back",
        ),
        _axis(
            "bump-below",
            "What becomes of the parts after the one that is raised?",
            "changing",
            "zeroed",
            "dropped",
            "kept",
        ),
        _axis(
            "bump-channel",
            "What does raising a part do to a label in a channel?",
            "changing",
            "raised",
            "settled",
            "carried",
        ),
        _axis(
            "first-turn",
            "With which turn does a label enter a channel?",
            "changing",
            "one",
            "zero",
            "continued",
        ),
        _axis(
            "range-ends",
            "Which of its two bounds does a range leave out?",
            "ranges",
            "closed",
            "without-upper",
            "without-lower",
        ),
        _axis(
            "shared-parts",
            "Which leading parts must compatible labels share?",
            "ranges",
            "through-nonzero",
            "first",
            "first-two",
        ),
        _axis(
            "channel-matching",
            "When does a label in a channel meet a requirement?",
            "requirements",
            "if-named",
            "always",
            "never",
        ),
        _axis(
            "leading-zeros",
            "In which numbers of a text may zeros lead?",
            "texts",
            "nowhere",
            "everywhere",
            "in-parts",
        ),
        _axis(
            "written-zeros",
            "Which zero parts at the end are written?",
            "texts",
            "as-held",
            "trimmed",
            "three",
        ),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "a text may drop or gain zero parts only where they mean nothing to the order",
            lambda rules: (
                rules["written-zeros"] == "as-held" or rules["short-labels"] == "padded"
            ),
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="label", kind="class", about="a label"),
        Role(id="malformed", kind="error", about="a text cannot be read"),
        _function("read", "reads a label"),
        _function("compare", "says which of two labels is newer"),
        _function("ordered", "sorts labels, the oldest first"),
        _function("newest", "finds the newest label"),
        _function("behind", "counts the labels that are newer"),
        _function("listing", "writes labels, the newest first"),
        _function("bump", "raises a part"),
        _function("advance", "takes the next turn in a channel"),
        _function("settle", "leaves the channel"),
        _function("renew", "begins the next era"),
        _function("within", "whether a label lies in a range"),
        _function("compatible", "whether a label can stand in for another"),
        _function("meets", "whether a label meets a requirement"),
        _function("pick", "finds the newest label that meets a requirement"),
        _method("fields", "a label's five fields as a tuple"),
        _method("text", "writes a label"),
    )

    def parameters(self, rules: Rules, rng: random.Random) -> Mapping[str, object]:
        """Draw the marks of a text, and the channels that examples and probes use, A to Z."""
        del rules
        return {
            "era_mark": rng.choice(":/@"),
            "channel_mark": rng.choice("-~_"),
            "note_mark": rng.choice("+#%"),
            "channels": tuple(sorted(rng.sample(_CHANNELS, 4))),
        }

    def head(self, draw: Draw) -> str:
        """Return `outcome`, which makes plain data of labels and of exceptions, and `shown`."""
        n = draw.names
        return f"""\
def outcome(call, *arguments):
    try:
        answer = call(*arguments)
    except {n.malformed}:
        return "malformed"
    except IndexError:
        return "no such part"
    except ValueError:
        return "refused"
    return answer.{n.fields}() if isinstance(answer, {n.label}) else answer


def shown(labels):
    return [label.{n.fields}() for label in labels]
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Take one probe of each kind in turn."""
        made = Questions(draw, rng)
        kinds = [kind() for kind in made.kinds()]
        # A window is finite, whatever the kinds repeat.
        for _ in range(200):
            for kind in kinds:
                yield next(kind)


FAMILY = ReleaseLabels()
