"""The lines of an index and the manifest, as JSON Schema 2020-12; they are read by these.

What is published in the reference is what a line is held to here, so the two cannot
part. The few words of JSON Schema that they need are read by `problems`: whoever wants
to check a line with another program's validator gets the same answer.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

DIGEST: Schema = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
TASK_ID: Schema = {
    "type": "string",
    "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
    "maxLength": 100,
    "description": "The task's name, unique among all tasks.",
}
TEXT: Schema = {"type": "string", "minLength": 1}
_PATH = r"(?!\.{1,2}(/|$))[^/\\\x00]+"
PATH: Schema = {
    "type": "string",
    "pattern": f"^{_PATH}(/{_PATH})*$",
    "description": "Below the bundle's folder, with forward slashes.",
}


def _table(
    properties: Mapping[str, Schema], description: str, *, nullable: bool = False
) -> Schema:
    """Return the schema of an object that has just these members."""
    return {
        "type": ["object", "null"] if nullable else "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _or_null(schema: Schema, description: str) -> Schema:
    return {**schema, "type": [schema["type"], "null"], "description": description}


IMAGE = _table(
    {
        "name": {**TEXT, "description": "The image's name in the layout."},
        "config": {**DIGEST, "description": "Digest of the image's configuration."},
        "manifest": {**DIGEST, "description": "Digest of the image's manifest."},
    },
    "The task's image in `images/`; null where none was asked for.",
    nullable=True,
)
_COMMON: Mapping[str, Schema] = {
    "task_id": TASK_ID,
    "task_class": {
        "type": "string",
        "enum": ["invented", "mutated"],
        "description": "Whether the domain is invented, or a library's with its rules mutated.",
    },
    "language": {**TEXT, "description": "The language that solvers write."},
    "split": {
        "type": "string",
        "enum": ["train", "eval"],
        "description": "Whether the task is for training or for evaluation.",
    },
    "licence": {**TEXT, "description": "SPDX expression for this half of the task."},
    "image": IMAGE,
}
_NUMBER: Schema = {"type": "number", "minimum": 0}

SOLVER_LINE: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "solver bundle: a line of index.jsonl",
    **_table(
        {
            **_COMMON,
            "specification": _table(
                {"path": PATH, "digest": DIGEST},
                "Where the specification lies in this bundle, and its digest.",
            ),
            "limits": _table(
                {
                    "wall_s": {**_NUMBER, "description": "Seconds for a grade."},
                    "case_wall_s": {**_NUMBER, "description": "Seconds for one case."},
                    "cpu_s": {**_NUMBER, "description": "Processor seconds a grade."},
                    "memory_mib": {**_NUMBER, "description": "Memory, in MiB."},
                    "processes": {**_NUMBER, "description": "Processes at once."},
                    "output_kib": {**_NUMBER, "description": "Output, in KiB."},
                },
                "What a grade of a submission may use.",
            ),
        },
        "One task, as far as its solvers may know.",
    ),
}

GRADER_LINE: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "grader bundle: a line of index.jsonl",
    **_table(
        {
            **_COMMON,
            "grader": _table(
                {
                    "state": {
                        "type": "string",
                        "enum": ["open", "sealed", "withheld"],
                        "description": "Whether the grader is here, here and encrypted, or not here.",
                    },
                    "commitment": {
                        **DIGEST,
                        "description": 'SHA-256 over {"nonce":NONCE,"task":DIGEST}, the digest being the task\'s.',
                    },
                    "nonce": _or_null(
                        {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                        "What was hashed with the digest; null unless the grader is open.",
                    ),
                    "path": _or_null(
                        PATH, "The encrypted grader; null unless it is sealed."
                    ),
                },
                "The grader, or what stands for it.",
            ),
            "gates": {
                "type": "object",
                "description": "What each gate found, by its id.",
                "additionalProperties": _table(
                    {
                        "status": {
                            "type": "string",
                            "enum": ["passed", "not applicable"],
                        },
                        "cell": {"type": "string", "description": "Its figure."},
                        "receipt": _or_null(PATH, "Null unless the grader is open."),
                    },
                    "What one gate found.",
                ),
            },
            "digest": _or_null(
                DIGEST, "Digest of the whole task; null unless the grader is open."
            ),
            "contract": {
                "type": ["object", "null"],
                "description": "The contract in full, as task.schema.json has it; null unless the grader is open.",
            },
            "patch": _or_null(PATH, "The reference as a patch for `git apply`."),
            "notes": _or_null(PATH, "The task's notes for the buyer."),
        },
        "One task, with its contract in full unless its grader is not open.",
    ),
}

MANIFEST: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "MANIFEST.json",
    **_table(
        {
            "format": {"type": "string", "enum": ["shipbar-bundle/1"]},
            "kind": {"type": "string", "enum": ["solver", "grader"]},
            "tranche": {**TEXT, "description": "The tranche's name."},
            "client": {**TEXT, "description": "Whom it was delivered to."},
            "serial": {
                "type": "integer",
                "minimum": 1,
                "description": "The delivery's number in the maker's ledger.",
            },
            "previous": _or_null(
                DIGEST,
                "Digest of the client's previous delivery, which is that of its grader bundle's MANIFEST.json.",
            ),
            "tool": _table(
                {"version": TEXT, "digest": DIGEST}, "The Shipbar that wrote it."
            ),
            "solver": _or_null(
                DIGEST,
                "Of the grader bundle: digest of the solver bundle's MANIFEST.json.",
            ),
            "tasks": {
                "type": "object",
                "description": "Digest of each task's line of index.jsonl, without its line end.",
                "additionalProperties": DIGEST,
            },
            "files": {
                "type": "object",
                "description": "Every file but MANIFEST.json and MANIFEST.sig.",
                "additionalProperties": _table(
                    {"size": {"type": "integer", "minimum": 0}, "digest": DIGEST},
                    "Bytes, and their digest.",
                ),
            },
        },
        "What one bundle holds; MANIFEST.sig signs the digest of this file.",
    ),
}

PUBLISHED: Mapping[str, Schema] = {
    "solver-index.schema.json": SOLVER_LINE,
    "grader-index.schema.json": GRADER_LINE,
    "manifest.schema.json": MANIFEST,
}
"""What the reference holds, by file name."""


def schema_text(schema: Schema) -> str:
    """Return a schema as it is published in the reference."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "null": (type(None),),
}


def problems(value: object, schema: Schema, at: str = "") -> Iterator[str]:
    """Say how a JSON value differs from one of the schemas above.

    Args:
        value: as parsed from JSON.
        schema: what it must be.
        at: names the value in messages.
    """
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if isinstance(value, bool) or not any(
        isinstance(value, _TYPES[word]) for word in wanted
    ):
        yield f"{at or 'it'}: expected {' or '.join(wanted)}, got {_shown(value)}"
    elif isinstance(value, dict):
        yield from _members(value, schema, at)
    elif isinstance(value, str):
        yield from _text(value, schema, at)
    elif isinstance(value, int | float) and value < schema.get("minimum", value):
        yield f"{at}: expected at least {schema['minimum']}, got {value}"


def _members(value: Mapping[str, object], schema: Schema, at: str) -> Iterator[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties")
    dot = f"{at}." if at else ""
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{dot}{name}: is missing"
    for name, member in value.items():
        inner = known.get(name, others)
        if inner is False:
            yield f"{dot}{name}: is not expected here"
        elif inner is not None:
            yield from problems(member, inner, f"{dot}{name}")


def _text(value: str, schema: Schema, at: str) -> Iterator[str]:
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: expected {' or '.join(schema['enum'])}, got {_shown(value)}"
    if "pattern" in schema and _matches(schema["pattern"], value) is None:
        yield f"{at}: expected a text of the form {schema['pattern']}, got {_shown(value)}"
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9):
        yield f"{at}: expected another length, got {_shown(value)}"


def _matches(pattern: str, value: str) -> "re.Match[str] | None":
    # JSON Schema's `$` is the very end; Python's is also before a last line end.
    return re.fullmatch(pattern.removeprefix("^").removesuffix("$"), value)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:77]}…"  # noqa: PLR2004  # a line of a terminal
