"""What a program is given, what it may write, and which rights it has."""

import secrets
import stat
import subprocess
import sys

import attrs

from shipbar.ports import SURROUNDINGS, Job
from shipbar.testing.harness import (
    SMALL,
    Json,
    NewSandbox,
    environment_of,
    expect,
    folder,
    program,
    told,
)

ANSWER = "ANSWER = 42\n"
TMP = "/tmp"  # noqa: S108  # inside
FILTERED = 2
PIPES = (stat.S_IFIFO, stat.S_IFSOCK)


def nothing_writable_but_tmp(new: NewSandbox) -> None:
    """No folder takes a file and no file can be changed, but below the folder that it starts in."""
    with folder() as candidate:
        (candidate / "module.py").write_text(ANSWER)
        (candidate / "module.py").chmod(0o666)
        candidate.chmod(0o777)
        job = Job(folders={"candidate": candidate}, limits=SMALL)
        own = ["/candidate", "/program", str(candidate)]
        found = told(new(), "tree.writable", job=job, own=own)
        left = {path.name: path.read_text() for path in candidate.iterdir()}
        expect(left == {"module.py": ANSWER}, f"the candidate's folder holds {left}")
    expect(found == [], f"writable beside its own folder: {found}")


def tmp_starts_empty(new: NewSandbox) -> None:
    """What one job leaves in /tmp is not there for the next, nor on the host."""
    sandbox, name = new(), "left" + secrets.token_hex(6)
    for attempt in range(2):
        with program(sandbox, "bombs.leave", name=name) as inside:
            seen = inside.line()
        expect(
            seen == [name, name + "-folder"],
            f"job {attempt + 1} found its folder to hold {seen}",
        )


def environment_is_declared(new: NewSandbox) -> None:
    """The environment is the job's, to the letter, and nothing of the engine's or the host's."""
    surroundings = {**SURROUNDINGS, "SHIPBAR_WORD": "grün = green, 'quoted' $HOME"}
    job = Job(surroundings=surroundings, limits=SMALL)
    with program(new(), "state.given", job=job) as inside:
        given = inside.line()
        expected = environment_of(job, inside.mark)
    expect(
        given["environment"] == expected, f"the environment is {given['environment']}"
    )
    first = given["first environment"]
    if first is not None:
        words = sorted(f"{name}={value}" for name, value in expected.items())
        expect(sorted(first) == words, f"the program was started with {first}")


def descriptors_are_declared(new: NewSandbox) -> None:
    """Only the three standard descriptors are open: two pipes of the protocol and one for errors."""
    descriptors = _given(new)["descriptors"]
    expect(sorted(descriptors) == ["0", "1", "2"], f"open descriptors: {descriptors}")
    for number in ("0", "1"):
        expect(
            descriptors[number] in PIPES,
            f"descriptor {number} is no pipe but {descriptors[number]:o}",
        )


def surroundings_are_fixed(new: NewSandbox) -> None:
    """Hash seed, zone, locale and flags are the same everywhere."""
    given = _given(new)
    expect(given["hash"] == _hash_here(), "the hash seed is not 0")
    expect(given["zone"] == ["UTC", "UTC", 0], f"the zone is {given['zone']}")
    encodings = {word.lower().replace("-", "") for word in given["encoding"]}
    expect(encodings == {"utf8"}, f"the encodings are {given['encoding']}")
    expect(given["utf-8 mode"] == 1, "Python is not in UTF-8 mode")
    expect(given["no site"] == [1, 1], "Python ran its site module")
    expect(given["bytecode"], "Python writes bytecode")
    expect(given["own folder"] == [], f"{given['cwd']} holds {given['own folder']}")
    expect(given["words"] == [], f"the program's arguments are {given['words']}")


def starts_in_tmp(new: NewSandbox) -> None:
    """The working directory, and the folder that may be written to, is /tmp."""
    given = _given(new)
    expect(given["cwd"] == TMP, f"the working directory is {given['cwd']}")


def host_name_is_fixed(new: NewSandbox) -> None:
    """The machine is called shipbar."""
    given = _given(new)
    expect(given["host"] == ["shipbar", "shipbar"], f"the host name is {given['host']}")


def no_terminal(new: NewSandbox) -> None:
    """There is no controlling terminal."""
    expect(_given(new)["session"] is False, "the program has a controlling terminal")


def not_root(new: NewSandbox) -> None:
    """No user or group id of the program is root's."""
    ids = _given(new)["ids"]
    expect(0 not in ids, f"the program runs with the ids {ids}")


def no_capability(new: NewSandbox) -> None:
    """Every capability set is empty."""
    rights = _rights(new)
    expect(
        rights["capabilities"] in (None, [0] * 6),
        f"capabilities: {rights['capabilities']}",
    )
    expect(rights["ambient"] == [], f"ambient capabilities: {rights['ambient']}")


def no_new_privileges(new: NewSandbox) -> None:
    """Nothing that the program starts can have more rights than it has."""
    flag = _rights(new)["no new privileges"]
    expect(flag == 1, f"no_new_privs is {flag}, expected 1")


def seccomp_in_force(new: NewSandbox) -> None:
    """A seccomp filter is in force."""
    mode = _rights(new)["seccomp"]
    expect(mode == FILTERED, f"the seccomp mode is {mode}, expected 2 (a filter)")


def no_privileged_call(new: NewSandbox) -> None:
    """Mount, unshare, ptrace, setuid, chroot, bpf and their like are refused for being asked."""
    found = told(new(), "state.calls")
    expect(found == [], f"the kernel looked into calls that should be refused: {found}")


def folders_are_named(new: NewSandbox) -> None:
    """A job's folders are said as `name=path` words, in order."""
    with folder() as candidate, folder() as extra:
        job = Job(folders={"candidate": candidate, "extra": extra}, limits=SMALL)
        with program(new(), "state.given", job=job) as inside:
            given = inside.line()
        names = [word.partition("=")[0] for word in given["words"]]
        expect(
            names == ["candidate", "extra"], f"the program's words are {given['words']}"
        )
        job = attrs.evolve(job, folders={"candidate": candidate})
        (candidate / "file.txt").write_text("read me")
        (candidate / "file.txt").chmod(0o644)
        with program(new(), "talk.late", job=job, name="file.txt") as inside:
            inside.line()
            inside.say(b"\n")
            inside.expect("read me")


def _given(new: NewSandbox) -> Json:
    return told(new(), "state.given")


def _rights(new: NewSandbox) -> Json:
    return told(new(), "state.rights")


def _hash_here() -> int:
    """What the hash of a known text is under the seed that was declared."""
    ran = subprocess.run(  # our own interpreter
        [sys.executable, "-S", "-c", "print(hash('shipbar'))"],
        env={"PYTHONHASHSEED": "0"},
        capture_output=True,
        check=True,
    )
    return int(ran.stdout)
