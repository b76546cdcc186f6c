"""A client's canary: the same for ever, and nobody else's."""

import re

import pytest

from shipbar.canary import for_client
from shipbar.canary.forms import digits_of
from shipbar.errors import UserError
from tests.canary.samples import CANARY, DIGITS, UUID

KEY = bytes(range(32))


def test_it_is_of_the_form_that_tasks_have():
    text = for_client(KEY, "acme", "compact-binary-1")
    assert re.fullmatch(r"shipbar-canary-[0-9a-f]{32}", text)


def test_it_stays_the_same_from_one_release_to_the_next():
    # Derived again years later, it has to be the one that was delivered. Made by
    # `openssl dgst -sha256 -mac HMAC` over each part with its length in 8 bytes before it.
    expected = "shipbar-canary-dcb22c7bf2f965d5753994429b8a424b"
    assert for_client(KEY, "acme", "task-1") == expected


def test_another_key_client_or_task_gives_another():
    asked = [
        (KEY, "acme", "task-1"),
        (KEY[::-1], "acme", "task-1"),
        (KEY, "acme2", "task-1"),
        (KEY, "acme", "task-2"),
        (KEY, "acmet", "ask-1"),
    ]
    assert len({for_client(*it) for it in asked}) == len(asked)


@pytest.mark.parametrize(
    ("key", "client", "task", "says"),
    [
        (b"short", "acme", "task-1", "5 bytes can be guessed"),
        (KEY, "", "task-1", "neither empty"),
        (KEY, "acme", "", "neither empty"),
    ],
    ids=["key", "client", "task"],
)
def test_what_would_protect_nothing_is_refused(key, client, task, says):
    with pytest.raises(UserError, match=says):
        for_client(key, client, task)


def test_only_our_form_has_digits():
    assert digits_of(CANARY.upper()) == DIGITS
    assert digits_of(UUID) == "3e2d5c0e8d0b4a529b0e6f4d0c7b1a55"
    for other in (
        CANARY[:-1],
        CANARY + "0",
        "canary 5f0c1f2e-0b7d",
        UUID.replace("-", "_"),
    ):
        assert digits_of(other) is None
