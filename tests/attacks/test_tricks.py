"""Payloads know what they are up against; were the runner to change, they would have to."""

import pytest

from shipbar.attacks import Ground, tricks
from shipbar.verdict import Verdict
from tests.attacks.conftest import Sealed


@pytest.mark.parametrize("known", ["sealed()", "runner() is not None"])
def test_in_the_sealed_grader_a_payload_finds_the_runner(
    known: str, ground: Ground, sealed: Sealed, honest: Verdict
):
    code = f"{tricks.SEALED}\n{tricks.RUNNER}\nassert "
    assert sealed(tricks.with_code(ground, code + known)).passed == honest.passed
    unknown = sealed(tricks.with_code(ground, f"{code}not ({known})"))
    assert not unknown.structure.imports


def test_the_runner_that_is_found_writes_the_pipe(ground: Ground, sealed: Sealed):
    code = f"{tricks.RUNNER}\nrunner().say(b'V', bytes(16), 'true')"
    assert sealed(tricks.with_code(ground, code)).structure.why == "malformed"


def test_a_trick_shadows_no_name_of_the_package(ground: Ground):
    files = tricks.with_code(ground, "import os as issue")
    init = files[f"{ground.import_name}/__init__.py"]
    assert b"as issue" not in init
    assert init.startswith(ground.honest[f"{ground.import_name}/__init__.py"])
