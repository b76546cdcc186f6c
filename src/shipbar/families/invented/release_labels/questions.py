"""What the package is asked: one endless generator a kind of question.

Labels are made from plain values and observed as tuples, so that each rule is
reached without reading or writing a text; what splits a rule is found by the builder.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from attrs import evolve

from shipbar.building.family import Draw, Probe
from shipbar.families.invented.release_labels.inputs import (
    NOTES,
    Sketch,
    any_sketch,
    malformed_requirements,
    malformed_texts,
    plain_parts,
    raised,
    turned,
    zero_led,
)


class Questions:
    """The questions of one variant; in each kind corner cases come first."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        self._n, self._p, self._rng = draw.names, draw.parameters, rng
        self._channels: Sequence[str] = draw.parameters["channels"]  # type: ignore[assignment]  # a tuple of words, by Family.parameters
        self._forms = count()

    def kinds(self) -> list[Callable[[], Iterator[Probe]]]:
        """The leaves by axis, several for one with several ways in, then spine and joints."""
        return [
            self._release_side,
            self._release_side,
            self._short_labels,
            self._short_labels,
            self._short_labels,
            self._part_order,
            self._part_order,
            self._note_order,
            self._note_order,
            self._era_order,
            self._era_order,
            self._bump_below,
            self._bump_below,
            self._bump_channel,
            self._bump_channel,
            self._bump_anywhere,
            self._first_turn,
            self._first_turn,
            self._within,
            self._range_conditions,
            self._compatible,
            self._compatible,
            self._caret_conditions,
            self._channel_matching,
            self._channel_matching,
            self._channel_picking,
            self._leading_zeros,
            self._leading_zeros,
            self._written_zeros,
            self._written_zeros,
            self._channels_in_order,
            self._fields,
            self._changes,
            self._errors,
            self._malformed,
            self._conditions,
            self._story,
            self._choice,
        ]

    def _call(self, sketch: Sketch) -> str:
        """The spine's way in: a label from plain values."""
        return sketch.call(self._n["label"])

    def _calls(self, sketches: Sequence[Sketch]) -> str:
        return f"[{', '.join(map(self._call, sketches))}]"

    def _seen(self, expression: str) -> str:
        """The spine's way out: a label's fields as a tuple."""
        return f"{expression}.{self._n['fields']}()"

    def _text(self, sketch: Sketch) -> str:
        return sketch.text(self._p)

    # -- order

    def _asked(self, axis: str, sketches: list[Sketch]) -> Probe:
        """Ask for the order of labels, in one of its forms."""
        n = self._n
        self._rng.shuffle(sketches)
        first, second, *_ = last = list(map(self._call, sketches))
        listed = self._calls(sketches)
        compare = n["compare"]
        return Probe(
            axis,
            [
                f"[{compare}({first}, {second}), {compare}({last[-1]}, {first})]",
                f"shown({n['ordered']}({listed}))",
                self._seen(f"{n['newest']}({listed})"),
                f"[{n['behind']}({first}, labels), {n['behind']}({last[-1]}, labels)]",
            ][form := next(self._forms) % 4],
            f"labels = {listed}" if form == 3 else "",  # noqa: PLR2004  # the one that needs it
        )

    def _release_side(self) -> Iterator[Probe]:
        while True:
            parts = plain_parts(self._rng)
            one = turned(self._rng, parts, self._channels)
            other = Sketch(parts=raised(self._rng, parts))
            yield self._asked("release-side", [Sketch(parts=parts), one, other])

    def _short_labels(self) -> Iterator[Probe]:
        while True:
            parts = plain_parts(self._rng, self._rng.choice((1, 2)))
            longer = [
                Sketch(parts=(*parts, self._rng.choice((0, 0, 0, 7)))),
                Sketch(parts=(*parts, *self._rng.choice(((0, 0), (0, 5), (0,))))),
            ]
            yield self._asked("short-labels", [Sketch(parts=parts), *longer])

    def _part_order(self) -> Iterator[Probe]:
        numbers = (0, 1, 2, 3, 4, 9, 10, 11, 12, 20, 21, 100)
        while True:
            parts = plain_parts(self._rng)
            place = self._rng.randrange(len(parts))
            yield self._asked(
                "part-order",
                [
                    Sketch(parts=(*parts[:place], number, *parts[place + 1 :]))
                    for number in self._rng.sample(numbers, 3)
                ],
            )

    def _note_order(self) -> Iterator[Probe]:
        while True:
            bare = Sketch(parts=plain_parts(self._rng))
            if self._rng.random() < 0.3:  # noqa: PLR2004  # sometimes in a channel
                bare = turned(self._rng, bare.parts, self._channels)
            one, other = self._rng.sample(NOTES, 2)
            sketches = [bare, evolve(bare, note=one), evolve(bare, note=other)]
            if self._rng.random() < 0.5:  # noqa: PLR2004  # something that ranks apart, too
                sketches[0] = Sketch(parts=raised(self._rng, bare.parts))
            yield self._asked("note-order", sketches)

    def _era_order(self) -> Iterator[Probe]:
        while True:
            parts = plain_parts(self._rng)
            eras = self._rng.sample(range(5), 3)
            second = self._rng.choice((parts, raised(self._rng, parts)))
            third = raised(self._rng, parts)
            yield self._asked(
                "era-order",
                [
                    Sketch(parts=those, era=era)
                    for those, era in zip((parts, second, third), eras, strict=True)
                ],
            )

    def _channels_in_order(self) -> Iterator[Probe]:
        """What no rule decides: channels by letters, turns by size."""
        while True:
            parts = plain_parts(self._rng)
            one, other = self._rng.sample(list(self._channels), 2)
            turns = self._rng.choice(((2, 10, 1), (0, 1, 9), (3, 3, 11)))
            sketches = [
                Sketch(parts=parts, channel=channel, turn=turn)
                for channel, turn in zip((one, one, other), turns, strict=True)
            ]
            yield self._asked("spine", sketches)

    # -- changes

    def _bump(self, sketch: Sketch, place: int) -> str:
        return self._seen(f"{self._n['bump']}({self._call(sketch)}, {place})")

    def _bump_below(self) -> Iterator[Probe]:
        corners: list[tuple[tuple[int, ...], int]] = [
            ((1, 2), 0),
            ((3, 0, 4), 1),
            ((9, 9, 9, 9), 0),
        ]
        for corner, place in corners:
            yield Probe("bump-below", self._bump(Sketch(parts=corner), place))
        while True:
            length = self._rng.choice((2, 3, 3, 4))
            parts = tuple(self._rng.choice((0, 1, 2, 4, 9, 19)) for _ in range(length))
            sketch = Sketch(parts=parts, era=self._rng.choice((0, 0, 2)))
            yield Probe("bump-below", self._bump(sketch, self._rng.randrange(length)))

    def _bump_channel(self) -> Iterator[Probe]:
        """The last part, below which nothing lies."""
        for number in count():
            parts = tuple(
                self._rng.randint(0, 12) for _ in range(self._rng.randint(1, 4))
            )
            sketch = turned(self._rng, parts, self._channels)
            if self._rng.random() < 0.3:  # noqa: PLR2004  # some have a note
                sketch = evolve(sketch, note=self._rng.choice(NOTES))
            asked = self._bump(sketch, len(parts) - 1)
            # Half of them leave the turn out, which another rule decides.
            yield Probe("bump-channel", f"{asked}[:3]" if number % 2 else asked)

    def _bump_anywhere(self) -> Iterator[Probe]:
        while True:
            sketch = turned(self._rng, (self._rng.randint(0, 9), 0, 0), self._channels)
            yield Probe("bump-channel", self._bump(sketch, self._rng.randint(0, 2)))

    def _first_turn(self) -> Iterator[Probe]:
        n = self._n
        while True:
            sketch = turned(self._rng, plain_parts(self._rng), self._channels)
            if self._rng.random() < 0.15:  # noqa: PLR2004  # some lie in no channel yet
                sketch = Sketch(parts=sketch.parts)
            one, other = self._rng.sample(list(self._channels), 2)
            call = f"{n['advance']}({self._call(sketch)}, "
            again = f'{n["advance"]}({call}"{one}"), "{one}")'
            yield Probe(
                "first-turn",
                self._rng.choice(
                    (
                        self._seen(f'{call}"{one}")'),
                        f'shown([{call}"{one}"), {call}"{other}")])',
                        self._seen(again),
                    )
                ),
            )

    def _changes(self) -> Iterator[Probe]:
        """Changes that no rule touches."""
        n = self._n
        for number in count():
            sketch = any_sketch(self._rng, self._channels)
            change = n[("settle", "renew")[number % 2]]
            yield Probe("spine", self._seen(f"{change}({self._call(sketch)})"))

    # -- ranges

    def _bounds(self) -> tuple[Sketch, Sketch, list[Sketch]]:
        """Two bounds, and labels on and around them."""
        low, middle, high = sorted(
            self._rng.sample([(a, b) for a in (1, 3, 5) for b in (1, 5, 7, 9)], 3)
        )
        outside = self._rng.choice(((1, 3), (7, 1), (9, 9)))
        tried = [low, middle, high, outside]
        self._rng.shuffle(tried)
        return (
            Sketch(parts=low),
            Sketch(parts=high),
            [Sketch(parts=parts) for parts in tried[:3]],
        )

    def _within(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            low, high, tried = self._bounds()
            if number % 6 == 0:
                high = low
            yield Probe(
                "range-ends",
                f"[{n['within']}(label, {self._call(low)}, {self._call(high)}) for label in {self._calls(tried)}]",
            )

    def _range_conditions(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            low, high, tried = self._bounds()
            requirement = f"{self._text(low)}..{self._text(high)}"
            if number % 3 == 2:  # noqa: PLR2004  # every third is a choice
                yield Probe(
                    "range-ends",
                    f'outcome({n["pick"]}, {self._calls(tried)}, "{requirement}")',
                )
            else:
                yield Probe("range-ends", self._met(tried, requirement))

    def _met(self, tried: Sequence[Sketch], requirement: str) -> str:
        """Ask which of some labels meet a requirement."""
        return f'[{self._n["meets"]}(label, "{requirement}") for label in {self._calls(tried)}]'

    def _related(self) -> tuple[Sketch, list[Sketch]]:
        """A label that may begin with zeros, and newer ones that share more or less of it."""
        zeros = (0,) * self._rng.choice((0, 0, 1, 1, 2))
        length = self._rng.randint(max(2, len(zeros) + 1), 3)
        base = (*zeros, *plain_parts(self._rng, length - len(zeros)))
        tried = [
            (*base[:place], base[place] + 2, *base[place + 1 :])
            for place in self._rng.sample(range(len(base)), 2)
        ]
        last = Sketch(parts=self._rng.choice((base, tried[0])))
        if self._rng.random() < 0.2:  # noqa: PLR2004  # sometimes of another era
            last = evolve(last, era=1)
        sketches = [*(Sketch(parts=parts) for parts in tried), last]
        self._rng.shuffle(sketches)
        return Sketch(parts=base), sketches

    def _compatible(self) -> Iterator[Probe]:
        while True:
            base, tried = self._related()
            yield Probe(
                "shared-parts",
                f"[{self._n['compatible']}(label, {self._call(base)}) for label in {self._calls(tried)}]",
            )

    def _caret_conditions(self) -> Iterator[Probe]:
        while True:
            base, tried = self._related()
            yield Probe("shared-parts", self._met(tried, f"^{self._text(base)}"))

    # -- requirements

    def _about_channels(self) -> tuple[list[Sketch], str]:
        """Labels in and out of channels, and a requirement that may name one."""
        first = self._rng.choice((3, 5))
        low = Sketch(parts=(first, self._rng.choice((1, 3))))
        tried = [
            turned(self._rng, (first, self._rng.choice((5, 7))), self._channels),
            turned(self._rng, (first, 7), self._channels),
            Sketch(parts=(first, self._rng.choice((3, 5)))),
        ]
        if self._rng.random() < 0.5:  # noqa: PLR2004  # half of them name a channel
            low = turned(self._rng, low.parts, self._channels)
        high = Sketch(parts=(first, 9))
        name, end = self._text(low), self._text(high)
        requirement = self._rng.choice(
            (f">{name}", f">={name}, <{end}", f"!={name}", f"{name}..{end}", "")
        )
        self._rng.shuffle(tried)
        return tried, requirement

    def _channel_matching(self) -> Iterator[Probe]:
        while True:
            yield Probe("channel-matching", self._met(*self._about_channels()))

    def _channel_picking(self) -> Iterator[Probe]:
        while True:
            tried, requirement = self._about_channels()
            yield Probe(
                "channel-matching",
                f'outcome({self._n["pick"]}, {self._calls(tried)}, "{requirement}")',
            )

    def _conditions(self) -> Iterator[Probe]:
        """Requirements that no rule decides, some of them malformed."""
        n = self._n
        for number in count():
            low, high, tried = self._bounds()
            one, other = self._text(low), self._text(high)
            if number % 2:
                bad = self._rng.choice(malformed_requirements(one, other))
                fine = self._rng.choice((f" >={one}", f"< {other}", f"=={one} "))
                asked = f"outcome({n['meets']}, {self._call(tried[0])}, "
                yield Probe("spine", f'[{asked}"{bad}"), {asked}"{fine}")]')
            else:
                sign = self._rng.choice((">", "<", ">=", "<=", "==", "!="))
                requirement = self._rng.choice(
                    (f">{one},<{other}", f"!={one} , <={other}", f">= {one}")
                    if number % 4
                    else (f"{sign}{self._text(tried[0])}",)
                )
                yield Probe("spine", self._met(tried, requirement))

    # -- texts

    def _leading_zeros(self) -> Iterator[Probe]:
        read = self._n["read"]
        for text in ("01.2", "1.00", "00", "0.0", "2024.04.01"):
            yield Probe(
                "leading-zeros", f'[outcome({read}, "{text}"), outcome({read}, "7.5")]'
            )
        while True:
            sketch = any_sketch(self._rng, self._channels)
            text = self._text(sketch)
            yield Probe(
                "leading-zeros",
                f'[outcome({read}, "{zero_led(self._rng, text)}"), outcome({read}, "{text}")]',
            )

    def _written_zeros(self) -> Iterator[Probe]:
        written = self._n["text"]
        for corner in ((0,), (0, 0), (1, 0), (1, 0, 0, 0), (0, 0, 1), (10, 100)):
            yield Probe(
                "written-zeros", f"{self._call(Sketch(parts=corner))}.{written}()"
            )
        while True:
            sketch = any_sketch(self._rng, self._channels)
            zeros = (0,) * self._rng.choice((0, 1, 1, 2))
            parts = (*sketch.parts[: self._rng.randint(1, 2)], *zeros)
            yield Probe(
                "written-zeros",
                f"{self._call(evolve(sketch, parts=parts))}.{written}()",
            )

    def _malformed(self) -> Iterator[Probe]:
        """Texts that are no label, each beside one that is."""
        read = self._n["read"]
        bad = malformed_texts(self._p, self._channels[0])
        self._rng.shuffle(bad)
        yield Probe(
            "spine",
            f"[issubclass({self._n['malformed']}, ValueError), {self._seen(self._call(Sketch(parts=(2,))))}]",
        )
        for number in count():
            fine = self._text(any_sketch(self._rng, self._channels))
            yield Probe(
                "spine",
                f'[outcome({read}, "{bad[number % len(bad)]}"), outcome({read}, "{fine}")]',
            )

    # -- spine and joints

    def _fields(self) -> Iterator[Probe]:
        while True:
            sketch = any_sketch(self._rng, self._channels)
            yield Probe("spine", self._seen(self._call(sketch)))

    def _errors(self) -> Iterator[Probe]:
        """Calls that are refused, each beside one that is not."""
        n = self._n
        label = n["label"]
        for number in count():
            sketch = any_sketch(self._rng, self._channels)
            parts, made = sketch.parts, self._call(sketch)
            channel = self._rng.choice(self._channels)
            refused = [
                f"{label}, ()",
                f"{label}, (1, 2, 3, 4, {parts[0]})",
                f"{label}, ({parts[0]}, -1)",
                f"{label}, {parts}, None, {self._rng.randint(1, 3)}",
                f'{label}, {parts}, "{channel}", -1',
                f'{label}, {parts}, "{channel}2"',
                f'{label}, {parts}, "{channel.title()}"',
                f'{label}, {parts}, ""',
                f"{label}, {parts}, None, 0, -{self._rng.randint(1, 3)}",
                f'{label}, {parts}, None, 0, 0, "a{self._rng.choice("-_. X")}b"',
                f'{n["advance"]}, {made}, "{channel}1"',
                f"{n['bump']}, {made}, {len(parts)}",
                f"{n['bump']}, {made}, -1",
                f"{n['newest']}, []",
            ][number % 14]
            yield Probe(
                "spine", f"[outcome({refused}), outcome({n['settle']}, {made})]"
            )

    def _story(self) -> Iterator[Probe]:
        """Several features one after another."""
        n = self._n
        for number in count():
            sketches = [any_sketch(self._rng, self._channels) for _ in range(3)]
            made, channel = self._call(sketches[0]), self._rng.choice(self._channels)
            last = len(sketches[0].parts) - 1
            text = self._text(sketches[0])
            yield [
                Probe("joint", f'{n["bump"]}({n["read"]}("{text}"), 0).{n["text"]}()'),
                Probe("joint", f"{n['listing']}({self._calls(sketches)})"),
                Probe(
                    "joint",
                    self._seen(
                        f'{n["bump"]}({n["advance"]}({made}, "{channel}"), {last})'
                    ),
                ),
                Probe(
                    "joint",
                    f"[{n['compare']}({made}, {n['read']}({made}.{n['text']}())), {n['compare']}({n['renew']}({made}), {made})]",
                ),
                Probe(
                    "joint",
                    f'shown([{n["advance"]}({n["bump"]}({made}, 0), "{channel}")])',
                ),
            ][number % 5]

    def _choice(self) -> Iterator[Probe]:
        """Requirements against labels of every kind."""
        n = self._n
        while True:
            sketches = [any_sketch(self._rng, self._channels) for _ in range(4)]
            bound = self._text(evolve(sketches[0], note=None))
            sign = self._rng.choice((">=", "<", "^", "!=", "=="))
            yield Probe(
                "joint",
                f'outcome({n["pick"]}, {self._calls(sketches[1:])}, "{sign}{bound}")',
            )
