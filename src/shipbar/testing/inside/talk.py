"""Talks with whoever started the program."""

import os
import sys
from pathlib import Path


def late(name: str) -> str:
    """Wait for a line, then read a file that was put there meanwhile."""
    os.write(1, b'"waiting"\n')
    sys.stdin.buffer.readline()
    places = dict(word.split("=", 1) for word in sys.argv[1:])
    return Path(places["candidate"], name).read_text()


def echo(count: int) -> None:
    """Return every byte that comes."""
    while count:
        got = os.read(0, 65536)
        if not got:
            return
        os.write(1, got)
        count -= len(got)


def complain(words: str) -> list[str]:
    """Write to standard error."""
    os.write(2, words.encode())
    return []


def nothing() -> list[str]:
    """Do nothing at all."""
    return []
