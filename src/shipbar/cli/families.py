"""`shipbar families`: what tasks can be made from."""

import json

import click

from shipbar import wiring
from shipbar.building.family import Family
from shipbar.building.rules import LEAST_DISTANCE, MOST_CAPACITY, SPLIT_DISTANCE
from shipbar.cli.options import JSON
from shipbar.errors import UserError


@click.command()
@click.argument("name", required=False)
@JSON
def families(name: str | None, *, as_json: bool) -> None:
    """List the families, or describe the one called NAME.

    Capacity is how many selections a greedy search finds that lie pairwise at
    least three, or four, axes apart: a floor for what the family holds. Counting
    stops at 1000, told as 1000+. A package's family that cannot be loaded is told
    at the end, with exit code 2.
    """
    found, broken = ([wiring.family(name)], []) if name else wiring.families()
    if as_json:
        click.echo(json.dumps([_facts(family) for family in found], indent=2))
    elif name:
        click.echo("\n".join(_described(found[0])))
    else:
        for family in found:
            click.echo(
                f"{family.name:<22} {family.task_class:<9} {len(family.axes):>2} axes  "
                f"{family.count:>3} assertions  capacity {_capacity(family, LEAST_DISTANCE):>5}  {family.title}"
            )
    if broken:
        raise UserError("\n".join(map(str, broken)))


def _capacity(family: Family, apart: int) -> str:
    """Say how much a family holds, and where counting ended rather than the family."""
    found = family.space.capacity(apart)
    return f"{found}+" if found == MOST_CAPACITY else str(found)


def _facts(family: Family) -> dict[str, object]:
    pin = family.upstream
    return {
        "name": family.name,
        "class": family.task_class,
        "title": family.title,
        "assertions": family.count,
        "capacity": {
            str(d): family.space.capacity(d) for d in (LEAST_DISTANCE, SPLIT_DISTANCE)
        },
        "capacity_counted_to": MOST_CAPACITY,
        "axes": [
            {
                "id": axis.id,
                "question": axis.question,
                "values": [value.id for value in axis.values],
                "remembered": axis.remembered,
            }
            for axis in family.axes
        ],
        "surface": [
            {"role": role.id, "kind": role.kind, "about": role.about}
            for role in family.roles
        ],
        "constraints": [constraint.why for constraint in family.constraints],
        "upstream": None
        if pin is None
        else {"name": pin.name, "version": pin.version, "licence": pin.licence},
    }


def _described(family: Family) -> list[str]:
    pin = family.upstream
    lines = [
        f"{family.name} ({family.task_class}): {family.title}",
        f"upstream: {f'{pin.name} {pin.version} ({pin.licence})' if pin else 'none'}",
        f"assertions: {family.count}",
    ]
    lines += [
        f"capacity {d} axes apart: {_capacity(family, d)}"
        for d in (LEAST_DISTANCE, SPLIT_DISTANCE)
    ]
    lines += ["", "axes (the remembered value first):"]
    for axis in family.axes:
        lines.append(f"  {axis.id}: {axis.question}")
        lines.append(f"      {', '.join([axis.remembered, *axis.others])}")
    lines += ["", "surface:"]
    lines += [f"  {role.id} ({role.kind}): {role.about}" for role in family.roles]
    if family.constraints:
        lines += ["", "constraints:", *(f"  {item.why}" for item in family.constraints)]
    return lines
