"""The published JSON Schema says what the parser does."""

import json
import subprocess
import sys
from copy import deepcopy
from datetime import date
from itertools import chain
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipbar.contract import (
    contract_as_json,
    contract_schema,
    contract_schema_text,
    parse_contract,
)
from shipbar.contract.values import CONTRACT
from shipbar.errors import ContractError
from tests.repository import ROOT

PAGE = ROOT / "docs" / "reference" / "contract.md"
PUBLISHED = ROOT / "docs" / "reference" / "task.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(contract_schema())

VALID: dict[str, Any] = {
    "task_id": "base36-check",
    "task_class": "mutated",
    "language": "python",
    "split": "eval",
    "import_name": "checkmark",
    "public_symbols": ["encode", "decode"],
    "reference_install": "grader/reference",
    "known_bad_install": ["grader/known_bad/luhn"],
    "recall_ceiling": 0.5,
    "canary": "canary 5f0c1f2e-0b7d",
    "grader": {
        "min_passed": 30,
        "pytest_paths": ["grader/tests"],
        "limits": {
            "wall_s": 80_000.0,
            "case_wall_s": 2.0,
            "cpu_s": 30.0,
            "memory_mib": 512,
            "processes": 1,
            "output_kib": 1024,
        },
    },
    "copy_guard": {"reference": 0.9, "upstream": 0.8, "hard_fail": True},
    "licence": {"solver": "CC-BY-4.0", "grader": "LicenseRef-Ours"},
    "upstream_sdist": {
        "name": "checkdigits",
        "version": "2.3.1",
        "file": "checkdigits-2.3.1.tar.gz",
        "sha256": "0123456789abcdef" * 4,
        "licence": "MIT",
    },
}


def toml(value) -> str:
    """Write any plain data as a TOML value."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value).replace("\x7f", "\\u007f")
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            pairs = (f"{toml(key)} = {toml(inner)}" for key, inner in value.items())
            return f"{{{', '.join(pairs)}}}"
        case date():
            return value.isoformat()
        case _:
            return repr(value)


def parser_accepts(data) -> bool:
    text = "".join(f"{toml(key)} = {toml(value)}\n" for key, value in data.items())
    try:
        parse_contract(text.encode())
    except ContractError:
        return False
    return True


def schema_accepts(data) -> bool:
    return VALIDATOR.is_valid(data)


def places(value, path=()):
    yield path
    keys = value if isinstance(value, dict) else ()
    indices = range(len(value)) if isinstance(value, list) else ()
    for key in chain(keys, indices):
        yield from places(value[key], (*path, key))


PLACES = [path for path in places(VALID) if path]
# Near misses of every kind of rule. Left out is what a schema cannot tell apart (a
# float without a fraction) or cannot say (modules of the standard library, overlaps
# of paths, unbalanced brackets, case_wall_s above wall_s).
VALUES = [
    *(0, 1, 2, -1, 63, 64, 0.25, 1.5, -0.5, 86_400, 86_401, 10**6, 10**7, True, False),
    *("", "x", "a-b", "a--b", "A", "a\n", "a b", "_", "9x", "class", "pytest", "é"),
    *("invented", "mutated", "python", "train", "eval", "MIT", "MIT AND", "MIT OR X"),
    *("(MIT)", "MIT WITH x AND (Y)", "AND", "LicenseRef-a.b", "GPL-2.0+"),
    *("/abs", "../up", "a/..", "a/../b", "..x", "a\\b", "a//b", "a/", "./a", ".", ".."),
    *("solver", "solver/x", "solvers/x", "a/solver", "g/\x1b", "g/\x7f", "g/\x85"),
    *("z.tar.gz", "z.zip", "a/z.zip", "f" * 64, "F" * 64, "f" * 64 + "\n", "g" * 65),
    *("y" * 16, " " + "y" * 16, "y" * 15, "y" * 1000, "y" * 1001, "p" * 500, "p" * 501),
    *([], ["x"], ["x", "x"], ["x", "y"], ["x", 1], [""], [[]], {}, {"x": 1}, [{}]),
]
changes = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(PLACES), st.sampled_from(VALUES)),
        st.tuples(st.sampled_from(PLACES), st.none()),  # remove it
        st.tuples(
            st.sampled_from([(*path, "extra") for path in [(), *PLACES]]),
            st.sampled_from(VALUES),
        ),
    ),
    max_size=3,
)


def changed(todo) -> dict[str, Any]:
    data = deepcopy(VALID)
    for path, value in todo:
        parent: Any = data
        for key in path[:-1]:
            try:
                parent = parent[key]
            except (KeyError, IndexError, TypeError):
                break
        else:
            key = path[-1]
            if isinstance(parent, dict) and isinstance(key, str):
                parent[key] = deepcopy(value)
                if value is None:
                    del parent[key]
            elif isinstance(parent, list) and isinstance(key, int) and parent[key:]:
                parent[key:] = [] if value is None else [deepcopy(value)]
    return data


def beyond_a_schema(data) -> bool:
    """Paths overlap, or a case has more time than the grade: between-field rules."""
    grader = data.get("grader")
    grader = grader if isinstance(grader, dict) else {}
    paths = [data.get("reference_install")]
    for some in (data.get("known_bad_install"), grader.get("pytest_paths")):
        paths += some if isinstance(some, list) else []
    texts = [f"{path}/" for path in paths if isinstance(path, str)]
    overlap = any(
        one.startswith(other)
        for n, one in enumerate(texts)
        for m, other in enumerate(texts)
        if n != m
    )
    limits = grader.get("limits")
    limits = limits if isinstance(limits, dict) else {}
    case: Any = limits.get("case_wall_s")
    whole: Any = limits.get("wall_s")
    numbers = isinstance(case, int | float) and isinstance(whole, int | float)
    return overlap or (numbers and case > whole)


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(contract_schema())


def test_both_accept_the_valid_one():
    assert parser_accepts(VALID)
    assert schema_accepts(VALID)


@pytest.mark.parametrize("path", PLACES, ids=str)
def test_parser_and_schema_agree_on_every_value_at_every_place(path):
    differing = [
        value
        for value in [*VALUES, None]
        if not beyond_a_schema(data := changed([(path, value)]))
        and parser_accepts(data) != schema_accepts(data)
    ]
    assert differing == []


@pytest.mark.parametrize("path", PLACES, ids=str)
def test_every_place_is_guarded(path):
    # A date fits nowhere; a schema has no such type, so only the parser is asked.
    assert not parser_accepts(changed([(path, date(1979, 5, 27))]))


@given(changes)
def test_parser_and_schema_agree_on_what_is_changed_in_several_places(todo):
    data = changed(todo)
    if beyond_a_schema(data):
        assert not parser_accepts(data)
    else:
        assert parser_accepts(data) == schema_accepts(data)


@given(st.text("solver/.\\ \n\x1f\x7f\x9fé", max_size=10))
def test_parser_and_schema_agree_on_any_text_as_a_path(text):
    data = changed([(("known_bad_install", 0), text)])
    if not beyond_a_schema(data):
        assert parser_accepts(data) == schema_accepts(data)


@pytest.mark.parametrize(
    "change",
    [
        ("import_name", "json"),
        ("reference_install", "grader/tests"),
        ("licence", {"solver": "(MIT", "grader": "MIT"}),
    ],
    ids=["standard library", "overlap", "brackets"],
)
def test_what_the_schema_cannot_say_the_parser_still_refuses(change):
    data = VALID | dict([change])
    assert schema_accepts(data)
    assert not parser_accepts(data)


def test_the_json_form_of_a_contract_fits_the_schema():
    invented = {key: VALID[key] for key in VALID if key != "upstream_sdist"}
    for data in (VALID, invented | {"task_class": "invented"}):
        text = "".join(f"{key} = {toml(value)}\n" for key, value in data.items())
        form = contract_as_json(parse_contract(text.encode()))
        assert form == {"upstream_sdist": None} | data
        assert json.loads(json.dumps(form)) == form
        assert schema_accepts(form)


def test_an_invented_contract_with_an_upstream_fits_neither():
    data = VALID | {"task_class": "invented"}
    assert not schema_accepts(data)
    assert not parser_accepts(data)


def test_the_published_schema_is_up_to_date():
    assert PUBLISHED.read_text(encoding="utf-8") == contract_schema_text(), (
        "write contract_schema_text() to docs/reference/task.schema.json"
    )


def test_the_example_of_the_reference_page_is_a_contract():
    page = PAGE.read_text(encoding="utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    assert parse_contract(example.encode()).task_id == "base36-check"


def test_the_reference_page_has_every_field_with_its_sentence():
    page = PAGE.read_text(encoding="utf-8")
    missing = [
        (*path, name)
        for path, table in CONTRACT.tables().items()
        for name, field in table.fields().items()
        if f"| `{name}` | {field.doc}" not in page
    ]
    assert missing == []


def test_reading_a_contract_loads_nothing_that_does_input_or_output():
    code = (
        "import sys, shipbar.contract\n"
        "print({'asyncio', 'logging', 'socket', 'subprocess'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
