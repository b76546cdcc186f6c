"""Inputs of the domain: texts of symbols, texts that are spoilt, and lists of values."""

import random

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SYMBOLS = DIGITS + LETTERS
FOREIGN = "!_,é٣ÄßＡ "
"""Characters that no rule reads, whatever the separator."""


def text_of(rng: random.Random, symbols: str, length: int) -> str:
    """Return a text in which no symbol comes twice, so that each place can be told."""
    return "".join(rng.sample(symbols, length))


def mixed_text(rng: random.Random, length: int) -> str:
    """Return a text that has both a digit and a letter."""
    digits = rng.randint(1, length - 1)
    found = rng.sample(DIGITS, min(digits, 9))
    found += rng.sample(LETTERS, length - len(found))
    rng.shuffle(found)
    return "".join(found)


def small_text(rng: random.Random) -> str:
    """Return a text with letters that are all small, or of both kinds."""
    text = text_of(rng, LETTERS, rng.randint(2, 3)) + rng.choice(DIGITS)
    if rng.random() < 0.25:  # noqa: PLR2004  # a quarter of them have no capital
        return text.lower()
    place = rng.randrange(len(text) - 1)
    some = text[:place] + text[place].lower() + text[place + 1 :]
    return "".join(rng.sample(some, len(some)))


def separated_text(rng: random.Random, mark: str) -> str:
    """Return a text with separators at an end, or side by side between symbols."""
    text = text_of(rng, SYMBOLS, rng.randint(3, 5))
    cut = rng.randint(1, len(text) - 1)
    left, right = text[:cut], text[cut:]
    return rng.choice(
        (
            f"{left}{mark * 2}{right}",
            f"{left}{mark * 3}{right}",
            f"{mark}{text}",
            f"{text}{mark}",
            f"{mark}{left}{mark}{right}",
            f"{left}{mark}{right}{mark}",
            f"{left}{mark * 2}{right}{mark}",
        )
    )


def values_of(rng: random.Random, length: int) -> list[int]:
    """Return that many values, none of them twice."""
    return rng.sample(range(36), length)
