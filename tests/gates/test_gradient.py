"""The ladder by ablation."""

from typing import Any

import pytest

from shipbar.gates.gradient import ablated, public_functions

PACKAGE = {
    "pack/__init__.py": b"from pack._a import Row, cut\n",
    "pack/_a.py": b"class Row:\n    def add(self): return 1\n    def _own(self): return 2\n"
    b"def cut(): return 3\ndef _inner(): return 4\nclass Other:\n    def add(self): return 5\n",
    "pack/py.typed": b"",
}


def test_public_functions_and_methods_of_public_classes_are_steps():
    assert public_functions(PACKAGE, ["Row", "cut"]) == ["Row.add", "cut"]


def test_what_is_ablated_raises_and_the_rest_stays():
    scope: dict[str, Any] = {}
    exec(ablated(PACKAGE, {"Row.add"})["pack/_a.py"], scope)
    row = scope["Row"]()
    assert (row._own(), scope["cut"](), scope["Other"]().add()) == (2, 3, 5)
    with pytest.raises(NotImplementedError):
        row.add()
    assert ablated(PACKAGE, {"nothing"}) == PACKAGE
