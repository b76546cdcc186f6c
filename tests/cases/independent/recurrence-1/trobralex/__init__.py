"""Plans of recurring moments: read them, ask them, search them in time."""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from itertools import islice, product, takewhile
from typing import Any, NamedTuple, TypeAlias

__all__ = [
    "Trakogrex",
    "PubrupaFault",
    "klabrart",
    "tikle",
    "ripleplun",
    "skilustim",
    "sisuskel",
    "buzesor",
    "sezubel",
    "lalux",
    "popidrex",
    "stino",
    "duvetir",
    "granodro",
    "bimun",
    "buplu",
    "morapert",
    "griflar",
]

Item: TypeAlias = int | str | tuple[str, int | str]


class PubrupaFault(ValueError):
    """Something is wrong with a text, a field or a plan."""


class _Field(NamedTuple):
    """The numbers of a field and the names that stand for some of them."""

    low: int
    high: int
    names: dict[str, int]


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_LAST = "last"
_LAST_WORKDAY = "last-workday"
_DAY_MARKS = {"l": _LAST, "lw": _LAST_WORKDAY}
_HIGHEST_NTH = 5
_SEARCHED_YEARS = 51

_FIELDS = {
    "minute": _Field(0, 59, {}),
    "hour": _Field(0, 23, {}),
    "day": _Field(1, 31, {}),
    "month": _Field(1, 12, {name: n for n, name in enumerate(_MONTHS, 1)}),
    "weekday": _Field(1, 7, {name: n for n, name in enumerate(_WEEKDAYS, 1)}),
}
_PART_ORDER = ("day", "month", "weekday", "hour", "minute")
_RESTRICTING = ("day", "weekday")

_VALUE = r"[a-z]+|[0-9]+"
_TERM = re.compile(
    rf"(?:\*|(?P<start>{_VALUE})(?:-(?P<end>{_VALUE}))?)(?:/(?P<step>[0-9]+))?"
)
_WEEKDAY_MARK = re.compile(
    rf"(?P<number>[0-9]+)l|(?P<value>{_VALUE})#(?P<nth>[0-9]+)"
)


# ---------------------------------------------------------------- texts of fields


def buzesor(field: str, text: str) -> list[Any]:
    """Return in order what the text of one field selects."""
    if field not in tuple(_FIELDS):
        raise PubrupaFault(f"no such field: {field!r}")
    items: set[Item] = set()
    for term in text.lower().split(","):
        items.update(_term_items(field, term))
    if not items:
        raise PubrupaFault(f"{text!r} selects nothing")
    return sorted(items, key=_rank)


def griflar(weekday: str) -> list[int]:
    """Return the numbers that stand for a weekday, given by its name."""
    if weekday not in _WEEKDAYS:
        raise PubrupaFault(f"no such weekday: {weekday!r}")
    return [_FIELDS["weekday"].names[weekday]]


def skilustim(field: str, text: str) -> bool:
    """Tell whether the text of the day or weekday field restricts."""
    if field not in _RESTRICTING:
        raise PubrupaFault(f"field does not restrict: {field!r}")
    buzesor(field, text)
    return not text.startswith("*")


def _term_items(field: str, term: str) -> Iterable[Item]:
    """Return what one term, in small letters, selects."""
    mark = _mark_item(field, term)
    if mark is not None:
        return [mark]
    match = _TERM.fullmatch(term)
    if match is None:
        raise PubrupaFault(f"not a term: {term!r}")
    numbers = _term_numbers(field, match["start"], match["end"], match["step"])
    if field == "weekday":
        return [_WEEKDAYS[number - 1] for number in numbers]
    return numbers


def _term_numbers(
    field: str, start: str | None, end: str | None, step: str | None
) -> list[int]:
    """Return the numbers of a star (no start), a value or a range, perhaps stepped."""
    low, high, _ = _FIELDS[field]
    if start is not None:
        low = _value(field, start)
        if end is not None:
            high = _value(field, end)
            if high < low:
                raise PubrupaFault(f"range ends before its start: {start}-{end}")
        elif step is None:
            high = low
    if step is None:
        return list(range(low, high + 1))
    width = _number(step)
    if width < 1:
        raise PubrupaFault("a step is at least 1")
    if start is not None and end is None:
        return list(range(low, high + 1, width))
    return [number for number in range(low, high + 1) if number % width == 0]


def _mark_item(field: str, term: str) -> Item | None:
    """Return the item of a mark, None if the term is no mark."""
    if field == "day":
        return _DAY_MARKS.get(term)
    match = _WEEKDAY_MARK.fullmatch(term) if field == "weekday" else None
    if match is None:
        return None
    weekday = _WEEKDAYS[_value(field, match["number"] or match["value"]) - 1]
    if match["nth"] is None:
        return weekday, _LAST
    nth = _number(match["nth"])
    if not _is_nth(nth):
        raise PubrupaFault(f"not from 1 to {_HIGHEST_NTH}: {match['nth']}")
    return weekday, nth


def _value(field: str, text: str) -> int:
    """Return the number of a value, which is a number or a name."""
    low, high, names = _FIELDS[field]
    if text in names:
        return names[text]
    if not text.isdigit() or not low <= _number(text) <= high:
        raise PubrupaFault(f"not a value of the field {field!r}: {text!r}")
    return _number(text)


def _number(digits: str) -> int:
    """Return a number; one beyond all bounds may be cut, but stays beyond them."""
    return int(digits.lstrip("0")[:3] or "0")


def _is_nth(nth: object) -> bool:
    """Tell whether something is a number that counts weekdays in a month."""
    return _is_number(nth, 1, _HIGHEST_NTH)


def _is_number(thing: object, low: int, high: int) -> bool:
    """Tell whether something is a whole number between two others."""
    return (
        isinstance(thing, int) and not isinstance(thing, bool) and low <= thing <= high
    )


def _rank(item: Item) -> tuple[int, int, int]:
    """Return the sort key of an item among those of its field."""
    if isinstance(item, int):
        return 0, item, 0
    if isinstance(item, str):
        if item in _WEEKDAYS:
            return 0, _WEEKDAYS.index(item), 0
        return 1, (_LAST, _LAST_WORKDAY).index(item), 0
    weekday, nth = item
    return 2, _WEEKDAYS.index(weekday), nth if isinstance(nth, int) else 6


# ------------------------------------------------------------------------- plans


class Trakogrex:
    """A plan: the minutes, hours and dates at which something fires."""

    minutes: list[int]
    hours: list[int]
    days: list[int | str]
    months: list[int]
    weekdays: list[str | tuple[str, int | str]]
    restricted: list[str]

    def __init__(
        self,
        *,
        minutes: Iterable[Item] | None = None,
        hours: Iterable[Item] | None = None,
        days: Iterable[Item] | None = None,
        months: Iterable[Item] | None = None,
        weekdays: Iterable[Item] | None = None,
    ) -> None:
        self.minutes = _settled("minute", minutes)
        self.hours = _settled("hour", hours)
        self.days = _settled("day", days)
        self.months = _settled("month", months)
        self.weekdays = _settled("weekday", weekdays)
        given = {"day": days is not None, "weekday": weekdays is not None}
        self.restricted = [field for field in _RESTRICTING if given[field]]

    def __repr__(self) -> str:
        return (
            f"Trakogrex(minutes={self.minutes}, hours={self.hours}, days={self.days}, "
            f"months={self.months}, weekdays={self.weekdays})"
        )


def _settled(field: str, items: Iterable[Item] | None) -> list[Any]:
    """Return the checked items of a field, in order and without repeats."""
    if items is None:
        return buzesor(field, "*")
    held: set[Item] = set()
    for item in items:
        if not _can_hold(field, item):
            raise PubrupaFault(f"the field {field!r} cannot hold {item!r}")
        held.add(item)
    if not held:
        raise PubrupaFault(f"nothing is selected in the field {field!r}")
    return sorted(held, key=_rank)


def _can_hold(field: str, item: object) -> bool:
    """Tell whether something is an item of a field."""
    if field == "weekday":
        if isinstance(item, tuple) and len(item) == 2:
            weekday, nth = item
            return weekday in _WEEKDAYS and (nth == _LAST or _is_nth(nth))
        return item in _WEEKDAYS
    if field == "day" and item in (_LAST, _LAST_WORKDAY):
        return True
    return _is_number(item, _FIELDS[field].low, _FIELDS[field].high)


def granodro(text: str) -> dict[str, str]:
    """Cut a text into its five parts, by field name."""
    parts = text.split()
    if len(parts) != len(_PART_ORDER):
        raise PubrupaFault(f"not five parts: {text!r}")
    return dict(zip(_PART_ORDER, parts))


def ripleplun(text: str) -> Trakogrex:
    """Return the plan that a text of five parts describes."""
    parts = granodro(text)
    items = {f"{field}s": buzesor(field, part) for field, part in parts.items()}
    plan = Trakogrex(**items)
    plan.restricted = [
        field for field in _RESTRICTING if skilustim(field, parts[field])
    ]
    return plan


# ------------------------------------------------------------------------- dates


def klabrart(year: int, month: int, weekday: str, nth: int) -> int | None:
    """Return the day of a weekday's nth date from a month's end, None without one."""
    if weekday not in _WEEKDAYS:
        raise PubrupaFault(f"no such weekday: {weekday!r}")
    if not _is_nth(nth):
        raise PubrupaFault(f"not from 1 to {_HIGHEST_NTH}: {nth!r}")
    dates = _weekday_dates(year, month, weekday)
    return dates[-nth] if nth <= len(dates) else None


def lalux(year: int, month: int) -> int:
    """Return the day of a month's last working day."""
    return max(_weekday_dates(year, month, weekday)[-1] for weekday in _WEEKDAYS[:5])


def morapert(plan: Trakogrex, date: date) -> bool:
    """Tell whether a plan fires on a date."""
    return date.day in tikle(plan, date.year, date.month)


def tikle(plan: Trakogrex, year: int, month: int) -> list[int]:
    """Return the days of a month on which a plan fires."""
    if month not in plan.months:
        return []
    days = {_day_of(year, month, item) for item in plan.days}
    by_weekday: set[int] = set()
    for item in plan.weekdays:
        by_weekday.update(_days_of(year, month, item))
    return sorted(days & by_weekday)


def popidrex(plan: Trakogrex, date: date) -> list[tuple[int, int]]:
    """Return the pairs (hour, minute) at which a plan fires on a date."""
    return list(product(plan.hours, plan.minutes)) if morapert(plan, date) else []


def _weekday_dates(year: int, month: int, weekday: str) -> range:
    """Return the days of a month that are a weekday."""
    first, length = monthrange(year, month)
    return range(1 + (_WEEKDAYS.index(weekday) - first) % 7, length + 1, 7)


def _day_of(year: int, month: int, item: int | str) -> int:
    """Return the day of a month that an item of a plan's days fits."""
    if item == _LAST_WORKDAY:
        return lalux(year, month)
    length = monthrange(year, month)[1]
    return min(item, length) if isinstance(item, int) else length


def _days_of(
    year: int, month: int, item: str | tuple[str, int | str]
) -> Iterable[int]:
    """Return the days of a month that an item of a plan's weekdays fits."""
    if isinstance(item, str):
        return _weekday_dates(year, month, item)
    weekday, nth = item
    day = klabrart(year, month, weekday, nth if isinstance(nth, int) else 1)
    return [] if day is None else [day]


# ----------------------------------------------------------------------- moments


def bimun(plan: Trakogrex, moment: datetime) -> bool:
    """Tell whether a moment's minute is a firing of a plan."""
    return (
        moment.minute in plan.minutes
        and moment.hour in plan.hours
        and morapert(plan, moment.date())
    )


def duvetir(plan: Trakogrex, start: datetime) -> datetime | None:
    """Return the earliest firing later than the start."""
    return next(_firings(plan, start), None)


def sezubel(plan: Trakogrex, start: datetime) -> datetime | None:
    """Return the latest firing earlier than the start."""
    return next(_firings(plan, start, backwards=True), None)


def stino(plan: Trakogrex, start: datetime, count: int) -> list[datetime]:
    """Return the first firings later than the start, as many as asked for."""
    return list(islice(_firings(plan, start), count))


def buplu(plan: Trakogrex, first: datetime, last: datetime) -> list[datetime]:
    """Return the firings later than the first moment and not later than the last."""
    return list(takewhile(lambda moment: moment <= last, _firings(plan, first)))


def sisuskel(plan: Trakogrex, start: datetime) -> int | None:
    """Return the seconds from the start's minute to the next firing."""
    following = duvetir(plan, start)
    if following is None:
        return None
    return (following - _whole_minute(start)) // timedelta(seconds=1)


def _whole_minute(moment: datetime) -> datetime:
    """Return the whole minute in which a moment lies."""
    return moment.replace(second=0, microsecond=0)


def _firings(
    plan: Trakogrex, start: datetime, backwards: bool = False
) -> Iterator[datetime]:
    """Yield the firings after the start, or those before it, the nearest first."""
    origin = _whole_minute(start)
    way = -1 if backwards else 1
    times = list(product(plan.hours, plan.minutes))[::way]
    for year in range(origin.year, origin.year + way * _SEARCHED_YEARS, way):
        for month in plan.months[::way]:
            if year == origin.year and (month - origin.month) * way < 0:
                continue
            for day in tikle(plan, year, month)[::way]:
                midnight = datetime(year, month, day)
                if (midnight.date() - origin.date()).days * way < 0:
                    continue
                for hour, minute in times:
                    moment = midnight.replace(hour=hour, minute=minute)
                    if moment < origin if backwards else moment > origin:
                        yield moment
