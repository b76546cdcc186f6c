"""The labelled corpus: public libraries by name, version and hash, and the families' own.

`corpus.toml` names them. What is not in the cache is fetched by the ordinary client of
its registry, checked by size and hash, and kept beside the upstreams of families; it is
never committed. An archive is opened and its program text read, which runs no code of
theirs. Fetching an sdist does: the client asks its build for its name. Libraries whose
build needs more than we carry are therefore pinned as wheels.

Of a library, tests, documentation, examples, setup and tables are left out, and so is
what the parser of its language does not read.
"""

import ast
import io
import shutil
import subprocess
import sys
import tempfile
import tomllib
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import attrs

from bench.tasks import ROOT
from shipbar import config, wiring
from shipbar.building.batch import jobs_of
from shipbar.building.builder import Order
from shipbar.building.family import Draw, Upstream
from shipbar.building.names import draw_names
from shipbar.building.render import render_package
from shipbar.building.rules import child_rng
from shipbar.building.tranche import SEED, Pin, read_pins
from shipbar.building.upstream import check, fetch
from shipbar.errors import SeamError
from shipbar.grading.upstream import unpacked

PINS = Path(__file__).with_name("corpus.toml")
INDEPENDENT = ROOT / "tests" / "cases" / "independent"
SMALL = ROOT / "tests" / "cases" / "similarity"
OTHERS = "others"
"""The group of libraries that do no other's job."""


@attrs.frozen(kw_only=True)
class Pinned:
    """A library of the corpus."""

    group: str
    """What it does; libraries of one group do the same."""
    name: str
    """Its distribution's name."""
    version: str
    """The release."""
    file: str
    """The archive's file name."""
    size: int
    """Its size in bytes."""
    sha256: str
    """Its digest, hexadecimal."""
    related: str = ""
    """Why it shares code with another of its group; empty: it does not."""


@attrs.frozen(kw_only=True)
class Library:
    """Program text to make copies of, or to hold against others."""

    name: str
    """As told to readers."""
    group: str
    """What it does."""
    files: Mapping[str, str]
    """Contents by path."""
    related: str = ""
    """See `Pinned`."""
    target: bool = False
    """Whether copies are made of it."""

    @property
    def lines(self) -> int:
        """How many lines its files have together."""
        return sum(text.count("\n") + 1 for text in self.files.values())


def read(language: str) -> tuple[list[Library], list[str]]:
    """Return the libraries of ``language``, `python` or `javascript`, and what is missing.

    Libraries that cannot be had are told and not among them: a figure says of how
    many it is.
    """
    fetchers: dict[str, Callable[[Pinned], Path]] = {
        "python": _from_index,
        "javascript": _from_npm,
    }
    choose = {"python": _python, "javascript": _javascript}[language]
    found: list[Library] = []
    missing: list[str] = []
    seen: set[str] = set()
    for entry in tomllib.loads(PINS.read_text("utf-8"))[language]:
        pin = Pinned(**entry)
        try:
            files = choose(_members(fetchers[language](pin)))
        except SeamError as cause:
            missing.append(f"{pin.name}: {cause}")
            continue
        if not files:
            missing.append(f"{pin.name}: no program text that can be read")
            continue
        first = pin.group not in seen and pin.group != OTHERS and not pin.related
        seen.add(pin.group)
        found.append(
            Library(
                name=pin.name,
                group=pin.group,
                files=files,
                related=pin.related,
                target=first,
            )
        )
    return found, missing


# -- the archives


def _from_index(pin: Pinned) -> Path:
    settings = config.current()
    if not pin.file.endswith(".whl"):
        return fetch(_upstream(pin), settings.cache, settings.inherited)
    line = f"{pin.name}=={pin.version} --hash=sha256:{pin.sha256}\n"
    words = ["download", "--no-deps", "--only-binary", ":all:", "--require-hashes"]

    def bring(folder: Path) -> str:
        wanted = folder / "wanted.txt"
        wanted.write_text(line)
        command = [sys.executable, "-m", "pip", *words, "--quiet", "-d", str(folder)]
        return _run([*command, "-r", str(wanted)])

    return _fetched(pin, bring)


def _from_npm(pin: Pinned) -> Path:
    def bring(folder: Path) -> str:
        npm = shutil.which("npm")
        if npm is None:
            return "there is no npm on this machine"
        words = ["pack", "--silent", "--ignore-scripts", "--pack-destination"]
        return _run([npm, *words, str(folder), f"{pin.name}@{pin.version}"])

    return _fetched(pin, bring)


def _upstream(pin: Pinned) -> Upstream:
    return Upstream(
        name=pin.name,
        version=pin.version,
        file=pin.file,
        size=pin.size,
        sha256=pin.sha256,
        licence="",
        packages=(),
    )


def _fetched(pin: Pinned, bring: Callable[[Path], str]) -> Path:
    """Return the archive in the cache; ``bring`` fetches it into a folder and says what went wrong."""
    target = config.current().cache / "upstream" / pin.file
    if target.is_file():
        check(_upstream(pin), target.read_bytes())
        return target
    with tempfile.TemporaryDirectory() as name:
        why = bring(Path(name))
        found = Path(name) / pin.file
        if not found.is_file():
            raise SeamError(f"{pin.file} cannot be fetched: {why or 'another file'}")
        data = found.read_bytes()
    check(_upstream(pin), data)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return target


def _run(words: list[str]) -> str:
    done = subprocess.run(
        words,
        env=dict(config.current().inherited),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip()[-200:] if done.returncode else ""


def _members(path: Path) -> dict[str, str]:
    """Return the texts of an archive by their path below its folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
            data = {it: archive.read(it) for it in archive.namelist()}
    else:
        data = unpacked(path)
    texts = {}
    for name, content in data.items():
        try:
            texts[name] = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
    return texts


# -- what of an archive is the library

_ASIDE_NAMES = """
test tests testing testcases spec specs doc docs example examples sample samples
benchmark benchmarks bench perf tools scripts demo demos locale locales vendor _vendor
node_modules typings types coverage build fixtures __tests__ extern _ply
"""
_ASIDE = frozenset(_ASIDE_NAMES.split())
_SETUP = frozenset(
    {"setup.py", "conftest.py", "_version.py", "versioneer.py", "ez_setup.py"}
)
_LEAST_TEXT = 1000
"""Bytes in a folder from which on it is the library and no mere list of what it holds."""


def _python(texts: Mapping[str, str]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for path, text in sorted(texts.items()):
        pure = PurePosixPath(path)
        inner = pure.parts[1:] if pure.parts[:1] in {("src",), ("lib",)} else pure.parts
        named = pure.name.startswith("test") or pure.stem.endswith("_test")
        if pure.suffix != ".py" or pure.name in _SETUP or named:
            continue
        if not pure.stem.isidentifier():
            continue
        if _ASIDE & {part.lower() for part in inner[:-1]} or _is_table(text):
            continue
        chosen["/".join(inner)] = text
    return chosen


def _is_table(text: str) -> bool:
    """Whether a module is no code: nothing but data, or what Python does not read."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True
    coded = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ImportFrom
    return not any(isinstance(it, coded) for it in ast.walk(tree))


_SCRIPT = frozenset({".js", ".mjs", ".cjs"})
_BUILDS = ("", "src", "lib", "source", "dist", "esm", "cjs", "build")
"""Folders in which a package's own text is looked for, in this order."""


def _javascript(texts: Mapping[str, str]) -> dict[str, str]:
    by_folder: dict[str, dict[str, str]] = {}
    for path, text in sorted(texts.items()):
        pure = PurePosixPath(path)
        aside = _ASIDE - {"build"}
        if pure.suffix not in _SCRIPT or aside & {it.lower() for it in pure.parts[:-1]}:
            continue
        tested = "test" in pure.name or "bench" in pure.name or "config" in pure.name
        minified = ".min." in pure.name or len(text) > 200 * (text.count("\n") + 1)
        if tested or minified:
            continue
        top = pure.parts[0] if len(pure.parts) > 1 else ""
        by_folder.setdefault(top, {})[path] = text
    for folder in _BUILDS:
        files = by_folder.get(folder, {})
        if sum(map(len, files.values())) > _LEAST_TEXT:
            return _one_of_each(files)
    return {}


def _one_of_each(files: Mapping[str, str]) -> dict[str, str]:
    """Leave out what is there in several builds: `index.js` beside `index.mjs`."""
    kept: dict[str, str] = {}
    stems: set[str] = set()
    for path in files:
        stem = path.rpartition(".")[0]
        if stem not in stems:
            stems.add(stem)
            kept[path] = files[path]
    return kept


# -- the project's own


def references() -> list[Library]:
    """Return the references of the reference tranche, drawn and rendered; nothing is built."""
    pins = read_pins(ROOT / "src" / "shipbar" / "families" / "reference.toml")
    return [_reference(pin) for pin in pins]


def _reference(pin: Pin) -> Library:
    family = wiring.family(pin.family)
    order = Order(family=family, seed=SEED, wanted=pin.rules, count=pin.assertions)
    with tempfile.TemporaryDirectory() as name:
        (job,) = jobs_of(order, 1, Path(name))
    path = (family.name, 0, 0)
    denied = {family.name, *(family.upstream.deny if family.upstream else ())}
    names = draw_names(
        family.roles, child_rng(SEED, *path, "names"), denied, lambda _: True
    )
    parameters = family.parameters(job.rules, child_rng(SEED, *path, "parameters"))
    draw = Draw(rules=job.rules, names=names, parameters=parameters)
    files = {it: data.decode() for it, data in render_package(family, draw).items()}
    return Library(
        name=pin.task_id, group=f"task {pin.task_id}", files=files, target=True
    )


def independent() -> list[Library]:
    """Return the implementations of tasks that were written from their specification alone."""
    return [
        Library(
            name=f"independent {folder.name}",
            group=f"task {folder.name}",
            files={
                path.relative_to(folder).as_posix(): path.read_text("utf-8")
                for path in sorted(folder.rglob("*.py"))
            },
        )
        for folder in sorted(INDEPENDENT.iterdir())
        if folder.is_dir()
    ]


def small(folder: str) -> list[Library]:
    """Return the hand-written programs of a language: one folder a job, one file a program."""
    return [
        Library(
            name=f"{job.name}/{path.stem}",
            group=job.name,
            files={path.name: path.read_text("utf-8")},
            target=True,
        )
        for job in sorted((SMALL / folder).iterdir())
        if job.is_dir()
        for path in sorted(job.iterdir())
        if path.is_file()
    ]
