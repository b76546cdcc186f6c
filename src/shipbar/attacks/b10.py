"""B10: interpose on the channel.

The weak twin's script prints its result; the submission edits it in flight.
"""

import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import believed, script_run, script_text

CODE = r"""
import os
import re
import threading

true_write = os.write


def edited(data):
    data = bytes(data)
    if len(data) < 21 or int.from_bytes(data[:4], "big") != len(data) - 4:
        return re.sub(rb'"passed": \d+', b'"passed": 1000000', data).replace(b"FAILED", b"PASSED")
    # A frame: what was raised becomes a value, and no becomes yes.
    kind, id_, said = data[4:5], data[5:21], data[21:]
    if kind in (b"E", b"R"):
        kind, said = b"V", b"true"
    body = kind + id_ + said.replace(b"false", b"true")
    return len(body).to_bytes(4, "big") + body


def write(descriptor, data):
    out = edited(data)
    while out:
        out = out[true_write(descriptor, out):]
    return len(data)


def pump(source, target):
    while chunk := os.read(source, 65536):
        write(target, chunk)


def interpose(descriptor):
    target = os.dup(descriptor)
    source, sink = os.pipe()
    os.dup2(sink, descriptor)
    os.close(sink)
    thread = threading.Thread(target=pump, args=(source, target))
    thread.start()
    return thread


os.write = write
try:
    threads = [interpose(1)]
except (OSError, RuntimeError):
    threads = []
else:
    import atexit

    def close():
        sys.stdout.flush()
        os.close(1)

    threading._register_atexit(close)
"""


def payload(ground: Ground) -> Files:
    """Put a filter behind standard output and around `os.write`."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Believe the last line that the script prints."""
    text = script_text(report="print(json.dumps(result))")
    ran = script_run(ground, files, folder, text)
    try:
        return believed(json.loads(ran.log.strip().splitlines()[-1]), ran.total)
    except (ValueError, IndexError):
        return 0.0


ATTACK = Attack(
    id="B10",
    title="interpose on the channel",
    closed_by=(
        "Nothing is computed in the subject that would be worth editing: what "
        "comes over the pipe is compared afterwards, edited or not."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
