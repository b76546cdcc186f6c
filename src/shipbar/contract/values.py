"""The frozen values of a contract, and the rule of every field.

- The rule and the sentence of a field are its metadata, `told`. The parser, the JSON
  Schema and the reference page are all made from them; nothing repeats them.
- A file states every field, so that it can be read without this code. The defaults
  of `Limits` serve Python callers alone.
- Paths are text: relative to the task folder, with forward slashes, in one spelling.
  Nothing here looks at a file system.
- Identifiers are ASCII. Python folds other letters to a normal form, so two
  spellings could mean one name.
"""

import keyword
import sys
from typing import Literal, get_args

from attrs import field, frozen

from shipbar.contract.rules import (
    Choice,
    Clue,
    Flag,
    Listing,
    Number,
    Table,
    Text,
    told,
)

TaskClass = Literal["invented", "mutated"]
Language = Literal["python"]
Split = Literal["train", "eval"]

SOLVER_TREE = "solver"
"""The folder of a task that a solver receives, so nothing held out may be in it."""

_KEYWORDS = frozenset(keyword.kwlist)
# What a grade under stock pytest imports before the candidate; a candidate of that
# name would never be the module that is imported.
_RUNNERS = frozenset({"__main__", "_pytest", "conftest", "pytest", "shipbar"})

_CONTROL = r"\x00-\x1f\x7f-\x9f"
_SEGMENT = rf"(?!\.{{1,2}}(?:/|$))[^/\\{_CONTROL}]+"
_LONGEST_PATH = 500
_SPDX_ID = r"(?!(?:AND|OR|WITH)\b)[A-Za-z0-9][A-Za-z0-9.:-]*\+?"
_SPDX_TERM = rf"\(*{_SPDX_ID}(?: WITH {_SPDX_ID})?\)*"


def _has_control(text: str) -> bool:
    return any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in text)  # noqa: PLR2004 (Unicode's C0, DEL, C1)


def _inside_solver_tree(text: str) -> bool:
    return text.split("/", maxsplit=1)[0] == SOLVER_TREE


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


SLUG = Text(
    expected="lower-case letters and digits, in parts joined by single hyphens",
    pattern=r"[a-z0-9]+(?:-[a-z0-9]+)*",
    longest=100,
    do='write it like "base36-check"',
)
IDENTIFIER = Text(
    name="identifier",
    expected="a Python identifier in ASCII that is no keyword",
    pattern=r"[A-Za-z_][A-Za-z0-9_]*",
    longest=100,
    taken=_KEYWORDS,
    do="use letters, digits and underscores, with no digit first",
    clues=(Clue(seen=keyword.iskeyword, do="choose a name that is no keyword"),),
)
MODULE = Text(
    expected=(
        "a Python identifier in ASCII that is no keyword, no module of the standard "
        "library and no part of the test runner"
    ),
    pattern=IDENTIFIER.pattern,
    longest=IDENTIFIER.longest,
    taken=_KEYWORDS | _RUNNERS,
    beyond=lambda text: text not in sys.stdlib_module_names,
    do=IDENTIFIER.do,
    clues=(
        *IDENTIFIER.clues,
        Clue(
            seen=lambda text: text in sys.stdlib_module_names,
            do="choose a name that does not hide a module of the standard library",
        ),
        Clue(
            seen=lambda text: text in _RUNNERS,
            do="choose a name that the test runner does not import itself",
        ),
    ),
)
PATH = Text(
    name="path",
    expected=(
        "a path inside the task folder and outside solver/, relative, with forward "
        "slashes"
    ),
    pattern=rf"(?!{SOLVER_TREE}(?:/|$)){_SEGMENT}(?:/{_SEGMENT})*",
    longest=_LONGEST_PATH,
    do="write it like grader/tests: no empty part, no part of one dot, no last slash",
    clues=(
        Clue(seen=lambda text: not text, do="name a file or a folder"),
        Clue(seen=_has_control, do="remove the control characters"),
        Clue(seen=lambda text: "\\" in text, do="use forward slashes"),
        Clue(
            seen=lambda text: text.startswith("/"),
            do="write it relative to the task folder",
        ),
        Clue(
            seen=lambda text: ".." in text.split("/"),
            do='write it without "..", which can leave the task folder',
        ),
        Clue(
            seen=_inside_solver_tree,
            do="move it out of solver/, which solvers receive: use grader/",
        ),
        Clue(
            seen=lambda text: len(text) > _LONGEST_PATH,
            do=f"use at most {_LONGEST_PATH} characters",
        ),
    ),
)
SPDX = Text(
    name="licence_expression",
    expected="an SPDX licence expression",
    pattern=rf"{_SPDX_TERM}(?: (?:AND|OR) {_SPDX_TERM})*",
    longest=200,
    beyond=_balanced,
    do='write it like "Apache-2.0", "MIT OR Apache-2.0" or "LicenseRef-Ours"',
    clues=(
        Clue(seen=lambda text: not _balanced(text), do="balance the brackets"),
        Clue(seen=lambda text: not text, do="name the licence"),
    ),
)
CANARY = Text(
    expected="16 to 1000 characters on one line, with no blank at either end",
    pattern=rf"[^ {_CONTROL}][^{_CONTROL}]{{14,998}}[^ {_CONTROL}]",
    longest=1000,
    do="write a text that occurs nowhere else, such as a random UUID with a prefix",
)
SHA256 = Text(
    expected="a SHA-256 digest, 64 lower-case hexadecimal digits",
    pattern=r"[0-9a-f]{64}",
    longest=64,
    do="write what `sha256sum` prints for the file",
)
PROJECT = Text(
    expected="the name of a project on a package index",
    pattern=r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?",
    longest=100,
    do="use letters, digits, dots, hyphens and underscores",
)
VERSION = Text(
    expected="a version without blanks",
    pattern=r"[A-Za-z0-9][A-Za-z0-9.!+_-]*",
    longest=100,
    do='write it like "2.3.1"',
)
SDIST = Text(
    expected="the file name of a source distribution, .tar.gz or .zip",
    pattern=r"[A-Za-z0-9_][A-Za-z0-9._+!-]*\.(?:tar\.gz|zip)",
    longest=200,
    do="write the name alone, without a folder or an address",
)
SECONDS = Number(above=0, most=86_400)
THRESHOLD = Number(above=0, most=1)
FLAG = Flag()


@frozen(kw_only=True)
class Limits:
    """What one grade may use."""

    wall_s: float = field(
        default=60.0, metadata=told(SECONDS, "Wall-clock seconds for the whole grade.")
    )
    case_wall_s: float = field(
        default=2.0,
        metadata=told(SECONDS, "Wall-clock seconds for one case; at most wall_s."),
    )
    cpu_s: float = field(
        default=30.0, metadata=told(SECONDS, "Processor seconds for the whole grade.")
    )
    memory_mib: int = field(
        default=512,
        metadata=told(
            Number(least=64, most=1_048_576, whole=True),
            "Memory of all the candidate's processes together, in MiB.",
        ),
    )
    processes: int = field(
        default=1,
        metadata=told(
            Number(least=1, most=4096, whole=True),
            "Processes at once; 1 means that the candidate may start no other. Threads are bounded apart from that.",
        ),
    )
    output_kib: int = field(
        default=1024,
        metadata=told(
            Number(least=1, most=1_048_576, whole=True),
            "What the candidate may write to its output streams, in KiB.",
        ),
    )


@frozen(kw_only=True)
class GraderSection:
    """The held-out suite and what a grade of it may use."""

    min_passed: int = field(
        metadata=told(
            Number(least=1, most=1_000_000, whole=True),
            "Cases that must pass for a submission to ship: "
            "the number of cases in the suite.",
        ),
    )
    pytest_paths: tuple[str, ...] = field(
        metadata=told(
            Listing(of=PATH), "The files and folders of the held-out pytest suite."
        ),
    )
    limits: Limits = field(
        metadata=told(Table(of=Limits), "What one grade may use."),
    )


@frozen(kw_only=True)
class CopyGuard:
    """How alike a submission may be to what it should not be a copy of."""

    reference: float = field(
        metadata=told(
            THRESHOLD,
            "Score of the copy guard against the reference from which a submission is "
            "flagged; 0.3 is what was measured.",
        ),
    )
    upstream: float = field(
        metadata=told(
            THRESHOLD,
            "Score of the copy guard against the upstream from which a submission is "
            "flagged; 0.3 is what was measured.",
        ),
    )
    hard_fail: bool = field(
        metadata=told(FLAG, "Whether a flagged submission scores nothing."),
    )


@frozen(kw_only=True)
class Licence:
    """The licences of the two halves of a task."""

    solver: str = field(
        metadata=told(SPDX, "SPDX expression for the solver-visible tree."),
    )
    grader: str = field(
        metadata=told(SPDX, "SPDX expression for the held-out half."),
    )


@frozen(kw_only=True)
class UpstreamSdist:
    """The public library that a mutated task departs from, pinned by hash."""

    name: str = field(metadata=told(PROJECT, "The project's name."))
    version: str = field(metadata=told(VERSION, "The version, as it was released."))
    file: str = field(metadata=told(SDIST, "The source distribution's file name."))
    sha256: str = field(metadata=told(SHA256, "SHA-256 of that file."))
    licence: str = field(metadata=told(SPDX, "SPDX expression for its licence."))


@frozen(kw_only=True)
class Contract:
    """Everything that ``task.toml`` says about a task."""

    task_id: str = field(
        metadata=told(SLUG, "The task's name, unique among all tasks."),
    )
    task_class: TaskClass = field(
        metadata=told(
            Choice(words=get_args(TaskClass)),
            "Whether the domain is invented, or a public library's with its rules "
            "mutated.",
        ),
    )
    language: Language = field(
        metadata=told(
            Choice(words=get_args(Language)), "The language that solvers write."
        ),
    )
    split: Split = field(
        metadata=told(
            Choice(words=get_args(Split)),
            "Whether the task is for training or for evaluation.",
        ),
    )
    import_name: str = field(
        metadata=told(MODULE, "The module that a submission must provide."),
    )
    public_symbols: tuple[str, ...] = field(
        metadata=told(Listing(of=IDENTIFIER), "Names that the module must define."),
    )
    reference_install: str = field(
        metadata=told(PATH, "The reference implementation, as installed for a grade."),
    )
    known_bad_install: tuple[str, ...] = field(
        metadata=told(
            Listing(of=PATH),
            "Plausible wrong implementations; buyers ask about the first.",
        ),
    )
    recall_ceiling: float = field(
        metadata=told(
            Number(least=0, most=1),
            "The highest score that answers from memory alone may reach.",
        ),
    )
    canary: str = field(
        metadata=told(
            CANARY, "A text that reveals the task where it turns up in training data."
        ),
    )
    grader: GraderSection = field(
        metadata=told(
            Table(of=GraderSection),
            "The held-out suite and what a grade of it may use.",
        ),
    )
    copy_guard: CopyGuard = field(
        metadata=told(
            Table(of=CopyGuard),
            "How alike a submission may be to what it should not be a copy of.",
        ),
    )
    licence: Licence = field(
        metadata=told(Table(of=Licence), "The licences of the two halves of the task."),
    )
    upstream_sdist: UpstreamSdist | None = field(
        default=None,
        metadata=told(
            Table(of=UpstreamSdist),
            "The public library that a mutated task departs from; "
            "absent for an invented one.",
            needed=False,
        ),
    )
    raw: bytes = field(default=b"", eq=False, repr=False)
    """The bytes that were read, which digests are over; empty if it was never read."""


CONTRACT = Table(of=Contract)
"""The rule of the whole file."""
NEEDS_UPSTREAM: TaskClass = "mutated"
"""The task class that states ``upstream_sdist``; the others leave it out."""
