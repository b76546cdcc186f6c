"""From values to the canonical bytes."""

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shipbar.contract import (
    CopyGuard,
    GraderSection,
    Limits,
    parse_contract,
    render_contract,
)
from shipbar.errors import ContractError
from tests.contract.samples import (
    EXPECTED,
    VALID,
)


def test_the_canonical_form_is_the_one_shown_in_these_tests():
    assert render_contract(EXPECTED) == VALID.encode()


def test_rendering_depends_on_the_values_alone():
    shuffled = parse_contract(
        VALID.replace("\n\n", "\n# noise\n\n").replace("= 60.0", "=   6e1").encode()
    )
    assert render_contract(shuffled) == VALID.encode()


def test_a_long_list_has_one_element_a_line():
    names = tuple(f"name_{number}" for number in range(20))
    data = render_contract(attrs.evolve(EXPECTED, public_symbols=names))
    assert b'public_symbols = [\n  "name_0",\n' in data
    assert parse_contract(data).public_symbols == names


@pytest.mark.parametrize(
    "change",
    [
        {"task_id": 'x"\ninjected = "y'},
        {"canary": "a lone surrogate \udc80 here"},
        {"canary": "\x7f" * 16},
        {"recall_ceiling": float("nan")},
        {"upstream_sdist": None},
        {"public_symbols": ()},
    ],
    ids=["injection", "surrogate", "delete", "nan", "upstream", "nothing"],
)
def test_a_contract_that_breaks_a_rule_is_not_written(change):
    with pytest.raises(ContractError):
        render_contract(attrs.evolve(EXPECTED, **change))


identifiers = st.text("abXY_09", max_size=6).map("n".__add__)
canaries = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zs")), min_size=16, max_size=40
)
seconds = st.floats(min_value=0, max_value=86_400, exclude_min=True)
shares = st.floats(min_value=0, max_value=1, exclude_min=True)
contracts = st.builds(
    attrs.evolve,
    st.just(EXPECTED),
    public_symbols=st.lists(identifiers, min_size=1, unique=True).map(tuple),
    recall_ceiling=st.floats(min_value=0, max_value=1),
    canary=canaries,
    copy_guard=st.builds(
        CopyGuard, reference=shares, upstream=shares, hard_fail=st.booleans()
    ),
    grader=st.builds(
        GraderSection,
        min_passed=st.integers(1, 1_000_000),
        pytest_paths=st.just(("grader/tests",)),
        limits=st.builds(Limits, wall_s=st.just(86_400.0), cpu_s=seconds),
    ),
)


@given(contracts)
@example(attrs.evolve(EXPECTED, canary="\"\"\"\\u0000 ''' # \\ é 𝄞"))
def test_what_is_written_reads_back_equal(contract):
    data = render_contract(contract)
    again = parse_contract(data)
    assert again == contract
    assert again.raw == data
    assert render_contract(again) == data
