"""Draws what a timetable is asked: texts of fields, plans of plain data, moments.

Each generator gives probes of one kind, and is made so that one axis splits most
of what it gives. Dates lie where they are told apart: months that end at a
weekend, months that are short, starts that fire themselves.
"""

import calendar
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta

from shipbar.building.family import Probe

ORDERS: Mapping[str, tuple[str, ...]] = {
    "minute-first": ("minute", "hour", "day", "month", "weekday"),
    "weekday-first": ("weekday", "month", "day", "hour", "minute"),
    "day-first": ("day", "month", "weekday", "hour", "minute"),
}
"""How the parts of a text may stand."""
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = tuple(month.lower() for month in calendar.month_abbr[1:])
SPANS = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12)}
YEARS = (1996, 2039)
WRONG = {
    "minute": ("60", "", "5,", "1-2-3", "-4", "*/0", "*5", "7/", "mon", "4.5", "**"),
    "hour": ("24", ",7", "3--5", "*-5", "+8", "6/x", "x", "12/-2", "9 ", "l"),
    "day": ("0", "32", "l-3", "w", "mon", "ll", "1#2", "lw2", "40/2", "15l"),
    "month": ("0", "13", "january", "jan#1", "ma", "7l", "feb/0", "*jan"),
    "weekday": ("8", "fri#0", "fri#6", "fril", "fri#", "#2", "monday", "l", "3##1"),
}
"""Texts that no rule lets a field have."""

Plan = Mapping[str, Sequence[object]]


class Inputs:
    """Generators of probes under one variant's names."""

    def __init__(
        self, names: Mapping[str, str], order: Sequence[str], rng: random.Random
    ) -> None:
        """Take the names, the order of a text's parts, and what to draw from."""
        self.n, self.order, self.rng = names, order, rng

    def corners(self) -> Iterator[Probe]:
        """What every suite should have to choose from."""
        n = self.n
        for weekday in WEEKDAYS:
            yield Probe("weekday-numbers", f'{n["number"]}("{weekday}")')
        for text in ("1", "2", "3", "4", "5", "6", "2-4", "6#2", "3L", "1L"):
            yield Probe("weekday-numbers", f'{n["expand"]}("weekday", "{text}")')
        for field, texts in WRONG.items():
            for text in texts:
                good = f'{n["expand"]}("{field}", "{self._number(field)}")'
                asked = f'outcome({n["expand"]}, "{field}", "{text}")'
                yield Probe("spine", f"[{asked}, {good}]")
        for field in (*SPANS, "weekday"):
            yield Probe("spine", f'{n["expand"]}("{field}", "*")')

    def round(self) -> Iterator[Probe]:
        """One or two probes of each kind, so that each axis has some in any stretch."""
        kinds: tuple[Callable[[], Probe], ...] = (
            *(self.split, self.parts, self.weekday_numbers, self.weekday_terms),
            *(self.reversed_ranges, self.range_steps, self.star_steps),
            *(self.single_steps, self.single_steps, self.lists, self.lists),
            *(self.restricting, self.restricting, self.plan_restricting),
            self.reversed_ranges,
            *(self.day_rule, self.day_rule_dates, self.nth, self.nth_days),
            *(self.workdays, self.workday_days, self.short_months, self.impossible),
            *(self.start, self.start_lists, self.seconds, self.seconds_search),
            *(self.plain_plan, self.plain_search, self.text_search, self.text_days),
        )
        for kind in kinds:
            yield kind()

    # -- text

    def split(self) -> Probe:
        """Five parts of any kind."""
        texts = ["*", "*/5", "7", "1-15", "mon-fri", "L", "jan", "3,9", "2/4", "x", "0"]
        parts = self.rng.sample(texts, 5)
        blank = self.rng.choice((" ", "  ", "\\t"))
        return Probe("field-order", f'{self.n["split"]}("{blank.join(parts)}")')

    def parts(self) -> Probe:
        """A text of numbers that fit every field, and what its plan holds."""
        numbers = self.rng.sample(range(1, 7), 5)
        text = " ".join(map(str, numbers))
        shown = self.rng.sample(("minutes", "hours", "days", "months"), 3)
        expression = ", ".join(f"plan.{field}" for field in shown)
        arrange = f'plan = {self.n["read"]}("{text}")'
        return Probe("field-order", f"[{expression}]", arrange)

    # -- one field

    def weekday_numbers(self) -> Probe:
        """Numbers and rising ranges that every numbering has."""
        texts = []
        for _ in range(2):
            first, last = sorted(self.rng.sample(range(1, 7), 2))
            texts.append(self.rng.choice((f"{first}", f"{first}-{last}")))
        return Probe("weekday-numbers", self._expanded("weekday", texts))

    def weekday_terms(self) -> Probe:
        """Places, and numbers that not every numbering has."""
        number, nth = self.rng.randint(1, 6), self.rng.randint(1, 5)
        text = self.rng.choice((f"{number}#{nth}", f"{number}L"))
        nth = self.rng.randint(1, 5)
        edge = self.rng.choice(("0", "0L", f"0#{nth}", "7", "7L", f"7#{nth}", "0-2"))
        expand = self.n["expand"]
        asked = f'outcome({expand}, "weekday", "{edge}")'
        return Probe("weekday-numbers", f'[{asked}, {expand}("weekday", "{text}")]')

    def reversed_ranges(self) -> Probe:
        """A range whose end comes first, beside one that rises."""
        field = self.rng.choice(("hour", "day", "month", "minute"))
        low, high = SPANS[field]
        start = self.rng.randint(high - (high - low) // 2, high)
        end = self.rng.randint(low, low + (high - low) // 3)
        body = f"{start}-{end}"
        if field == "month" and self.rng.random() < 0.5:  # noqa: PLR2004
            body = f"{MONTHS[start - 1]}-{MONTHS[end - 1]}"
        expand, good = self.n["expand"], f"{end}-{end + 2}"
        asked = f'outcome({expand}, "{field}", "{body}")'
        return Probe("reversed-range", f'[{asked}, {expand}("{field}", "{good}")]')

    def range_steps(self) -> Probe:
        """A step over a range that holds several of its steps."""
        field = self.rng.choice(("minute", "hour", "day", "minute"))
        low, high = SPANS[field]
        first = self.rng.randint(low, low + (high - low) // 2)
        last = self.rng.randint(first + (high - low) // 3, high)
        step = self.rng.randint(2, (last - first) // 2)
        return Probe("range-step", self._expanded(field, [f"{first}-{last}/{step}"]))

    def star_steps(self) -> Probe:
        """Steps over a star."""
        fields = self.rng.sample(("minute", "hour", "day", "month"), 2)
        expand = self.n["expand"]
        shown = []
        for field in fields:
            low, high = SPANS[field]
            step = self.rng.randint(3 if high > 12 else 2, (high - low) // 2)  # noqa: PLR2004
            shown.append(f'{expand}("{field}", "*/{step}")')
        return Probe("range-step", f"[{', '.join(shown)}]")

    def single_steps(self) -> Probe:
        """A step behind a number or a name."""
        field = self.rng.choice(("minute", "hour", "day", "month"))
        low, high = SPANS[field]
        step = self.rng.randint(2, (high - low) // 3)
        # One step back and one ahead lie in the field, so that every rule differs.
        value = self.rng.randint(low + step, high - step)
        named = field == "month" and self.rng.random() < 0.5  # noqa: PLR2004
        text = MONTHS[value - 1] if named else str(value)
        return Probe("single-step", self._expanded(field, [f"{text}/{step}"]))

    def lists(self) -> Probe:
        """A range, and terms that lie partly in it."""
        field = self.rng.choice(("hour", "day", "minute", "weekday"))
        if field == "weekday":
            terms = self.rng.sample(("mon-fri", "tue-thu", "wed", "fri", "sat"), 3)
            return Probe("list", f"outcome({self._call('expand', field, terms)})")
        low, high = SPANS[field]
        first = self.rng.randint(low, high - 8)
        last = first + self.rng.randint(4, 8)
        inside = self.rng.randint(first, last)
        other = self.rng.randint(low, high - 2)
        terms = [f"{first}-{last}", f"{inside}", f"{other}-{other + 2}"]
        if field == "day" and self.rng.random() < 0.4:  # noqa: PLR2004
            terms[2] = self.rng.choice(("L", "LW", "l"))
        if self.rng.random() < 0.3:  # noqa: PLR2004
            terms = [terms[0], terms[1]]
        return Probe("list", self._expanded(field, [",".join(terms)]))

    def restricting(self) -> Probe:
        """Day and weekday texts side by side."""
        days = ["*", "*/1", "1-31", "7", "2-31", "1-30", "L", "1-31/1"]
        days += [f"*/{step}" for step in range(2, 10)]
        weekdays = ["*", "*/1", "*/2", "*/3", "fri", "mon-fri", "fri#1", "mon-sat"]
        asked = [("day", text) for text in self.rng.sample(days, 2)]
        asked += [("weekday", text) for text in self.rng.sample(weekdays, 1)]
        self.rng.shuffle(asked)
        shown = [f'{self.n["restricts"]}("{f}", "{t}")' for f, t in asked]
        return Probe("restricting", f"[{', '.join(shown)}]")

    def plan_restricting(self) -> Probe:
        """What a plan that was read says of its own fields."""
        day = self.rng.choice(("*/2", "*/1", "1-31", "*/3", "15", "*", "*/7"))
        weekday = self.rng.choice(("*", "fri", "tue-thu", "*/1", "*/2", "sat"))
        text = self._text(day=day, weekday=weekday)
        arrange = f'plan = {self.n["read"]}("{text}")'
        return Probe("restricting", "[plan.restricted, plan.hours]", arrange)

    # -- dates

    def day_rule(self) -> Probe:
        """A month of a plan that restricts both."""
        days = self._days()
        plan = self._plan(days=days, weekdays=self._weekdays())
        return Probe("day-rule", f"{self.n['days_in']}({plan}, {self._month()})")

    def day_rule_dates(self) -> Probe:
        """Three dates of a plan that restricts both: one for each way to fit."""
        days, weekdays = self._days(), self._weekdays()
        plan = self._plan(days=days, weekdays=weekdays)
        first = self._date()
        dates = [first + timedelta(days=k) for k in range(28)]
        on_day = [d for d in dates if d.day in days]
        on_weekday = [d for d in dates if WEEKDAYS[d.weekday()] in weekdays]
        asked = [self.rng.choice(on_weekday), self.rng.choice(on_day or dates)]
        asked.append(self.rng.choice(dates))
        self.rng.shuffle(asked)
        shown = ", ".join(f"{self.n['fires_on']}(plan, {spelt_date(d)})" for d in asked)
        return Probe("day-rule", f"[{shown}]", f"plan = {plan}")

    def nth(self) -> Probe:
        """Places of weekdays in two months."""
        asked = []
        for _ in range(2):
            weekday, nth = self.rng.choice(WEEKDAYS), self.rng.randint(1, 5)
            call = f'{self.n["nth_weekday"]}({self._month()}, "{weekday}", {nth})'
            asked.append(call)
        return Probe("nth-weekday", f"[{', '.join(asked)}]")

    def nth_days(self) -> Probe:
        """A month of a plan that places weekdays."""
        places = [
            (weekday, self.rng.choice((1, 2, 3, 4, 5, 2, 3)))
            for weekday in self.rng.sample(WEEKDAYS, 2)
        ]
        plan = self._plan(weekdays=places)
        return Probe("nth-weekday", f"{self.n['days_in']}({plan}, {self._month()})")

    def workdays(self) -> Probe:
        """The last working days of two months, one of which ends at a weekend."""
        months = [self._month(weekend=True), self._month()]
        self.rng.shuffle(months)
        shown = [f"{self.n['last_workday']}({month})" for month in months]
        return Probe("last-workday", f"[{', '.join(shown)}]")

    def workday_days(self) -> Probe:
        """A month of a plan that holds the last working day."""
        days = [*self.rng.sample(range(1, 25), self.rng.randint(1, 2)), "last-workday"]
        plan, month = self._plan(days=days), self._month(weekend=True)
        return Probe("last-workday", f"{self.n['days_in']}({plan}, {month})")

    def short_months(self) -> Probe:
        """A month that lacks one of a plan's days."""
        last = self.rng.choice((29, 30, 31))
        days = [*self.rng.sample(range(1, 28), self.rng.randint(1, 2)), last]
        plan = self._plan(days=days)
        year = self.rng.randint(*YEARS)
        month = 2 if last < 31 else self.rng.choice((2, 4, 6, 9, 11))  # noqa: PLR2004
        if self.rng.random() < 0.6:  # noqa: PLR2004
            shown = f"{self.n['days_in']}({plan}, {year}, {month})"
            return Probe("short-months", shown)
        plan = self._plan(minutes=[self._number("minute")], hours=[6], days=[last])
        start = at(date(year, month, self.rng.randint(1, 27)), 7, 30)
        shown = f"{self.n['following']}({plan}, {spelt_moment(start)})"
        return Probe("short-months", shown)

    def impossible(self) -> Probe:
        """A day that none of a plan's months has, and one that they have."""
        if self.rng.random() < 0.3:  # noqa: PLR2004
            months, day = [2], self.rng.choice((30, 31))
        else:
            months = sorted(self.rng.sample((2, 4, 6, 9, 11), self.rng.randint(1, 3)))
            day = 31
        bad = self._plan(days=[day], months=months)
        good = self._plan(days=[self.rng.randint(1, 29)], months=months)
        return Probe(
            "short-months", f"[outcome(lambda: {bad}.days), {good}.days, {good}.months]"
        )

    # -- moments

    def start(self) -> Probe:
        """A start that fires, or lies a little off."""
        plan, moment = self._firing()
        call = self.rng.choice(("following", "preceding", "gap", "following"))
        off = self.rng.choice((0, 0, 0, 0, 1, -1))
        start = moment + timedelta(minutes=off)
        return Probe("start", f"{self.n[call]}({plan}, {spelt_moment(start)})")

    def start_lists(self) -> Probe:
        """Several moments from a start that fires."""
        plan, moment = self._firing()
        if self.rng.random() < 0.5:  # noqa: PLR2004
            count = self.rng.randint(2, 4)
            asked = f"{self.n['series']}({plan}, {spelt_moment(moment)}, {count})"
            return Probe("start", asked)
        last = moment + timedelta(hours=self.rng.randint(8, 40))
        asked = (
            f"{self.n['between']}({plan}, {spelt_moment(moment)}, {spelt_moment(last)})"
        )
        return Probe("start", asked)

    def seconds(self) -> Probe:
        """A moment that fires, with seconds and without."""
        plan, moment = self._firing()
        odd = moment + timedelta(seconds=self.rng.randint(1, 59))
        other = moment + timedelta(minutes=self.rng.choice((0, 1, 60)))
        asked = [odd, other]
        self.rng.shuffle(asked)
        shown = ", ".join(f"{self.n['fires']}(plan, {spelt_moment(m)})" for m in asked)
        return Probe("seconds", f"[{shown}, plan.hours]", f"plan = {plan}")

    def seconds_search(self) -> Probe:
        """A search from a moment with seconds."""
        plan, moment = self._firing()
        call = self.rng.choice(("following", "preceding", "gap", "preceding"))
        start = moment + timedelta(seconds=self.rng.randint(1, 59))
        return Probe("seconds", f"{self.n[call]}({plan}, {spelt_moment(start)})")

    # -- plain ones

    def plain_plan(self) -> Probe:
        """What a plan of plain data holds."""
        fields: dict[str, Sequence[object]] = {
            "minutes": self.rng.choices(range(60), k=3),
            "hours": self.rng.choices(range(24), k=2),
            "days": [self.rng.randint(1, 28), self.rng.choice(("last", 3, 9))],
            "months": self.rng.choices(range(1, 13), k=3),
            "weekdays": self.rng.choices(WEEKDAYS, k=3),
        }
        chosen = self.rng.sample(sorted(fields), 3)
        plan = self._plan(**{field: fields[field] for field in chosen})
        shown = ", ".join(f"plan.{field}" for field in chosen)
        return Probe("spine", f"[{shown}]", f"plan = {plan}")

    def plain_search(self) -> Probe:
        """A search from a moment that no rule is about."""
        plan, moment = self._firing()
        call = self.rng.choice(("following", "preceding", "times"))
        if call == "times":
            return Probe(
                "spine", f"{self.n[call]}({plan}, {spelt_date(moment.date())})"
            )
        start = moment + timedelta(hours=self.rng.randint(2, 90), minutes=-7)
        return Probe("spine", f"{self.n[call]}({plan}, {spelt_moment(start)})")

    def text_search(self) -> Probe:
        """From a text to moments."""
        rng = self.rng
        text = self._text(
            minute=rng.choice(("*/20", "7/25", "10-40/15", "5,35", "48")),
            hour=rng.choice(("6", "*/8", "9-17/4", "6,18", "13/5")),
            day=rng.choice(("*", "*/2", "1-15", "L", "31", "10/7", "LW")),
            weekday=rng.choice(("*", "fri", "mon-fri", "*", "tue#2", "2")),
        )
        start = at(self._date(), 5, 0)
        asked = f"{self.n['series']}(plan, {spelt_moment(start)}, 3)"
        return Probe("joint", asked, f'plan = {self.n["read"]}("{text}")')

    def text_days(self) -> Probe:
        """From a text to the days of a month."""
        rng = self.rng
        text = self._text(
            day=rng.choice(("*/2", "1-15/4", "L", "*/9", "10/7", "1,15,31", "LW", "*")),
            weekday=rng.choice(("fri", "mon-fri", "*", "tue#2", "2", "4#3", "5L")),
        )
        asked = f"{self.n['days_in']}(plan, {self._month()})"
        return Probe("joint", asked, f'plan = {self.n["read"]}("{text}")')

    # -- parts of them

    def _number(self, field: str) -> int:
        low, high = SPANS.get(field, (1, 6))
        return self.rng.randint(low, high)

    def _call(self, role: str, field: str, terms: Sequence[str]) -> str:
        return f'{self.n[role]}, "{field}", "{",".join(terms)}"'

    def _expanded(self, field: str, texts: Sequence[str]) -> str:
        shown = [f'{self.n["expand"]}("{field}", "{text}")' for text in texts]
        return shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"

    def _text(self, **parts: str) -> str:
        """A text with those parts, in the variant's order."""
        default = {"minute": str(self._number("minute")), "hour": "6", "month": "*"}
        held = {**default, "day": "*", "weekday": "*", **parts}
        return " ".join(held[field] for field in self.order)

    def _plan(self, **fields: Sequence[object]) -> str:
        held = ", ".join(f"{field}={listed(items)}" for field, items in fields.items())
        return f"{self.n['plan']}({held})"

    def _days(self) -> list[int]:
        return sorted(self.rng.sample(range(1, 28), self.rng.randint(2, 4)))

    def _weekdays(self) -> list[str]:
        return self.rng.sample(WEEKDAYS, self.rng.randint(1, 2))

    def _month(self, *, weekend: bool = False) -> str:
        """Year and month as arguments, if wanted one that ends at a weekend."""
        while True:
            year, month = self.rng.randint(*YEARS), self.rng.randint(1, 12)
            last = date(year, month, calendar.monthrange(year, month)[1])
            if not weekend or last.weekday() >= WEEKDAYS.index("sat"):
                return f"{year}, {month}"

    def _date(self) -> date:
        year, month = self.rng.randint(*YEARS), self.rng.randint(1, 12)
        return date(year, month, self.rng.randint(1, 28))

    def _firing(self) -> tuple[str, datetime]:
        """A plan, and a moment at which it fires whatever the rules are."""
        minutes = sorted(self.rng.sample(range(60), self.rng.randint(1, 2)))
        hours = sorted(self.rng.sample(range(24), self.rng.randint(1, 3)))
        day = self._date()
        fields: dict[str, Sequence[object]] = {"minutes": minutes, "hours": hours}
        weekday = WEEKDAYS[day.weekday()]
        match self.rng.randint(0, 3):
            case 0:
                others = self.rng.sample(WEEKDAYS, 2)
                fields["weekdays"] = sorted({weekday, *others}, key=WEEKDAYS.index)
            case 1:
                others_ = self.rng.sample(range(1, 28), 2)
                fields["days"] = sorted({day.day, *others_})
            case 2:
                fields["months"] = sorted({day.month, self.rng.randint(1, 12)})
            case _:
                pass
        hour, minute = self.rng.choice(hours), self.rng.choice(minutes)
        return self._plan(**fields), at(day, hour, minute)


def listed(items: Sequence[object]) -> str:
    """Return the display of a list."""
    return repr(list(items)).replace("'", '"')


def at(day: date, hour: int, minute: int) -> datetime:
    """Return the moment at a whole minute of a date."""
    return datetime.combine(day, time(hour, minute))


def spelt_date(day: date) -> str:
    """Return the call that makes a date."""
    return f"date({day.year}, {day.month}, {day.day})"


def spelt_moment(moment: datetime) -> str:
    """Return the call that makes a moment."""
    parts = [moment.year, moment.month, moment.day, moment.hour, moment.minute]
    parts += [moment.second] if moment.second else []
    return f"datetime({', '.join(map(str, parts))})"
