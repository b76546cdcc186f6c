"""`shipbar doctor`: what this machine can do."""

import json
import platform
import sys

import click

from shipbar import __version__, config, wiring
from shipbar.cli.options import JSON
from shipbar.errors import SandboxError
from shipbar.ports import Availability


@click.command()
@JSON
def doctor(as_json: bool) -> None:  # noqa: FBT001  # click passes it by name
    """Say what this machine can do, and what to change where it cannot.

    Tries each sandbox for real, from the strongest to the weakest. Exits with 3
    if none works: there is no grading without one.
    """
    settings = config.current()
    found = [
        (name, wiring.try_sandbox(name, settings).found)
        for name in wiring.names("sandbox")
    ]
    first = next((name for name, tried in found if tried.works), None)
    if first is None:
        wiring.forget(settings)
    else:
        wiring.remember(first, settings)
    if as_json:
        click.echo(json.dumps(_facts(found, first, settings), indent=2))
    else:
        click.echo("\n".join(_lines(found, first, settings)))
    if first is None:
        raise SandboxError(
            "no sandbox works on this machine; install or change one of the above"
        )


Found = list[tuple[str, Availability]]


def _facts(
    found: Found, first: str | None, settings: config.Config
) -> dict[str, object]:
    return {
        "shipbar": __version__,
        "python": platform.python_version(),
        "interpreter": sys.executable,
        "kernel": platform.release(),
        "machine": platform.machine(),
        "cache": str(settings.cache),
        "work": str(settings.work),
        "auto": first,
        "sandboxes": [
            {
                "name": name,
                "works": tried.works,
                "detail": tried.detail,
                "remedy": tried.remedy,
                "lacks": list(tried.lacks),
            }
            for name, tried in found
        ],
    }


def _lines(found: Found, first: str | None, settings: config.Config) -> list[str]:
    lines = [
        f"shipbar {__version__}, Python {platform.python_version()}, Linux {platform.release()} {platform.machine()}",
        f"cache {settings.cache}, work {settings.work}",
        "",
    ]
    for name, tried in found:
        word = "works" if tried.works else "does not work"
        chosen = " (auto takes this one)" if name == first else ""
        lines.append(f"{name}: {word}{chosen}")
        lines.append(f"    {tried.detail}")
        if tried.works:
            lines += [f"    lacks: {what}" for what in tried.lacks]
        else:
            lines.append(f"    to mend: {tried.remedy}")
    return lines
