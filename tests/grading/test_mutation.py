"""What is mutated, what is not, and what is set aside."""

import pytest

from shipbar.grading.mutation import CODEC, MESSAGE, mutants_of


def made(text, *sources):
    return mutants_of({"pack/__init__.py": text.encode()}, sources)


def changes(text, *sources):
    return {(it.before, it.after): it.aside for it in made(text, *sources)}


def test_a_mutant_is_the_module_with_one_text_exchanged():
    text = "def low(a, b):\n    # why\n    return (a  <  b)\n"
    (it,) = [it for it in made(text) if it.after == "return (a <= b)"]
    assert it.of({"pack/__init__.py": b"", "other": b"x"}) == {
        "pack/__init__.py": it.text,
        "other": b"x",
    }
    assert b"# why" in it.text
    assert (it.file, it.line, it.place) == ("pack/__init__.py", 3, "low")
    assert (list(it.lines), it.imported) == ([3], False)


def test_every_mutant_compiles_and_is_another():
    text = '''
import re
LIMIT = 3
NAMES = ("a", 'b')
class Box:
    size: int = 4
    def fits(self, *, other: "Box | None" = None) -> bool:
        """Docs."""
        for part in NAMES:
            if part == "a" and self.size >= 2:
                continue
            self.size += 1
        match self.size:
            case 1: return False
            case _: pass
        return not other if other else self.size ** 2 > LIMIT
'''
    found = made(text)
    assert len({it.text for it in found}) == len(found) > 25
    for it in found:
        compile(it.text, it.file, "exec")
        assert it.text.decode() != text


@pytest.mark.parametrize(
    "text",
    [
        'def f(a: "int | 3" = b) -> 5:\n    """One 1."""\n    return a\n',
        '__all__ = ["f", "g"]\n',
        "Item = int | tuple[str, int]\ndef f(a: Item) -> Item:\n    return a\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    X = 1\n",
        "from typing import TypeVar\ndef f():\n    g(TypeVar)\nT: object\n",
        "@functools.lru_cache(maxsize=3)\ndef f(a):\n    return a\n",
    ],
)
def test_what_has_no_behaviour_is_not_mutated(text):
    assert [it for it in made(text) if "g(" not in it.before] == []


def test_what_is_asked_for_its_truth_is_changed_once():
    text = "def f(a, b):\n    return list(zip(a, b, strict=True))\n"
    about = [after for _, after in changes(text) if "a, b" in after]
    assert len([after for after in about if "strict=True" not in after]) == 1


def test_what_is_done_at_import_is_told_from_what_a_call_does():
    text = "SIZE = 3\ndef f(a=1):\n    return 2\n"
    assert {it.before: it.imported for it in made(text)} == {
        "SIZE = 3": True,
        "def f(a=1):": True,
        "return 2": False,
    }


FAULT = """
class Fault(ValueError):
    '''Text only.'''
class Placed(ValueError):
    def __init__(self, place, text):
        self.place = place
        super().__init__(f"at {place}: {text}")
"""


@pytest.mark.parametrize(
    ("raised", "aside"),
    [
        ('raise Fault("no luck")', MESSAGE),
        ('raise Fault(f"no {text!r}")', MESSAGE),
        ('raise ValueError("no luck")', MESSAGE),
        ('raise Placed(place, "no luck")', MESSAGE),
        ('raise Placed("start", text)', ""),
        ('raise OSError(2, "no luck")', ""),
        ('raise StopIteration("answer")', ""),
        ('return Fault("kept")', ""),
        ('raise Unknown("no luck")', ""),
    ],
)
def test_only_the_wording_of_a_message_is_free(raised, aside):
    found = changes(f"{FAULT}\ndef f(text, place):\n    {raised}\n")
    about = {
        how
        for (before, after), how in found.items()
        if before == raised and ("XX" in after or "None" in after)
    }
    assert aside in about
    if not aside:
        assert MESSAGE not in {
            how
            for (before, after), how in found.items()
            if before == raised and "XXstart" in after
        }


@pytest.mark.parametrize(
    "reader",
    [
        "def g():\n    try:\n        f('')\n    except Fault as why:\n        return str(why)\n",
        "def g():\n    try:\n        f('')\n    except Fault as why:\n        return why.args\n",
    ],
)
def test_no_wording_is_free_where_a_message_is_read(reader):
    package = f"{FAULT}\ndef f(text):\n    raise Fault('no luck')\n"
    assert MESSAGE in changes(package).values()
    assert MESSAGE not in changes(package, reader).values(), "read by the suite"
    assert MESSAGE not in changes(package + reader).values(), "read by the package"


def test_looking_at_an_exception_otherwise_leaves_its_wording_free():
    package = f"{FAULT}\ndef f(text):\n    raise Fault('no luck')\n"
    reader = (
        "def g():\n    try:\n        f('')\n    except Fault as why:\n"
        "        return why.place, type(why).__name__\n"
    )
    assert MESSAGE in changes(package, reader).values()


@pytest.mark.parametrize(
    "export", ["__all__ = ['Item']\n", "def g():\n    return Item\n", "_ = Item\n"]
)
def test_a_type_that_is_used_as_a_value_is_mutated(export):
    text = "Item = int\ndef f(a: Item):\n    return a\n"
    assert ("Item = int", "Item = None") not in changes(text)
    assert ("Item = int", "Item = None") in changes(text + export)


def test_another_spelling_of_a_codec_is_the_same():
    found = changes("def f(a):\n    return a.encode('utf-8')\n")
    assert found["return a.encode('utf-8')", "return a.encode('UTF-8')"] == CODEC
    assert found["return a.encode('utf-8')", "return a.encode('XXutf-8XX')"] == ""
