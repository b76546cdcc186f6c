"""Draws what is seldom asked: names, limits, order, wrong data, the ends of a search.

Nearly all of it is short and answered alike by every selection, so that the builder
may ask several of these at once.
"""

import calendar
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from shipbar.building.family import Probe
from shipbar.families.mutated.recurrence.inputs import (
    MONTHS,
    SPANS,
    WEEKDAYS,
    YEARS,
    Inputs,
    at,
    listed,
    spelt_date,
    spelt_moment,
)

HELD: Mapping[str, tuple[str, Sequence[object]]] = {
    "minutes": ("minute", [60, -1, 61, "last"]),
    "hours": ("hour", [24, -1, 25, "l"]),
    "days": ("day", [0, 32, -1, "lwd", "mon", ("mon", 1), "first"]),
    "months": ("month", [0, 13, "january", "last"]),
    "weekdays": (
        "weekday",
        [("tue", 0), ("sat", 6), ("day", 2), ("fri", "last-workday"), "sunday", "last"],
    ),
}
"""For each argument of a plan its field, and what the field cannot hold."""
WRONG_WEEKDAYS = ("monday", "friday", "", "day", "we", "thur", "last", "sunn")
"""What is no weekday's name."""
TEXT_ONLY = ("Mon", "SUN", "1", "0")
"""What stands for a weekday in text alone."""
WRONG_FIELDS = ("days", "minutes", "year", "second", "", "Day", "weekdays", "dow")
"""What is no field."""


class Edges(Inputs):
    """Generators of probes that lie at a rule's edge."""

    def edges(self) -> Iterator[Probe]:
        """One probe of each kind."""
        kinds: tuple[Callable[[], Probe], ...] = (
            *(self.month_names, self.month_names, self.month_range, self.named_range),
            *(self.limits, self.single_range, self.wrong_place, self.wrong_field),
            *(self.data_order, self.data_restricted, self.wrong_data, self.wrong_data),
            *(self.empty_data, self.longest_month, self.parts_held, self.wrong_parts),
            *(self.wrong_weekday, self.wrong_nth, self.nth_ends, self.last_weekday),
            *(self.other_month, self.between_ends),
        )
        for kind in kinds:
            yield kind()
        if self.rng.random() < 0.2:  # noqa: PLR2004  # slow ones: fifty years
            yield self.horizon()
        if self.rng.random() < 0.2:  # noqa: PLR2004
            yield self.never()

    # -- one field

    def month_names(self) -> Probe:
        """Five names of months."""
        names = [
            self.rng.choice((name, name, name.upper(), name.title()))
            for name in self.rng.sample(MONTHS, 5)
        ]
        expand = self.n["expand"]
        asked = f'{expand}("month", name) for name in "{" ".join(names)}".split()'
        return Probe("spine", f"[{asked}]")

    def month_range(self) -> Probe:
        """Two rising ranges from a month's name to another's."""
        shown = []
        for _ in range(2):
            first, last = sorted(self.rng.sample(range(12), 2))
            text = f"{MONTHS[first]}-{MONTHS[last]}"
            shown.append(f'{self.n["expand"]}("month", "{text}")')
        return Probe("spine", f"[{', '.join(shown)}]")

    def named_range(self) -> Probe:
        """A range of weekdays that rises under every numbering, and a name."""
        first, last = sorted(self.rng.sample(range(6), 2))
        expand, text = self.n["expand"], f"{WEEKDAYS[first]}-{WEEKDAYS[last]}"
        asked = f'{expand}("weekday", "{self.rng.choice(WEEKDAYS)}")'
        return Probe("spine", f'[{asked}, {expand}("weekday", "{text}")]')

    def limits(self) -> Probe:
        """A range that ends at a field's limit, and one that goes beyond."""
        field = self.rng.choice(tuple(SPANS))
        low, high = SPANS[field]
        inside = self.rng.randint(low + 1, high - 1)
        good, bad = self.rng.choice(
            (
                (f"{low}-{inside}", f"{inside}-{high + 1}"),
                (f"{inside}-{high}", f"{inside}-{high + 1}"),
                (f"{inside}-{high}", f"0{inside},{high + 1}"),
            )
        )
        return self._refused(field, bad, good)

    def single_range(self) -> Probe:
        """A range of one number, and one with an end too many."""
        field = self.rng.choice(tuple(SPANS))
        low, high = SPANS[field]
        first, last = sorted(self.rng.sample(range(low, high + 1), 2))
        bad = f"{first}-{last}-{self.rng.randint(last, high)}"
        only = self.rng.randint(low, high)
        return self._refused(field, bad, f"{only}-{only}")

    def wrong_place(self) -> Probe:
        """A weekday's place or number that no numbering has."""
        name, nth = self.rng.choice(WEEKDAYS), self.rng.randint(1, 5)
        bad = self.rng.choice(
            (f"{name}#0", f"{name}#6", f"{name}#{nth}#{nth}", f"1{nth}L", f"{name}L")
        )
        good = f"{self.rng.choice(WEEKDAYS)}#{self.rng.choice((1, 5, nth))}"
        return self._refused("weekday", bad, good)

    def wrong_field(self) -> Probe:
        """A field that there is not, and one that cannot restrict."""
        field, number = self.rng.choice(WRONG_FIELDS), self.rng.randint(1, 23)
        other = self.rng.choice(("minute", "hour", "month", field))
        shown = [
            f'outcome({self.n["expand"]}, "{field}", "{number}")',
            f'outcome({self.n["restricts"]}, "{other}", "{self.rng.randint(1, 9)}")',
            f'{self.n["restricts"]}("day", "{number}")',
        ]
        return Probe("spine", f"[{', '.join(shown)}]")

    def wrong_weekday(self) -> Probe:
        """The numbers of a weekday, and of what is none."""
        number = self.n["number"]
        wrong = self.rng.choice((*WRONG_WEEKDAYS, *TEXT_ONLY))
        one, other = self.rng.sample(WEEKDAYS, 2)
        asked = f'outcome({number}, "{wrong}"), {number}("{one}"), {number}("{other}")'
        return Probe("weekday-numbers", f"[{asked}]")

    # -- text

    def parts_held(self) -> Probe:
        """The parts of a text, whatever their order."""
        texts = [*"abcdefgXYZ*", "L", "5#2", "1-7", "*/2", "mon"]
        text = self.rng.choice((" ", "  ")).join(self.rng.sample(texts, 5))
        return Probe("spine", f'sorted({self.n["split"]}("{text}").values())')

    def wrong_parts(self) -> Probe:
        """A part too few or too many."""
        texts = ["*", "*/5", "7", "1-15", "fri", "L", "jan", "3,9", "2/4", "x", "0"]
        bad = " ".join(self.rng.sample(texts, self.rng.choice((4, 6, 3))))
        good = " ".join(self.rng.sample(texts, 5))
        call = self.rng.choice(("split", "read"))
        asked = f'outcome({self.n[call]}, "{bad}"), sorted({self.n["split"]}("{good}"))'
        return Probe("spine", f"[{asked}]")

    # -- plans

    def data_order(self) -> Probe:
        """Marks and names of a plan out of order."""
        rng = self.rng
        if rng.random() < 0.3:  # noqa: PLR2004
            days = [*rng.sample(range(1, 28), 2), "last", "last-workday"]
            rng.shuffle(days)
            return Probe("spine", f"{self._plan(days=days)}.days")
        first, other = rng.sample(WEEKDAYS, 2)
        places: list[object] = [(first, nth) for nth in rng.sample((1, 2, 3, 4, 5), 2)]
        places += [(first, "last"), (other, rng.choice((1, 5, "last")))]
        items = [*places, rng.choice(WEEKDAYS)]
        rng.shuffle(items)
        return Probe("spine", f"{self._plan(weekdays=items)}.weekdays")

    def data_restricted(self) -> Probe:
        """What a plan of data restricts where it leaves something out."""
        given: dict[str, Sequence[object]] = {
            "hours": [self._number("hour")],
            "days": self._days(),
            "weekdays": self._weekdays(),
        }
        kept = self.rng.choice((("days",), ("weekdays",), ("days", "weekdays"), ()))
        fields = {name: given[name] for name in ("hours", *kept)}
        shown = "[plan.restricted, plan.hours]"
        return Probe("spine", shown, f"plan = {self._plan(**fields)}")

    def wrong_data(self) -> Probe:
        """An item that its field cannot hold, among such as it can."""
        name = self.rng.choice(tuple(HELD))
        good, wrong = self._good(name), self.rng.choice(HELD[name][1])
        bad = self.rng.sample([*good, wrong], len(good) + 1)
        return self._refused_plan(name, bad, good)

    def empty_data(self) -> Probe:
        """A field that selects nothing."""
        name = self.rng.choice(tuple(HELD))
        return self._refused_plan(name, [], self._good(name))

    def longest_month(self) -> Probe:
        """The longest day of a month, which some year has."""
        month = self.rng.randint(1, 12)
        day = calendar.monthrange(2024, month)[1]
        others = self.rng.sample(range(1, 13), self.rng.randint(0, 2))
        plan = self._plan(days=[day], months=[month, *others])
        return Probe("spine", f"[{plan}.days, {plan}.months]")

    # -- dates

    def wrong_nth(self) -> Probe:
        """A place or weekday that there is not, and one that every count has."""
        call, month = self.n["nth_weekday"], self._month()
        name, nth = self.rng.choice(WEEKDAYS), self.rng.randint(2, 4)
        wrong = self.rng.choice(WRONG_WEEKDAYS)
        bad = self.rng.choice((f'"{name}", 0', f'"{name}", 6', f'"{wrong}", {nth}'))
        asked = (
            f'outcome({call}, {month}, {bad}), {call}({month}, "{name}", {nth}) is None'
        )
        return Probe("spine", f"[{asked}]")

    def nth_ends(self) -> Probe:
        """Places of the weekdays on which two months begin or end."""
        shown = []
        for last in self.rng.sample((True, False), 2):
            year, month = self.rng.randint(*YEARS), self.rng.randint(1, 12)
            first, length = calendar.monthrange(year, month)
            place = (first + length - 1) % 7 if last else first
            nth = self.rng.choice((1, 5, 5, 4))
            asked = f'{year}, {month}, "{WEEKDAYS[place]}", {nth}'
            shown.append(f"{self.n['nth_weekday']}({asked})")
        return Probe("nth-weekday", f"[{', '.join(shown)}]")

    def last_weekday(self) -> Probe:
        """A weekday's last date in a month, mostly in one that ends on it or begins with it."""
        year, month = self.rng.randint(*YEARS), self.rng.randint(1, 12)
        first, length = calendar.monthrange(year, month)
        end = (first + length - 1) % 7
        place = self.rng.choice((end, end, first, (end + 1) % 7))
        items: list[object] = [(WEEKDAYS[place], "last")]
        plan = self._plan(weekdays=items)
        return Probe("spine", f"{self.n['days_in']}({plan}, {year}, {month})")

    def other_month(self) -> Probe:
        """A month that a plan leaves out, and one that it has."""
        one, other = self.rng.sample(range(1, 13), 2)
        days = sorted(self.rng.sample(range(1, 28), 2))
        fields: dict[str, Sequence[object]] = {"days": days, "months": [one]}
        year = self.rng.randint(*YEARS)
        call = self.rng.choice(("days_in", "days_in", "fires_on", "times"))
        if call == "times":
            fields |= {"minutes": [0, 9], "hours": [7]}
        asked = [
            f"{year}, {month}"
            if call == "days_in"
            else spelt_date(date(year, month, days[0]))
            for month in (other, one)
        ]
        shown = ", ".join(f"{self.n[call]}(plan, {it})" for it in asked)
        return Probe("spine", f"[{shown}]", f"plan = {self._plan(**fields)}")

    # -- moments

    def between_ends(self) -> Probe:
        """Moments from one that does not fire up to one that does."""
        plan, moment = self._firing()
        first = moment - timedelta(hours=self.rng.randint(1, 30))
        minute = next(k for k in range(60) if f"{k}" not in plan)
        first = first.replace(minute=minute)
        asked = f"plan, {spelt_moment(first)}, {spelt_moment(moment)}"
        return Probe("spine", f"{self.n['between']}({asked})", f"plan = {plan}")

    def horizon(self) -> Probe:
        """The last moment that a search for more than there are finds."""
        month, day = self.rng.randint(2, 11), self.rng.randint(2, 27)
        plan = self._plan(minutes=[0], hours=[6], days=[day], months=[month])
        start = at(date(self.rng.randint(*YEARS), self.rng.randint(1, 12), 1), 5, 0)
        asked = f"{self.n['series']}(plan, {spelt_moment(start)}, {self.rng.randint(60, 99)})"
        return Probe("spine", f"{asked}[-1]", f"plan = {plan}")

    def never(self) -> Probe:
        """Two days that never meet, with a search that has to give up if they must."""
        weekday = self.rng.choice(WEEKDAYS)
        plan = self._plan(
            days=[self.rng.randint(8, 20)], months=[2], weekdays=[(weekday, 5)]
        )
        call = self.n[self.rng.choice(("following", "preceding", "gap"))]
        start = at(self._date(), self.rng.randint(1, 22), self.rng.randint(1, 58))
        shown = f"[{call}(plan, {spelt_moment(start)}), plan.months]"
        return Probe("day-rule", shown, f"plan = {plan}")

    # -- parts of them

    def _refused(self, field: str, bad: str, good: str) -> Probe:
        """A text that every selection refuses, beside one that it takes."""
        expand = self.n["expand"]
        asked = f'outcome({expand}, "{field}", "{bad}")'
        return Probe("spine", f'[{asked}, {expand}("{field}", "{good}")]')

    def _good(self, name: str) -> list[object]:
        """Items that the field of a plan can hold."""
        if name == "weekdays":
            places = [(self.rng.choice(WEEKDAYS), self.rng.choice((1, 5)))]
            return [self.rng.choice(WEEKDAYS), *places]
        low, high = SPANS[HELD[name][0]]
        return [
            self.rng.randint(low, min(high, 28)),
            self.rng.choice((low, min(high, 28))),
        ]

    def _refused_plan(
        self, name: str, bad: Sequence[object], good: Sequence[object]
    ) -> Probe:
        """Data that no plan holds, beside data that one does."""
        plan = self.n["plan"]
        asked = f"outcome(lambda: {plan}({name}={listed(bad)}).{name})"
        arrange = f"plan = {self._plan(**{name: good})}"
        return Probe("spine", f"[{asked}, plan.{name}]", arrange)
