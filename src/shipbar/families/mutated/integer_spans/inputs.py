"""Inputs of the domain: numbers in stretches, and the texts that name them."""

import random
from collections.abc import Iterator, Sequence


def stretches(
    rng: random.Random, lengths: Sequence[int], low: int = -9
) -> list[list[int]]:
    """Return ascending stretches of those lengths that neither touch nor overlap."""
    at = low + rng.randint(0, 9)
    found = []
    for length in lengths:
        found.append(list(range(at, at + length)))
        at += length + rng.randint(1, 4)
    return found


def members(rng: random.Random, lengths: Sequence[int], low: int = -9) -> list[int]:
    """Return the numbers of such stretches in no order."""
    numbers = [number for run in stretches(rng, lengths, low) for number in run]
    rng.shuffle(numbers)
    return numbers


def lengths_of(rng: random.Random, most: int = 4, longest: int = 4) -> list[int]:
    """Return lengths for one to ``most`` stretches."""
    return [rng.randint(1, longest) for _ in range(rng.randint(1, most))]


def some(rng: random.Random, numbers: Sequence[int], least: int = 1) -> list[int]:
    """Return some of the numbers, in no order."""
    return rng.sample(list(numbers), rng.randint(least, len(numbers)))


def mixed(rng: random.Random, numbers: Sequence[int]) -> list[int]:
    """Return some of the numbers and some that are none of them, in no order."""
    strangers = [
        x for x in range(min(numbers) - 3, max(numbers) + 5) if x not in numbers
    ]
    taken = some(rng, numbers)[:4] + some(rng, strangers)[:3]
    rng.shuffle(taken)
    return taken


def range_text(low: int, high: int) -> str:
    """Write a range; by no rule of the library, the two numbers as they come."""
    return f"{low}-{high}"


def ascending_text(rng: random.Random) -> tuple[str, list[int]]:
    """Return a text of chunks that share no number, and numbers within its ranges."""
    chunks, inner = [], []
    for run in stretches(rng, [rng.choice((1, 1, 3, 4, 5)) for _ in range(3)], -6):
        chunks.append(range_text(run[0], run[-1]) if len(run) > 1 else str(run[0]))
        inner += run[1:-1]
    rng.shuffle(chunks)
    return ",".join(chunks), inner


def singles_text(rng: random.Random, repeats: int) -> str:
    """Return a text without ranges that names some numbers again."""
    numbers = rng.sample(range(-9, 30), rng.randint(2, 4))
    numbers += [rng.choice(numbers) for _ in range(repeats)]
    rng.shuffle(numbers)
    return ",".join(map(str, numbers))


def malformed_chunks() -> Iterator[str]:
    """Yield chunks that are neither a number nor a range."""
    yield from ("x", "5-", "+4", "1-2-3", "--7", "-", "3.5", "5--", "5---6", "1..4")
    yield from ("4:6", "0x1f", "a-b", "7;8", "1_0", "--", "9-x", "4/5")
    yield from ("1 2", "- 3", "4 - - 6", "8-- 9", "3 4-5")
