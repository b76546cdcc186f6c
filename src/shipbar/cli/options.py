"""Options that several commands share."""

import click
from click.shell_completion import CompletionItem

from shipbar import wiring


def _sandboxes(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    known = [wiring.AUTO, *wiring.names("sandbox")]
    return [CompletionItem(name) for name in known if name.startswith(incomplete)]


SANDBOX = click.option(
    "--sandbox",
    default=wiring.AUTO,
    show_default=True,
    metavar="NAME",
    shell_complete=_sandboxes,
    help="Backend to use; auto takes the strongest that works here (see shipbar doctor).",
)
TASK = click.argument("task", type=click.Path(), metavar="TASK")
JSON = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON, and nothing else, on standard output.",
)
COPY_GUARD = click.option(
    "--copy-guard/--no-copy-guard",
    default=True,
    show_default=True,
    help="Compare what is graded with the task's reference and upstream.",
)
LEDGER = click.option(
    "--ledger",
    "where",
    metavar="FILE|URL",
    help="The ledger; by default SHIPBAR_LEDGER, or one file of this user's.",
)
