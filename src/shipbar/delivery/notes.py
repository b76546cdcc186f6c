"""What a buyer is told of a task: `TASK.md` in its folder of the grader bundle.

The task's own `TASK.md` is taken up section by section, and what is known only now is
added below each: where things lie in the bundles, what each gate found, and every known
way to game a grader with what came of it here and what closes it.
"""

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from shipbar.attacks import Attack, NotApplicable
from shipbar.attacks.table import GROUPS
from shipbar.attest.receipt import Receipt
from shipbar.bundles import paths
from shipbar.contract import Contract
from shipbar.delivery.proofs import Wanted
from shipbar.gates.card import LIMITATION
from shipbar.gates.standing import corpus_digest

SET_UP = "Set up"
BEHAVIOUR = "Expected behaviour"
GRADED = "How it is graded"
GAMED = "How it could be gamed, and what closes it"
LIMITS = "Limits"
LICENCE = "Licence"
_BREAK = "break"

Mechanisms = Sequence[Attack | NotApplicable]


def notes(
    own: str,
    contract: Contract,
    found: Sequence[tuple[Wanted, Receipt]],
    mechanisms: Mechanisms,
) -> bytes:
    """Return the notes.

    Args:
        own: the task's own `TASK.md`.
        contract: the task's.
        found: what each gate found, in the gates' order.
        mechanisms: the break corpus.
    """
    theirs = sections(own)
    intro = theirs.pop("", "")
    tried = next((it for gate, it in found if gate.name == _BREAK), None)
    ours = {
        SET_UP: _set_up(contract),
        BEHAVIOUR: _behaviour(contract),
        GRADED: _graded(contract, found),
        GAMED: _gamed(tried, mechanisms),
        LIMITS: _limits(contract),
        LICENCE: _licence(contract),
    }
    texts = [f"# {contract.task_id}", intro]
    for title in [*ours, *(it for it in theirs if it not in ours)]:
        body = "\n\n".join(filter(None, [theirs.get(title), ours.get(title)]))
        texts += [f"## {title}", body]
    return ("\n\n".join(filter(None, texts)) + "\n").encode()


def sections(text: str) -> dict[str, str]:
    """Return the sections of a page by their titles; what comes before the first is ``""``."""
    pieces = re.split(r"(?m)^## +(.+?)\s*$", text)
    head = re.sub(r"\A\s*# .*\n?", "", pieces[0])
    found = {"": head.strip()}
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        found[title] = body.strip()
    return found


def _set_up(contract: Contract) -> str:
    return _paragraph(f"""\
A solver starts with `{paths.specification(contract.task_id)}` of the solver bundle, or in
the solver image with `SPEC.md` in `/work`, and has nothing else of the task. It hands in a folder
with the package `{contract.import_name}`. The whole task is this folder and that
specification put together, which `shipbar accept` does before it runs anything.""")


def _behaviour(contract: Contract) -> str:
    symbols = ", ".join(f"`{name}`" for name in contract.public_symbols)
    return _paragraph(f"""\
`{contract.import_name}` has {symbols}. What they do, the specification says. One way to do
it is `{paths.PATCH}`: with it, `git apply` makes of a solver's starting tree what passes
every assertion.""")


def _graded(contract: Contract, found: Sequence[tuple[Wanted, Receipt]]) -> str:
    rows = [
        (gate.id, gate.title, receipt.status, receipt.cell) for gate, receipt in found
    ]
    how = _paragraph(f"""\
By {contract.grader.min_passed} assertions, one by one: the score is the share of them that
passed, and each either did or did not. Judge and submission are two processes. The judge
has the assertions; the submission runs in a sandbox without network, is asked one
expression at a time, and answers with plain data that the judge compares.""")
    table = _table(("gate", "what it proves", "outcome", "figure"), rows)
    where = f"The receipts of these are in `{paths.RECEIPTS}/{contract.task_id}/`."
    return "\n\n".join([how, table, where])


def _gamed(tried: Receipt | None, mechanisms: Mechanisms) -> str:
    if tried is None:
        return "Nothing was tried: there is no receipt of the gate that does."
    figures = tried.figures
    same = tried.parameters.get("corpus") == corpus_digest()
    rows = [_row(it, figures, same=same) for it in mechanisms]
    table = _table(
        ("", "mechanism", "here", "what closes it, or why it is not tried"), rows
    )
    groups = "; ".join(f"{letter}: {title}" for letter, title in GROUPS.items())
    letters = _paragraph(f"By the first letter. {groups}.")
    return "\n\n".join([_summary(figures), table, letters])


def _summary(figures: Mapping[str, Any]) -> str:
    places = {
        "task": "on this task",
        "standing": "on a standing ground, since they depend on no task",
    }
    halves = [
        f"{figures[place]['valid']} {told}"
        for place, told in places.items()
        if place in figures
    ]
    wins = figures.get("successes", [])
    won = f"{', '.join(wins)} won" if wins else "none of them won anything"
    return _paragraph(f"""\
{figures.get("valid", 0)} known ways to score without implementing were tried,
{" and ".join(halves)}: {won} over what its honest part earns. Each is shown to fool a
weaker grader, or does not count.""")


def _row(
    it: Attack | NotApplicable, figures: Mapping[str, Any], *, same: bool
) -> tuple[str, ...]:
    if isinstance(it, NotApplicable):
        return it.id, it.title, "not tried", it.why
    if not same:
        # The receipt is of another state of the corpus: it may not have had this one.
        return it.id, it.title, "see the receipt", it.closed_by
    half = figures.get("task" if it.level == "task" else "standing", {})
    if it.id in figures.get("successes", []):
        outcome = "won"
    elif dead := half.get("not_valid", {}).get(it.id):
        outcome = f"does not count: {dead}"
    elif it.id in half.get("refused", []):
        outcome = "refused"
    elif lucky := half.get("by_chance", {}).get(it.id):
        outcome = f"at most {lucky} by chance"
    else:
        outcome = "won nothing"
    return it.id, it.title, outcome, it.closed_by


def _limits(contract: Contract) -> str:
    limits = contract.grader.limits
    processes = "process" if limits.processes == 1 else "processes"
    remembered = contract.known_bad_install[0].rpartition("/")[2]
    return _paragraph(f"""\
A grade may take {limits.wall_s:g} seconds, {limits.case_wall_s:g} of them for one case,
{limits.cpu_s:g} processor seconds, {limits.memory_mib} MiB, {limits.processes} {processes}
and {limits.output_kib} KiB of output. What memory alone writes may score at most
{contract.recall_ceiling:g}, which is measured with `{remembered}`. {LIMITATION}""")


def _licence(contract: Contract) -> str:
    pin = contract.upstream_sdist
    upstream = (
        ""
        if pin is None
        else f"It departs from {pin.name} {pin.version}, which is under {pin.licence}; nothing of that is in here."
    )
    return _paragraph(f"""\
What solvers see is under {contract.licence.solver}, all else of the task under
{contract.licence.grader}. {upstream} This text stands in the held-out half and nowhere
else, so that it can be looked for: `{contract.canary}`.""")


def _paragraph(text: str) -> str:
    return textwrap.fill(
        " ".join(text.split()), 88, break_long_words=False, break_on_hyphens=False
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(_cells(row) for row in [head, ["---"] * len(head), *rows])


def _cells(row: Sequence[str]) -> str:
    plain = (" ".join(it.split()).replace("|", "\\|") for it in row)
    return f"| {' | '.join(plain)} |"
