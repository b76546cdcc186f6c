"""What the package is asked: several kinds of question for each axis.

A question about one axis keeps clear of the others: *plain* days lie in the first
half of a year after year 1 and are not blank, so that no rule of years, blank days
or weeks moves them. What really splits is found by the builder.
"""

import random
from collections.abc import Callable
from typing import Final

from shipbar.building.family import Draw, Probe

Kind = Callable[[], str]
_SIZES: Final = ("months", "days", "week", "blanks")
_LONG: Final = tuple(60 * number for number in (-7, -4, -2, -1, 1, 2, 4, 7, 8))
"""Years that every rule makes long."""


class Questions:
    """Draws inputs and writes them as expressions under a variant's names."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        """Keep names, sizes and where inputs are drawn from."""
        self._n, self._rng, self._turn = draw.names, rng, 0
        sizes = {key: int(str(draw.parameters[key])) for key in _SIZES}
        self._last_month, self._last_day = sizes["months"], sizes["days"]
        self._week, self._last_blank = sizes["week"], sizes["blanks"]
        self._mark = str(draw.parameters["mark"])
        self._kinds: dict[str, tuple[Kind, ...]] = {
            "blanks-place": (self._over_the_end, self._compare_blank),
            "long-years": (self._blanks_of, self._long_blank),
            "year-zero": (self._year_none, self._years_across, self._step_across),
            "numbering": (self._number, self._numbered),
            "week-blanks": (self._weekday_blank, self._seek_blank),
            "week-restart": (self._weekday, self._seek),
            "search-start": (self._seek_own,),
            "missing-day": (self._years_blank, self._years_blank_two),
            "blank-month": (self._months_round, self._months),
            "distance-ends": (self._distance, self._listing),
            "middle-tie": (self._middle_odd,),
            "text-order": (self._text, self._read),
            "joint": (self._listing_end, self._middle_far),
            "spine": (self._fields, self._step, self._compare, self._middle_even),
            "errors": (self._refused, self._misread, self._unwanted),
        }

    def turn(self, number: int) -> list[Probe]:
        """Return two probes for each axis; kinds take turns."""
        self._turn = number
        return [
            Probe(
                "spine" if axis == "errors" else axis,
                kinds[(2 * number + more) % len(kinds)](),
            )
            for axis, kinds in self._kinds.items()
            for more in range(2)
        ]

    # -- pieces

    def _day(self, year: int, month: int, day: int) -> str:
        return f"{self._n.day}({year}, {month}, {day})"

    def _year(self) -> int:
        return self._rng.randint(2, 40)

    def _plain(self, year: int | None = None) -> str:
        year = year or self._year()
        month = self._rng.randint(1, self._last_month // 2)
        return self._day(year, month, self._rng.randint(1, self._last_day))

    def _blank(self, year: int | None = None) -> str:
        return self._day(
            year or self._year(), 0, self._rng.randint(1, self._last_blank)
        )

    def _near(self, gap: int) -> tuple[str, str]:
        """Two days of one month that lie so far apart, either first."""
        year, month = self._year(), self._rng.randint(1, self._last_month)
        day = self._rng.randint(1, self._last_day - gap)
        pair = [self._day(year, month, day), self._day(year, month, day + gap)]
        self._rng.shuffle(pair)
        return pair[0], pair[1]

    def _call(self, role: str, *arguments: object) -> str:
        return f"{self._n[role]}({', '.join(map(str, arguments))})"

    def _outcome(self, role: str, *arguments: object) -> str:
        return f"outcome({', '.join([self._n[role], *map(str, arguments)])})"

    def _fields_of(self, expression: str) -> str:
        return f"{expression}.{self._n.fields}()"

    # -- years

    def _over_the_end(self) -> str:
        year = self._year()
        last = self._day(
            year, self._last_month, self._last_day - self._rng.randint(0, 2)
        )
        first = self._day(year, 1, self._rng.randint(1, 3))
        steps = self._rng.randint(3, 5)
        if self._turn % 2:
            return self._fields_of(self._call("step", first, -steps))
        return self._fields_of(self._call("step", last, steps))

    def _compare_blank(self) -> str:
        year = self._year()
        pair = [self._blank(year), self._plain(year)]
        other = [self._blank(year), self._day(year, self._last_month, self._last_day)]
        self._rng.shuffle(pair)
        return f"[{self._call('compare', *pair)}, {self._call('compare', *other)}]"

    def _blanks_of(self) -> str:
        years = [self._rng.choice((1, -1)) * self._rng.randint(1, 120)]
        years += [self._rng.choice((4, 8, 9, 25, 16, 18)) * self._rng.randint(1, 5)]
        years += [self._rng.choice((5, 6, 15, 21, 35, 28)) * self._rng.randint(1, 5)]
        return f"[{', '.join(self._call('blanks', year) for year in years)}]"

    def _long_blank(self) -> str:
        years = self._rng.sample((3, 4, 5, 6, 8, 9, 10, 16, 18, 25, 27, 35, 100), 2)
        made = [self._outcome("day", year, 0, self._last_blank + 1) for year in years]
        return f"[{', '.join(made)}]"

    def _year_none(self) -> str:
        month = self._rng.randint(1, self._last_month)
        years = self._rng.sample((0, 0, self._year(), -self._year()), 2)
        day = self._rng.randint(1, self._last_day)
        made = [self._outcome("day", year, month, day) for year in years]
        return f"[{', '.join(made)}]"

    def _years_across(self) -> str:
        before, after = self._rng.randint(1, 9), self._rng.randint(1, 9)
        if self._turn % 2:
            before, after = -before, -after
        day = self._plain(-before)
        return self._fields_of(self._call("years_on", day, before + after))

    def _step_across(self) -> str:
        day = self._day(-1, self._last_month, self._rng.randint(1, self._last_day))
        months = self._last_month * self._rng.randint(1, 3)
        if self._turn % 2:
            return self._fields_of(self._call("step", day, months * self._last_day))
        return self._fields_of(self._call("months_on", day, months))

    # -- numbers

    def _number(self) -> str:
        days = [self._plain(), self._rng.choice((self._plain(), self._blank()))]
        return f"[{', '.join(self._call('number', day) for day in days)}]"

    def _numbered(self) -> str:
        most = self._last_month * self._last_day
        number = self._rng.choice(
            (0, most, self._last_day, self._rng.randint(1, most - 1))
        )
        other = self._rng.randint(1, most - 1)
        made = [self._outcome("numbered", self._year(), x) for x in (number, other)]
        return f"[{', '.join(made)}]"

    # -- weeks

    def _weekday_blank(self) -> str:
        days = [self._blank(), self._blank()]
        if self._turn % 3 == 0:
            days[0] = self._plain()
        return f"[{', '.join(self._call('weekday', day) for day in days)}]"

    def _seek_blank(self) -> str:
        seek = self._call("seek", self._blank(), self._rng.randrange(self._week))
        return self._fields_of(seek)

    def _weekday(self) -> str:
        days = [self._plain(), self._plain()]
        return f"[{', '.join(self._call('weekday', day) for day in days)}]"

    def _seek(self) -> str:
        seek = self._call("seek", self._plain(), self._rng.randrange(self._week))
        return self._fields_of(seek)

    def _seek_own(self) -> str:
        """The weekday of the day itself, a week before the month ends."""
        month = self._rng.randint(1, self._last_month)
        day = self._rng.randint(1, self._last_day - self._week)
        start = self._day(self._year(), month, day)
        seek = self._call("seek", start, self._call("weekday", start))
        return self._fields_of(seek)

    # -- moving

    def _years_blank(self) -> str:
        years = self._rng.randint(1, 30) * self._rng.choice((1, -1))
        day = self._day(self._rng.choice(_LONG), 0, self._last_blank + 1)
        return self._outcome("years_on", day, years)

    def _years_blank_two(self) -> str:
        years = self._rng.sample(range(1, 30), 2)
        day = self._day(self._rng.choice(_LONG), 0, self._last_blank + 1)
        made = [self._outcome("years_on", day, count) for count in years]
        return f"[{', '.join(made)}]"

    def _months_round(self) -> str:
        """Whole years of months, with the blank days as one or without."""
        months = self._last_month + self._rng.randint(0, 1)
        count = months * self._rng.choice((1, 2, 3))
        return self._fields_of(self._call("months_on", self._plain(), count))

    def _months(self) -> str:
        day = self._day(self._year(), self._rng.randint(1, self._last_month), 1)
        count = self._rng.randint(1, 30) * self._rng.choice((1, -1))
        start = self._rng.choice((day, day, self._blank()))
        return self._outcome("months_on", start, count)

    # -- distances

    def _distance(self) -> str:
        return self._call("distance", *self._near(self._rng.choice((0, 1, 2, 5, 12))))

    def _listing(self) -> str:
        days = self._call("listing", *self._near(self._rng.randint(0, 4)))
        return f"[{self._fields_of('day')} for day in {days}]"

    def _listing_end(self) -> str:
        year = self._year()
        last = self._day(
            year, self._last_month, self._last_day - self._rng.randint(0, 1)
        )
        days = self._call("listing", last, self._day(year + 1, 1, 1))
        return f"[{self._fields_of('day')} for day in {days}]"

    def _middle_odd(self) -> str:
        gap = 2 * self._rng.randint(0, 8) + 1
        return self._fields_of(self._call("middle", *self._near(gap)))

    def _middle_even(self) -> str:
        gap = 2 * self._rng.randint(0, 8)
        return self._fields_of(self._call("middle", *self._near(gap)))

    def _middle_far(self) -> str:
        one = self._plain()
        return self._fields_of(self._call("middle", one, self._plain()))

    # -- texts

    def _text(self) -> str:
        return self._call("text", self._rng.choice((self._plain(), self._blank())))

    def _read(self) -> str:
        numbers = [self._year(), self._rng.randint(1, self._last_month)]
        numbers += [self._rng.randint(1, self._last_day)]
        if self._turn % 2:
            self._rng.shuffle(numbers)
        return self._outcome("read", f'"{self._mark.join(map(str, numbers))}"')

    # -- spine and errors

    def _fields(self) -> str:
        return self._fields_of(self._rng.choice((self._plain(), self._blank())))

    def _step(self) -> str:
        day = self._day(self._year(), self._rng.randint(2, self._last_month // 2), 4)
        step = self._call("step", day, self._rng.randint(-30, 30))
        return self._fields_of(step)

    def _compare(self) -> str:
        days = [self._plain(), self._plain(), self._plain()]
        pairs = [days[:2], days[1:]]
        return f"[{', '.join(self._call('compare', *pair) for pair in pairs)}]"

    def _refused(self) -> str:
        year, day = self._year(), self._rng.randint(1, self._last_day)
        bad = [
            (year, self._last_month + 1, day),
            (year, -1, day),
            (year, 1, self._last_day + 1),
            (year, 2, 0),
            (year, 0, self._last_blank + 2),
            (year, 0, 0),
        ]
        made = [self._outcome("day", *self._rng.choice(bad))]
        made.append(self._outcome("day", year, 1, day))
        self._rng.shuffle(made)
        return f"[{', '.join(made)}]"

    def _misread(self) -> str:
        m, same = self._mark, self._rng.randint(2, self._last_month)
        good = m.join([str(same)] * 3)
        bad = [
            "",
            f"{same}{m}{same}",
            f"{good}{m}1",
            f" {good}",
            f"0{good}",
            good.replace(m, f"{m}0"),
            good.replace(m, "-"),
            f"+{good}",
            f"{good}{m}",
            m.join([str(self._last_day + 9)] * 3),
        ]
        texts = [self._rng.choice(bad), good]
        self._rng.shuffle(texts)
        made = [self._outcome("read", f'"{text}"') for text in texts]
        return f"[{', '.join(made)}]"

    def _unwanted(self) -> str:
        day = self._plain()
        weekday = self._rng.choice((-1, self._week, self._week + 3))
        made = [self._outcome("seek", day, weekday), self._fields_of(day)]
        return f"[{', '.join(made)}]"
