"""The break corpus: every known way to score without doing the work, one module each.

A module is named by its id in the catalogue of mechanisms and binds `ATTACK`.
Its payload is a submission made for the task at hand: an honest but poor
package (so that there is something to gain) with the trick on top. Its *weak
twin* is a small grader of the kind that the trick fools; it shows that the
payload is alive. A sealed grader must score the payload at no more than its
honest part. A mechanism that has no hold on this kind of task says why.
"""

from importlib import import_module
from pkgutil import iter_modules

from shipbar.attacks.base import Attack, Ground, NotApplicable

__all__ = ["Attack", "Ground", "NotApplicable", "corpus"]


def corpus() -> list[Attack | NotApplicable]:
    """Return every mechanism, by id."""
    found = [
        import_module(f"{__name__}.{module.name}").ATTACK
        for module in iter_modules(__path__)
        if module.name[1:].isdigit()
    ]
    return sorted(found, key=lambda attack: str(attack.id))
