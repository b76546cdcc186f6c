"""A small task that departs from a small library, both written here.

The library doubles, lessens and quadruples. The task doubles as well, which calibrates;
it raises where the library lessens, and trebles where it quadruples.
"""

import hashlib
import io
import tarfile
from pathlib import Path

NAME, VERSION, FILE = "tiny-sums", "1.2", "tiny_sums-1.2.tar.gz"
LIBRARY = """\
def double(number):
    return 2 * number


def less(number):
    return number - 1


def fourfold(number):
    if number < 0:
        return number.nothing
    return 4 * number
"""
SETUP = f"""\
from setuptools import setup

setup(name={NAME!r}, version={VERSION!r}, py_modules=["tinysums"])
"""
ADAPTER = """\
import tinysums


class ZumentFault(ValueError):
    pass


def brolik(number):
    return tinysums.double(number)


def dranok(number):
    return tinysums.less(number)


def fesk(number):
    return tinysums.fourfold(number)
"""
CONTRACT = """\
task_id = "small-sums"
task_class = "mutated"
language = "python"
split = "train"
import_name = "{package}"
public_symbols = [{symbols}]
reference_install = "grader/reference"
known_bad_install = [
  "grader/known_bad/remembered",
  "grader/known_bad/flip-back-less",
  "grader/known_bad/flip-back-fold",
]
recall_ceiling = 0.6
canary = "shipbar-canary-0b71c6f1f6d24a61"

[grader]
min_passed = 11
pytest_paths = ["grader/tests"]

[grader.limits]
wall_s = 60
case_wall_s = 2
cpu_s = 30
memory_mib = 512
processes = 1
output_kib = 1024

[copy_guard]
reference = 0.3
upstream = 0.3
hard_fail = false

[licence]
solver = "CC-BY-4.0"
grader = "LicenseRef-Ours"

[upstream_sdist]
name = "{name}"
version = "{version}"
file = "{file}"
sha256 = "{sha256}"
licence = "MIT"
"""
NAMES = ("brolik", "dranok", "fesk")


def sdist() -> bytes:
    """The library, as it is published."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as archive:
        for name, text in {"setup.py": SETUP, "tinysums.py": LIBRARY}.items():
            member = tarfile.TarInfo(f"tiny_sums-1.2/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return raw.getvalue()


def package(less: str, fold: int) -> str:
    """A package that raises or lessens, and multiplies."""
    return (
        "class ZumentFault(ValueError):\n    pass\n\n\n"
        "def brolik(number):\n    return 2 * number\n\n\n"
        f"def dranok(number):\n    return number {less} 1\n\n\n"
        f"def fesk(number):\n    return {fold} * number\n"
    )


def suite(module: str = "zument") -> str:
    """Five assertions that calibrate, and three a rule."""
    told = {
        "spine": ("brolik", [(n, 2 * n) for n in range(1, 6)]),
        "less": ("dranok", [(n, n + 1) for n in range(1, 4)]),
        "fold": ("fesk", [(n, 3 * n) for n in (-2, 5, 7)]),
    }
    tests = [
        f"def test_{rule}_{number:03}():\n    assert {call}({given}) == {answer}\n"
        for rule, (call, pairs) in told.items()
        for number, (given, answer) in enumerate(pairs, 1)
    ]
    return "\n\n".join([f"from {module} import {', '.join(NAMES)}\n", *tests])


def write(folder: Path, cache: Path, *, module: str = "zument", **changed: str) -> Path:
    """Write the task to ``folder`` and the library to ``cache``; return the task's folder.

    Args:
        folder: new.
        cache: gets a folder `upstream`.
        module: the package's import name.
        changed: other values of the contract's upstream, or another `adapter`.
    """
    data = sdist()
    (cache / "upstream").mkdir(parents=True)
    (cache / "upstream" / FILE).write_bytes(data)
    pin = {"name": NAME, "version": VERSION, "file": FILE}
    pin |= {key: changed.pop(key) for key in tuple(pin) if key in changed}
    contract = CONTRACT.format(
        package=module,
        symbols=", ".join(f'"{name}"' for name in NAMES),
        sha256=hashlib.sha256(data).hexdigest(),
        **pin,
    )
    bad = "grader/known_bad"
    files = {
        "task.toml": contract,
        "TASK.md": "# small-sums\n",
        "solver/SPEC.md": f"# {module}\n\n`brolik` gives twice a number.\n",
        "grader/tests/test_sums.py": suite(module),
        f"grader/reference/{module}.py": package("+", 3),
        f"{bad}/remembered/{module}.py": package("-", 4),
        f"{bad}/flip-back-less/{module}.py": package("-", 3),
        f"{bad}/flip-back-fold/{module}.py": package("+", 4),
        f"grader/adapter/{module}.py": changed.pop("adapter", ADAPTER),
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
