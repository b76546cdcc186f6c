"""The copy guard: how like a submission is to the reference or the upstream, with evidence.

    languages    what each grammar's nodes mean
    reading      which files are compared, and what is said of the others
    tokens       the second view, for what has no grammar or does not parse
    streams      a file as symbols that disguises leave as they were
    parsing      the same within bounds, whatever the file
    confined     a process for parsers that may take too much
    fingerprints a package as sets of hashed grams
    base         what counts nowhere: the specification's own, and what is common
    compare      the score and what it means
    evidence     what is the same, side by side
    index        sources as a file
    tasks        what a task's candidates are compared with
    guard        the check that every grade makes, by the index of a task
    matrix       a batch against itself
    pages        evidence and matrix as pages

A score is of structure. It sees copies through renaming, reformatting, reordering and
rewriting; it does not see a paraphrase that keeps an idea and no code, and it never
proves intent. What it flags comes with the lines, for a person to judge.
"""

from shipbar.similarity.base import Base, learn, of_specification
from shipbar.similarity.compare import (
    DEFAULT,
    Basis,
    Comparison,
    FunctionShare,
    Thresholds,
    compare,
)
from shipbar.similarity.evidence import Places, Region, Side, regions
from shipbar.similarity.fingerprints import METRIC, Fingerprint, fingerprint
from shipbar.similarity.index import Index, digest_of, parse_index, render_index
from shipbar.similarity.matrix import Matrix, Pair, matrix
from shipbar.similarity.reading import Package, package_of, read_package
from shipbar.similarity.tasks import Guarded, Source, guarded
from shipbar.verdict import Level

__all__ = [
    "DEFAULT",
    "METRIC",
    "Base",
    "Basis",
    "Comparison",
    "Fingerprint",
    "FunctionShare",
    "Guarded",
    "Index",
    "Level",
    "Matrix",
    "Package",
    "Pair",
    "Places",
    "Region",
    "Side",
    "Source",
    "Thresholds",
    "compare",
    "digest_of",
    "fingerprint",
    "guarded",
    "learn",
    "matrix",
    "of_specification",
    "package_of",
    "parse_index",
    "read_package",
    "regions",
    "render_index",
]
