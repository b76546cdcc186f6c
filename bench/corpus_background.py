"""`python -m bench.corpus_background`: the grams that unrelated libraries of the corpus share.

Writes `build/background.grams`, eight bytes a gram, sorted: those that libraries of two
or more groups have, so that a fork beside what it was forked from counts once. It is
made and not committed: it holds for one version of metric and grammars, and the guard
works without it, by what `python -m bench copies` prints of both ways.
"""

import sys

from rich.console import Console

from bench import corpus
from bench.copies_measure import Background, printed
from bench.tasks import ROOT


def main() -> int:
    """Make the file; say how large it is."""
    libraries, missing = corpus.read("python")
    grams = Background((it.group, printed(it.files)) for it in libraries).without("")
    out = ROOT / "build" / "background.grams"
    out.parent.mkdir(exist_ok=True)
    out.write_bytes(b"".join(sorted(grams)))
    told = f"{len(grams)} grams of {len(libraries)} libraries, {len(missing)} missing"
    Console().print(f"{out.relative_to(ROOT)}: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
