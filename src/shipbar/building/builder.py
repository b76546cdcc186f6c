"""Builds a variant: draw, render, ask, select, prove, write.

What a variant is depends on its family, the seed and its place below the seed,
and on nothing else. A draw whose suite breaks a band is dropped and counted, and
the next one below the same seed is tried; nothing is repaired by hand.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from shipbar.building.bands import Bands, measure
from shipbar.building.examples import Specified, specify
from shipbar.building.family import Draw, Family, Probe
from shipbar.building.joining import AND, LONGEST, WIDTH, join
from shipbar.building.kills import kills_of
from shipbar.building.mutants import (
    Files,
    known_bads,
    ladder,
)
from shipbar.building.names import draw_names
from shipbar.building.observe import Observer, Pool
from shipbar.building.render import ADAPTER, render_package
from shipbar.building.rules import Rules, child_rng
from shipbar.building.select import Kills, Selector, ShortError
from shipbar.building.shares import probes_of_share, share_of, share_of_text
from shipbar.building.shown import Shown
from shipbar.building.suite import Parts, Variant, by_rule, contract_of, head_of
from shipbar.contract import Split
from shipbar.errors import UserError
from shipbar.grading.nulls import nulls
from shipbar.ports import Sandbox
from shipbar.sealed.compare import Raises

POOL_TIMES = 8
"""Probes that are asked for each assertion wanted."""
LEAST_POOL = 400
SPINE = "spine"
"""The rule of what every selection answers alike."""
TRIES = 8
"""Draws that are tried for one place below a seed."""


@attrs.frozen(kw_only=True)
class Order:
    """What to build."""

    family: Family
    """From which family."""
    seed: str
    """A secret; decides everything that is drawn."""
    place: int = 0
    """Which variant below the seed."""
    wanted: Rules = attrs.field(factory=dict)
    """Values that some axes must have."""
    count: int | None = None
    """Assertions; None is the family's own number."""
    split: Split = "train"
    """Where the task goes."""
    task_id: str | None = None
    """None is made from the names."""


@attrs.frozen(kw_only=True)
class Built:
    """A built variant, not yet written."""

    variant: Variant
    """What it is."""
    parts: Parts
    """What its folder holds."""
    bands: Bands
    """How the known-bads and the rest scored."""
    final: Pool
    """The chosen probes as a suite."""
    specified: Specified
    """The specification with its examples."""
    observer: Observer
    """Where packages of the variant are asked."""
    dropped: Mapping[str, int]
    """Probes that were dropped, and draws, with how many for each reason."""


class BandError(UserError):
    """A suite breaks a band that every task must keep."""


class Builder:
    """Builds variants in one sandbox."""

    def __init__(self, sandbox: Sandbox, work: Path) -> None:
        """Keep where packages are asked, and where their folders are made."""
        self._sandbox, self._work = sandbox, work

    def build(self, order: Order, rules: Rules) -> Built:
        """Build the variant of ``order`` with those rules.

        Raises:
            UserError: none of `TRIES` draws keeps every band; the last reason is told.
        """
        dropped: Counter[str] = Counter()
        failure: UserError | None = None
        for attempt in range(TRIES):
            try:
                built = self._attempt(order, rules, attempt)
            except (ShortError, BandError) as why:
                dropped[f"draw: {str(why).partition(':')[0]}"] += 1
                failure = why
            else:
                return attrs.evolve(built, dropped={**built.dropped, **dropped})
        raise UserError(
            f"family {order.family.name}: no draw keeps every band after {TRIES}: {failure}"
        ) from failure

    def _attempt(self, order: Order, rules: Rules, attempt: int) -> Built:
        path = (order.family.name, order.place, attempt)
        variant = _variant(order, rules, path)
        draw = variant.draw
        reference = render_package(order.family, draw)
        bad = known_bads(order.family, draw, reference)
        observer = Observer(
            contract=contract_of(variant, list(bad)),
            head=head_of(order.family, draw),
            sandbox=self._sandbox,
            work=self._work,
        )
        specified = specify(order.family, draw, observer, reference)
        drawn, dropped = _drawn(order, variant, path, specified)
        pool = observer.pool(reference, drawn)
        kills = kills_of(order.family, draw, observer, pool, (reference, bad))
        probes = _ordered(order.family, _chosen(variant.count, pool, kills))
        final = observer.pool(reference, probes)
        if len(final.probes) != variant.count:
            raise BandError("the chosen probes do not stand alone")
        bands = measure(order.family, draw, observer, final, bad, nulls(reference))
        if bands.broken:
            raise BandError("; ".join(bands.broken))
        parts = Parts(
            contract=observer.contract,
            specification=specified.text,
            probes=final.probes,
            suite=final.text,
            reference=reference,
            bad=bad,
            ladder=ladder(order.family, draw),
            adapter=_adapter(order.family, draw),
            record=_record(variant, final.probes, bands),
        )
        return Built(
            variant=variant,
            parts=parts,
            bands=bands,
            final=final,
            specified=specified,
            observer=observer,
            dropped={**dropped, **pool.dropped},
        )


def _drawn(
    order: Order, variant: Variant, path: tuple[str | int, ...], specified: Specified
) -> tuple[list[Probe], Counter[str]]:
    """Draw probes, without repeats and without what the specification shows."""
    most = max(LEAST_POOL, POOL_TIMES * variant.count)
    shown = Shown(specified.examples)
    seen: dict[tuple[str, str], Probe] = {}
    dropped: Counter[str] = Counter()
    share = share_of(order.seed, order.place)
    for probe in probes_of_share(order.family, variant.draw, order.seed, path, share):
        key = (probe.arrange.strip(), probe.expression.strip())
        if key in seen:
            dropped["repeated"] += 1
        elif shown.tells(probe):
            dropped["shown in the specification"] += 1
        else:
            seen[key] = probe
        if len(seen) >= most:
            break
    return list(seen.values()), dropped


def _variant(order: Order, rules: Rules, path: tuple[str | int, ...]) -> Variant:
    family = order.family
    # What names may not contain: the family's own words, and its upstream's.
    denied = {family.name, *(family.upstream.deny if family.upstream else ())}
    share = share_of(order.seed, order.place)
    names = draw_names(
        family.roles,
        child_rng(order.seed, *path, "names"),
        denied,
        lambda word: share_of_text(word) == share,
    )
    parameters = family.parameters(rules, child_rng(order.seed, *path, "parameters"))
    canary = (
        f"shipbar-canary-{child_rng(order.seed, *path, 'canary').getrandbits(128):032x}"
    )
    return Variant(
        family=family,
        draw=Draw(rules=rules, names=names, parameters=parameters),
        task_id=order.task_id or names["package"],
        split=order.split,
        canary=canary,
        count=order.count or family.count,
    )


def _chosen(count: int, pool: Pool, kills: Kills) -> list[Probe]:
    """Choose the suite's items, join some, and tag each with a rule that it tests."""
    selector = Selector(count, len(pool.probes), kills)
    chosen = selector.choose()
    joined = selector.companions(_joinable(pool), WIDTH)
    told: Counter[str] = Counter()
    asked = {item: [item, *joined.get(item, ())] for item in chosen}
    rules: dict[int, str] = {}
    for item, items in asked.items():
        rules[item] = _tested(pool.probes[item], items, kills, told)
        told[rules[item]] += 1
    # A rule left ordinary whose items all went to others is named beside one of those.
    for axis in sorted(kills.ordinary.keys() - told.keys()):
        hit = kills.ordinary[axis]
        for item, items in asked.items():
            if rules[item] not in kills.flips and not hit.isdisjoint(items):
                rules[item] += f"{AND}{axis}"
                break
    return [
        attrs.evolve(
            join([pool.probes[one] for one in items])
            if len(items) > 1
            else pool.probes[item],
            axis=rules[item],
        )
        for item, items in asked.items()
    ]


def _joinable(pool: Pool) -> frozenset[int]:
    """Items that may be asked with others: short, and answered by a value."""
    return frozenset(
        item
        for item, (probe, case) in enumerate(
            zip(pool.probes, pool.suite.cases, strict=True)
        )
        if not isinstance(case.expectation, Raises)
        and len(probe.expression) <= LONGEST // WIDTH
    )


def _tested(
    probe: Probe, items: Sequence[int], kills: Kills, told: Mapping[str, int]
) -> str:
    """The rule that an item tests: the author's if that decides it, else one that does.

    Of several ordinary rules it goes to the one that has fewest items so far.
    """
    turned = [axis for axis, hit in kills.flips.items() if items[0] in hit]
    if turned:
        return probe.axis if probe.axis in turned else turned[0]
    ordinary = [
        axis for axis, hit in kills.ordinary.items() if not hit.isdisjoint(items)
    ]
    return min(ordinary, key=lambda axis: told.get(axis, 0), default=SPINE)


def _ordered(family: Family, probes: Sequence[Probe]) -> list[Probe]:
    """By rule in the family's order, then as drawn."""
    place = {axis.id: number for number, axis in enumerate(family.axes)}
    return sorted(
        probes,
        key=lambda probe: place.get(probe.axis.partition(AND)[0], len(place)),
    )


def _adapter(family: Family, draw: Draw) -> Files:
    """The new surface over the genuine upstream, which inverts nothing."""
    if family.upstream is None:
        return {}
    return render_package(family, draw, family.space.memory, template=ADAPTER)


def _record(
    variant: Variant, probes: Sequence[Probe], bands: Bands
) -> dict[str, object]:
    upstream = variant.family.upstream
    return {
        "family": variant.family.name,
        "denied": sorted(upstream.deny if upstream else ()),
        "split": variant.split,
        "rules": dict(variant.draw.rules),
        "names": dict(variant.draw.names),
        "parameters": {
            key: repr(value) for key, value in variant.draw.parameters.items()
        },
        "assertions_by_rule": by_rule(probes),
        "scores": dict(bands.scores),
    }
