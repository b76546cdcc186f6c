"""`shipbar similarity`: how alike two packages are, and who copied from whom in a batch."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import click

from shipbar import config
from shipbar.cli.many import submissions
from shipbar.cli.options import JSON
from shipbar.cli.pages import write_whole
from shipbar.cli.text import printable
from shipbar.errors import IntakeError, UserError
from shipbar.similarity import (
    Comparison,
    Fingerprint,
    Guarded,
    Matrix,
    Region,
    Source,
    compare,
    fingerprint,
    guarded,
    matrix,
    read_package,
    regions,
)
from shipbar.similarity.base import Base
from shipbar.similarity.pages import (
    Compared,
    evidence_page,
    heat_names,
    heat_of,
    matrix_page,
    rows,
)

PAIR = "pair"
MOST_LINES = 30
"""Of one region on a terminal; a page shows all."""
_NARROW, _WIDE = 80, 200
_SHADES = " .:-=+*#%@"
_MOST_HEAT = 40
_MOST_PAIRS = 20

_AGAINST = click.option(
    "--against",
    metavar="TASK",
    type=click.Path(path_type=Path),
    help="A task: compare with its reference and upstream; what its specification dictates counts nowhere.",
)
_INDEPENDENT = click.option(
    "--independent",
    metavar="PATH",
    type=click.Path(path_type=Path),
    multiple=True,
    help="With --against: another implementation of the task; what it has counts nowhere.",
)
_HTML = click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write a page to this file too.",
)


class PairByDefault(click.Group):
    """A group that takes two paths where no command's name stands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the hidden command's name before what is not a command's."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = [PAIR, *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show both forms."""
        formatter.write_usage(ctx.command_path, "CANDIDATE [SOURCE] [OPTIONS]")
        formatter.write_usage(ctx.command_path, "matrix DIR [OPTIONS]")


@click.group(cls=PairByDefault)
def similarity() -> None:
    """Say how alike two packages are, and show what is the same.

    CANDIDATE and SOURCE are source files, folders, tars or wheels; SOURCE can be left
    out where --against names a task. `matrix` compares all submissions of a folder
    with each other. Options of the first form: --against, --independent, --html,
    --json; see `shipbar similarity pair --help`.
    """


@similarity.command(PAIR, hidden=True)
@click.argument("candidate", type=click.Path(path_type=Path))
@click.argument("source", type=click.Path(path_type=Path), required=False)
@_AGAINST
@_INDEPENDENT
@_HTML
@JSON
def pair(
    candidate: Path,
    source: Path | None,
    *,
    against: Path | None,
    independent: tuple[Path, ...],
    page: Path | None,
    as_json: bool,
) -> None:
    """Compare CANDIDATE with SOURCE, or with the sources of a task."""
    guard = _guard(against, independent)
    sources = list(guard.sources)
    if source is not None:
        package = read_package(source)
        sources.insert(
            0,
            Source(
                print=fingerprint(package, str(source), as_source=True), package=package
            ),
        )
    if not sources:
        raise UserError(
            "nothing to compare with: name a second package, or a task with --against"
        )
    package = read_package(candidate)
    own = Source(print=fingerprint(package, str(candidate)), package=package)
    compared = [_compared(own, it, guard.base) for it in sources]
    remarks = [*guard.remarks, *own.print.remarks, *_base(guard.base)]
    if page is not None:
        _written(page, evidence_page(compared, remarks))
    if as_json:
        click.echo(json.dumps(_record(compared, remarks), sort_keys=True))
        return
    click.echo(printable("\n".join(_told(compared, remarks))))


@similarity.command("matrix")
@click.argument("folder", metavar="DIR", type=click.Path())
@_AGAINST
@_INDEPENDENT
@_HTML
@JSON
def batch(
    folder: str,
    *,
    against: Path | None,
    independent: tuple[Path, ...],
    page: Path | None,
    as_json: bool,
) -> None:
    """Compare all submissions in DIR with each other."""
    guard = _guard(against, independent)
    remarks = list(guard.remarks)
    prints = []
    for path in submissions(folder):
        name = Path(path).name
        try:
            prints.append(_light(fingerprint(read_package(path), name)))
        except IntakeError as cause:
            remarks.append(f"{name}: not compared: {cause}")
    found = matrix(prints, guard.base.grams)
    remarks += [f"{it.name}/{remark}" for it in prints for remark in it.remarks]
    if page is not None:
        _written(page, matrix_page(found, remarks))
    if as_json:
        record = {**attrs.asdict(found), "remarks": remarks}
        click.echo(json.dumps(record, sort_keys=True))
        return
    click.echo(printable("\n".join(_batch(found, remarks))))


def _guard(against: Path | None, independent: tuple[Path, ...]) -> Guarded:
    if against is not None:
        return guarded(against, config.current().cache, independent)
    if independent:
        raise UserError("--independent goes with --against: name the task too")
    return Guarded(sources=(), base=Base(), remarks=())


def _light(it: Fingerprint) -> Fingerprint:
    """Return a fingerprint without what only evidence needs."""
    return attrs.evolve(it, streams=(), token_streams=(), functions=())


def _compared(own: Source, source: Source, base: Base) -> Compared:
    return Compared(
        comparison=compare(own.print, source.print, base, source.thresholds),
        regions=regions((own.print, own.package), (source.print, source.package), base),
    )


def _base(base: Base) -> list[str]:
    said = []
    if base.learned:
        said.append(f"base material was learned from: {', '.join(base.learned)}")
    if base.set_aside:
        said.append(
            f"set aside, since they are like a source: {'; '.join(base.set_aside)}"
        )
    return said


def _written(page: Path, text: str) -> None:
    write_whole(page, text, "--html")
    click.echo(f"page written to {printable(str(page))}", err=True)


def _record(compared: Sequence[Compared], remarks: Sequence[str]) -> dict[str, Any]:
    return {
        "comparisons": [
            {
                **attrs.asdict(it.comparison),
                "flagged": it.comparison.flagged,
                "regions": [attrs.asdict(region) for region in it.regions],
            }
            for it in compared
        ],
        "remarks": list(remarks),
    }


def _told(compared: Sequence[Compared], remarks: Sequence[str]) -> Iterator[str]:
    for it in compared:
        yield from _scores(it.comparison)
    for it in compared:
        for number, region in enumerate(it.regions, 1):
            yield ""
            yield f"{it.comparison.source}, region {number} of {len(it.regions)}:"
            yield from _sides(region)
    if remarks:
        yield ""
        yield from (f"remark: {remark}" for remark in remarks)


def _scores(it: Comparison) -> Iterator[str]:
    yield f"{it.candidate} against {it.source}: {it.level.value}"
    yield (
        f"  score {it.score:.3f} by {it.basis.value}: {it.of_source:.3f} of the source "
        f"({it.source_grams} grams), {it.of_candidate:.3f} of the candidate ({it.candidate_grams} grams)"
    )
    yield (
        f"  {it.shared} grams shared, {it.excluded} left out as base material; "
        f"{it.whole:.3f} over all code"
    )
    yield from (f"  {reason}" for reason in it.reasons)
    for function in it.functions[:_MOST_PAIRS]:
        yield (
            f"  {function.share:4.0%} of {function.name} "
            f"({function.path}:{function.line}, {function.grams} grams)"
        )


def _sides(region: Region) -> Iterator[str]:
    width = min(max(shutil.get_terminal_size().columns, _NARROW), _WIDE)
    half = (width - 17) // 2
    how = "verbatim" if region.verbatim else "renamed"
    left, right = region.candidate, region.source
    yield (
        f"  {left.path}:{left.first}-{left.last} and {right.path}:{right.first}-{right.last}, "
        f"{region.symbols} symbols, {how}"
    )
    laid = list(rows(region))
    for row in laid[:MOST_LINES]:
        mark = "=" if row.same else "~"
        yield (
            f"  {_line(row.left_line)} {_cut(row.left, half)} {mark} "
            f"{_line(row.right_line)} {_cut(row.right, half)}"
        ).rstrip()
    if len(laid) > MOST_LINES:
        yield f"  and {len(laid) - MOST_LINES} lines more"


def _line(number: int | None) -> str:
    return f"{number:5}" if number is not None else " " * 5


def _cut(text: str, width: int) -> str:
    # Escaped before it is cut: what is shown for a control character has a width too.
    shown = printable(text)
    return f"{shown[: width - 1]}…" if len(shown) > width else shown.ljust(width)


def _batch(found: Matrix, remarks: Sequence[str]) -> Iterator[str]:
    yield (
        f"{len(found.names)} submissions, {len(found.pairs)} pairs alike, "
        f"{len(found.clusters)} clusters"
    )
    for number, cluster in enumerate(found.clusters, 1):
        yield f"  cluster {number}: {', '.join(cluster)}"
    for it in found.pairs[:_MOST_PAIRS]:
        yield f"  {it.score:.3f}  {it.one}  {it.other}  ({it.shared} grams)"
    if len(found.pairs) > _MOST_PAIRS:
        yield f"  and {len(found.pairs) - _MOST_PAIRS} pairs more"
    yield from _heat(found)
    if found.common:
        yield f"{found.common} grams that more than half of the batch has were left out"
    if found.mostly_common:
        yield f"nearly all common code: {', '.join(found.mostly_common)}"
    if found.too_small:
        yield f"too small to compare: {', '.join(found.too_small)}"
    yield from (f"remark: {remark}" for remark in remarks)


def _heat(found: Matrix) -> Iterator[str]:
    """Draw who is like whom, in shades from blank to `@`."""
    if not found.pairs:
        return
    names, heat = heat_names(found)[:_MOST_HEAT], heat_of(found)
    width = min(max(map(len, names)), _MOST_HEAT)
    yield ""
    for one in names:
        cells = (
            "\\" if one == other else _shade(heat.get((one, other), 0.0))
            for other in names
        )
        yield f"  {one[:width]:<{width}} {''.join(cells)}"
    yield ""


def _shade(score: float) -> str:
    return _SHADES[min(round(score * (len(_SHADES) - 1)), len(_SHADES) - 1)]
