"""Compiles heads and cases once for all the subjects that they are sent to.

Each goes out as its source, a NUL, and the code that it compiles to, which
spares every subject the compiler. The runner takes the code only if it was made
by an interpreter of its own kind, by the import system's magic number; else it
compiles the source. Code only ever travels this way, from the judge.
"""

import functools
import marshal
from importlib.util import MAGIC_NUMBER

FUTURE_ANNOTATIONS = 0x1000000
"""The flag of `from __future__ import annotations`, which a head passes on to its cases."""


def head_request(number: int, head: str) -> bytes:
    """Return the payload that asks to run a suite file's head."""
    text = f"{number}\n{head}".encode("utf-8", "surrogatepass")
    return text + b"\0" + MAGIC_NUMBER + _head_code(head)


def case_request(file: int, source: str, head: str) -> bytes:
    """Return the payload that asks for a case.

    Args:
        file: the number of the head that it needs.
        source: a function ``case``.
        head: the head's source.
    """
    text = f"{file}\n{source}".encode("utf-8", "surrogatepass")
    return text + b"\0" + MAGIC_NUMBER + _code(source, _flags(head))


@functools.lru_cache(maxsize=32_768)
def _code(source: str, flags: int) -> bytes:
    return marshal.dumps(compile(source, "case", "exec", flags, dont_inherit=True))


@functools.lru_cache(maxsize=1_024)
def _head_code(head: str) -> bytes:
    return marshal.dumps(compile(head, "suite", "exec", dont_inherit=True))


@functools.lru_cache(maxsize=1_024)
def _flags(head: str) -> int:
    code = compile(head, "suite", "exec", dont_inherit=True)
    return code.co_flags & FUTURE_ANNOTATIONS
