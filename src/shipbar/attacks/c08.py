"""C08: expectations are edited in memory."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import script_equals

CODE = """
import gc


class Any:
    __hash__ = object.__hash__

    def __eq__(self, other):
        return True


TEXT = "type('Any', (), {'__eq__': lambda *both: True})()"
WORDS = ("expect", "want", "answer", "golden", "truth", "literal")


def edited(value):
    return TEXT if isinstance(value, str) else Any()


def objects():
    \"\"\"All there are: a dict of plain values is known only by what holds it.\"\"\"
    for it in gc.get_objects():
        yield it
        if isinstance(it, list | tuple):
            yield from (inner for inner in tuple(it) if isinstance(inner, dict))


for it in objects():
    if isinstance(it, dict):
        for key in [key for key in it if isinstance(key, str) and key.startswith(WORDS)]:
            if not callable(it[key]):
                it[key] = edited(it[key])
        continue
    for name in WORDS:
        for attribute in (name, name + "ed", name + "ation"):
            try:
                object.__setattr__(it, attribute, edited(object.__getattribute__(it, attribute)))
            except Exception:
                pass
"""


def payload(ground: Ground) -> Files:
    """Overwrite whatever in memory looks like an expectation with what equals anything."""
    return with_code(ground, CODE)


ATTACK = Attack(
    id="C08",
    title="edit expectations in memory",
    closed_by=(
        "No expectation, and no test's name, is ever in the memory of the "
        "subject: only probes are sent."
    ),
    payload=payload,
    twin=script_equals,
    level="harness",
)
