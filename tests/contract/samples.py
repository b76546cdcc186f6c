"""A good contract, as a file and as values, and ways to spoil it."""

import re

import pytest

from shipbar.contract import (
    Contract,
    CopyGuard,
    GraderSection,
    Licence,
    Limits,
    UpstreamSdist,
    parse_contract,
)
from shipbar.errors import ContractError

VALID = """\
task_id = "base36-check"
task_class = "mutated"
language = "python"
split = "train"
import_name = "checkmark"
public_symbols = ["encode", "decode", "CheckError"]
reference_install = "grader/reference"
known_bad_install = ["grader/known_bad/luhn", "grader/known_bad/hollow"]
recall_ceiling = 0.5
canary = "canary 5f0c1f2e-0b7d"

[grader]
min_passed = 30
pytest_paths = ["grader/tests"]

[grader.limits]
wall_s = 60.0
case_wall_s = 2.0
cpu_s = 30.0
memory_mib = 512
processes = 1
output_kib = 1024

[copy_guard]
reference = 0.9
upstream = 0.8
hard_fail = true

[licence]
solver = "CC-BY-4.0"
grader = "LicenseRef-Ours"

[upstream_sdist]
name = "checkdigits"
version = "2.3.1"
file = "checkdigits-2.3.1.tar.gz"
sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
licence = "MIT OR (Apache-2.0 WITH LLVM-exception)"
"""

EXPECTED = Contract(
    task_id="base36-check",
    task_class="mutated",
    language="python",
    split="train",
    import_name="checkmark",
    public_symbols=("encode", "decode", "CheckError"),
    reference_install="grader/reference",
    known_bad_install=("grader/known_bad/luhn", "grader/known_bad/hollow"),
    recall_ceiling=0.5,
    canary="canary 5f0c1f2e-0b7d",
    grader=GraderSection(
        min_passed=30, pytest_paths=("grader/tests",), limits=Limits()
    ),
    copy_guard=CopyGuard(reference=0.9, upstream=0.8, hard_fail=True),
    licence=Licence(solver="CC-BY-4.0", grader="LicenseRef-Ours"),
    upstream_sdist=UpstreamSdist(
        name="checkdigits",
        version="2.3.1",
        file="checkdigits-2.3.1.tar.gz",
        sha256="0123456789abcdef" * 4,
        licence="MIT OR (Apache-2.0 WITH LLVM-exception)",
    ),
)


def with_line(name: str, value: str, text: str = VALID) -> str:
    """Give the first field of that name another value."""
    changed, count = re.subn(
        rf"^{name} = .*$", lambda _: f"{name} = {value}", text, count=1, flags=re.M
    )
    assert count == 1
    return changed


def without(pattern: str, text: str = VALID) -> str:
    changed, count = re.subn(pattern, "", text, flags=re.M)
    assert count
    return changed


def problems(text: str | bytes, where: str = "task.toml") -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(ContractError) as caught:
        parse_contract(data, where=where)
    return list(caught.value.problems)


def the_problem(text: str | bytes) -> str:
    [problem] = problems(text)
    assert re.fullmatch(
        r"task\.toml:\d+: [^\n]+: expected [^\n]+, got [^\n]+; .+", problem
    )
    return problem


def line_of(field: str, text: str = VALID) -> int:
    """The line of the first field of that name, or else of the table's header."""
    lines = text.splitlines()
    first = next((line for line in lines if line.startswith(f"{field} =")), "")
    return lines.index(first or f"[{field}]") + 1
