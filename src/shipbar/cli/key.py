"""`shipbar key`: the keys that receipts and reviews are signed with."""

import json
from pathlib import Path

import click

from shipbar import config
from shipbar.attest import keys
from shipbar.cli.options import JSON
from shipbar.errors import UserError


@click.group()
def key() -> None:
    """Make the keys that sign receipts and reviews, and show them."""


@key.command()
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File for the private half, instead of a NAME in the folder of keys.",
)
def new(name: str | None, output: Path | None) -> None:
    """Make a key called NAME, which is `default` where nothing else is said.

    Writes two files: the private half, which only you may read, and beside it the
    public half, ending in .pub, to be given to whoever checks what you sign. Never
    overwrites a key.
    """
    if name is not None and output is not None:
        raise UserError("NAME and --output: expected one of them")
    if name is not None and "/" in name:
        raise UserError(f"key {name!r}: expected a name; --output takes a path")
    path = output or keys.private_path(config.current().keys, name or keys.DEFAULT)
    made = keys.make(path)
    click.echo(f"private half: {made.path}")
    click.echo(f"public half:  {made.path}{keys.PUBLIC}")
    click.echo(f"key id:       {made.id}")


@key.command()
@click.argument("name", required=False, metavar="[NAME|FILE]")
@JSON
def show(name: str | None, *, as_json: bool) -> None:
    """Show the keys in the folder of keys: your own, and those that you trust.

    With a NAME, or the path of a private or a public half, shows that key and its
    public half. To trust somebody, put their public half into the folder.
    """
    folder = config.current().keys
    found = [_public(folder, name)] if name else keys.known(folder)
    if as_json:
        facts = [
            {"name": it.name, "id": it.key.keyid, "public": keys.public_text(it.key)}
            for it in found
        ]
        click.echo(json.dumps(facts, indent=2))
        return
    if not found:
        raise UserError(
            f"no keys in {folder}; make one with `shipbar key new`, or put the public half of one that you trust there"
        )
    if not name:
        click.echo(f"keys in {folder}:", err=True)
    for it in found:
        click.echo(f"{it.key.keyid}  {it.name}")
        if name:
            click.echo(keys.public_text(it.key), nl=False)


def _public(folder: Path, name: str) -> keys.Named:
    """The public half of a key that is named, by either of its files."""
    if name.endswith(keys.PUBLIC):
        path = Path(name)
        return keys.load_public(path if "/" in name or path.exists() else folder / name)
    own = keys.private_path(folder, name)
    if own.exists():
        return keys.Named(name=own.name, key=keys.load(own).signer.public_key)
    return keys.load_public(own.with_name(own.name + keys.PUBLIC))
