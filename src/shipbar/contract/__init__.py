"""The contract of a task, ``task.toml``: frozen values, parse, render, JSON Schema.

    values.py   the frozen values; each field with its rule and its sentence
    rules.py    the kinds of rule; each one reads a value and describes itself
    lines.py    where in a file each field is
    parse.py    bytes to a contract, or to every problem with its line
    render.py   a contract to canonical bytes
    schema.py   the rules as JSON Schema

No part of it touches a file, a clock or a process.
"""

from shipbar.contract.parse import check_count, parse_contract
from shipbar.contract.render import contract_as_json, render_contract
from shipbar.contract.schema import contract_schema, contract_schema_text
from shipbar.contract.values import (
    SOLVER_TREE,
    Contract,
    CopyGuard,
    GraderSection,
    Language,
    Licence,
    Limits,
    Split,
    TaskClass,
    UpstreamSdist,
)

__all__ = [
    "SOLVER_TREE",
    "Contract",
    "CopyGuard",
    "GraderSection",
    "Language",
    "Licence",
    "Limits",
    "Split",
    "TaskClass",
    "UpstreamSdist",
    "check_count",
    "contract_as_json",
    "contract_schema",
    "contract_schema_text",
    "parse_contract",
    "render_contract",
]
