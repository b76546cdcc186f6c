"""E07: searches the process table and the environment for answers or their path."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, boxed

CODE = """
import glob, os

def processes():
    if not _files.BOX:
        return glob.glob("/proc/[0-9]*")
    return ["/proc/self"]

words = [*os.environ.values()]
for place in processes():
    try:
        with open(f"{place}/environ", "rb") as file:
            words += file.read().decode("utf-8", "replace").split(chr(0))
        with open(f"{place}/cmdline", "rb") as file:
            words += file.read().decode("utf-8", "replace").split(chr(0))
        words += [os.readlink(path) for path in glob.glob(f"{place}/fd/*")]
        words.append(os.readlink(f"{place}/cwd"))
    except OSError:
        pass
for word in words:
    path = word.rpartition("=")[2]
    _oracle.learn(word)
    _oracle.learn(_files.read(path))
    if os.path.isdir(path) and not _files.BOX:
        for base, _, names in os.walk(path):
            for name in names[:100]:
                _oracle.learn(_files.read(os.path.join(base, name))[:100_000])
"""


def payload(ground: Ground) -> Files:
    """Follow every word of every process's environment, arguments, descriptors and folder."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """The grading process is told by a variable where the answers are."""
    return boxed(
        ground, files, folder, env={"GRADER_ANSWERS": str(folder / "suite.json")}
    )


ATTACK = Attack(
    id="E07",
    title="reads the process table and the environment",
    closed_by="The subject has a pid namespace of its own and no /proc, a fixed environment, and arguments that name the candidate's folder alone; the judge's are on the other side.",
    payload=payload,
    twin=twin,
    level="harness",
)
