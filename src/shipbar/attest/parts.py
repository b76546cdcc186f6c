"""The digests of a task's parts, and how two sets of them differ.

A part is a file, whose digest is that of its bytes (`sha256sum` prints it), or a
folder, whose digest is over the paths and digests of its files, as that of a whole task
is. Every file of a task is in a part: what has no place of its own is in `other`, so
that no byte can change unseen.
"""

from collections.abc import Mapping

from shipbar.attest.receipt import WHOLE
from shipbar.errors import AttestationError
from shipbar.verdict import canonical, sha256

OTHER = "other"
"""The part of all files that belong to no other part."""


def part_digests(
    listing: Mapping[str, str], places: Mapping[str, str]
) -> dict[str, str]:
    """Return the digest of each part, of the rest, and of the whole.

    Args:
        listing: ``sha256:…`` of each file of the task, by its path.
        places: the path of each part, a file's or a folder's; what is not there is
            left out.
    """
    found, rest = {}, dict(listing)
    for part, place in places.items():
        inside = {
            path.removeprefix(place + "/"): digest
            for path, digest in listing.items()
            if path.startswith(place + "/")
        }
        if place in listing:
            found[part] = listing[place]
        elif inside:
            found[part] = sha256(canonical(inside))
        rest = {
            path: digest
            for path, digest in rest.items()
            if path != place and not path.startswith(place + "/")
        }
    if rest:
        found[OTHER] = sha256(canonical(rest))
    return {WHOLE: sha256(canonical(listing)), **found}


def held_to(recorded: Mapping[str, str], found: Mapping[str, str], where: str) -> None:
    """Hold a task's digests to recorded ones.

    Args:
        recorded: what was signed.
        found: what the task's are now.
        where: what the message begins with.

    Raises:
        AttestationError: a part differs; names each such part and both its digests.
    """
    names = [name for name in sorted(recorded.keys() | found.keys()) if name != WHOLE]
    lines = [
        f"  {name}: signed {recorded.get(name, 'as not there')}, found {found.get(name, 'not there')}"
        for name in [*names, WHOLE]
        if recorded.get(name) != found.get(name)
    ]
    if lines:
        raise AttestationError(
            "\n".join([f"{where}: the task is not the one that was signed:", *lines])
        )
