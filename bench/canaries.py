"""How fast `shipbar canary scan` goes on one core: text, and JSON lines.

Speeds are by the processor's own time, user and system together, of files that lie in the
page cache: other work on the machine and its disk say nothing about the search. `grep -c`
for the constant beginning of a canary is what a buyer would do by hand; it finds no more
than that, in one spelling.
"""

import json
import random
import resource
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.figures import Figure, at_least, told
from shipbar.canary import PREFIX, scan

MB_S = 300.0
SIZE = 256_000_000
ROUNDS = 5
_MB = 1e6


def canaries() -> Iterator[Figure]:
    """The figures of searching for canaries."""
    with tempfile.TemporaryDirectory() as name:
        for kind, unit in (("text", _text()), ("jsonl", _rows())):
            path = Path(name) / kind
            path.write_bytes(unit * (SIZE // len(unit)))
            yield from _figures(kind, path)
            path.unlink()


def _figures(kind: str, path: Path) -> Iterator[Figure]:
    size = path.stat().st_size
    # One after the other in each round, so that both see the same machine.
    ours, greps = [], []
    for _ in range(ROUNDS):
        ours.append(_spent(lambda: _search(path), resource.RUSAGE_SELF))
        greps.append(_spent(lambda: _grep(path), resource.RUSAGE_CHILDREN))
    spent, grep = median(ours), median(greps)
    speed = size / spent / _MB
    yield at_least(f"canary_{kind}_mb_s_a_core", spent, speed, MB_S)
    yield told(f"canary_{kind}_vs_goal", spent, speed / MB_S)
    yield told(f"canary_{kind}_vs_grep", grep, grep / spent)


def _spent(call: Callable[[], None], who: int) -> float:
    """Return the seconds of processor time that a call took, here or in its children."""
    before = resource.getrusage(who)
    call()
    after = resource.getrusage(who)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _search(path: Path) -> None:
    (looked,) = scan([path])
    assert not looked.found
    assert not looked.unread


def _grep(path: Path) -> None:
    done = subprocess.run(
        ["grep", "-c", "-F", "-a", PREFIX, str(path)],  # noqa: S607  # whichever the machine has
        capture_output=True,
        check=False,
    )
    assert done.stdout == b"0\n"


def _text() -> bytes:
    """Some megabytes of words as long and as frequent as those of prose."""
    chance = random.Random("canaries")
    letters = "".join(
        letter * weight
        for letter, weight in zip(
            "etaoinshrdlcumwfgypbvk", range(22, 0, -1), strict=True
        )
    )
    words = [
        "".join(chance.choices(letters, k=chance.randint(1, 9))) for _ in range(20_000)
    ]
    lines = (
        " ".join(chance.choices(words, k=12)).capitalize() + "." for _ in range(50_000)
    )
    return ("\n".join(lines) + "\n").encode()


def _rows() -> bytes:
    """The same as JSON lines, with quotes, breaks, and letters beyond ASCII escaped."""
    chance = random.Random("rows")
    lines = _text().decode().splitlines()
    rows = []
    for start in range(0, len(lines), 8):
        text = "\n".join(lines[start : start + 8])
        if chance.random() < 0.1:  # noqa: PLR2004  # one row in ten
            text = text.replace("o", "é").replace("a", "中")
        rows.append(json.dumps({"id": start, "source": "web", "text": f'"{text}"'}))
    return ("\n".join(rows) + "\n").encode()
