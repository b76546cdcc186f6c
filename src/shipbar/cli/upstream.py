"""`shipbar upstream`: the pinned libraries of mutated families."""

import click

from shipbar import config, wiring
from shipbar.building.family import Upstream
from shipbar.building.upstream import fetch
from shipbar.errors import SeamError, UnknownNameError
from shipbar.grading.upstream import NotFetchedError, cached


@click.group()
def upstream() -> None:
    """Fetch the pinned libraries of mutated families, and say which are there."""


@upstream.command(name="fetch")
@click.argument("names", nargs=-1)
def fetch_command(names: tuple[str, ...]) -> None:
    """Bring pinned sdists into the cache; all of them, or those NAMES.

    Each is checked by size and sha256, and nothing else is taken. Every other
    command works offline from the cache.
    """
    settings = config.current()
    failures = []
    for pin in _pins(names):
        # One that cannot be had is no reason to leave out the others.
        try:
            path = fetch(pin, settings.cache, settings.inherited)
        except SeamError as why:
            failures.append(str(why))
        else:
            click.echo(f"{pin.name} {pin.version}: {path}")
    if failures:
        raise SeamError("\n".join(failures))


@upstream.command(name="list")
def list_command() -> None:
    """Say which pinned sdists are in the cache.

    Ends with exit code 3 if one that is there is not the pinned file.
    """
    settings = config.current()
    damaged = []
    for pin in _pins(()):
        try:
            state = str(cached(pin, settings.cache))
        except NotFetchedError:
            state = f"not fetched; run `shipbar upstream fetch {pin.name}`"
        except SeamError as why:
            state = "not the pinned file"
            damaged.append(str(why))
        click.echo(f"{pin.name} {pin.version} ({pin.licence}): {state}")
    if damaged:
        raise SeamError("\n".join(damaged))


def _pins(names: tuple[str, ...]) -> list[Upstream]:
    found, broken = wiring.families()
    for why in broken:
        click.echo(f"left out: {why}", err=True)
    known = {it.upstream.name: it.upstream for it in found if it.upstream is not None}
    for name in names:
        if name not in known:
            raise UnknownNameError("upstream", name, sorted(known))
    return [known[name] for name in names or sorted(known)]
