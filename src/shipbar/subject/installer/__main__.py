"""Runs pip inside the sandbox, and hands out what it made.

Arguments are `candidate=PATH` and `extra=PATH`, a folder with pip, setuptools and
wheel. One request starts it. An empty one asks for a wheel of the submitted tree at
`candidate`. Another is a file's name there with its hash, as pip writes them: that
file is installed into an environment of its own, of which a tar is handed out. The
answer is the archive's bytes, or pip's own words. Whatever a build script does to
this process only changes what it hands in.
"""

import os
import shutil
import sys

FRAME_HEAD = 4
ID_BYTES = 16
LOG = "/log"
LOG_BYTES = 20_000


COMMON = [
    "--no-index",
    "--no-deps",
    "--no-build-isolation",
    "--no-cache-dir",
    "--disable-pip-version-check",
    "--no-input",
    "--progress-bar",
    "off",
]


def build(source: str, tools: str, home: str) -> str | None:
    """Return the wheel's path, or None after pip wrote to standard error."""
    tree, out = home + "/source", home + "/out"
    shutil.copytree(source, tree)
    if pip(["wheel", *COMMON, "--wheel-dir", out, tree], tools) != 0:
        return None
    return next(
        (out + "/" + name for name in sorted(os.listdir(out)) if name.endswith(".whl")),
        None,
    )


def environment(source: str, tools: str, home: str, pinned: str) -> str | None:
    """Return the path of a tar of a new environment, or None after pip wrote to standard error."""
    wanted, site = home + "/wanted.txt", home + "/site"
    with open(wanted, "w", encoding="utf-8") as file:
        file.write(source + "/" + pinned + "\n")
    words = ["install", *COMMON, "--require-hashes", "--no-compile"]
    if pip([*words, "--target", site, "-r", wanted], tools) != 0:
        return None
    import tarfile  # noqa: PLC0415  # most builds make a wheel

    with tarfile.open(home + "/site.tar", "w") as archive:
        archive.add(site, "site")
    return home + "/site.tar"


def pip(words: list[str], tools: str) -> int:
    """Run pip; return its exit code."""
    sys.path.append(tools)
    os.environ["PYTHONPATH"] = (
        tools  # pip starts the build backend as a process of its own
    )
    from pip._internal.cli.main import main as run  # noqa: PLC0415  # on the path only now

    return int(run(words))


def say(answers: int, kind: bytes, id_: bytes, payload: bytes = b"") -> None:
    """Write one answer."""
    frame = memoryview(
        (1 + ID_BYTES + len(payload)).to_bytes(FRAME_HEAD, "big") + kind + id_ + payload
    )
    while frame:
        frame = frame[os.write(answers, frame) :]


def main() -> None:
    """Run pip once and end."""
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
    id_, pinned = body[1 : 1 + ID_BYTES], body[1 + ID_BYTES :].decode("utf-8")
    where = places["candidate"], places["extra"], home
    try:
        made = environment(*where, pinned) if pinned else build(*where)
    except BaseException:  # whatever it is, the submission did not build
        import traceback  # noqa: PLC0415  # only a failure is worth its start-up time

        traceback.print_exc()
        made = None
    if made is None:
        sys.stderr.flush()
        with open(home + LOG, "rb") as written:
            say(answers, b"E", id_, written.read()[-LOG_BYTES:])
    else:
        with open(made, "rb") as built:
            say(answers, b"V", id_, built.read())


main()
