"""A maker with proven tasks, a buyer with a key, and ways to cheat and to damage."""

import contextlib
import functools
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from shipbar import config, wiring
from shipbar.acceptance import measuring
from shipbar.acceptance.accepting import Done, Order, Watch, accept
from shipbar.acceptance.measuring import Bench, Work
from shipbar.acceptance.values import Result
from shipbar.attest import keys
from shipbar.attest.keys import Own
from shipbar.bundles import paths, reading
from shipbar.bundles.index import lines_text
from shipbar.bundles.manifest import File, Manifest
from shipbar.delivery.deliver import deliver
from shipbar.delivery.order import Order as Sale
from shipbar.delivery.proofs import Wanted
from shipbar.gates import Trial
from shipbar.gates.proving import prove
from shipbar.gates.receipts import Receipts
from shipbar.grading import workers
from shipbar.grading.tasks import load_task
from shipbar.oci import open_base
from shipbar.store.ledger import Ledger
from shipbar.verdict import sha256
from tests.cli import tiny
from tests.delivery import making
from tests.delivery.making import House
from tests.oci.places import small_base

GATES = ("reference", "plagiarist", "isolation", "agreement", "novelty")
"""Those that a task of four cases passes."""
OWN_LICENCE = "LicenseRef-Brevok"
TRANCHE = "first"
SALE = Sale(client="north-lab", tranche=TRANCHE, withhold=True)


def wanted() -> tuple[Wanted, ...]:
    """The gates, as whoever delivers asks for them."""
    return tuple(
        Wanted(id=it.id, name=it.name, version=it.version, title=it.title)
        for it in map(wiring.gate, GATES)
    )


def proven(
    house: House, tasks: list[Path], work: Path, cache: Path | None = None
) -> None:
    """Take tasks through the gates for real, as their maker does, and keep the receipts."""
    settings = config.current()
    mine = attrs.evolve(settings, cache=house.root / "cache", keys=house.root / "keys")
    (house.root / "cache").mkdir(exist_ok=True)
    loaded = [load_task(it) for it in tasks]
    for task in loaded:
        with Trial(
            task=task,
            sandbox=wiring.sandbox(wiring.AUTO, settings),
            work=work,
            cache=cache or settings.cache,
            others=tuple(it for it in loaded if it is not task),
        ) as trial:
            gates = [wiring.gate(name) for name in GATES]
            found = prove(trial, gates, Receipts(mine, copies=house.receipts))
            assert not found.failed, found.as_json()


def house(root: Path, work: Path) -> House:
    """Make two training tasks, one of them under a licence of its own, and one for evaluation; prove them."""
    own = keys.make(root / "keys" / "default")
    making.task(root / "tasks", "tally", number=1)
    brevok = making.task(root / "tasks", "brevok", number=2)
    contract = brevok / "task.toml"
    contract.write_text(
        contract.read_text().replace("LicenseRef-Shipbar-Grader", OWN_LICENCE)
    )
    making.task(root / "tasks", "helda", number=10, split="eval")
    tiny.write(root / "licences", {f"{OWN_LICENCE}.txt": "Ask first.\n"})
    small_base(root / "base")
    made = House(root=root, own=own)
    proven(made, made.tasks, work)
    return made


def sold(
    maker: House,
    target: Path,
    sale: Sale = SALE,
    *,
    images: bool = True,
    **changes: Any,
) -> Path:
    """Deliver what a house has; return the delivery."""
    sale = attrs.evolve(sale, licences=maker.root / "licences")
    if images:
        base = open_base(changes.pop("base", maker.root / "base"))
        sale = attrs.evolve(sale, images=("solver",), base=base)
    ledger = Ledger.open(str(target.with_suffix(".db")))
    deliver(
        sale,
        maker.tasks,
        target,
        maker.maker(gates=wanted(), ledger=ledger, **changes),
    )
    return target


@contextlib.contextmanager
def _opened(
    own: Own,
    trusted: tuple[keys.Named, ...],
    cache: Path | None,
    gates: tuple[str, ...],
    work: Work,
) -> Iterator[Callable[[str], Result]]:
    settings = config.current()
    bench = Bench(
        gates=[wiring.gate(name) for name in gates],
        sandbox=wiring.sandbox(wiring.AUTO, settings),
        backends=(),
        own=own,
        trusted=[it.key for it in trusted],
        work=settings.work,
        cache=cache or settings.cache,
    )
    with measuring.at(work, bench, workers.tell) as measured:
        yield measured


def inline(paths_, *, jobs, opener, lost, heard=lambda path, word: None):
    """Do in this process what `workers.each` does in others."""
    with opener() as result_of:
        for path in paths_:
            yield result_of(path)


@attrs.frozen(kw_only=True)
class Buyer:
    """Somebody with a key, who knows the maker's."""

    root: Path
    """Where the reports go."""
    own: Own
    """The buyer's key."""
    maker: Path
    """The maker's public key."""

    def accept(
        self,
        delivery: Path,
        report: str = "report",
        *,
        cache: Path | None = None,
        gates: tuple[str, ...] = GATES,
        **changes: Any,
    ) -> Done:
        """Accept a delivery."""
        trusted = (keys.load_public(self.maker),)
        order = Order(
            delivery=delivery,
            report=self.root / report,
            keys=[it.key for it in trusted],
            own=self.own,
            sandbox="auto",
        )
        opener = functools.partial(_opened, self.own, trusted, cache, gates)
        return accept(
            attrs.evolve(order, **changes),
            lambda work: functools.partial(opener, work),
            Watch(),
        )


def outcomes(done: Done) -> dict[str, str]:
    """What came of every task that was not accepted."""
    return {it.task_id: it.outcome for it in done.told}


def reasons(done: Done, task_id: str) -> str:
    """Why a task was not accepted."""
    return next((it.reason for it in done.told if it.task_id == task_id), "")


# -- damage and deceit -------------------------------------------------------------------


def flip(path: Path, at: int | None = None) -> None:
    """Change one byte of a file, and not its length."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else at] ^= 1
    path.write_bytes(data)


def flip_line(path: Path, task_id: str) -> None:
    """Change one byte of a task's line."""
    data = path.read_bytes()
    flip(path, data.index(f'"task_id":"{task_id}"'.encode()) - 4)


def root(delivery: Path, kind: str) -> Path:
    """A bundle's folder."""
    return delivery / paths.root(TRANCHE, kind)


def resigned(
    delivery: Path,
    own: Own,
    files: Mapping[str, Mapping[str, bytes | None]] | None = None,
    lines: Mapping[str, Mapping[str, Callable[[bytes], bytes]]] | None = None,
    drop: tuple[str, ...] = (),
) -> Path:
    """Change files and lines of a delivery, by kind of bundle, and sign it all anew, as only its maker can."""
    solver = None
    for kind in paths.KINDS:
        where = root(delivery, kind)
        manifest = Manifest.parse((where / paths.MANIFEST).read_bytes(), "here")
        its = dict(manifest.files)
        for path, data in (files or {}).get(kind, {}).items():
            if data is None:
                (where / path).unlink()
                del its[path]
                continue
            (where / path).parent.mkdir(parents=True, exist_ok=True)
            (where / path).write_bytes(data)
            its[path] = File.of(data)
        text = _lines(where, (lines or {}).get(kind, {}))
        text = {task_id: line for task_id, line in text.items() if task_id not in drop}
        (where / paths.INDEX).write_bytes(lines_text(text))
        its[paths.INDEX] = File.of(lines_text(text))
        manifest = attrs.evolve(
            manifest,
            files=its,
            tasks={task_id: sha256(line) for task_id, line in text.items()},
            solver=solver,
        )
        data = manifest.render()
        (where / paths.MANIFEST).write_bytes(data)
        (where / paths.SIGNATURE).write_bytes(manifest.sign(data, own.signer))
        solver = sha256(data)
    return delivery


def _lines(
    where: Path, changes: Mapping[str, Callable[[bytes], bytes]]
) -> dict[str, bytes]:
    found = {}
    for line in (where / paths.INDEX).read_bytes().splitlines():
        task_id = json.loads(line)["task_id"]
        found[task_id] = changes.get(task_id, lambda it: it)(line)
    return found


def bundle(delivery: Path, kind: str, own: Own) -> reading.Bundle:
    """Open a bundle."""
    return reading.open_bundle(root(delivery, kind), [own.signer.public_key])
