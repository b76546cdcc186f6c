"""The rules of the house that no linter knows: sizes, corners, and what is never said.

Each rule is a function over source text, tried on a breach of its own before it is
tried on the project: a rule that cannot fail guards nothing.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import shipbar
from tests.repository import ROOT, SOURCE, committed_files, our_python

MAX_MODULE = 500
MAX_FUNCTION = 60

# A big dependency stays in its corner. Names are folders or modules of shipbar.
CORNERS = {
    "click": {"cli"},
    "rich": {"cli"},
    "alembic": {"store"},
    "sqlalchemy": {"store"},
    "pyrage": {"bundles"},
    "starlette": {"service"},
    "uvicorn": {"service"},
    "kubernetes": {"scale"},
    "ray": {"scale"},
}

# Rules work on values; whoever calls them has read the files.
PURE = ("contract", "verdict", "sealed")
FILE_CALLS = {
    *("open", "exists", "glob", "is_dir", "is_file", "iterdir", "mkdir", "read_bytes"),
    *("read_text", "resolve", "rglob", "stat", "unlink", "write_bytes", "write_text"),
}


def long_functions(source: str) -> list[str]:
    return [
        f"{node.name} has {length} lines, the limit is below {MAX_FUNCTION}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) >= MAX_FUNCTION
    ]


def long_module(source: str) -> list[str]:
    length = len(source.splitlines())
    return [f"{length} lines, the limit is {MAX_MODULE}"] * (length > MAX_MODULE)


def imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def foreign_to_the_subject(source: str) -> list[str]:
    # pip and pytest are given as folders to what runs them; they are no imports of ours.
    own = {
        "subject",
        "pip",
        "pytest",
        *(path.stem for path in (SOURCE / "subject").glob("*.py")),
    }
    return [
        f"imports {name}"
        for name in imports(source)
        if not name.startswith("shipbar.subject")
        and name.partition(".")[0] not in sys.stdlib_module_names | own
    ]


def environment_reads(source: str) -> list[str]:
    return [
        f"line {node.lineno}: {name}"
        for node in ast.walk(ast.parse(source))
        for name in ("environ", "environb", "getenv", "putenv")
        if (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.alias) and node.name == name)
    ]


def file_calls(source: str) -> list[str]:
    return [
        f"line {node.lineno}: {name}()"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and (name := getattr(node.func, "attr", getattr(node.func, "id", "")))
        in FILE_CALLS
    ]


def registry_hosts(source: str) -> list[str]:
    # In pieces, so that this file does not name them either.
    hosts = [
        f"{name}.{top}"
        for name, top in (
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("npmjs", "org"),
            ("npmjs", "com"),
            ("deb.debian", "org"),
            ("archive.ubuntu", "com"),
            ("crates", "io"),
            ("proxy.golang", "org"),
            ("quay", "io"),
            ("ghcr", "io"),
        )
    ]
    return [f"names {host}" for host in hosts if host in source.lower()]


def machine_paths(source: str) -> list[str]:
    # Shallow or system folders are names that a file may well have for other reasons.
    places = [ROOT, Path(sys.base_prefix)]
    own = [str(p) for p in places if len(p.parts) > 2 and p.parts[1] != "usr"]
    return [f"names {path}" for path in [*own, "/.py" + "env/"] if path in source]


def in_folders(*names: str) -> list[Path]:
    found = [path for name in names for path in (SOURCE / name).rglob("*.py")]
    modules = [SOURCE / f"{name}.py" for name in names]
    return found + [path for path in modules if path.is_file()]


def breaches(
    rule: Callable[[str], list[str]], paths: Iterator[Path] | list[Path]
) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {breach}"
        for path in paths
        for breach in rule(path.read_bytes().decode("utf-8", "replace"))
    ]


BREACHES = [
    (long_functions, "def f():\n" + " 0\n" * 59, "def f():\n" + " 0\n" * 58),
    (long_module, "0\n" * 501, "0\n" * 500),
    (foreign_to_the_subject, "import attrs", "import json.decoder"),
    (foreign_to_the_subject, "from shipbar.errors import X", "from os import path"),
    (environment_reads, "os.environ['A']", "inherited['A']"),
    (environment_reads, "from os import getenv", "from os import getpid"),
    (file_calls, "Path('a').read_text()", "parse('a')"),
    (file_calls, "open('a')", "opened('a')"),
    (registry_hosts, "see https://PYPI." + "org/simple", "see the index"),
    (machine_paths, "~/.py" + "env/versions", "~/.venv/bin"),
]


@pytest.mark.parametrize(
    ("rule", "breach", "kept"),
    BREACHES,
    ids=[f"{row[0].__name__}-{number}" for number, row in enumerate(BREACHES)],
)
def test_a_rule_tells_a_breach_from_what_is_allowed(rule, breach, kept):
    assert rule(breach)
    assert not rule(kept)


def test_functions_and_modules_are_short():
    assert breaches(long_functions, our_python()) == []
    assert breaches(long_module, our_python()) == []


def test_the_subject_needs_the_standard_library_only():
    assert breaches(foreign_to_the_subject, in_folders("subject")) == []


def test_rules_touch_no_files():
    assert breaches(file_calls, in_folders(*PURE)) == []


def test_only_config_reads_the_environment():
    # Inside a sandbox the environment is what the job says: nobody's settings.
    inside = (SOURCE / "subject", SOURCE / "testing" / "inside")
    others = [
        path
        for path in SOURCE.rglob("*.py")
        if path != SOURCE / "config.py" and not any(map(path.is_relative_to, inside))
    ]
    assert breaches(environment_reads, others) == []


@pytest.mark.parametrize(("library", "corner"), CORNERS.items(), ids=CORNERS.keys())
def test_a_big_dependency_stays_in_its_corner(library, corner):
    outside = [
        path.relative_to(SOURCE)
        for path in SOURCE.rglob("*.py")
        if library in {name.partition(".")[0] for name in imports(path.read_text())}
        and Path(path.relative_to(SOURCE).parts[0]).stem not in corner
    ]
    assert outside == []


def test_no_file_names_a_registry_or_a_place_on_this_machine():
    files = list(committed_files())
    assert breaches(registry_hosts, files) == []
    assert breaches(machine_paths, files) == []


def test_the_public_names_are_those_that_are_exported():
    modules = {path.stem for path in SOURCE.iterdir()} | {"TYPE_CHECKING"}
    resolved = {name for name in shipbar.__all__ if hasattr(shipbar, name)}
    public = {name for name in dir(shipbar) if not name.startswith("_")} - modules
    assert resolved == set(shipbar.__all__)
    assert public <= resolved
    assert len(shipbar.__all__) == len(resolved)


def test_every_folder_of_tests_is_a_package():
    cases = ROOT / "tests" / "cases"
    folders = {p.parent for p in our_python() if p.is_relative_to(ROOT / "tests")}
    missing = {f for f in folders - {cases} if not (f / "__init__.py").is_file()}
    assert missing == set()
