"""Public tools on a sample of the same pairs: copydetect and Dolos, where they can be had.

copydetect is installed into an environment of its own under `build/`, from a file of
hashes. Dolos compiles for some ten minutes when it is installed, so it is not installed
here: it is used where somebody has put it, and else said to be missing. A tool that
reads nothing is said to be missing too, and why.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import attrs

from bench import copies_measure
from bench.copies_pairs import COPY, HARD, HONEST, Labelled
from bench.copies_scores import Scored
from bench.corpus import Library
from bench.tasks import ROOT

REQUIREMENTS = Path(__file__).with_name("copies_tools.txt")
HOME = ROOT / "build" / "bench"
TARGETS = 8
"""Targets whose pairs are sampled."""
MOST_LINES = 1200
"""Of a sampled target: tools that compare file by file take seconds for larger ones."""
UNRELATED = 12
"""Unrelated packages for each target."""
LIMIT_S = 240


@attrs.frozen(kw_only=True)
class Answer:
    """What a tool said."""

    scored: tuple[Scored, ...]
    """The pairs with its scores."""
    pair_ms: float
    """Processor time a pair, reading included, in milliseconds."""


@attrs.frozen(kw_only=True)
class Tool:
    """A public tool."""

    name: str
    """With its settings."""
    run: Callable[[Sequence[Labelled], Sequence[Library]], Answer | str]
    """Scores pairs, or says why it cannot."""


def sample(libraries: Sequence[Library]) -> list[Labelled]:
    """Return the pairs of some targets: every copy, all hard honest work, some unrelated."""
    targets = [it for it in libraries if it.target and it.lines <= MOST_LINES]
    targets.sort(key=lambda it: it.name)
    chosen = Random("sample").sample(targets, min(TARGETS, len(targets)))
    out: list[Labelled] = []
    for target in sorted(chosen, key=lambda it: it.name):
        pairs = list(copies_measure.python_pairs(target, libraries))
        easy = [it for it in pairs if it.label == HONEST and it.kind not in HARD]
        out += [it for it in pairs if it.label == COPY]
        out += [it for it in pairs if it.label == HONEST and it.kind in HARD]
        out += Random(target.name).sample(easy, min(UNRELATED, len(easy)))
    return out


_COPYDETECT = """
import json, resource, sys
from pathlib import Path
from copydetect import CodeFingerprint, compare_files
pairs = json.loads(Path(sys.argv[1]).read_text())
prints, out, said = {}, [], ""
def of(path):
    if path not in prints:
        prints[path] = CodeFingerprint(path, 25, 1)
    return prints[path]
for left, right in pairs:
    try:
        _, (one, other), _ = compare_files(of(left), of(right))
        out.append(max(one, other))
    except Exception as cause:
        out.append(None)
        said = said or repr(cause)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([out, used.ru_utime + used.ru_stime, said]))
"""

_DOLOS = """
const { Dolos } = require("@dodona/dolos-lib");
const fs = require("fs");
const pairs = JSON.parse(fs.readFileSync(process.argv[2]));
(async () => {
  const out = [];
  let said = "";
  for (const [left, right] of pairs) {
    try {
      const dolos = new Dolos({ language: "python" });
      const report = await dolos.analyzePaths([left, right]);
      const [it] = report.allPairs();
      // Its shares of one side or of the other do worse.
      out.push(it ? it.similarity : 0);
    } catch (cause) {
      out.push(null);
      said = said || String(cause);
    }
  }
  const used = process.cpuUsage();
  console.log(JSON.stringify([out, (used.user + used.system) / 1e6, said]));
})();
"""


def _copydetect(
    pairs: Sequence[Labelled], libraries: Sequence[Library]
) -> Answer | str:
    home = HOME / "copydetect"
    python = home / "bin" / "python"
    if not (home / "ready").is_file():
        shutil.rmtree(home, ignore_errors=True)
        made = _words([sys.executable, "-m", "venv", str(home)])
        install = ["-m", "pip", "install", "--quiet", "--require-hashes"]
        made = made or _words(
            [str(python), *install, "--only-binary", ":all:", "-r", str(REQUIREMENTS)]
        )
        if made:
            return made
        (home / "ready").touch()
    return _asked([str(python), "-c", _COPYDETECT], pairs, libraries)


def _dolos(pairs: Sequence[Labelled], libraries: Sequence[Library]) -> Answer | str:
    node, home = shutil.which("node"), HOME / "dolos"
    if node is None:
        return "there is no node on this machine"
    if not (home / "node_modules").is_dir():
        return f"it compiles for some ten minutes: npm install --prefix {home.relative_to(ROOT)} @dodona/dolos-lib@3.5.1"
    script = home / "compare.cjs"
    script.write_text(_DOLOS)
    return _asked([node, str(script)], pairs, libraries)


def _asked(
    words: list[str], pairs: Sequence[Labelled], libraries: Sequence[Library]
) -> Answer | str:
    """Write each side of each pair to one file, and have a program score them."""
    known = {it.name: it for it in libraries}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = []
        for number, pair in enumerate(pairs):
            left, right = folder / f"{number}.py", folder / f"{pair.target}-target.py"
            left.write_text("\n\n".join(pair.files.values()))
            right.write_text("\n\n".join(known[pair.target].files.values()))
            paths.append((str(left), str(right)))
        asked = folder / "pairs.json"
        asked.write_text(json.dumps(paths))
        try:
            done = subprocess.run(
                [*words, str(asked)],
                capture_output=True,
                text=True,
                check=False,
                timeout=LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            return f"took over {LIMIT_S} s for {len(pairs)} pairs"
    if done.returncode:
        lines = [it for it in done.stderr.splitlines() if "Error" in it]
        return (lines or ["failed without a word"])[0].strip()[:120]
    scores, seconds, said = json.loads(done.stdout.strip().splitlines()[-1])
    if all(it is None for it in scores):
        return f"it read nothing: {said.splitlines()[0]}"
    return Answer(
        scored=tuple(
            Scored(
                label=pair.label,
                kind=pair.kind,
                target=pair.target,
                name=pair.name,
                group=known[pair.target].group,
                # What it does not read is like nothing to it.
                score=score or 0.0,
            )
            for pair, score in zip(pairs, scores, strict=True)
        ),
        pair_ms=seconds * 1e3 / len(pairs),
    )


def _words(words: list[str]) -> str:
    """Run a command; return what went wrong, if anything did."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return f"took over {LIMIT_S} s to install"
    return done.stderr.strip()[-120:] if done.returncode else ""


TOOLS = (
    Tool(name="copydetect 0.5, k 25, w 1", run=_copydetect),
    Tool(name="Dolos 3.5.1, as it comes", run=_dolos),
)
"""Every tool that is tried."""
