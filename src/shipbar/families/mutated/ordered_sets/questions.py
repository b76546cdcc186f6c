"""What the package is asked: one endless generator a kind of question.

Every question builds its rows from lists and observes them as lists, so that each
rule is reached by itself; what splits a rule is found by the builder. No answer
is asked alone that a package without behaviour might hit.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from shipbar.building.family import Draw, Probe
from shipbar.families.mutated.ordered_sets.inputs import (
    mixed,
    row,
    shuffled,
    strangers,
)


class Questions:
    """The questions of one variant; in each kind corner cases come first."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        self._n, self._rng = draw.names, rng

    def kinds(self) -> list[Callable[[], Iterator[Probe]]]:
        """The leaves by axis, several for one with several ways in, then joints and spine."""
        return [
            self._iteration,
            self._reversed,
            self._outside,
            self._pick,
            self._absent,
            self._absent_of_several,
            self._several,
            self._cut,
            self._cut_of_one,
            self._add_answer,
            self._add_answer_again,
            self._again,
            self._again_of_several,
            self._extend_answer,
            self._extend_answer_mixed,
            self._gap,
            self._discard,
            self._pop,
            self._pop_rest,
            self._same_list,
            self._same_set,
            self._union,
            self._union_in_place,
            self._common,
            self._in_one_alone,
            self._leading_in_place,
            self._story,
            self._journey,
            self._plain,
            self._without,
        ]

    def _of(self, names: Sequence[str]) -> str:
        """The spine's way in: a row from a list."""
        return f"{self._n['row']}({list(names)!r})"

    def _seen(self, expression: str) -> str:
        """The spine's way out: a row's members as a list."""
        return f"{expression}.{self._n['members']}()"

    def _held(self, names: Sequence[str]) -> str:
        """An arrange line that binds a row."""
        return f"s = {self._of(names)}"

    def _call(self, role: str, *arguments: object) -> str:
        """A method of the held row, called through `outcome`."""
        shown = ", ".join(["outcome(s." + self._n[role], *map(repr, arguments)])
        return f"{shown})"

    def _done(self, role: str, *arguments: object) -> str:
        """The same where only refusal matters, not the answer."""
        shown = ", ".join(["done(s." + self._n[role], *map(repr, arguments)])
        return f"{shown})"

    def _asked(self, axis: str, names: Sequence[str], *expressions: str) -> Probe:
        """Several answers about one held row."""
        return Probe(axis, f"[{', '.join(expressions)}]", self._held(names))

    def _either(self, names: Sequence[str]) -> str:
        """A list of names, or a row of them."""
        return self._rng.choice((repr(list(names)), self._of(names)))

    # -- rows and positions

    def _iteration(self) -> Iterator[Probe]:
        for names in (["oak", "elm"], ["ash", "bay"], ["fig", "ivy", "elm"]):
            yield Probe("iteration", f"list({self._of(names)})")
        while True:
            yield Probe("iteration", f"list({self._of(row(self._rng))})")

    def _reversed(self) -> Iterator[Probe]:
        for names in (["yew", "fir"], ["ash", "fig"], ["lime", "pear", "bay"]):
            yield Probe("iteration", f"list(reversed({self._of(names)}))")
        while True:
            yield Probe("iteration", f"list(reversed({self._of(row(self._rng))}))")

    def _outside(self) -> Iterator[Probe]:
        yield Probe("outside", f"at({self._of(['oak', 'elm'])}, 0, -1, -2, -3)")
        yield Probe("outside", f"at({self._of(['fig', 'ash'])}, 1, 2, 3)")
        yield Probe("outside", f"[at(s, 0, -1), {self._seen('s')}]", self._held([]))
        for number in count():
            names = row(self._rng)
            size = len(names)
            inner = self._rng.randrange(size)
            outer = (
                -self._rng.randint(1, size),
                self._rng.randint(size, size + 2),
                -self._rng.randint(size + 1, size + 3),
                -self._rng.randint(1, size),
            )[number % 4]
            yield Probe("outside", f"at({self._of(names)}, {inner}, {outer})")

    def _pick(self) -> Iterator[Probe]:
        for number in count():
            names = row(self._rng, 2, 4)
            size = len(names)
            asked = [self._rng.randrange(size) for _ in range(2)]
            if number % 4:
                asked.append(self._rng.randint(-size - 1, -1))
            if number % 4 > 2:  # noqa: PLR2004  # one of four
                asked.append(self._rng.randint(size, size + 1))
            self._rng.shuffle(asked)
            yield self._asked(
                "outside",
                names,
                self._call("pick", asked),
                self._call("pick", [size - 1, 0]),
            )

    def _absent(self) -> Iterator[Probe]:
        yield self._asked("absent", [], self._call("find", "elm"), self._seen("s"))
        while True:
            names = row(self._rng)
            new, known = strangers(self._rng, names)[0], self._rng.choice(names)
            yield self._asked(
                "absent", names, self._call("find", new), self._call("find", known)
            )

    def _absent_of_several(self) -> Iterator[Probe]:
        while True:
            names = row(self._rng, 2, 4)
            asked = mixed(self._rng, names, self._rng.randint(1, 2), 1)
            yield self._asked(
                "absent",
                names,
                self._call("find_each", asked),
                self._call("find", asked[0]),
            )

    def _several(self) -> Iterator[Probe]:
        yield self._asked(
            "several",
            ["elm", "oak"],
            self._call("find_each", ["oak", "elm", "oak"]),
            self._call("find_each", []),
        )
        while True:
            names = row(self._rng, 3, 6)
            asked = self._rng.sample(names, self._rng.randint(2, 3))
            yield Probe(
                "several",
                f"{self._of(names)}.{self._n['find_each']}({self._either(asked)})",
            )

    def _stretch(self, names: Sequence[str], first: int, second: int) -> Probe:
        cut = f"{self._of(names)}.{self._n['cut']}({first}, {second})"
        return Probe("cut", self._seen(cut))

    def _cut(self) -> Iterator[Probe]:
        names = ["fir", "ash", "lime", "bay"]
        for first, second in ((0, 0), (1, 1), (1, 3), (2, 9), (3, 2), (0, 3)):
            yield self._stretch(names, first, second)
        while True:
            names = row(self._rng, 4, 6)
            first = self._rng.randint(1, 3)
            yield self._stretch(names, first, self._rng.randint(1, 4))

    def _cut_of_one(self) -> Iterator[Probe]:
        """Both numbers alike, or next to each other."""
        while True:
            names = row(self._rng, 3, 5)
            first = self._rng.randint(0, 2)
            yield self._stretch(names, first, first + self._rng.randint(0, 1))

    # -- changing

    def _add_answer(self) -> Iterator[Probe]:
        yield self._asked("add-answer", [], self._call("add", "oak"), self._seen("s"))
        while True:
            names = row(self._rng)
            new = strangers(self._rng, names)[0]
            yield self._asked(
                "add-answer", names, self._call("add", new), self._seen("s")
            )

    def _add_answer_again(self) -> Iterator[Probe]:
        """A member that stands last already, or another one."""
        for number in count():
            names = row(self._rng)
            known = names[-1] if number % 2 else self._rng.choice(names)
            new = strangers(self._rng, names)[0]
            answers = self._call("add", known), self._call("add", new)
            yield self._asked("add-answer", names, *answers, "len(s)")

    def _again(self) -> Iterator[Probe]:
        for names, known in ((["elm"], "elm"), (["oak", "fir"], "fir")):
            yield self._asked("again", names, self._done("add", known), self._seen("s"))
        for number in count():
            names = row(self._rng)
            known = self._rng.choice(names[:-1])
            asked = [known, strangers(self._rng, names)[0]][: 1 + number % 2]
            self._rng.shuffle(asked)
            calls = ", ".join(self._done("add", name) for name in asked)
            yield Probe("again", f"[{calls}, {self._seen('s')}]", self._held(names))

    def _again_of_several(self) -> Iterator[Probe]:
        for names, asked in (
            (["ivy"], ["elm", "elm"]),
            (["ash", "yew"], ["ash", "yew"]),
        ):
            yield self._asked(
                "again", names, self._done("extend", asked), self._seen("s")
            )
        while True:
            names = row(self._rng, 2, 4)
            more = self._either(mixed(self._rng, names, self._rng.randint(1, 2)))
            done = f"done(s.{self._n['extend']}, {more})"
            yield self._asked("again", names, done, self._seen("s"))

    def _extend_answer(self) -> Iterator[Probe]:
        yield self._asked(
            "extend-answer", ["pine", "ash"], self._call("extend", []), self._seen("s")
        )
        while True:
            names = row(self._rng, 2, 4)
            asked = strangers(self._rng, names, self._rng.randint(1, 3))
            yield self._asked(
                "extend-answer", names, self._call("extend", asked), self._seen("s")
            )

    def _extend_answer_mixed(self) -> Iterator[Probe]:
        while True:
            names = row(self._rng, 2, 4)
            asked = mixed(self._rng, names, 1, self._rng.randint(1, 2))
            yield Probe(
                "extend-answer",
                f"[{self._call('extend', asked)}, {asked[0]!r} in s, len(s)]",
                self._held(names),
            )

    def _taken(self, role: str, names: Sequence[str], gone: str) -> Probe:
        return self._asked("gap", names, self._done(role, gone), self._seen("s"))

    def _gap(self) -> Iterator[Probe]:
        yield self._taken("remove", ["elm"], "elm")
        yield self._taken("remove", ["elm", "ash"], "ash")
        yield self._taken("remove", ["ash", "fig", "yew"], "bay")
        while True:
            names = row(self._rng, 3, 6)
            yield self._taken("remove", names, self._rng.choice(names[:-2]))

    def _discard(self) -> Iterator[Probe]:
        yield self._taken("discard", ["pear", "ash"], "elm")
        for number in count():
            names = row(self._rng, 4, 6)
            gone = self._rng.sample(names, 2)
            if number % 3 == 0:
                gone[0] = strangers(self._rng, names)[0]
            calls = ", ".join(
                self._done(role, name)
                for role, name in zip(("discard", "remove"), gone, strict=True)
            )
            yield Probe("gap", f"[{calls}, {self._seen('s')}]", self._held(names))

    def _pop(self) -> Iterator[Probe]:
        for names in ([], ["elm"], ["oak", "ash"], ["fir", "elm", "yew", "bay"]):
            yield Probe("pop", f"[{self._call('pop')}, len(s)]", self._held(names))
        while True:
            names = row(self._rng, 2, 6)
            yield Probe("pop", f"[{self._call('pop')}, len(s)]", self._held(names))

    def _pop_rest(self) -> Iterator[Probe]:
        for number in count():
            names = row(self._rng, 3, 6)
            pop = self._call("pop")
            asked = (f"[{pop}, {self._seen('s')}]", f"[{pop}, {pop}]")[number % 2]
            yield Probe("pop", asked, self._held(names))

    # -- comparing

    def _compared(self, names: Sequence[str], *others: str) -> Probe:
        same = self._n["same"]
        calls = ", ".join(f"s.{same}({other})" for other in others)
        return Probe("same", f"[{calls}]", self._held(names))

    def _same_list(self) -> Iterator[Probe]:
        yield self._compared(["oak", "elm"], "['oak', 'elm', 'oak']", "['oak', 'elm']")
        yield self._compared(["fig"], "['fig']", "[]", "['fig', 'fig']")
        while True:
            names = row(self._rng, 2, 4)
            other = [*names[:-1], *strangers(self._rng, names)]
            asked = [
                self._either(shuffled(self._rng, names)),
                self._either(names),
                self._either(other),
            ]
            self._rng.shuffle(asked)
            yield self._compared(names, *asked)

    def _set(self, names: Sequence[str]) -> str:
        """A built-in set's text."""
        return "{" + ", ".join(map(repr, names)) + "}"

    def _same_set(self) -> Iterator[Probe]:
        yield self._compared([], "set()", "['elm']", "[]")
        while True:
            names = row(self._rng, 2, 4)
            other = [*names[:-1], *strangers(self._rng, names)]
            asked = [
                self._set(shuffled(self._rng, names)),
                self._rng.choice((self._set(other), self._set(names[1:]))),
                repr(names),
            ]
            self._rng.shuffle(asked)
            yield self._compared(names, *asked)

    # -- combining

    def _pair(self, sign: str) -> tuple[str, str]:
        """A row, and a list or row that shares some of its names in another order."""
        names = row(self._rng, 3, 4)
        known = 1 if sign == "^" else self._rng.randint(2, 3)
        other = mixed(self._rng, names, known, self._rng.randint(1, 2))
        return self._of(names), self._either(other)

    def _union(self) -> Iterator[Probe]:
        for names, other in (
            (["oak", "elm"], ["elm", "oak"]),
            ([], ["fir", "ash", "fir"]),
            (["bay"], ["fig", "ivy"]),
        ):
            yield Probe("union", self._seen(f"({self._of(names)} | {other!r})"))
        while True:
            left, right = self._pair("|")
            yield Probe("union", self._seen(f"({left} | {right})"))

    def _union_in_place(self) -> Iterator[Probe]:
        while True:
            left, right = self._pair("|")
            yield Probe("union", self._seen("t"), f"s = {left}\nt = s\ns |= {right}")

    def _common(self) -> Iterator[Probe]:
        yield Probe(
            "leading",
            self._seen(f"({self._of(['ivy', 'elm'])} & ['elm', 'ivy', 'elm'])"),
        )
        while True:
            left, right = self._pair("&")
            yield Probe("leading", self._seen(f"({left} & {right})"))

    def _in_one_alone(self) -> Iterator[Probe]:
        yield Probe("leading", self._seen(f"({self._of(['fir'])} ^ ['yew', 'yew'])"))
        while True:
            left, right = self._pair("^")
            yield Probe("leading", self._seen(f"({left} ^ {right})"))

    def _leading_in_place(self) -> Iterator[Probe]:
        for number in count():
            sign = "^&"[number % 2]
            left, right = self._pair(sign)
            yield Probe(
                "leading", self._seen("t"), f"s = {left}\nt = s\ns {sign}= {right}"
            )

    # -- joints

    def _story(self) -> Iterator[Probe]:
        """A row that is changed, and then asked by position."""
        for number in count():
            names = row(self._rng, 3, 5)
            other = mixed(self._rng, names, 2, 1)
            gone = self._rng.choice(names[:-1])
            n, held = self._n, self._held(names)
            yield [
                Probe("joint", f"list(s.{n['cut']}(1, 2))", held),
                Probe("joint", f"list({self._of(names)} | {other!r})"),
                Probe("joint", f"[{self._call('pop')}, at(s, 0, -1)]", held),
                Probe(
                    "joint",
                    f"[{self._call('find', gone)}, {self._call('pop')}]",
                    f"{held}\ns.{n['remove']}({gone!r})",
                ),
                Probe("joint", f"[{self._done('extend', other)}, list(s)]", held),
            ][number % 5]

    def _journey(self) -> Iterator[Probe]:
        """Operators whose results are asked for positions, or compared."""
        for number in count():
            names = row(self._rng, 3, 5)
            other = mixed(self._rng, names, 2, 1)
            left, n = self._of(names), self._n
            both = [name for name in other if name in names]
            new = [name for name in other if name not in names]
            yield [
                Probe("joint", f"({left} & {other!r}).{n['find_each']}({both!r})"),
                Probe(
                    "joint",
                    f"[s.{n['same']}({names + new!r}), s.{n['same']}(s), at(s, 1, -1)]",
                    f"s = {left} | {other!r}",
                ),
                Probe(
                    "joint",
                    f"[{self._call('pop')}, {self._call('find', names[0])}]",
                    f"s = {left} ^ {other!r}",
                ),
                Probe(
                    "joint",
                    f"[{self._call('add', names[0])}, {self._call('find', names[0])}]",
                    f"s = {left}\ns.{n['discard']}({names[0]!r})",
                ),
            ][number % 4]

    # -- spine

    def _plain(self) -> Iterator[Probe]:
        """What no axis touches."""
        n = self._n
        yield Probe(
            "spine",
            f"[issubclass({n['missing']}, KeyError), {self._seen(self._of(['ash', 'ash']))}]",
        )
        yield Probe(
            "spine",
            f"[{self._seen('s')}, {self._seen('t')}]",
            f"s = {self._of(['ash', 'fig'])}\nt = {n['row']}(s)\nt.{n['remove']}('fig')",
        )
        for number in count():
            names = row(self._rng)
            other = mixed(self._rng, names)
            held, twice = self._held(names), [*names, names[0]]
            shown = f"s.{n['covers']}({shuffled(self._rng, names)!r})"
            yield [
                Probe("spine", self._seen(self._of(twice))),
                Probe("spine", f"[name for name in {other!r} if name in s]", held),
                Probe(
                    "spine",
                    f"[s.{n['covers']}({other!r}), {shown}, s.{n['covers']}([]), len(s)]",
                    held,
                ),
                Probe(
                    "spine",
                    f"[{self._done('remove', other[0])}, {other[0]!r} in s, len(s)]",
                    held,
                ),
            ][number % 4]

    def _without(self) -> Iterator[Probe]:
        """What is in the left operand only, which keeps its order."""
        for number in count():
            left, right = self._pair("-")
            yield [
                Probe("spine", self._seen(f"({left} - {right})")),
                Probe("spine", self._seen("t"), f"s = {left}\nt = s\ns -= {right}"),
            ][number % 2]
