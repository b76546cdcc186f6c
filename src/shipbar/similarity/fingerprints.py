"""A package as a set: every run of sixteen symbols, hashed.

The set is of the whole package, so that splitting, merging and reordering files
changes next to nothing. Nothing is sampled: a whole library is some tens of
kilobytes, and a sample would only be a knob to get wrong.
"""

from collections.abc import Iterable

import attrs

from shipbar.similarity.parsing import read_files
from shipbar.similarity.reading import Package
from shipbar.similarity.streams import Stream

METRIC = 2
"""Version of streams, grams and score together: what another one measured is not comparable."""
GRAM = 16
"""Symbols in a gram of the syntax tree. Shorter ones catch no more copies and lift honest
work that one specification dictates; longer ones lose copies with much dead code."""
LARGE = 20
"""Grams from which on a function is large. What is smaller is often all but dictated."""
TOKEN_GRAM = 20
"""Tokens in a gram: a token says less than a node."""

Grams = frozenset[bytes]
"""Hashes of eight bytes."""


@attrs.frozen(kw_only=True)
class FunctionPrint:
    """The grams of one function."""

    name: str
    """As written."""
    path: str
    """Of its file."""
    line: int
    """Where it begins."""
    last_line: int
    """Where it ends."""
    grams: Grams
    """Those that lie in it wholly."""


@attrs.frozen(kw_only=True)
class Fingerprint:
    """What of a package is compared."""

    name: str
    """As told to readers."""
    grams: Grams
    """Of its syntax trees."""
    inner: Grams
    """Those that lie in one of its functions."""
    large: Grams
    """Those that lie in one of its large functions."""
    tokens: Grams
    """Of its tokens: of all files, or of those alone that trees do not show."""
    functions: tuple[FunctionPrint, ...] = ()
    """Its outermost functions and methods."""
    languages: tuple[str, ...] = ()
    """Names of the languages in it, sorted; `text` for those without a grammar."""
    calibrated: bool = True
    """Whether thresholds were measured for all of them."""
    remarks: tuple[str, ...] = ()
    """What a reader must know of single files, each `path: what`."""
    unread: tuple[str, ...] = ()
    """Files of which not all is compared."""
    streams: tuple[Stream, ...] = attrs.field(default=(), repr=False)
    """Of the files, to show evidence; none in one that was read from an index."""
    token_streams: tuple[Stream, ...] = attrs.field(default=(), repr=False)
    """The same by tokens."""


def fingerprint(
    package: Package, name: str = "", *, as_source: bool = False
) -> Fingerprint:
    """Return the fingerprint of ``package``.

    Args:
        package: what to read.
        name: as told to readers.
        as_source: read every file by tokens too, so that a submission that does not
            parse can be compared with it.
    """
    reads = read_files(package.files, by_tokens=as_source)
    trees = tuple(read.tree for read in reads if read.tree is not None)
    listed = tuple(read.tokens for read in reads if read.tokens is not None)
    grams, functions = _of_trees(trees)
    known = [file.language for file in package.files if file.language is not None]
    text = len(known) < len(package.files)
    named = list(zip(package.files, reads, strict=True))
    remarks = [f"{file.path}: {read.remark}" for file, read in named if read.remark]
    return Fingerprint(
        name=name,
        grams=grams,
        inner=_joined(functions, 1),
        large=_joined(functions, LARGE),
        tokens=grams_of(listed, TOKEN_GRAM),
        functions=functions,
        languages=tuple(
            sorted({it.name for it in known} | ({"text"} if text else set()))
        ),
        calibrated=not text and all(it.calibrated for it in known),
        remarks=(*package.remarks, *remarks),
        unread=tuple(
            sorted({*package.unread, *(file.path for file, read in named if read.cut)})
        ),
        streams=trees,
        token_streams=listed,
    )


def grams_of(streams: Iterable[Stream], width: int) -> Grams:
    """Return the grams of ``width`` symbols of all ``streams``."""
    return frozenset().union(*(stream.hashes(width) for stream in streams))


def _joined(functions: Iterable[FunctionPrint], least: int) -> Grams:
    """Return the grams of all functions that have ``least`` or more."""
    return frozenset().union(*(it.grams for it in functions if len(it.grams) >= least))


def _of_trees(streams: Iterable[Stream]) -> tuple[Grams, tuple[FunctionPrint, ...]]:
    grams: set[bytes] = set()
    functions: list[FunctionPrint] = []
    for stream in streams:
        hashed = stream.hashes(GRAM)
        grams.update(hashed)
        functions += [
            FunctionPrint(
                name=it.name,
                path=stream.path,
                line=it.line,
                last_line=it.last_line,
                grams=frozenset(hashed[it.start : max(it.start, it.end - GRAM + 1)]),
            )
            for it in stream.functions
        ]
    return frozenset(grams), tuple(functions)
