"""B01: forged status lines on standard output."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import FORGE, with_code
from shipbar.attacks.weak import by_log

CODE = f"""
import atexit

{FORGE}
atexit.register(forge)
"""


def payload(ground: Ground) -> Files:
    """Print, when the process ends and capture is over, that every test there is has passed."""
    return with_code(ground, CODE)


ATTACK = Attack(
    id="B01",
    title="forged status lines on stdout",
    closed_by=(
        "What a subject writes to its output streams goes nowhere, and on the pipe "
        "only values under the id that is due are taken; none of them says `passed`."
    ),
    payload=payload,
    twin=by_log,
    level="harness",
)
