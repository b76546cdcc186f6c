"""Base material: what every honest implementation of a task may have, and so counts nowhere.

Three origins, all taken as grams and not as blocks, so that an edited piece of base
material is still recognised:

- the specification: its code blocks, its inline examples, and stubs of its signatures;
- other implementations of the same specification that were made independently;
- a background of unrelated packages, where two or more of them agree.

An implementation that is itself like a source is *set aside*: taken as base material
it would erase the very evidence. Known-bads of a built task are made from the
reference, so nearly all are; they are named and teach nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

from shipbar.similarity.fingerprints import (
    GRAM,
    TOKEN_GRAM,
    Fingerprint,
    Grams,
    grams_of,
)
from shipbar.similarity.languages import Language
from shipbar.similarity.parsing import read_files
from shipbar.similarity.reading import SourceFile

FLOOR = 80
"""Least denominator of a share: a handful of grams that coincide is no share of anything."""
OWN_WORK = 0.4
"""Share of a source from which on an implementation is no independent one."""
AGREEING = 2
"""Packages of a background in which a gram must occur."""

_BLOCK = re.compile(r"(?ms)^```[^\n]*\n(.*?)^```")
_INLINE = re.compile(r"`([^`\n]+)`")
_SIGNATURE = re.compile(r"^(\w+)\(([\w\s,*=.'\"/|\[\]:]*)\)$")
_MOST_STUBS = 2000


@attrs.frozen(kw_only=True)
class Base:
    """Grams that count nowhere, and where they come from."""

    grams: Grams = frozenset()
    """Of syntax trees."""
    tokens: Grams = frozenset()
    """Of tokens."""
    learned: tuple[str, ...] = ()
    """What it was learned from."""
    set_aside: tuple[str, ...] = ()
    """Implementations that are too like a source to learn from, each `name: why`."""


def of_specification(text: str, language: Language) -> Base:
    """Return what a specification dictates: its examples, and stubs of its signatures."""
    blocks = _BLOCK.findall(text)
    prose = _BLOCK.sub("", text)
    inline = _INLINE.findall(prose)[:_MOST_STUBS]
    stubs = [stub for it in inline for stub in _stub(it, language)]
    files = [
        SourceFile(path="", data=piece.encode(), language=language)
        for piece in [*blocks, "\n".join(stubs), *inline]
        if piece.strip()
    ]
    reads = read_files(files, by_tokens=True)
    return Base(
        grams=grams_of([it.tree for it in reads if it.tree], GRAM),
        tokens=grams_of([it.tokens for it in reads if it.tokens], TOKEN_GRAM),
        learned=("specification",),
    )


def _stub(text: str, language: Language) -> list[str]:
    """Return what a signature such as `name(a, b=1)` looks like in code."""
    match = _SIGNATURE.match(text)
    if match is None or language.name != "Python":
        return []
    name, parameters = match.groups()
    if name[:1].isupper():
        inner = f"self, {parameters}" if parameters.strip() else "self"
        return [f"class {name}:\n    def __init__({inner}): ..."]
    return [f"def {name}({parameters}): ..."]


def learn(
    base: Base,
    implementations: Iterable[Fingerprint],
    sources: Sequence[Fingerprint],
    *,
    agreeing: int = 1,
) -> Base:
    """Return ``base`` with what ``implementations`` show to be common.

    Args:
        base: what counts nowhere already.
        implementations: of the same specification, or a background of others.
        sources: what candidates are compared with; an implementation like one of them
            is set aside.
        agreeing: how many implementations a gram must occur in.
    """
    trees: Counter[bytes] = Counter()
    tokens: Counter[bytes] = Counter()
    learned, aside = list(base.learned), list(base.set_aside)
    for it in implementations:
        if near := _near(it, sources, base.grams):
            aside.append(f"{it.name}: {near}")
            continue
        trees.update(it.grams)
        tokens.update(it.tokens)
        learned.append(it.name)
    return Base(
        grams=base.grams | {gram for gram, n in trees.items() if n >= agreeing},
        tokens=base.tokens | {gram for gram, n in tokens.items() if n >= agreeing},
        learned=tuple(learned),
        set_aside=tuple(aside),
    )


def _near(it: Fingerprint, sources: Sequence[Fingerprint], base: Grams) -> str:
    """Say to which source an implementation is too near; nothing if to none."""
    own = it.inner - base
    for source in sources:
        theirs = source.inner - base
        share = max(
            len(theirs & it.grams) / max(len(theirs), FLOOR),
            len(own & source.grams) / max(len(own), FLOOR),
        )
        if share >= OWN_WORK:
            return f"{share:.2f} of it and {source.name or 'the source'} is the same"
    return ""
