"""The command line: one module a noun, imported when its command is called.

Exit codes: 0 done; 1 graded, and a wanted ship bar not met; 2 the caller's
mistake; 3 the machine's; 130 and 143 stopped by an interrupt or a signal, after
what was made is removed. Results go to standard output, everything said about the
work to standard error.
"""

import signal
import sys
import traceback
from importlib import import_module
from types import FrameType

import click
from click.shell_completion import CompletionItem

from shipbar import __version__
from shipbar.cli.text import printable
from shipbar.errors import ProblemsError, ShipbarError, UserError

COMMANDS = {
    "accept": "shipbar.cli.accept:accept_command",
    "build": "shipbar.cli.build:build",
    "canary": "shipbar.cli.canary:canary",
    "deliver": "shipbar.cli.deliver:deliver_command",
    "doctor": "shipbar.cli.doctor:doctor",
    "families": "shipbar.cli.families:families",
    "grade": "shipbar.cli.grade:grade",
    "image": "shipbar.cli.image:image",
    "key": "shipbar.cli.key:key",
    "ledger": "shipbar.cli.ledger:ledger",
    "new": "shipbar.cli.new:new",
    "receipt": "shipbar.cli.receipt:receipt",
    "review": "shipbar.cli.review:review",
    "show": "shipbar.cli.show:show",
    "similarity": "shipbar.cli.similarity:similarity",
    "status": "shipbar.cli.status:status",
    "suite": "shipbar.cli.suite:suite",
    "task": "shipbar.cli.task:task",
    "upstream": "shipbar.cli.upstream:upstream",
    "verify": "shipbar.cli.verify:verify",
}
"""Each command and where it lives; only the one that is called is imported."""

SUMMARIES = {
    "accept": "Measure a delivery, and sign what of it is accepted.",
    "build": "Build tasks from a family, or the reference tranche.",
    "canary": "Find out whether tasks are in a training set or any other files.",
    "deliver": "Deliver tasks to a client: two signed bundles.",
    "doctor": "Say what this machine can do, and what to change where it cannot.",
    "families": "List the families, or describe one.",
    "grade": "Grade a submission, or many, against a task.",
    "image": "Build, check and load the images of tasks.",
    "key": "Make the keys that sign receipts and reviews, and show them.",
    "ledger": "Record what was made and delivered, and look it up.",
    "new": "Make a task folder that passes its own checks.",
    "receipt": "Check receipts of gates, show them, or do the same again.",
    "review": "Sign a task's review, or show who signed.",
    "show": "Show the card of a task that was built from a family.",
    "similarity": "Say how alike two packages are, or the submissions of a batch.",
    "status": "Say how far the tasks of a folder are, and what to do next.",
    "suite": "Check or regenerate a task's held-out suite.",
    "task": "Check a task folder.",
    "upstream": "Fetch the pinned libraries of mutated families.",
    "verify": "Take tasks through the gates, and print what each found.",
}
"""One line a command, so that help imports none of them."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's
        """Return the commands' names."""
        return sorted(COMMANDS)

    def get_command(  # the first argument is click's
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        """Import the command of that name."""
        where = COMMANDS.get(cmd_name)
        if where is None:
            return None
        module, _, attribute = where.partition(":")
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{where} is no command")
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, SUMMARIES[name]) for name in self.list_commands(ctx)]
            )

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the commands without importing them, and the options."""
        names = [
            CompletionItem(name, help=SUMMARIES[name])
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="shipbar")
def cli() -> None:
    """Make, prove and grade coding environments for reinforcement learning."""


def main() -> None:
    """Run the command line as a program."""
    signal.signal(signal.SIGTERM, _leave)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line; turn errors into a message and an exit code."""
    try:
        code = cli.main(arguments, prog_name="shipbar", standalone_mode=False)
    except click.ClickException as mistake:
        mistake.show()
        return UserError.exit_code
    except click.Abort:
        click.echo("shipbar: interrupted", err=True)
        return 128 + signal.SIGINT
    except ShipbarError as error:
        click.echo(printable(message(error)), err=True)
        return error.exit_code
    except Exception:  # noqa: BLE001  # the last boundary: a fault of ours has its own exit code
        click.echo(printable(traceback.format_exc()), err=True)
        click.echo(
            "shipbar: that is a fault of Shipbar's; nothing was scored", err=True
        )
        return ShipbarError.exit_code
    return code if isinstance(code, int) else 0


def _leave(number: int, _frame: FrameType | None) -> None:
    """End in good order when told to: what was made is removed on the way out."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def message(error: ShipbarError) -> str:
    """Return what to tell the caller of an error."""
    if isinstance(error, ProblemsError) and len(error.problems) > 1:
        return "\n".join(
            [
                f"shipbar: {len(error.problems)} problems in the {error.what}:",
                *error.problems,
            ]
        )
    return f"shipbar: {error}"
