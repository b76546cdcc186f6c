"""Codes with a guard of two symbols that shows when they were copied wrongly."""

import string

__all__ = [
    "DretrovorTrouble",
    "FifuxTrouble",
    "brugend",
    "dritomi",
    "dugal",
    "flupladan",
    "grapum",
    "gregaklur",
    "grusem",
    "nesedim",
    "pestatrim",
    "plebo",
    "quotrevux",
    "stakunur",
    "stemafla",
    "stistoru",
    "stogalisk",
    "stulibend",
    "suderesk",
    "toplum",
    "vibestex",
    "zidri",
]

_SYMBOLS = string.digits + string.ascii_uppercase
_VALUES = {symbol: value for value, symbol in enumerate(_SYMBOLS)}
_BASE = len(_SYMBOLS)
_SEPARATOR = "."
_BLOT = "#"
_PADDING = "Z"
_BODY_LENGTH = 4
_GUARD_LENGTH = 2
_GUARD_PLACE = 1
_GROUP_LENGTH = 3
_WEIGHTS = (23, 31, 11, 7, 25)
_TOTAL_START = 7


class FifuxTrouble(ValueError):
    """A text cannot be read, or is no code."""


class DretrovorTrouble(ValueError):
    """A guard does not fit its body."""


def _read(text: str, allowed: str) -> str:
    """Return the symbols of a text, where `allowed` tells what counts as a symbol."""
    symbols = text.replace(_SEPARATOR, "")
    if not any(char in string.ascii_uppercase for char in symbols):
        symbols = "".join(
            char.upper() if char in string.ascii_lowercase else char for char in symbols
        )
    if not symbols:
        raise FifuxTrouble("the text has no symbol")
    for char in symbols:
        if char not in allowed:
            raise FifuxTrouble(f"{char!r} cannot stand in this text")
    return symbols


def _check_values(values: list[int]) -> None:
    """Raise `ValueError` for a value that no symbol has."""
    for value in values:
        if not 0 <= value < _BASE:
            raise ValueError(f"no symbol has the value {value}")


def _split(symbols: str) -> tuple[str, str]:
    """Take the symbols of a code apart into body and guard."""
    if len(symbols) < _BODY_LENGTH + _GUARD_LENGTH:
        raise FifuxTrouble("too few symbols for a code")
    end = _GUARD_PLACE + _GUARD_LENGTH
    return symbols[:_GUARD_PLACE] + symbols[end:], symbols[_GUARD_PLACE:end]


def _guard(body: str) -> str:
    """Compute the guard of a body."""
    return stistoru(stulibend(toplum(body)))


def stakunur(text: str) -> str:
    """Return the symbols of a text, letters as capitals, without separators."""
    return _read(text, _SYMBOLS)


def toplum(text: str) -> list[int]:
    """Return the values of the symbols of a text."""
    return [_VALUES[symbol] for symbol in stakunur(text)]


def stistoru(values: list[int]) -> str:
    """Return the symbols that have these values."""
    _check_values(values)
    return "".join(_SYMBOLS[value] for value in values)


def grapum(texts: list[str]) -> list[str]:
    """Return the texts in the order of the values of their symbols."""
    return sorted(texts, key=toplum)


def dugal(body: str) -> str:
    """Return a body, padded in front if it is too short for a code."""
    return stakunur(body).rjust(_BODY_LENGTH, _PADDING)


def grusem(text: str) -> str:
    """Return the symbols of a text in groups, counted off from the left."""
    symbols = stakunur(text)
    starts = range(0, len(symbols), _GROUP_LENGTH)
    return _SEPARATOR.join(symbols[start : start + _GROUP_LENGTH] for start in starts)


def stogalisk(values: list[int]) -> int:
    """Return the number that values stand for to the base 36."""
    if not values:
        raise ValueError("no value")
    _check_values(values)
    number = 0
    for value in values:
        number = number * _BASE + value
    return number


def pestatrim(number: int) -> list[int]:
    """Return the shortest list of values that stands for a number."""
    if number < 0:
        raise ValueError("the number is negative")
    number, value = divmod(number, _BASE)
    values = [value]
    while number:
        number, value = divmod(number, _BASE)
        values.append(value)
    return values[::-1]


def dritomi(place: int) -> int:
    """Return the weight of a place, counted from 1."""
    if place < 1:
        raise ValueError("places are counted from 1")
    return _WEIGHTS[(place - 1) % len(_WEIGHTS)]


def suderesk(count: int) -> list[int]:
    """Return the weights of so many values, in their order."""
    return [dritomi(place) for place in range(1, count + 1)]


def zidri(values: list[int]) -> int:
    """Return the total of values: a constant plus their weighted sum."""
    _check_values(values)
    weights = suderesk(len(values))
    return _TOTAL_START + sum(
        value * weight for value, weight in zip(values, weights, strict=True)
    )


def stemafla(total: int) -> int:
    """Return the value that closes a total."""
    if total < 0:
        raise ValueError("the total is negative")
    return total % _BASE


def stulibend(values: list[int]) -> list[int]:
    """Return the values of the guard of a body that has these values."""
    if not values:
        raise ValueError("no value")
    guard: list[int] = []
    for _ in range(_GUARD_LENGTH):
        guard.append(stemafla(zidri([*values, *guard])))
    return guard


def vibestex(body: str, guard: str) -> str:
    """Put a guard into a body, behind its first symbol."""
    symbols = stakunur(body)
    return symbols[:_GUARD_PLACE] + stakunur(guard) + symbols[_GUARD_PLACE:]


def flupladan(code: str) -> tuple[str, str]:
    """Take a code apart into its body and its guard."""
    return _split(stakunur(code))


def quotrevux(body: str) -> str:
    """Make the code of a body."""
    padded = dugal(body)
    return vibestex(padded, _guard(padded))


def plebo(code: str) -> bool:
    """Say whether a text is a code that has the right guard."""
    try:
        return nesedim(code) is not None
    except FifuxTrouble:
        return False


def nesedim(code: str) -> str | None:
    """Return the body of a code, or `None` if its guard is wrong."""
    body, guard = flupladan(code)
    return body if guard == _guard(body) else None


def gregaklur(codes: list[str]) -> list[str]:
    """Return the bodies of the codes before the first that does not hold."""
    bodies: list[str] = []
    for code in codes:
        if not plebo(code):
            break
        body, _ = flupladan(code)
        bodies.append(body)
    return bodies


def brugend(code: str) -> str:
    """Return the symbols of a code, with its one blot filled in."""
    if code.count(_BLOT) != 1:
        raise FifuxTrouble("not exactly one blot")
    blotted = _read(code, _SYMBOLS + _BLOT)
    _split(blotted)
    for symbol in _SYMBOLS:
        candidate = blotted.replace(_BLOT, symbol)
        if plebo(candidate):
            return candidate
    raise DretrovorTrouble("no symbol in place of the blot makes the code hold")
