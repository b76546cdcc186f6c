"""What the package is asked: one endless generator a kind of question.

Conditions go in and come out as plain tuples, so that each rule is reached
through one call; what splits a rule is found by the builder.
"""

import random
from collections.abc import Callable, Iterator
from itertools import count

from shipbar.building.family import Draw, Probe
from shipbar.families.mutated.boolean_queries.inputs import (
    JOINING,
    MALFORMED,
    Tree,
    alike_text,
    chance,
    changed,
    clauses,
    dual,
    facts,
    joined,
    maybe_not,
    nested,
    recased,
    series_text,
    shown_as,
    shuffled,
    some_names,
    tidied,
)

_WORDS = ("and", "or", "not", "true", "false", "none")


class Questions:
    """The questions of one variant; in each kind corner cases come first."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        self._n, self._rng = draw.names, rng

    def kinds(self) -> list[Callable[[], Iterator[Probe]]]:
        """The leaves by axis, several for one with several ways in, then spine and joints."""
        return [
            self._series,
            self._bracketed_series,
            self._adjacent,
            self._adjacent_brackets,
            self._keywords,
            self._constant_words,
            self._spelling,
            self._spelling_longer,
            self._written,
            self._written_negations,
            self._listing,
            self._listing,
            self._equality,
            self._equality,
            self._replaced_parts,
            self._replaced_constants,
            self._replaced_names,
            self._replaced_names,
            self._negations,
            self._negations_deep,
            self._negations_deep,
            self._complement,
            self._complement,
            self._absorbing,
            self._absorbing_tidy,
            self._absorbing_tidy,
            self._order,
            self._order_compounds,
            self._missing,
            self._selected,
            self._tokens,
            self._plain_reading,
            self._malformed,
            self._asked,
            self._identities,
            self._joints,
        ]

    def _call(self, role: str, *arguments: object) -> str:
        """A call with plain data."""
        return f"{self._n[role]}({', '.join(map(shown_as, arguments))})"

    def _outcome(self, role: str, *arguments: object) -> str:
        """A call of which an exception is an answer as well."""
        return f"outcome({', '.join([self._n[role], *map(shown_as, arguments)])})"

    # -- reading

    def _series(self) -> Iterator[Probe]:
        for text in ("ash|bay&elm", "ash&bay|elm", "~ash|bay&elm", "ash*bay+elm"):
            yield Probe("precedence", self._call("read", text))
        while True:
            operands = some_names(self._rng, self._rng.choice((3, 3, 4, 5)))
            signed = [f"~{x}" if chance(self._rng, 0.2) else x for x in operands]
            yield Probe(
                "precedence", self._call("read", series_text(self._rng, signed))
            )

    def _bracketed_series(self) -> Iterator[Probe]:
        while True:
            names = some_names(self._rng, 5)
            inner = series_text(self._rng, names[:3])
            operands = [f"{self._rng.choice(('', '~'))}({inner})", *names[3:]]
            self._rng.shuffle(operands)
            yield Probe(
                "precedence", self._call("read", series_text(self._rng, operands))
            )

    def _adjacent(self) -> Iterator[Probe]:
        while True:
            names = some_names(self._rng, self._rng.choice((2, 2, 3)))
            if chance(self._rng, 0.2):
                names[-1] = self._rng.choice("01")
            before = "~" if chance(self._rng, 0.3) else ""
            text = before + self._rng.choice((" ", "  ")).join(names)
            if chance(self._rng, 0.25):
                text = f"({text})"
            yield Probe(
                "adjacent",
                f"[{self._outcome('read', text)}, {self._call('read', names[0])}]",
            )

    def _adjacent_brackets(self) -> Iterator[Probe]:
        while True:
            one, two, three, four = some_names(self._rng, 4)
            left, right = (self._rng.choice("&|") for _ in range(2))
            text = self._rng.choice(
                (
                    f"{one} ({two} {left} {three})",
                    f"({one} {left} {two}) ({three} {right} {four})",
                    f"({one} {left} {two}) {three}",
                    f"{one}[{two}]",
                    f"{one} ~{two}",
                    f"({one})({two})",
                    f"~({one} {left} {two}) {three}",
                )
            )
            fine = f"{one} {left} {two}"
            yield Probe(
                "adjacent",
                f"[{self._outcome('read', text)}, {self._call('read', fine)}]",
            )

    def _keywords(self) -> Iterator[Probe]:
        while True:
            one, two = some_names(self._rng, 2)
            word, other = self._rng.sample(_WORDS[:3], 2)
            first = self._rng.choice((word, word.upper(), word.title()))
            second = self._rng.choice((other, other.upper(), other.title()))
            text = self._rng.choice(
                (f"{one} {first} {two}", f"{first} {one} {second}", f"{first} {two}")
            )
            yield Probe("keywords", self._call("tokens", text))

    def _constant_words(self) -> Iterator[Probe]:
        while True:
            word, other = self._rng.sample(_WORDS[3:], 2)
            first = self._rng.choice((word, word.upper(), word.title()))
            second = self._rng.choice((other, other.upper(), other.title()))
            name = some_names(self._rng, 1)[0]
            text = self._rng.choice((f"{first} & {name}", f"{first}|{second}", first))
            yield Probe(
                "keywords", self._call(self._rng.choice(("tokens", "read")), text)
            )

    def _spelling(self) -> Iterator[Probe]:
        for text in ("Oak", "OAK", "oak", "oAk", "Oak_2.b:C"):
            yield Probe("spelling", self._call("read", text))
        while True:
            one, two = some_names(self._rng, 2)
            text = alike_text(
                self._rng, [recased(self._rng, one), self._rng.choice((one, two))]
            )
            yield Probe("spelling", self._call("read", text))

    def _spelling_longer(self) -> Iterator[Probe]:
        while True:
            names = [recased(self._rng, x) for x in some_names(self._rng, 3)]
            names[0] += self._rng.choice((".Left", "_2", ":a", "7b"))
            inner = alike_text(self._rng, names[:2])
            text = alike_text(self._rng, [f"~({inner})", names[2]])
            yield Probe("spelling", self._call("read", text))

    # -- writing and listing

    def _written(self) -> Iterator[Probe]:
        trees: list[Tree] = [
            ("and", "oak", ("or", "ash", "elm")),
            ("or", "oak", ("and", "ash", "elm")),
            ("and", "oak", ("and", "ash", "elm")),
            ("and", True, "oak"),
        ]
        for tree in trees:
            yield Probe("brackets", self._call("write", tree))
        while True:
            tree = nested(self._rng, self._rng.choice((2, 2, 3)))
            yield Probe("brackets", self._call("write", tree))

    def _written_negations(self) -> Iterator[Probe]:
        trees: list[Tree] = [("not", ("not", "oak")), ("not", True), ("not", False)]
        for tree in trees:
            yield Probe("brackets", self._call("write", tree))
        while True:
            one, two = some_names(self._rng, 2)
            inner: Tree = self._rng.choice(
                (
                    joined(self._rng, [one, two]),
                    ("not", one),
                    ("not", ("not", two)),
                    chance(self._rng, 0.5),
                )
            )
            other: Tree = ("not", inner)
            if chance(self._rng, 0.6):
                other = (self._rng.choice(JOINING), other, maybe_not(self._rng, two))
            yield Probe("brackets", self._call("write", other))

    def _listing(self) -> Iterator[Probe]:
        while True:
            tree = nested(self._rng, 2)
            yield Probe("listing", self._call("names", tree))

    # -- comparing and replacing

    def _equality(self) -> Iterator[Probe]:
        """Four comparisons in one probe, of which some hold and some do not."""
        while True:
            tree = nested(self._rng, self._rng.choice((1, 2)))
            others = [
                shuffled(self._rng, tree),
                shuffled(self._rng, tree, repeats=True),
                changed(self._rng, tree),
                shuffled(self._rng, changed(self._rng, tree)),
            ]
            others = self._rng.sample(others, 3)
            others.insert(self._rng.randrange(4), tree)
            shown = ", ".join(self._call("same", "@", x) for x in others)
            yield Probe(
                "equality", f"[{shown}]".replace('"@"', "t"), f"t = {shown_as(tree)}"
            )

    def _replaced_parts(self) -> Iterator[Probe]:
        """A part in another order or with repetitions, which comparing may find."""
        while True:
            one, two, three, four = some_names(self._rng, 4)
            operator = self._rng.choice(JOINING)
            part = joined(self._rng, [one, two], operator)
            wanted = shuffled(self._rng, part, repeats=chance(self._rng, 0.4))
            outer: tuple[Tree, ...] = (part, maybe_not(self._rng, three))
            if chance(self._rng, 0.3):
                outer = (("not", part), three)
            yield Probe(
                "equality",
                self._call("replace", (dual(operator), *outer), [(wanted, four)]),
            )

    def _replaced_constants(self) -> Iterator[Probe]:
        while True:
            names = sorted(some_names(self._rng, self._rng.choice((2, 3))))
            tree = joined(self._rng, names)
            pairs: list[tuple[Tree, Tree]] = [
                (self._rng.choice(names), chance(self._rng, 0.5))
            ]
            if chance(self._rng, 0.3):
                pairs = [(name, chance(self._rng, 0.5)) for name in names[:2]]
            yield Probe("replaced", self._call("replace", tree, pairs))

    def _replaced_names(self) -> Iterator[Probe]:
        while True:
            names = sorted(some_names(self._rng, 4))
            tree = joined(self._rng, names[:3], self._rng.choice(JOINING))
            one, two = self._rng.sample(names[:3], 2)
            other: Tree = self._rng.choice((two, two, names[3], ("not", two)))
            last: Tree = self._rng.choice((one, names[3], ("not", one)))
            yield Probe(
                "replaced", self._call("replace", tree, [(one, other), (two, last)])
            )

    # -- rearranging

    def _negations(self) -> Iterator[Probe]:
        trees: list[Tree] = [
            ("not", ("not", "oak")),
            ("not", True),
            ("not", ("not", ("not", "oak"))),
            ("and", ("not", "ash"), ("not", "elm")),
        ]
        for tree in trees:
            yield Probe("negations", self._call("settle", tree))
        while True:
            names = some_names(self._rng, self._rng.choice((2, 3)))
            operator = self._rng.choice(JOINING)
            tree = (operator, *(maybe_not(self._rng, name, 0.7) for name in names))
            yield Probe(
                "negations", self._call("settle", maybe_not(self._rng, tree, 0.6))
            )

    def _negations_deep(self) -> Iterator[Probe]:
        """Negated compounds within negated compounds, which take more than one step."""
        while True:
            names = some_names(self._rng, 5)
            operator = self._rng.choice(JOINING)
            operands = [
                maybe_not(self._rng, joined(self._rng, names[:2])),
                maybe_not(self._rng, names[2]),
            ]
            if chance(self._rng, 0.3):
                operands.append(maybe_not(self._rng, joined(self._rng, names[3:])))
            tree = shuffled(self._rng, (operator, *operands))
            yield Probe(
                "negations", self._call("settle", maybe_not(self._rng, tree, 0.8))
            )

    # -- simplifying

    def _complement(self) -> Iterator[Probe]:
        while True:
            one, two, three = sorted(some_names(self._rng, 3))
            operator = self._rng.choice(JOINING)
            pair: tuple[Tree, ...] = (one, ("not", one))
            tree: Tree = self._rng.choice(
                (
                    (operator, *pair),
                    (operator, *pair, two),
                    (operator, *pair, ("not", two), three),
                    (operator, *pair, pair[0]),
                    (operator, two, (dual(operator), *pair)),
                    (operator, two, (dual(operator), *pair, three)),
                    ("not", ("not", (operator, *pair))),
                )
            )
            if chance(self._rng, 0.4):
                tree = shuffled(self._rng, tree)
            yield Probe("complement", self._call("simplify", tree))

    def _absorbing(self) -> Iterator[Probe]:
        while True:
            yield Probe("absorbing", self._call("simplify", clauses(self._rng)))

    def _absorbing_tidy(self) -> Iterator[Probe]:
        """Operands in their order, and compound throughout, so that order decides little."""
        while True:
            names = sorted(some_names(self._rng, 3))
            inner = self._rng.choice(JOINING)
            first: list[Tree] = [maybe_not(self._rng, name) for name in names]
            second: list[Tree] = list(first)
            place = self._rng.randrange(3)
            if chance(self._rng, 0.5):
                del second[place]
            else:
                flipped = second[place]
                second[place] = (
                    flipped[1] if isinstance(flipped, tuple) else ("not", flipped)
                )
            tree = tidied((dual(inner), (inner, *first), (inner, *second)))
            yield Probe("absorbing", self._call("simplify", tree))

    def _order(self) -> Iterator[Probe]:
        while True:
            names = some_names(self._rng, self._rng.choice((2, 3, 4)))
            tree = joined(self._rng, names)
            if chance(self._rng, 0.3):
                tree = shuffled(self._rng, tree, repeats=True)
            yield Probe("order", self._call("simplify", tree))

    def _order_compounds(self) -> Iterator[Probe]:
        while True:
            names = some_names(self._rng, 5)
            operator = self._rng.choice(JOINING)
            inner = dual(operator)
            operands = [
                joined(self._rng, names[:2], inner),
                maybe_not(self._rng, names[2]),
            ]
            if chance(self._rng, 0.5):
                operands.append(joined(self._rng, names[3:], inner))
            tree = shuffled(self._rng, (operator, *operands))
            yield Probe("order", self._call("simplify", tree))

    # -- asking

    def _missing(self) -> Iterator[Probe]:
        """One condition, asked of facts that lack a name and of facts that lack none."""
        while True:
            names = some_names(self._rng, self._rng.choice((2, 3)))
            tree = joined(self._rng, names)
            if chance(self._rng, 0.3):
                tree = ("not", tree)
            rows = [
                facts(self._rng, self._rng.sample(names, len(names) - 1)),
                facts(self._rng, self._rng.sample(names, len(names) - 1)),
                facts(self._rng, names),
            ]
            self._rng.shuffle(rows)
            shown = ", ".join(self._outcome("evaluate", "@", row) for row in rows)
            yield Probe(
                "missing", f"[{shown}]".replace('"@"', "t"), f"t = {shown_as(tree)}"
            )

    def _selected(self) -> Iterator[Probe]:
        while True:
            names = some_names(self._rng, 2)
            signed = [f"~{x}" if chance(self._rng, 0.6) else x for x in names]
            text = alike_text(self._rng, signed)
            if chance(self._rng, 0.3):
                text = f"~({text})"
            rows = [facts(self._rng, names) for _ in range(3)]
            lacking = facts(self._rng, self._rng.sample(names, 1))
            yield Probe(
                "missing",
                f"[{self._outcome('select', text, rows)}, {self._outcome('select', text, [*rows[:2], lacking])}]",
            )

    # -- spine and joints

    def _tokens(self) -> Iterator[Probe]:
        """What no axis touches."""
        for text in ("", " \t\n", "oak_1.b:c", "_x", "10", "01", "1a", "0 1", "~!&*|+"):
            yield Probe("spine", self._call("tokens", text))
        while True:
            one, two = some_names(self._rng, 2)
            signs = [self._rng.choice("&*|+~!()[]01") for _ in range(3)]
            text = f"{signs[0]}{one}{signs[1]} {two} {signs[2]}"
            yield Probe("spine", self._call("tokens", text))

    def _plain_reading(self) -> Iterator[Probe]:
        for text in ("(oak]", "[[oak]]", "~~oak", "!(~oak)", "0", "1", "~0", "((oak))"):
            yield Probe("spine", self._call("read", text))
        while True:
            names = some_names(self._rng, 4)
            sign = self._rng.choice("&|*+")
            inner = alike_text(self._rng, names[:2])
            operands = [f"({inner})", names[2], f"~{names[3]}"]
            self._rng.shuffle(operands)
            yield Probe("spine", self._call("read", f" {sign} ".join(operands)))

    def _malformed(self) -> Iterator[Probe]:
        """Refused texts, and one that is not; both in one probe."""
        malformed = self._n["malformed"]
        yield Probe(
            "spine",
            f"[issubclass({malformed}, ValueError), issubclass({malformed}, KeyError), {self._call('read', '~yew')}]",
        )
        for number in count():
            text = MALFORMED[number % len(MALFORMED)]
            fine = alike_text(self._rng, some_names(self._rng, 2))
            yield Probe(
                "spine",
                f"[{self._outcome('read', text)}, {self._call('read', fine)}]",
            )

    def _asked(self) -> Iterator[Probe]:
        while True:
            names = some_names(self._rng, 3)
            inner = joined(self._rng, names[:2])
            outer = (self._rng.choice(JOINING), maybe_not(self._rng, inner), names[2])
            rows = [facts(self._rng, names) for _ in range(4)]
            shown = ", ".join(self._call("evaluate", "@", row) for row in rows)
            yield Probe(
                "spine", f"[{shown}]".replace('"@"', "t"), f"t = {shown_as(outer)}"
            )

    def _identities(self) -> Iterator[Probe]:
        """Constants and repeated operands, which every selection simplifies alike."""
        while True:
            one, two = sorted(some_names(self._rng, 2))
            operator = self._rng.choice(JOINING)
            tree: Tree = self._rng.choice(
                (
                    (operator, one, chance(self._rng, 0.5)),
                    (operator, one, two, chance(self._rng, 0.5)),
                    (operator, one, one),
                    (operator, ("not", one), two, ("not", one)),
                    (operator, chance(self._rng, 0.5), chance(self._rng, 0.5)),
                    (operator, one, (operator, two, one)),
                    (operator, one, ("not", (dual(operator), two, two))),
                    ("not", ("not", (operator, one, one))),
                    ("not", chance(self._rng, 0.5)),
                )
            )
            yield Probe("spine", self._call("simplify", tree))

    def _joints(self) -> Iterator[Probe]:
        """From text to text, and from text to names."""
        for number in count():
            names = some_names(self._rng, 3)
            text = series_text(self._rng, [*names, self._rng.choice(names)])
            read = self._call("read", text)
            yield [
                Probe("brackets", f"{self._n['write']}({read})"),
                Probe("order", f"{self._n['write']}({self._n['simplify']}({read}))"),
                Probe("listing", f"{self._n['names']}({self._n['settle']}({read}))"),
                Probe("precedence", self._call("read", f"~({text}) | {names[0]}")),
            ][number % 4]
