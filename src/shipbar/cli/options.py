"""Options that several commands share."""

import click

from shipbar.wiring import AUTO

SANDBOX = click.option(
    "--sandbox",
    default=AUTO,
    show_default=True,
    metavar="NAME",
    help="Backend to use; auto takes the strongest that works here (see shipbar doctor).",
)
TASK = click.argument("task", type=click.Path(), metavar="TASK")
JSON = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON, and nothing else, on standard output.",
)
