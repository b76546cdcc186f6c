"""How well the copy guard tells copies from honest work, on the labelled corpus.

Copies of public libraries and of the reference tranche's references are made under
every disguise, and held against what they are copies of; so is honest work. Printed are
the area under the curve, the share of copies above every honest pair and above all but
one in a hundred, by disguise, and processor time; beside them what public tools make of
a sample of the same pairs. Every language has figures of its own, of its own corpus.

Details go to `build/copies.json`: every pair with its score.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from random import Random

import attrs
from rich.console import Console
from rich.table import Table

from bench import copies_measure, copies_speech, copies_tools, corpus
from bench.copies_pairs import COPY, HARD, HONEST, RELATED
from bench.copies_scores import KindRates, Rates, Scored, by_kind, rates
from bench.corpus import Library
from bench.figures import Figure, at_least, at_most, not_run, told, within
from bench.tasks import ROOT

READ_MS, COMPARE_MS = 20.0, 0.2
LEAST_RATE, LEAST_OF_A_KIND = 0.99, 0.90
SMALL = {
    "java": "Java",
    "c": "C",
    "cpp": "C++",
    "csharp": "C#",
    "go": "Go",
    "php": "PHP",
}
"""Languages with hand-written programs, by their folder."""
MOST_TYPED_LINES = 600
"""Of a library in JavaScript that is read as TypeScript too."""
_SHOWN = 12


def copies() -> Iterator[Figure]:
    """The figures of the copy guard."""
    console = Console(width=120, soft_wrap=True)
    details: dict[str, list[dict[str, object]]] = {}
    missing: list[str] = []
    for language, gather in _corpora().items():
        libraries, absent = gather()
        missing += absent
        name = f"copies_{language}"
        if not any(it.target for it in libraries):
            why = absent[0] if absent else "no corpus"
            yield not_run(f"{name}_at_zero", LEAST_RATE, why)
            continue
        scored = _scored(language, libraries)
        found, kinds = rates(scored), by_kind(scored, rates(scored))
        details[language] = [attrs.asdict(it) for it in scored]
        console.print(_table(language, found, kinds))
        console.print(_about(libraries, scored))
        yield from _figures(name, found, kinds)
        yield from _cost(name, copies_measure.times(libraries))
        if language == "python":
            checked = copies_measure.check_ms(libraries) / 1e3
            yield within("copies_check_1000_lines", checked, READ_MS / 1e3)
            yield from _with_background(libraries, console)
            yield from _beside(libraries, scored, console)
    for line in missing:
        console.print(f"not in the corpus: {line}")
    out = ROOT / "build" / "copies.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(details) + "\n")


Gathered = tuple[list[Library], list[str]]


def _corpora() -> dict[str, Callable[[], Gathered]]:
    found: dict[str, Callable[[], Gathered]] = {
        "python": _python,
        "javascript": lambda: corpus.read("javascript"),
        "typescript": _typescript,
    }
    for folder in SMALL:
        found[folder] = lambda folder=folder: (corpus.small(folder), [])  # type: ignore[misc]  # binds the name now
    return found


def _python() -> Gathered:
    libraries, missing = corpus.read("python")
    return [*libraries, *corpus.references(), *corpus.independent()], missing


def _typescript() -> Gathered:
    """Return the smaller libraries in JavaScript with types added, which is how they are ported."""
    libraries, _ = corpus.read("javascript")
    return [
        attrs.evolve(it, files=copies_speech.typed(it.files, _NO_RNG))
        for it in libraries
        if it.lines <= MOST_TYPED_LINES
    ], []


_NO_RNG = Random(0)


def _scored(language: str, libraries: Sequence[Library]) -> list[Scored]:
    if language == "python":
        return copies_measure.scored(libraries, copies_measure.python_pairs)
    pairs = copies_measure.brace_pairs
    return copies_measure.scored(libraries, pairs, specified=False)


def _figures(name: str, found: Rates, kinds: Sequence[KindRates]) -> Iterator[Figure]:
    least = min(it.by_halves for it in kinds)
    yield told(f"{name}_auc", 0.0, found.auc)
    yield told(f"{name}_auc_hard", 0.0, found.auc_hard)
    yield at_least(f"{name}_at_zero", 0.0, found.at_zero, LEAST_RATE)
    yield at_least(f"{name}_by_halves", 0.0, found.by_halves, LEAST_RATE)
    yield at_least(f"{name}_least_disguise", 0.0, least, LEAST_OF_A_KIND)
    yield at_most(f"{name}_false_alarms", 0.0, found.false_alarms, 0.0)


def _cost(name: str, times: copies_measure.Times) -> Iterator[Figure]:
    yield within(f"{name}_read_1000_lines", times.read_ms / 1e3, READ_MS / 1e3)
    yield within(f"{name}_comparison", times.compare_ms / 1e3, COMPARE_MS / 1e3)
    yield within(f"{name}_comparison_of_a_copy", times.alike_ms / 1e3, COMPARE_MS / 1e3)


def _with_background(
    libraries: Sequence[Library], console: Console
) -> Iterator[Figure]:
    """Parts and honest work again, without what unrelated libraries share: whether that pays."""
    for background in (False, True):
        found = rates(
            copies_measure.scored(
                libraries, copies_measure.honest_and_partial, background=background
            )
        )
        word = "with" if background else "without"
        console.print(f"parts alone, {word} a background: {_line(found)}")
        yield told(f"copies_python_parts_{word}_background", 0.0, found.at_zero)


def _beside(
    libraries: Sequence[Library], scored: Sequence[Scored], console: Console
) -> Iterator[Figure]:
    """What public tools make of a sample of the same pairs, and the guard of that sample."""
    sample = copies_tools.sample(libraries)
    own = {(it.target, it.name): it for it in scored}
    ours = [own[it.target, it.name] for it in sample if (it.target, it.name) in own]
    table = Table(
        "tool",
        "AUC",
        "AUC hard",
        "highest honest",
        "at zero",
        "at one %",
        "ms a pair",
        title=f"a sample: {len(sample)} pairs of {len({it.target for it in sample})} targets",
    )
    table.add_row("copy guard", *_cells(rates(ours)), "")
    yield told("copies_sample_guard_at_zero", 0.0, rates(ours).at_zero)
    for tool in copies_tools.TOOLS:
        answer = tool.run(sample, libraries)
        if isinstance(answer, str):
            table.add_row(tool.name, f"not available: {answer}")
            continue
        found = rates(answer.scored)
        table.add_row(tool.name, *_cells(found), f"{answer.pair_ms:.1f}")
        name = f"copies_sample_{tool.name.partition(' ')[0].lower()}_at_zero"
        yield told(name, answer.pair_ms / 1e3, found.at_zero)
    console.print(table)


def _cells(found: Rates) -> list[str]:
    numbers = (found.auc, found.auc_hard, found.highest, found.at_zero, found.at_one)
    return [_number(it) for it in numbers]


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _line(found: Rates) -> str:
    first, second = found.thresholds
    return (
        f"AUC {found.auc:.4f}, hard {found.auc_hard:.4f}; highest honest {found.highest:.3f}; "
        f"at zero {found.at_zero:.4f}, at one in a hundred {found.at_one:.4f}; by halves "
        f"{found.by_halves:.4f} with {found.false_alarms:.5f} false alarms at {first:.3f} and "
        f"{second:.3f}; {found.copies} copies, {found.honest} honest pairs"
    )


def _table(language: str, found: Rates, kinds: Sequence[KindRates]) -> Table:
    table = Table(
        "disguise",
        "copies",
        "lowest",
        "median",
        "at zero",
        "at one %",
        "by halves",
        "reviewed",
        "flagged",
        title=f"{language}: {_line(found)}",
    )
    for it in kinds:
        numbers = (it.lowest, it.middle, it.at_zero, it.at_one, it.by_halves)
        shares = (it.reviewed, it.flagged)
        table.add_row(it.kind, str(it.copies), *map(_number, chain(numbers, shares)))
    return table


def _about(libraries: Sequence[Library], scored: Sequence[Scored]) -> str:
    """Say what the corpus is, what honest work is most alike, and what is not scored."""
    honest = [it for it in scored if it.label == HONEST]
    hard = [it for it in honest if it.kind in HARD]
    top = sorted(honest, key=lambda it: -it.score)[:_SHOWN]
    told_of = [it for it in scored if it.label == RELATED]
    small = sorted({it.target for it in scored if not it.judged})
    marked = [it for it in honest if it.level in ("review", "copy")]
    copied = {it.target for it in scored if it.label == COPY}
    lines = [
        f"{len(libraries)} packages, {len(copied)} of them copied; {len(honest)} honest pairs, {len(hard)} of them hard",
        f"honest work that the guard's defaults would have reviewed or flagged: {len(marked)}",
        "most alike: "
        + "; ".join(f"{it.score:.3f} {it.kind} {it.target} - {it.name}" for it in top),
    ]
    if told_of:
        pairs = (f"{it.score:.3f} {it.target} - {it.name}" for it in told_of)
        lines.append(f"related by descent, not scored: {'; '.join(pairs)}")
    if small:
        lines.append(f"too small to judge: {', '.join(small)}")
    return "\n".join(lines)
