"""The JSON Schema of a contract, made from the rules that the parser reads with.

It describes ``task.toml`` as data: what an editor's TOML support checks, and the JSON
form of a contract. What it cannot say is left to the parser: that a module is not of
the standard library, that brackets in a licence balance, that paths do not overlap
and that ``case_wall_s`` is at most ``wall_s``.
"""

import json

from shipbar.contract.rules import Schema
from shipbar.contract.values import CONTRACT, NEEDS_UPSTREAM


def contract_schema() -> Schema:
    """Give the schema, JSON Schema 2020-12, as plain data."""
    named: dict[str, Schema] = {}
    table = CONTRACT.schema(named)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "task.toml",
        "description": "The contract of a Shipbar task.",
        **table,
        "if": {
            "properties": {"task_class": {"const": NEEDS_UPSTREAM}},
            "required": ["task_class"],
        },
        "then": {
            "properties": {"upstream_sdist": {"type": "object"}},
            "required": ["upstream_sdist"],
        },
        "else": {"properties": {"upstream_sdist": {"type": "null"}}},
        "$defs": named,
    }


def contract_schema_text() -> str:
    """Give the schema as it is published in the reference."""
    return json.dumps(contract_schema(), indent=2, ensure_ascii=False) + "\n"
