"""The corpus as a table of the manual."""

from itertools import groupby

from shipbar.attacks import Attack, NotApplicable, corpus

GROUPS = {
    "A": "Test-runner hijack",
    "B": "Result forgery",
    "C": "In-process tampering",
    "D": "Values that lie",
    "E": "Reading the expectations",
    "F": "Import-path and package shadowing",
    "G": "Bytecode, caches and persistence",
    "I": "Dependency, build and oracle delegation",
    "J": "Accounting: what counts as a pass",
    "K": "Resource games",
    "L": "Network, IPC and host",
    "M": "Special-casing and weak oracles",
    "N": "Specific to a split judge",
    "P": "Copying a leaked or upstream solution",
}


def table() -> str:
    """Return the corpus as Markdown: a heading and a table for each group."""
    return "\n\n".join(
        "\n".join(
            [
                f"### {letter}. {GROUPS[letter]}",
                "",
                "| id | mechanism | tried | what closes it, or why it is not tried |",
                "|---|---|---|---|",
                *map(_row, attacks),
            ]
        )
        for letter, attacks in groupby(corpus(), key=lambda attack: attack.id[0])
    )


def counts() -> str:
    """Return how many mechanisms there are, and how many of them are tried, as a sentence."""
    known = corpus()
    tried = sum(isinstance(attack, Attack) for attack in known)
    return f"{len(known)} mechanisms, {tried} of them tried."


def _row(attack: Attack | NotApplicable) -> str:
    if isinstance(attack, Attack):
        cells = (attack.id, attack.title, "yes", attack.closed_by)
    else:
        cells = (attack.id, attack.title, "no", attack.why)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
