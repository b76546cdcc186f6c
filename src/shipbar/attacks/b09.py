"""B09: write the result channel directly."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import RUNNER, with_code
from shipbar.attacks.weak import script_descriptor

CODE = f"""
import json
import os
import stat

{RUNNER}
result = dict.fromkeys(("passed", "total", "score", "reward"), 1_000_000)
line = (json.dumps(result) + chr(10)).encode()


def pipes():
    for descriptor in range(3, 256):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if not stat.S_ISDIR(mode) and not stat.S_ISCHR(mode):
            yield descriptor


def requests_of(frame):
    while frame is not None:
        if hasattr(frame.f_locals.get("requests"), "read"):
            return frame.f_locals["requests"], frame.f_locals.get("body", b"")
        frame = frame.f_back


def answer_all(serving, requests, body):
    \"\"\"Answer what was asked so far, and all that was sent ahead, by our own choice.\"\"\"
    import select
    guesses = ["true", "null", "0", '["list"]', '["str",""]']
    number = 0
    while True:
        kind, id_ = body[:1], body[1:17]
        said = b"V" if kind == b"C" else b"D"
        serving.say(said, id_, guesses[number % len(guesses)] if said == b"V" else "")
        number += 1
        if not requests.peek(4)[:4] and not select.select([requests], [], [], 0.1)[0]:
            break
        head = requests.read(4)
        if len(head) < 4:
            break
        body = requests.read(int.from_bytes(head, "big"))


serving = runner()
if serving is not None:
    answer_all(serving, *requests_of(sys._getframe()))
for descriptor in pipes():
    try:
        os.set_blocking(descriptor, False)
        os.write(descriptor, line)
    except OSError:
        pass
os._exit(0)
"""


def payload(ground: Ground) -> Files:
    """Write a fabricated result on every descriptor, in whatever protocol is found, and leave."""
    return with_code(ground, CODE)


ATTACK = Attack(
    id="B09",
    title="write the result channel directly",
    closed_by=(
        "The pipe carries values that the judge still has to compare; "
        "whoever writes it by themselves has to guess each one."
    ),
    payload=payload,
    twin=script_descriptor,
    level="harness",
)
