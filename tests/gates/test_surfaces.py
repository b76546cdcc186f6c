"""How the names of one task become those of another."""

import json
import shutil

import attrs
import pytest

from shipbar.gates.surfaces import BY_KIND, BY_ROLE, renaming, surface_of
from shipbar.grading.tasks import load_task
from tests.repository import ROOT

EXAMPLE = ROOT / "examples" / "check-character-36"


@pytest.fixture
def surface(tmp_path):
    """Read the surface of a package that is the reference of a task."""

    def make(name, text, record=None):
        folder = shutil.copytree(EXAMPLE, tmp_path / name)
        shutil.rmtree(folder / "grader" / "reference")
        module = folder / "grader" / "reference" / name / "__init__.py"
        module.parent.mkdir(parents=True)
        module.write_text(text)
        (folder / "grader" / "variant.json").write_text(json.dumps(record or {}))
        task = load_task(EXAMPLE)
        symbols = tuple(
            line.split()[1].split("(")[0]
            for line in text.splitlines()
            if not line.startswith(" ")
        )
        contract = attrs.evolve(task.contract, import_name=name, public_symbols=symbols)
        return surface_of(attrs.evolve(task, folder=folder, contract=contract))

    return make


ONE = "class Plom(ValueError): ...\nclass Row(object):\n  def __init__(self, a): ...\n  def add(self, a): ...\ndef cut(a): ...\ndef join(a, b): ...\n"
TWO = "def glue(a, b): ...\ndef part(a): ...\nclass Bad(KeyError): ...\nclass Line(object):\n  def __init__(self, a): ...\n  def put(self, a): ...\n"


def test_tasks_of_one_family_are_mapped_by_role(surface):
    roles = [{"cut": "cut", "add": "add"}, {"cut": "glue", "add": "put"}]
    mine = surface("one", ONE, {"family": "rows", "names": roles[0]})
    theirs = surface("two", TWO, {"family": "rows", "names": roles[1]})
    how = renaming(mine, theirs)
    assert how is not None
    assert how.how == BY_ROLE
    assert how.apply("from two import glue\nglue(1).put(2)  # glues") == (
        "from one import cut\ncut(1).add(2)  # glues"
    )


def test_others_are_mapped_by_kind_and_what_has_as_many_parameters(surface):
    how = renaming(surface("one", ONE), surface("two", TWO))
    assert how is not None
    assert how.how == BY_KIND
    assert how.names == {
        "two": "one",
        "part": "cut",
        "glue": "join",
        "Bad": "Plom",
        "Line": "Row",
    }
    assert how.apply(
        "from two import part\nx.part(part(1)).put('part')\ndef put(a): ..."
    ) == ("from one import cut\nx.part(cut(1)).add('cut')\ndef add(a): ...")


def test_a_reference_with_fewer_of_a_kind_cannot_be_mapped(surface):
    fewer = TWO.replace("class Bad(KeyError): ...\n", "")
    assert renaming(surface("one", ONE), surface("two", fewer)) is None
    assert renaming(surface("three", fewer), surface("four", TWO)) is not None


def test_an_exception_of_an_exception_is_one():
    kinds = surface_of(load_task(EXAMPLE)).kinds
    assert {kind: len(items) for kind, items in kinds.items()} == {
        "function": 5,
        "class": 0,
        "exception": 5,
    }
