"""Builds a submission with pip inside the sandbox and hands the wheel out.

Arguments are `candidate=PATH`, the submitted tree, and `extra=PATH`, a folder
with pip, setuptools and wheel. One request starts the build; its answer is the
wheel's bytes, or pip's own words. Whatever a build script does to this process
only changes what it hands in.
"""

import os
import shutil
import sys

FRAME_HEAD = 4
ID_BYTES = 16
LOG = "/log"
LOG_BYTES = 20_000


def build(source: str, tools: str, home: str) -> str | None:
    """Return the wheel's path, or None after pip wrote to standard error."""
    sys.path.append(tools)
    os.environ["PYTHONPATH"] = (
        tools  # pip starts the build backend as a process of its own
    )
    tree, out = home + "/source", home + "/out"
    shutil.copytree(source, tree)
    from pip._internal.cli.main import main as pip  # noqa: PLC0415  # on the path only now

    words = [
        "wheel",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--no-cache-dir",
    ]
    words += [
        "--disable-pip-version-check",
        "--no-input",
        "--progress-bar",
        "off",
        "--wheel-dir",
        out,
        tree,
    ]
    if pip(words) != 0:
        return None
    return next(
        (out + "/" + name for name in sorted(os.listdir(out)) if name.endswith(".whl")),
        None,
    )


def say(answers: int, kind: bytes, id_: bytes, payload: bytes = b"") -> None:
    """Write one answer."""
    frame = memoryview(
        (1 + ID_BYTES + len(payload)).to_bytes(FRAME_HEAD, "big") + kind + id_ + payload
    )
    while frame:
        frame = frame[os.write(answers, frame) :]


def main() -> None:
    """Build once and end."""
    places = dict(word.split("=", 1) for word in sys.argv[1:])
    home = os.environ["HOME"]
    requests, answers = os.dup(0), os.dup(1)
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    log = os.open(home + LOG, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    say(answers, b"D", bytes(ID_BYTES))
    with open(requests, "rb") as stream:
        head = stream.read(FRAME_HEAD)
        body = stream.read(int.from_bytes(head, "big"))
    id_ = body[1 : 1 + ID_BYTES]
    try:
        wheel = build(places["candidate"], places["extra"], home)
    except BaseException:  # whatever it is, the submission did not build
        import traceback  # noqa: PLC0415  # only a failure is worth its start-up time

        traceback.print_exc()
        wheel = None
    if wheel is None:
        sys.stderr.flush()
        with open(home + LOG, "rb") as written:
            say(answers, b"E", id_, written.read()[-LOG_BYTES:])
    else:
        with open(wheel, "rb") as built:
            say(answers, b"V", id_, built.read())


main()
