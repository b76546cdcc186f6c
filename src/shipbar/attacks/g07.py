"""G07: a process that stays and changes files after the grader has restored them.

Where it may start no process it starts a thread. In a sandbox it stays until
it is killed; in a weak grader's folder until it is told to go, or for a few
seconds.
"""

import time
from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import HELPER_NAMES, MARKER, ROOTS, YES_MODULE, by_helper

_HERE, _GO = ".stays-here", ".go-away"
_STAY_S = 6.0
_PAUSE_S = 0.4
_END_S = 0.05
"""Seconds from the last thing that it does to its end."""

_DAEMON = """
import signal, threading, time

def tamper():
    for folder, _, files in walk():
        for name in files:
            if name in TARGETS:
                try:
                    with open(os.path.join(folder, name), "r+") as file:
                        if file.read() != YES:
                            file.seek(0)
                            file.truncate()
                            file.write(YES)
                except (OSError, ValueError):
                    pass

def stay(home):
    end = time.monotonic() + STAY_S
    while sealed() or time.monotonic() < end:
        if home and (os.path.exists(home + "/" + GO) or not os.path.isdir(home)):
            break
        tamper()
        time.sleep(0.005)
    if home and os.path.exists(home + "/" + HERE):
        os.unlink(home + "/" + HERE)

def daemon():
    home = None if sealed() else os.environ.get(MARKER)
    if not roots() or home and os.path.exists(home + "/" + HERE):
        return
    try:
        child = os.fork()
    except OSError:
        threading.Thread(target=stay, args=(home,), daemon=True).start()
        return
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if home:
        open(home + "/" + HERE, "w").close()
    try:
        stay(home)
    finally:
        os._exit(0)

daemon()
"""


def payload(ground: Ground) -> Files:
    """On import, leave a process that overwrites helpers and tests again and again."""
    targets = [f"{name}.py" for name in (*HELPER_NAMES, "conftest", "test_all")]
    names = f"TARGETS, YES, STAY_S = {targets!r}, {YES_MODULE!r}, {_STAY_S!r}\n"
    names += f"MARKER, HERE, GO = {MARKER!r}, {_HERE!r}, {_GO!r}\n"
    return tricks.with_code(ground, ROOTS + names + _DAEMON)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Import once to see that it works, restore the helper, prepare a little, then grade."""
    tree = weak.lay(files, folder / "tree")
    code = f"import sys; sys.path.insert(0, {str(tree)!r}); import {ground.import_name}"
    weak.run(weak.python("-c", code), folder, env={MARKER: str(folder)})
    try:
        return by_helper(ground, files, folder, home="support", pause_s=_PAUSE_S)
    finally:
        (folder / _GO).touch()
        end = time.monotonic() + _STAY_S
        while (folder / _HERE).exists() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(_END_S)


ATTACK = Attack(
    id="G07",
    title="a process that outlives its turn and tampers again",
    closed_by="A subject may start no process, and whatever it left is killed with its pid "
    "namespace; the judge's files are in no place that a subject can see.",
    payload=payload,
    twin=twin,
    level="harness",
)
