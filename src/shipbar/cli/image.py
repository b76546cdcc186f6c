"""`shipbar image`: images of tasks for solvers and graders, without a daemon."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shipbar import config
from shipbar.cli.options import JSON
from shipbar.cli.text import printable
from shipbar.cli.verify import tasks_in
from shipbar.config import Config
from shipbar.errors import UserError

if TYPE_CHECKING:
    from shipbar.oci import Base, Image, Layout

KINDS = ("solver", "grader")
LAYOUT = click.argument("layout", type=click.Path(path_type=Path), metavar="LAYOUT")
OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the layout; it must not be there yet.",
)


@click.group()
def image() -> None:
    """Build, check and load the images of tasks."""


@image.command()
@click.argument(
    "tasks", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="TASK…"
)
@OUTPUT
@click.option(
    "--kind",
    "kinds",
    default=",".join(KINDS),
    show_default=True,
    metavar="KIND,…",
    help="Kinds of image a task: solver, grader, or both.",
)
@click.option(
    "--base",
    metavar="PATH[@sha256:…]",
    help="What the images stand on: an OCI layout, and which image it must be. "
    "Else the least base that this machine's Python makes.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="NAME=TEXT",
    help="Label for every image; may be repeated.",
)
@click.option(
    "--with-upstream",
    is_flag=True,
    help="Put the pinned upstream of a mutated task into its grader's image; "
    "it must have been fetched.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that write at once.",
)
@JSON
def build(  # noqa: PLR0913  # one parameter an option
    tasks: tuple[Path, ...],
    *,
    output: Path,
    kinds: str,
    base: str | None,
    labels: tuple[str, ...],
    with_upstream: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Write images of each TASK as an OCI layout, and print their ids.

    TASK is a task, or a folder of tasks. The same task on the same base gives the same
    ids, on any machine and at any time. A solver's image holds SPEC.md, in /work,
    and nothing else of the task; a grader's holds the task and Shipbar.
    """
    from shipbar import oci  # noqa: PLC0415  # others need not wait for it

    folders = tasks_in(tasks)
    more = _labels(labels)
    layout = oci.build(
        folders,
        output,
        _base(base),
        kinds=_kinds(kinds),
        labels=dict.fromkeys(map(str, folders), more),
        upstreams=config.current().cache if with_upstream else None,
        jobs=jobs,
    )
    _show(layout.images, as_json=as_json)


@image.command()
@LAYOUT
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="TASK",
    help="Task, or folder of tasks, to build the images again from; may be repeated.",
)
@click.option(
    "--base",
    metavar="PATH[@sha256:…]",
    help="What the images must stand on.",
)
@JSON
def check(
    layout: Path, *, against: tuple[Path, ...], base: str | None, as_json: bool
) -> None:
    """Check the OCI layout at LAYOUT, and print the ids of its images.

    Every blob has its digest and size, nothing lies there that no image names, each
    layer of ours has the one form that we write, and a solver's holds the specification
    and nothing else. With --against, each image comes out the same when it is built
    again. Exits with 2 if anything is otherwise.
    """
    from shipbar import oci  # noqa: PLC0415  # others need not wait for it

    found = oci.Layout.open(layout)
    problems = oci.check(
        found,
        against=tasks_in(against) if against else (),
        base=oci.open_base(base) if base else None,
    )
    if as_json:
        images = [_as_json(it) for it in found.images]
        click.echo(json.dumps({"images": images, "problems": problems}, indent=2))
    else:
        count = len(problems)
        state = f"{count} problem{'s' * (count != 1)}" if count else "in order"
        click.echo(printable(f"{layout}: {len(found.images)} images, {state}"))
        for line in [f"problem: {it}" for it in problems] or map(_line, found.images):
            click.echo(printable(f"  {line}"))
    if problems:
        sys.exit(UserError.exit_code)


@image.command()
@LAYOUT
@click.option(
    "--engine",
    required=True,
    metavar="NAME",
    help="Where to: docker or podman.",
)
@click.option(
    "--image",
    "names",
    multiple=True,
    metavar="NAME",
    help="Image to load, by name or id; may be repeated. Else all of them.",
)
@JSON
def load(layout: Path, *, engine: str, names: tuple[str, ...], as_json: bool) -> None:
    """Load images of LAYOUT into an engine, and compare the ids that it reports.

    What the engine has already, under the same id, is not loaded again.
    """
    from shipbar import oci  # noqa: PLC0415  # others need not wait for it

    client = oci.Engine(name=engine, env=config.current().inherited)
    client.command()  # an engine that is not there is told before the layout is read
    loaded = oci.load(oci.Layout.open(layout), client, names)
    if as_json:
        told = [
            _as_json(it.image) | {"engine_id": it.id, "was_there": it.was_there}
            for it in loaded
        ]
        click.echo(json.dumps(told, indent=2))
        return
    for it in loaded:
        state = "was there" if it.was_there else "loaded"
        click.echo(printable(f"{it.image.reference} {state} as {it.id}"))


@image.command()
@OUTPUT
@click.option(
    "--debian",
    "suite",
    metavar="SUITE",
    help="Make it of Debian's packages by mmdebstrap, for a release such as bookworm. "
    "Else the least base that this machine's Python makes.",
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="URL|LINE",
    help="With --debian: a mirror, or a line of a sources.list; may be repeated. "
    "A dated archive or a pool of your own pins the packages.",
)
@click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="With --debian: one more package; may be repeated.",
)
@JSON
def base(
    *,
    output: Path,
    suite: str | None,
    sources: tuple[str, ...],
    packages: tuple[str, ...],
    as_json: bool,
) -> None:
    """Make a base for images, and print its ids."""
    from shipbar.oci import making  # noqa: PLC0415  # others need not wait for it

    if suite is None:
        if sources or packages:
            raise UserError("--source and --package go with --debian SUITE")
        layout = _write_least(output, config.current())
    else:
        every = (*making.PACKAGES, *packages)
        layout = making.debian(output, suite=suite, sources=sources, packages=every)
    _show(layout.images, as_json=as_json)


def _base(name: str | None) -> "Base":
    from shipbar import oci  # noqa: PLC0415  # others need not wait for it

    return least_base() if name is None else oci.open_base(name)


def least_base() -> "Base":
    """Open the least base of this machine's Python, made once and kept in the cache.

    Raises:
        SandboxError: this Python's files cannot be read, or the cache not written.
        SeamError: the base cannot be made.
    """
    from shipbar import oci  # noqa: PLC0415  # others need not wait for it
    from shipbar.oci import minimal  # noqa: PLC0415  # likewise
    from shipbar.sandboxes.runtime import runtime  # noqa: PLC0415  # likewise

    settings = config.current()
    key = runtime(settings.cache).root.name
    kept = settings.cache / "images" / f"base-{minimal.FORMAT}-{key}"
    if not kept.is_dir():
        kept.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write_least(kept, settings)
        except UserError:
            if not kept.is_dir():  # else somebody else made the same one meanwhile
                raise
    return oci.open_base(kept)


def _write_least(output: Path, settings: Config) -> "Layout":
    from shipbar.oci.making import write_base  # noqa: PLC0415  # others need not wait
    from shipbar.oci.minimal import minimal_entries  # noqa: PLC0415  # likewise
    from shipbar.sandboxes.runtime import runtime  # noqa: PLC0415  # likewise

    made = runtime(settings.cache)
    entries = minimal_entries(
        made.root, python=made.python, stdlib=made.stdlib, libraries=made.libraries
    )
    version = ".".join(map(str, sys.version_info[:3]))
    return write_base(
        output, entries, command=[made.python], made_by=f"shipbar: Python {version}"
    )


def _kinds(text: str) -> tuple[str, ...]:
    found = tuple(it.strip() for it in text.split(",") if it.strip())
    wrong = [it for it in found if it not in KINDS]
    if wrong or not found:
        raise UserError(
            f"--kind {text}: expected {KINDS[0]}, {KINDS[1]}, or both with a comma between them"
        )
    return found


def _labels(words: Sequence[str]) -> dict[str, str]:
    found = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not name or not sign or not word.isprintable():
            raise UserError(
                f"--label {word!r}: expected NAME=TEXT, in one line of text"
            )
        found[name] = text
    return found


def _show(images: "Sequence[Image]", *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([_as_json(it) for it in images], indent=2))
        return
    for it in images:
        click.echo(printable(_line(it)))


def _line(image: "Image") -> str:
    ids = f"config {image.config_digest} manifest {image.manifest_digest}"
    return f"{image.name} {ids}"


def _as_json(image: "Image") -> dict[str, Any]:
    return {
        "name": image.name,
        "kind": image.kind,
        "task": image.task,
        "reference": image.reference,
        "config": image.config_digest,
        "manifest": image.manifest_digest,
        "layers": [it.as_json() for it in image.layers],
    }
