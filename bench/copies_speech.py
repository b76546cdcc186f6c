"""The languages with braces that copies are made in, and the disguises of their programs.

A language is a `Speech`; every disguise works in each of them. A part of a program is
put among another's by its functions alone, which is enough to compare and not to run.
"""

from collections.abc import Callable, Mapping
from random import Random

from bench import copies_trees as trees
from bench.copies_trees import Change, Files, Program, Speech

_BLOCKS = frozenset({"block", "statement_block", "compound_statement"})
_C_BINDERS = frozenset(
    {"init_declarator", "declaration", "parameter_declaration", "for_range_loop"}
)
_C_DEAD = (
    "int spare{n}a = 3; (void)spare{n}a;",
    "if (0) {{ int spare{n}b = 1; (void)spare{n}b; }}",
    "for (int spare{n}c = 0; spare{n}c < 0; spare{n}c++) {{ }}",
)
_SCRIPT_DEAD = (
    "let spare{n}a = 3;",
    "const spare{n}b = [1];",
    'if (false) {{ String("x"); }}',
    "for (const spare{n}c of []) {{ }}",
)
_SCRIPT_BINDERS = frozenset(
    {
        "variable_declarator",
        "formal_parameters",
        "arrow_function",
        "required_parameter",
        "optional_parameter",
        "catch_clause",
        "for_in_statement",
    }
)
_SCRIPT_FUNCTIONS = frozenset({"function_declaration", "method_definition"})

SPEECHES = {
    "javascript": Speech(
        language="JavaScript",
        functions=_SCRIPT_FUNCTIONS,
        blocks=_BLOCKS,
        dead=_SCRIPT_DEAD,
        binders=_SCRIPT_BINDERS,
        kept="const {name} = {value};",
    ),
    "typescript": Speech(
        language="TypeScript",
        functions=_SCRIPT_FUNCTIONS,
        blocks=_BLOCKS,
        dead=_SCRIPT_DEAD,
        binders=_SCRIPT_BINDERS,
        kept="const {name} = {value};",
    ),
    "java": Speech(
        language="Java",
        functions=frozenset({"method_declaration"}),
        blocks=frozenset({"block", "constructor_body"}),
        dead=(
            "int spare{n}a = 3;",
            "if (false) {{ String.valueOf(1); }}",
            "for (int spare{n}c = 0; spare{n}c < 0; spare{n}c++) {{ }}",
        ),
        binders=frozenset(
            {"variable_declarator", "formal_parameter", "enhanced_for_statement"}
        ),
        kept="var {name} = {value};",
    ),
    "c": Speech(
        language="C",
        functions=frozenset({"function_definition"}),
        blocks=_BLOCKS,
        dead=_C_DEAD,
        binders=_C_BINDERS,
        prototypes=True,
    ),
    "cpp": Speech(
        language="C++",
        functions=frozenset({"function_definition"}),
        blocks=_BLOCKS,
        dead=_C_DEAD,
        binders=_C_BINDERS,
        prototypes=True,
    ),
    "csharp": Speech(
        language="C#",
        functions=frozenset({"method_declaration"}),
        blocks=_BLOCKS,
        dead=(
            "int spare{n}a = 3;",
            "if (false) {{ string.Empty.Trim(); }}",
            "for (int spare{n}c = 0; spare{n}c < 0; spare{n}c++) {{ }}",
        ),
        binders=frozenset({"variable_declarator", "parameter", "foreach_statement"}),
        kept="var {name} = {value};",
        negation="!({test})",
    ),
    "go": Speech(
        language="Go",
        functions=frozenset({"function_declaration", "method_declaration"}),
        blocks=_BLOCKS,
        dead=("_ = 3", "_ = []int{{1}}", "if false {{\n_ = 1\n}}"),
        binders=frozenset(
            {
                "short_var_declaration",
                "var_spec",
                "parameter_declaration",
                "range_clause",
            }
        ),
        kept="{name} := {value}",
        negation="!({test})",
        wrapped=False,
    ),
    "php": Speech(
        language="PHP",
        functions=frozenset({"function_definition", "method_declaration"}),
        blocks=_BLOCKS,
        dead=(
            "$spare{n}a = 3;",
            "if (false) {{ strlen('x'); }}",
            "foreach ([] as $spare{n}c) {{ }}",
        ),
        binders=frozenset(
            {"assignment_expression", "simple_parameter", "foreach_statement"}
        ),
        kept="${name} = {value};",
        head="<?php",
    ),
}
"""By the folder of the language's programs."""

FOLDERS = {
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".java": "java",
    ".c": "c",
    ".cpp": "cpp",
    ".cs": "csharp",
    ".go": "go",
    ".php": "php",
}

Disguise = Callable[[Files, Random], dict[str, str]]


def speech_of(path: str) -> Speech:
    """Return the language that a file is written in, by its suffix."""
    return SPEECHES[FOLDERS[path[path.rindex(".") :]]]


def _each(change: Change) -> Disguise:
    def disguise(files: Files, rng: Random) -> dict[str, str]:
        return {
            path: change(Program(text, speech_of(path)), rng)
            for path, text in files.items()
        }

    return disguise


def exact(files: Files, _rng: Random) -> dict[str, str]:
    """Change nothing."""
    return dict(files)


def chain(*disguises: Disguise) -> Disguise:
    """Make one disguise of several, one after the other."""

    def all_of(files: Files, rng: Random) -> dict[str, str]:
        out = dict(files)
        for disguise in disguises:
            out = disguise(out, rng)
        return out

    return all_of


def merge(files: Files, _rng: Random) -> dict[str, str]:
    """Put all files into one, in the order of their paths; enough to compare, not to run."""
    first = min(files)
    return {first: "\n".join(files[path] for path in sorted(files))}


strip = _each(trees.stripped)
reformat = _each(trees.reformatted)
rename = _each(trees.renamed)
reorder = _each(trees.reordered)
rewrite = _each(trees.rewritten)
dead_code = _each(trees.with_dead_code)
temporaries = _each(trees.with_temporaries)

SINGLE: dict[str, Disguise] = {
    "strip comments": strip,
    "reformat": reformat,
    "rename": rename,
    "reorder": reorder,
    "merge": merge,
    "rewrite": rewrite,
    "temporaries": temporaries,
    "dead code": dead_code,
}
"""What a copyist does in one go, by its name."""

DISGUISES: dict[str, Disguise] = {
    "exact": exact,
    **SINGLE,
    "light chain": chain(strip, rename, reorder),
    "middle chain": chain(rename, reorder, rewrite),
    "hard chain": chain(strip, rename, reorder, rewrite, temporaries, dead_code),
}
"""Every disguise of a whole program by its name."""

PARTIAL: dict[str, tuple[float, Disguise]] = {
    "half among own": (0.5, exact),
    "half among own, renamed": (0.5, rename),
    "half among own, middle chain": (0.5, DISGUISES["middle chain"]),
    "third among own": (0.3, exact),
    "fifth among own": (0.2, exact),
}
"""Disguises that take a share of a program and put it among another's code."""


_LEAST_PARTS = 3
"""Functions that a program must have for some to be taken."""


def partable(files: Files, share: float) -> bool:
    """Whether a program has functions enough to take ``share`` of all its code as some of them."""
    parts = _functions(files)
    size = sum(size for _, size in parts)
    return len(parts) >= _LEAST_PARTS and size >= share * _size(files)


def vendored(
    files: Mapping[str, str], others: Mapping[str, str], share: float, rng: Random
) -> dict[str, str]:
    """Put functions that are ``share`` of ``files`` among so many of ``others`` that it is that share there too."""
    path = min(files)
    taken = _taken(files, share, rng)
    wanted = sum(size for _, size in taken) * (1 - share) / share
    own = _taken(others, min(1.0, wanted / max(_size(others), 1)), rng)
    parts = [text for text, _ in (*taken, *own)]
    rng.shuffle(parts)
    suffix = path[path.rindex(".") :]
    text = "\n\n".join([speech_of(path).head, *parts]) + "\n"
    return {f"vendored{suffix}": text}


def _functions(files: Mapping[str, str]) -> list[tuple[str, int]]:
    return [
        part
        for path, text in files.items()
        for part in trees.functions(Program(text, speech_of(path)))
    ]


def _size(files: Mapping[str, str]) -> int:
    """Return the nodes of all of a program."""
    return sum(
        trees.size(Program(text, speech_of(path))) for path, text in files.items()
    )


def _taken(
    files: Mapping[str, str], share: float, rng: Random
) -> list[tuple[str, int]]:
    parts = _functions(files)
    rng.shuffle(parts)
    wanted = share * _size(files)
    taken: list[tuple[str, int]] = []
    while parts and sum(size for _, size in taken) < wanted:
        taken.append(parts.pop())
    return taken


def typed(files: Files, _rng: Random) -> dict[str, str]:
    """Make TypeScript of JavaScript: every parameter gets a type."""
    out = {}
    for path, text in files.items():
        program = Program(text, speech_of(path))
        edits = [
            (it.end_byte, it.end_byte, b": any")
            for node in program.nodes("formal_parameters")
            for it in node.named_children
            if it.type == "identifier"
        ]
        out[path[: path.rindex(".")] + ".ts"] = program.edited(edits)
    return out
