"""Errors come through from a process that works for another one."""

import pickle

import pytest

from shipbar.errors import ContractError, SuiteError, UnknownNameError, UserError


@pytest.mark.parametrize(
    "error",
    [
        UserError("what, where, what to do"),
        UnknownNameError("family", "nonsense", ["numerals", "recurrence"]),
        ContractError(["task.toml:1: one", "task.toml:2: two"]),
        SuiteError(["only one"]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_the_same_on_the_other_side(error):
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there), vars(there)) == (
        type(error),
        str(error),
        vars(error),
    )
