"""Inputs of the domain: labels as values, as expressions and as texts.

The numbers of a *plain* label are odd and have one digit, so that no rule of
order tells two plain labels apart otherwise than by size.
"""

import random
from collections.abc import Mapping, Sequence

import attrs

PLAIN = (1, 3, 5, 7, 9)
"""Part numbers that every order ranks alike."""
NOTES = ("k7", "b12", "0a", "ci", "x86", "9", "q", "win", "arm")


@attrs.frozen(kw_only=True)
class Sketch:
    """A label before it is written down."""

    parts: tuple[int, ...]
    """One to four numbers."""
    channel: str | None = None
    """Its channel."""
    turn: int = 0
    """Its turn in that channel."""
    era: int = 0
    """Its era."""
    note: str | None = None
    """Its build note."""

    def call(self, name: str) -> str:
        """Return the expression that makes it; defaults are left out."""
        shown = [repr(self.parts)]
        if self.channel is not None:
            shown.append(f'"{self.channel}"')
            if self.turn:
                shown.append(str(self.turn))
        if self.era:
            shown.append(f"era={self.era}")
        if self.note is not None:
            shown.append(f'note="{self.note}"')
        return f"{name}({', '.join(shown)})"

    def text(self, marks: Mapping[str, object]) -> str:
        """Return its text, parts as they are."""
        text = f"{self.era}{marks['era_mark']}" if self.era else ""
        text += ".".join(map(str, self.parts))
        if self.channel is not None:
            text += f"{marks['channel_mark']}{self.channel}"
            text += f".{self.turn}" if self.turn else ""
        return text + (f"{marks['note_mark']}{self.note}" if self.note else "")


def plain_parts(rng: random.Random, length: int | None = None) -> tuple[int, ...]:
    """Return parts that every order ranks by size alone, two or three unless told."""
    length = length or rng.choice((2, 3))
    return tuple(rng.choice(PLAIN) for _ in range(length))


def raised(rng: random.Random, parts: Sequence[int]) -> tuple[int, ...]:
    """Return plain parts that differ from others in one place."""
    place = rng.randrange(len(parts))
    number = rng.choice([number for number in PLAIN if number != parts[place]])
    return (*parts[:place], number, *parts[place + 1 :])


def turned(
    rng: random.Random, parts: tuple[int, ...], channels: Sequence[str]
) -> Sketch:
    """Return a label in a channel with those parts."""
    return Sketch(parts=parts, channel=rng.choice(channels), turn=rng.randint(0, 4))


def any_sketch(rng: random.Random, channels: Sequence[str]) -> Sketch:
    """Return a label in which everything may come up."""
    parts = tuple(rng.choice((0, 1, 2, 3, 10)) for _ in range(rng.choice((2, 2, 3, 1))))
    sketch = Sketch(parts=parts)
    if rng.random() < 0.5:  # noqa: PLR2004  # half of them lie in a channel
        sketch = turned(rng, parts, channels)
    if rng.random() < 0.3:  # noqa: PLR2004  # some have a note
        sketch = attrs.evolve(sketch, note=rng.choice(NOTES))
    if rng.random() < 0.3:  # noqa: PLR2004  # some are of a later era
        sketch = attrs.evolve(sketch, era=rng.randint(1, 2))
    return sketch


def zero_led(rng: random.Random, text: str) -> str:
    """Return a label's text with a zero put before one of its numbers."""
    places = [
        place
        for place, letter in enumerate(text)
        if letter.isdigit() and (place == 0 or not text[place - 1].isalnum())
    ]
    place = rng.choice(places)
    return f"{text[:place]}{'0' * rng.choice((1, 1, 2))}{text[place:]}"


def malformed_texts(marks: Mapping[str, object], channel: str) -> list[str]:
    """Return texts that are no label under any rule."""
    era, side, note = marks["era_mark"], marks["channel_mark"], marks["note_mark"]
    return [
        "",
        ".",
        "1.",
        ".5",
        "1..3",
        "1.3.5.7.9",
        "v1.3",
        "1.x",
        " 1.3",
        "1.3 ",
        "+1",
        f"1.3{side}",
        f"1.3{side}{channel.upper()}",
        f"1.3{side}{channel}.",
        f"1.3{side}{channel}3",
        f"1.3{side}.3",
        f"1.3{side}{channel}{side}{channel}",
        f"1.3{side}{channel}.1.1",
        f"1.3{note}",
        f"1.3{note}K7",
        f"1.3{note}a.b",
        f"1.3{note}a{side}{channel}",
        f"{era}1.3",
        f"x{era}1.3",
        f"1{era}",
        f"1{era}1{era}3",
    ]


def malformed_requirements(low: str, high: str) -> list[str]:
    """Return requirements that are none under any rule, of two labels' texts."""
    return [
        low,
        f">={low},",
        f",<{high}",
        f">={low},,<{high}",
        f"=>{low}",
        f"={low}",
        f"~{low}",
        ">=",
        f"{low}..",
        f"..{high}",
        f"{low} .. {high}",
        f"{low}...{high}",
        f"^ {low} {high}",
        f">={low} <{high}",
        f">={low}..{high}",
        "*",
    ]
