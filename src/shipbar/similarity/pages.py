"""Evidence and matrices as pages that need nothing else; all that a candidate wrote is escaped."""

import importlib.resources
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import attrs
import jinja2

from shipbar.similarity.compare import Comparison
from shipbar.similarity.evidence import Region
from shipbar.similarity.matrix import Matrix

MOST_SHOWN = 100
"""Submissions in a heat map."""


@attrs.frozen(kw_only=True)
class Compared:
    """A comparison and what can be shown of it."""

    comparison: Comparison
    """The scores."""
    regions: tuple[Region, ...]
    """What is the same."""


@attrs.frozen(kw_only=True)
class Row:
    """One line of two that stand side by side."""

    left_line: int | None
    """Its number in the candidate; None: that side has ended."""
    left: str
    """What stands there."""
    right_line: int | None
    """Its number in the source."""
    right: str
    """What stands there."""
    same: bool
    """Whether both are the same but for blanks."""


def rows(region: Region) -> Iterator[Row]:
    """Lay the two sides of a region next to each other, line by line."""
    left = list(enumerate(region.candidate.text.split("\n"), region.candidate.first))
    right = list(enumerate(region.source.text.split("\n"), region.source.first))
    for one, other in zip_longest(left, right, fillvalue=(None, "")):
        yield Row(
            left_line=one[0],
            left=one[1].expandtabs(4),
            right_line=other[0],
            right=other[1].expandtabs(4),
            same=one[1].split() == other[1].split(),
        )


def evidence_page(compared: Sequence[Compared], remarks: Sequence[str]) -> str:
    """Return comparisons and their regions as a page."""
    return _render("evidence.html.j2", compared=compared, remarks=remarks, rows=rows)


def heat_names(found: Matrix) -> tuple[str, ...]:
    """Return whom a heat map shows: members of clusters next to each other, then the most alike."""
    names = [name for cluster in found.clusters for name in cluster]
    names += [name for pair in found.pairs for name in (pair.one, pair.other)]
    if len(found.names) <= MOST_SHOWN:
        names += found.names
    return tuple(dict.fromkeys(names))[:MOST_SHOWN]


def heat_of(found: Matrix) -> dict[tuple[str, str], float]:
    """Return the score of each pair, both ways round."""
    heat = {}
    for pair in found.pairs:
        heat[pair.one, pair.other] = heat[pair.other, pair.one] = pair.score
    return heat


def matrix_page(found: Matrix, remarks: Sequence[str]) -> str:
    """Return a batch as a page: a heat map, clusters, pairs."""
    return _render(
        "matrix.html.j2",
        found=found,
        names=heat_names(found),
        heat=heat_of(found),
        remarks=remarks,
    )


def _render(template: str, **values: object) -> str:
    source = importlib.resources.files("shipbar.similarity") / template
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(source.read_text("utf-8")).render(**values)
