"""Calls the function that the wish names and tells what it returned."""

import contextlib
import ctypes
import importlib
import json
import os
import sys
from pathlib import Path


def wear(mark: str) -> None:
    """Take a process name that can be recognised from outside, where that is allowed."""
    with contextlib.suppress(Exception):
        ctypes.CDLL(None).prctl(15, mark[:15].encode(), 0, 0, 0)


def main() -> None:
    """Do as wished."""
    wish = json.loads(Path(__file__).with_name("wish.json").read_text())
    wear(wish["mark"])
    module = importlib.import_module(wish["module"])
    told = getattr(module, wish["function"])(**wish["with"])
    line = memoryview(json.dumps(told).encode() + b"\n")
    while line:
        line = line[os.write(sys.stdout.fileno(), line) :]


main()
