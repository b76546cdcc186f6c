"""From a `Contract` to the one canonical form of ``task.toml``.

- Equal contracts give equal bytes, on every machine.
- Scalars come before tables, both in the order of the class. Every field is stated.
- What is rendered can be parsed: a contract made in Python that breaks a rule is
  refused here and never written.
"""

import json
from collections.abc import Iterator
from typing import Any

import attrs

from shipbar.contract.parse import parse_contract
from shipbar.contract.rules import Table
from shipbar.contract.values import CONTRACT, Contract

_LONGEST_LINE = 88


def render_contract(contract: Contract) -> bytes:
    """Write a contract as TOML; parsed again it equals ``contract``.

    Raises:
        ContractError: the contract breaks a rule; lines are those of the rendered text.
    """
    text = "\n".join(_table(contract, CONTRACT, ""))
    # A lone surrogate in a text must come out as a problem of the contract.
    data = text.encode("utf-8", "surrogatepass")
    parse_contract(data)
    return data


def contract_as_json(contract: Contract) -> dict[str, Any]:
    """Give the contract as data for JSON, as the schema describes it.

    Tuples become lists; ``upstream_sdist`` is None for an invented task; ``raw`` is
    left out.
    """
    return attrs.asdict(
        contract,
        filter=lambda field, _value: field.name != "raw",
        value_serializer=lambda _instance, _field, value: (
            list(value) if isinstance(value, tuple) else value
        ),
    )


def _table(value: Any, table: Table, path: str) -> Iterator[str]:  # noqa: ANN401 (any of our classes)
    """Lines of one table and of those in it; the last line is empty."""
    fields = table.fields()
    if path:
        yield f"[{path}]"
    for name, field in fields.items():
        if not isinstance(field.rule, Table):
            yield from _pair(name, getattr(value, name))
    yield ""
    for name, field in fields.items():
        inner = getattr(value, name)
        if isinstance(field.rule, Table) and inner is not None:
            yield from _table(inner, field.rule, f"{path}.{name}".removeprefix("."))


def _pair(name: str, value: object) -> Iterator[str]:
    if not isinstance(value, tuple):
        yield f"{name} = {_scalar(value)}"
        return
    elements = [_scalar(element) for element in value]
    line = f"{name} = [{', '.join(elements)}]"
    if len(line) <= _LONGEST_LINE:
        yield line
        return
    yield f"{name} = ["
    yield from (f"  {element}," for element in elements)
    yield "]"


def _scalar(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            # JSON's escapes are a part of TOML's.
            return json.dumps(value, ensure_ascii=False)
        case _:
            return repr(value)
