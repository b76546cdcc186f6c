"""Which exceptions pass where one is expected: honest kin, and nothing that only looks like it.

Every exception is raised in a real runner's process. On honest classes the answer
must be stock pytest's.
"""

import builtins
import importlib.util
import sys

import pytest

from shipbar.sealed.compare import Raises, lineages, raised_as_expected
from shipbar.sealed.lift import lift
from tests.grading.trial import PACKAGE, PATH, contract, judged, lifted

WARES = '''
import decimal
import json
import socket


class WareError(Exception):
    pass


class Malformed(WareError, ValueError):
    pass


class Missing(WareError, KeyError):
    pass


class Spoilt(WareError):
    pass


Rotten = Spoilt
Broken = ArithmeticError


class Quit(BaseException):
    pass


class TimeoutError(WareError):
    pass


class VeryMalformed(Malformed):
    """An honest subclass."""


class MalformedAndMore(Malformed, RuntimeError):
    """An honest subclass that is something else besides, which no test expects."""


class KitchenSink(Malformed, Missing, Spoilt, TypeError, OSError):
    """Whatever is expected, it is that."""


class Half(Malformed, Missing):
    pass


def look_alike(name, base=Exception, module=__name__):
    return type(name, (base,), {"__module__": module, "__qualname__": name})


class Disguise(type):
    def mro(cls):
        return (cls, Spoilt, Malformed, Missing, WareError, ValueError, KeyError,
                LookupError, Exception, BaseException, object)


def disguised():
    try:
        return Disguise("Malformed", (Spoilt,), {})("in all clothes")
    except TypeError:
        return KitchenSink()


def throw(error):
    raise error


def throw_group():
    raise ExceptionGroup("all", [Malformed(), Missing()])


def throw_from():
    try:
        raise Malformed
    except Malformed as cause:
        raise Spoilt from cause


def throw_class(name):
    raise globals()[name]
'''
SYMBOLS = ("Broken", "Malformed", "Missing", "Quit", "Rotten", "Spoilt", "TimeoutError", "WareError")  # fmt: skip
HEAD = """
import decimal
import json
import operator
import pytest
import wares
from wares import Broken, Malformed, Missing, Quit, Rotten, Spoilt, WareError
from wares import KitchenSink, VeryMalformed, Half, MalformedAndMore
from wares import disguised, look_alike, throw, throw_class, throw_from, throw_group

ERRORS = {
    "Malformed": ("WareError", "ValueError"),
    "Missing": ("WareError", "KeyError", "LookupError"),
    "Quit": ("BaseException",),
    "Rotten": ("Spoilt", "WareError"),
    "Spoilt": ("WareError",),
    "TimeoutError": ("WareError",),
    "WareError": (),
}

"""
ANYTHING_ELSE = (
    "throw(look_alike('Malformed')())",
    "throw(look_alike('Malformed', ValueError)())",
    "throw(look_alike('Malformed', ValueError, 'builtins')())",
    "throw(KitchenSink())",
    "throw(Half())",
    "throw(disguised())",
    "throw_group()",
    "throw_from()",
    "throw(SystemExit(0))",
    "throw(Quit())",
    "None",
    "Malformed",
    "Malformed()",
    "throw('Malformed')",
)
# By expected class: what passes, and what does not.
TABLES = {
    "Malformed": (
        (
            *("throw(Malformed())", "throw(Malformed)", "throw(VeryMalformed(1))"),
            *("throw_class('Malformed')", "throw(MalformedAndMore())"),
        ),
        (
            *ANYTHING_ELSE,
            *("throw(Missing())", "throw(Spoilt())", "throw(WareError())", "int('x')"),
        ),
    ),
    "Missing": (
        ("throw(Missing('k'))",),
        ("throw(Malformed())", "{}['k']", "throw(KitchenSink())", "[][1]"),
    ),
    "Spoilt": (("throw(Spoilt())", "throw(Rotten())", "throw_from()"), ("throw(Half())",)),
    "Rotten": (("throw(Spoilt())", "throw(Rotten())"), ("throw(WareError())",)),
    "ArithmeticError": (("throw(Broken())", "1 / 0", "throw(ArithmeticError())"), ("int('x')",)),
    "Quit": (("throw(Quit())",), ("throw(SystemExit())", "throw(WareError())")),
    "WareError": (
        (
            *("throw(WareError())", "throw(Malformed())", "throw(Missing())"),
            *("throw(Spoilt())", "throw(VeryMalformed())"),
        ),
        ("int('x')", "throw(look_alike('WareError')())", "throw(KitchenSink())", "None"),
    ),
    "wares.TimeoutError": (
        ("throw(wares.TimeoutError())",),
        ("throw(TimeoutError())", "throw(OSError())"),
    ),
    "TimeoutError": (("throw(TimeoutError())",), ("throw(wares.TimeoutError())",)),
    "ValueError": (
        ("int('x')", "throw(UnicodeDecodeError('x', b'', 0, 1, ''))", "throw(Malformed())"),
        ("throw(look_alike('ValueError')())", "1 / 0", "None", "throw(WareError())"),
    ),
    "KeyError": (("{}['k']", "throw(Missing())"), ("[][1]", "throw(LookupError())")),
    "LookupError": (("{}['k']", "[][1]", "throw(Missing())"), ("int('x')",)),
    "ZeroDivisionError": (("1 / 0", "divmod(1, 0)"), ("throw(Broken())", "2 ** 3")),
    "IndexError": (("[][1]",), ("{}[1]",)),
    "AttributeError": (("None.x",), ("throw(look_alike('AttributeError')())", "[].sort()")),
    "IOError": (("open('/no/such/file')", "throw(OSError())"), ("throw(ValueError())",)),
    "StopIteration": (("next(iter([]))",), ("list(iter([]))",)),
    "RecursionError": (("throw(RecursionError())",), ("throw(RuntimeError())",)),
    "SystemExit": (("throw(SystemExit(3))",), ("throw(Quit())", "throw(KeyboardInterrupt())")),
    "Exception": (
        ("throw(Exception())", "int('x')", "throw(Malformed())", "1 / 0", "throw(WareError())"),
        ("throw(Quit())", "throw(SystemExit())", "None"),
    ),
    "decimal.InvalidOperation": (
        ("decimal.Decimal('x')",),
        ("int('x')", "decimal.Decimal(1) / 0", "throw(look_alike('InvalidOperation', ArithmeticError, 'decimal')())"),
    ),
    "json.JSONDecodeError": (("json.loads('{')",), ("int('x')", "throw(Malformed())")),
}  # fmt: skip
# Stock pytest lets these pass: the reason is the rule itself.
DELIBERATE = {
    "Malformed": ("throw(KitchenSink())", "throw(Half())", "throw(disguised())"),
    "Missing": ("throw(KitchenSink())",),
    "WareError": ("throw(KitchenSink())",),
}


def rows() -> list[tuple[str, str]]:
    return [(e, probe) for e, (good, bad) in TABLES.items() for probe in (*good, *bad)]


@pytest.fixture(scope="module")
def passed(tmp_path_factory) -> dict[tuple[str, str], bool]:
    tests = [
        f"def test_row_{number:04}():\n    with pytest.raises({expected}):\n        {probe}\n"
        for number, (expected, probe) in enumerate(rows())
    ]
    suite = lifted(HEAD + "\n".join(tests), SYMBOLS)
    work = tmp_path_factory.mktemp("judge")
    found = judged(work, suite, contract(SYMBOLS), package=WARES)
    assert found.structure.ok, found
    assert {str(o) for o in found.outcomes} == {"passed", "wrong", "not raised"}
    return {row: o == "passed" for row, o in zip(rows(), found.outcomes, strict=True)}


@pytest.fixture(scope="module")
def stock(tmp_path_factory) -> dict[tuple[str, str], bool]:
    path = tmp_path_factory.mktemp("stock") / "wares.py"
    path.write_text(WARES)
    spec = importlib.util.spec_from_file_location("wares", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    scope: dict[str, object] = {}
    sys.modules["wares"] = module
    try:
        spec.loader.exec_module(module)
        exec(HEAD, scope)
        return {row: _raises(*row, scope) for row in rows()}
    finally:
        del sys.modules["wares"]


def _raises(expected: str, probe: str, scope: dict[str, object]) -> bool:
    try:
        with pytest.raises(eval(expected, scope)):
            eval(probe, scope)
    except BaseException:  # noqa: BLE001  # another exception, or none
        return False
    return True


@pytest.mark.parametrize("expected", TABLES)
def test_the_expected_class_passes_and_what_only_looks_like_it_does_not(
    expected, passed
):
    good, bad = TABLES[expected]
    assert [probe for probe in good if not passed[expected, probe]] == []
    assert [probe for probe in bad if passed[expected, probe]] == []


@pytest.mark.parametrize("expected", TABLES)
def test_on_honest_classes_the_judge_says_what_pytest_says(expected, passed, stock):
    good, bad = TABLES[expected]
    different = {
        probe
        for probe in (*good, *bad)
        if passed[expected, probe] != stock[expected, probe]
    }
    assert different == set(DELIBERATE.get(expected, ()))


# -- the rule itself -----------------------------------------------------------------

ANCESTORS = {
    "Base": ("builtins.Exception",),
    "Left": ("Base", "builtins.Exception"),
    "Right": ("Base", "builtins.Exception"),
    "builtins.Exception": ("builtins.BaseException", "builtins.object"),
}
ALL = frozenset(ANCESTORS)


@pytest.mark.parametrize(
    ("expected", "names", "passes"),
    [
        ("Base", ["Base", "builtins.Exception"], True),
        ("Base", ["?.Mine", "Left", "Base", "builtins.Exception", "x.Y"], True),
        ("Base", ["Left", "Right", "Base", "builtins.Exception"], False),
        ("Left", ["Left", "Base", "builtins.Exception"], True),
        ("Left", ["Left", "builtins.Exception"], False),
        ("Left", ["Right", "Base", "builtins.Exception"], False),
        ("Left", ["left", "Base", "builtins.Exception"], False),
        ("Left", [*sorted(ALL)], False),
        ("Left", [], False),
        ("builtins.Exception", ["Right", "Base", "builtins.Exception"], True),
        ("builtins.Exception", ["builtins.BaseException"], False),
    ],
)
def test_the_names_that_are_expected_anywhere_must_be_the_reference_s(
    expected, names, passes
):
    rule = Raises(error=expected, lineages=lineages(expected, ANCESTORS), known=ALL)
    assert raised_as_expected(rule, names) is passes


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, value in sorted(vars(builtins).items())
        if isinstance(value, type) and issubclass(value, BaseException)
    ],
)
def test_every_builtin_exception_can_be_expected(name):
    cls = getattr(builtins, name)
    text = f"import pytest\n\ndef test_a():\n    with pytest.raises({name}):\n        f()\n"
    found = lift({PATH: text}, PACKAGE)
    assert found.problems == ()
    assert found.suite.cases[0].expectation.error == f"builtins.{cls.__name__}"  # type: ignore[union-attr]  # it is a Raises
