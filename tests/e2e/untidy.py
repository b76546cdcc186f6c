"""Ways in which an honest submission is untidy: each makes a tree of a clean one.

A tree is contents by path. What comes out does the same work as what went in.
"""

import textwrap
from collections.abc import Callable, Mapping

Tree = dict[str, bytes]
PACKAGE = "tavrick"
INIT = f"{PACKAGE}/__init__.py"
PYPROJECT = b"""\
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "tavrick-mine"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = []

[project.optional-dependencies]
dev = ["pytest>=7", "ruff"]

[tool.pytest.ini_options]
addopts = "--nonexistent-option"
"""


def each_source(tree: Tree, change: Callable[[bytes], bytes]) -> Tree:
    """Change every Python file."""
    return {
        name: change(data) if name.endswith(".py") else data
        for name, data in tree.items()
    }


def below(folder: str) -> Callable[[Tree], Tree]:
    return lambda tree: {f"{folder}/{name}": data for name, data in tree.items()}


def with_files(files: Mapping[str, bytes]) -> Callable[[Tree], Tree]:
    return lambda tree: {**tree, **files}


def with_bom(tree: Tree) -> Tree:
    return each_source(tree, lambda data: b"\xef\xbb\xbf" + data)


def with_crlf(tree: Tree) -> Tree:
    return each_source(tree, lambda data: data.replace(b"\n", b"\r\n"))


def with_future(tree: Tree) -> Tree:
    return each_source(
        tree, lambda data: b"from __future__ import annotations\n" + data
    )


def with_other_encoding(tree: Tree) -> Tree:
    """A file in Latin-1 that says so."""
    extra = "# -*- coding: latin-1 -*-\nNAME = 'Zoë'\nassert len(NAME) == 3\n"
    return {
        **tree,
        f"{PACKAGE}/_zoe.py": extra.encode("latin-1"),
        INIT: tree[INIT] + b"\nfrom tavrick import _zoe\n",
    }


def with_unicode_names(tree: Tree) -> Tree:
    return {
        **tree,
        f"{PACKAGE}/_größe.py": "größe = Δ = 3\n".encode(),
        INIT: tree[INIT] + "\nfrom tavrick._größe import größe, Δ\n".encode(),
        "docs/ein Überblick (1).md": "# Überblick\n".encode(),
        "notes/日本語.txt": b"",
    }


def with_sub_packages(tree: Tree) -> Tree:
    """Everything moves down one package; the symbols come from a data file."""
    inner = {
        name.replace(f"{PACKAGE}/", f"{PACKAGE}/core/deep/", 1): data.replace(
            b"from tavrick._", b"from tavrick.core.deep._"
        )
        for name, data in tree.items()
        if name != INIT
    }
    reading = b"""
from importlib.resources import files

assert files("tavrick.core").joinpath("data", "symbols.txt").read_text("utf-8").strip() == SYMBOLS
assert files("tavrick.core.data").joinpath("blob.bin").read_bytes() == bytes(range(256))
"""
    symbols = f"{PACKAGE}/core/deep/_symbols.py"
    return {
        **inner,
        symbols: inner[symbols] + reading,
        INIT: tree[INIT].replace(b"from tavrick._", b"from tavrick.core.deep._"),
        f"{PACKAGE}/core/__init__.py": b"",
        f"{PACKAGE}/core/deep/__init__.py": b"",
        f"{PACKAGE}/core/data/symbols.txt": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\n",
        f"{PACKAGE}/core/data/blob.bin": bytes(range(256)),
    }


def with_relative_imports(tree: Tree) -> Tree:
    return each_source(tree, lambda data: data.replace(b"from tavrick._", b"from ._"))


def with_lazy_names(tree: Tree) -> Tree:
    """A module that imports what it exports when it is first asked for."""
    lazy = """
    import importlib

    _HOMES = {
        "audit": "_audit", "explain": "_explain", "mend": "_mend",
        "issue": "_tags", "read": "_tags",
        **dict.fromkeys(
            ["AmbiguousMend", "LayoutFault", "LengthFault", "MarkFault", "TagError"], "_faults"
        ),
    }
    __all__ = list(_HOMES)


    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module("." + _HOMES[name], __name__), name)


    def __dir__():
        return __all__
    """
    return {**tree, INIT: textwrap.dedent(lazy).encode()}


def calling(body: str, setup: str = "") -> Callable[[Tree], Tree]:
    """Every public function does something else besides; ``body`` calls ``function``."""
    text = (
        textwrap.dedent(setup)
        + """
import functools


def _wrapped(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
"""
        + textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
        + """

    return call


audit, explain, issue, mend, read = map(_wrapped, (audit, explain, issue, mend, read))
"""
    )
    return lambda tree: {**tree, INIT: tree[INIT] + b"\n\n" + text.encode()}


FILES: dict[str, Callable[[Tree], Tree]] = {
    "own tests": with_files(
        {
            "conftest.py": b"raise RuntimeError('collected')\n",
            "pytest.ini": b"[pytest]\naddopts = --nonexistent-option\n",
            "tests/__init__.py": b"",
            "tests/conftest.py": b"import pytest\npytest.exit('no')\n",
            "tests/test_tavrick.py": b"def test_all():\n    assert False\n",
            "grader/tests/test_tavrick.py": b"def test_all():\n    pass\n",
            "tox.ini": b"[tox]\n",
            "noxfile.py": b"import nox\n",
        }
    ),
    "caches": with_files(
        {
            f"{PACKAGE}/__pycache__/_tags.cpython-311.pyc": b"\xa7\r\r\n" + bytes(40),
            ".pytest_cache/v/cache/lastfailed": b"{}",
            ".mypy_cache/3.11/x.json": b"{}",
            ".ruff_cache/x": b"",
            ".git/HEAD": b"ref: refs/heads/main\n",
            ".git/hooks/post-checkout": b"#!/bin/sh\nexit 1\n",
            ".venv/lib/python3.11/site-packages/tavrick/__init__.py": b"raise SystemExit\n",
            ".DS_Store": b"\0\0\0\1Bud1",
        }
    ),
    "papers": with_files(
        {
            "README.md": b"# Tavrick\n",
            "LICENSE": b"MIT\n",
            "CHANGELOG.rst": b"",
            "uv.lock": b"version = 1\n",
            "poetry.lock": b"# @generated\n",
            "requirements-dev.txt": b"pytest==8.0\nruff\n",
            ".gitignore": b"*.pyc\n",
            ".editorconfig": b"root = true\n",
            ".github/workflows/ci.yml": b"on: push\n",
            "Makefile": b"test:\n\tpytest\n",
            "Dockerfile": b"FROM python:3.12\n",
            "notes.ipynb": b"{}",
        }
    ),
    "CRLF": with_crlf,
    "BOM": with_bom,
    "BOM and CRLF": lambda tree: with_bom(with_crlf(tree)),
    "src": below("src"),
    "future annotations": with_future,
    "Latin-1": with_other_encoding,
    "unicode names": with_unicode_names,
    "stubs": with_files(
        {
            f"{PACKAGE}/__init__.pyi": b"def issue(payload: str) -> object: ...\n",
            f"{PACKAGE}/py.typed": b"",
            "tavrick-stubs/__init__.pyi": b"x: int\n",
        }
    ),
    "setuptools": with_files({"pyproject.toml": PYPROJECT}),
    "setuptools and src": lambda tree: {
        **below("src")(tree),
        "pyproject.toml": PYPROJECT,
        "setup.cfg": b"[metadata]\nname = tavrick-mine\n[options]\npackages = find:\n",
        "MANIFEST.in": b"include README.md\n",
    },
    "poetry": with_files(
        {
            "pyproject.toml": b'[tool.poetry]\nname = "tavrick"\nversion = "1"\n'
            b'[tool.poetry.dependencies]\npython = "^3.11"\n'
            b'[build-system]\nrequires = ["poetry-core"]\nbuild-backend = "poetry.core.masonry.api"\n'
        }
    ),
}
"""Untidy in its files only; good for any submission of the package."""

SOURCES: dict[str, Callable[[Tree], Tree]] = {
    "sub-packages and data": with_sub_packages,
    "relative imports": with_relative_imports,
    "lazy names": with_lazy_names,
    "a program": with_files(
        {
            f"{PACKAGE}/__main__.py": b"import sys\nfrom tavrick import issue\nsys.exit(print(issue(sys.argv[1])))\n"
        }
    ),
    "prints": calling(
        """
        print("called with", args)
        print("x" * 100_000, file=sys.stderr, flush=True)
        os.write(1, b"straight to standard output\\n")
        sys.__stdout__.write("again")
        sys.stdout.flush()
        return function(*args, **kwargs)
        """,
        "import os, sys\nprint('imported')\nsys.stderr.write('imported')\n",
    ),
    "reads": calling(
        """
        assert sys.stdin.read() == ""
        try:
            input("go on? ")
        except EOFError:
            pass
        return function(*args, **kwargs)
        """,
        "import sys\nassert len(sys.argv) == 1\n",
    ),
    "warns": calling(
        """
        warnings.warn("deprecated", DeprecationWarning, stacklevel=2)
        warnings.warn("odd")
        return function(*args, **kwargs)
        """,
        "import warnings\nwarnings.simplefilter('always')\n",
    ),
    "logs": calling(
        """
        log.debug("called with %r", args)
        log.exception("no exception")
        return function(*args, **kwargs)
        """,
        """
        import logging
        logging.basicConfig(level=logging.DEBUG)
        log = logging.getLogger(__name__)
        """,
    ),
    "writes temporary files": calling(
        """
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
            path = pathlib.Path(folder, "note.txt")
            path.write_text("ä", encoding="utf-8")
            assert path.read_text(encoding="utf-8") == "ä"
            file.write(b"x" * 10_000)
            file.flush()
            return function(*args, **kwargs)
        """,
        "import pathlib, tempfile\n",
    ),
    "random and time": calling(
        """
        time.sleep(random.random() / 1_000)
        secrets.token_hex(); uuid.uuid4(); os.urandom(4); os.getpid(); id(function)
        random.shuffle(list(range(9)))
        datetime.datetime.now().astimezone()
        return function(*args, **kwargs)
        """,
        "import datetime, os, random, secrets, time, uuid\nrandom.seed()\n",
    ),
    "asyncio": calling(
        """
        async def go():
            await asyncio.sleep(0)
            return function(*args, **kwargs)

        return asyncio.run(go())
        """,
        "import asyncio\n",
    ),
    "threads": calling(
        """
        with ThreadPoolExecutor(4) as pool, lock:
            return pool.submit(function, *args, **kwargs).result()
        """,
        """
        import threading
        from concurrent.futures import ThreadPoolExecutor
        lock = threading.RLock()
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        """,
    ),
    "asks for the locale": calling(
        "return function(*args, **kwargs)",
        "import locale\nlocale.setlocale(locale.LC_ALL, '')\n",
    ),
    "caches results": calling(
        """
        try:
            return cached(function, *args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)
        """,
        """
        import functools

        @functools.lru_cache(maxsize=None, typed=True)
        def cached(function, *args, **kwargs):
            if function.__name__ in {"audit", "explain"}:
                raise TypeError("not to be shared")
            return function(*args, **kwargs)
        """,
    ),
    "modern classes": calling(
        """
        state = State(call=function, args=args)
        with state:
            return Registry.known[Mode.PLAIN](state.call)(*args, **kwargs)
        """,
        """
        import abc, contextlib, dataclasses, enum, typing, weakref

        class Mode(enum.Enum):
            PLAIN = enum.auto()

        class Meta(abc.ABCMeta):
            known = {}
            def __new__(mcs, name, bases, space, **options):
                cls = super().__new__(mcs, name, bases, space)
                mcs.known[options.get("mode")] = cls
                return cls

        class Registry(metaclass=Meta):
            __slots__ = ("_call", "__weakref__")
            def __init__(self, call):
                self._call = call
            def __call__(self, *args, **kwargs):
                return self._call(*args, **kwargs)

        class Plain(Registry, mode=Mode.PLAIN):
            __slots__ = ()

        @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
        class State(contextlib.AbstractContextManager):
            call: typing.Callable
            args: tuple = ()
            def __exit__(self, *exception):
                return None
        """,
    ),
    "leaves things to the end": calling(
        """
        gc.collect()
        sys.setrecursionlimit(2_000)
        return function(*args, **kwargs)
        """,
        """
        import atexit, faulthandler, gc, signal, sys
        atexit.register(print, "bye")
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.excepthook = lambda *_: None
        """,
    ),
    "honest subclasses": lambda tree: {
        **tree,
        INIT: tree[INIT]
        + b"""

class _OwnMark(MarkFault):
    pass


class _Text(str):
    __slots__ = ()


_explain, _read = explain, read


def explain(text):
    found = _explain(text)
    return type("Steps", (dict,), {})(
        {_Text(key): _Text(item) if isinstance(item, str) else item for key, item in found.items()}
    )


def read(text):
    try:
        return _read(text)
    except MarkFault as fault:
        raise _OwnMark(*fault.args) if type(fault).__init__ is Exception.__init__ else fault
""",
    },
}
"""Untidy in what its code does; for the reference, whose modules they know."""

SETUP_PY = b"""\
from setuptools import find_packages, setup

setup(name="tavrick-mine", version="0.1", packages=find_packages("lib"), package_dir={"": "lib"})
"""
