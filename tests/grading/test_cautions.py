import pytest

from shipbar.grading.cautions import cautions
from shipbar.sealed.lift import lift

VALUE = "    assert f({n}) == [{n}]\n"


def warned(text_of_tests: str, *, beside: int = 0) -> list[str]:
    """Warnings about tests, beside so many that are in order."""
    text = "import pytest\nfrom strips import f\nimport math\n\n"
    text += text_of_tests + "".join(
        f"\ndef test_{rule}_{number}():\n{VALUE.format(n=f'{place}{number}')}"
        for place, rule in enumerate("pqrst"[: -(-beside // 4)], start=1)
        for number in range(1, 5)
    )
    lifted = lift({"test_x.py": text}, "strips", ["f"])
    assert lifted.problems == ()
    return cautions(lifted.suite)


def several(rule: str, *bodies: str) -> str:
    return "".join(
        f"def test_{rule}_{number}():\n    {body}\n\n"
        for number, body in enumerate(bodies, start=1)
    )


GOOD = several("a", *(f"assert f('{n}') == [{n}]" for n in range(4)))


def test_values_that_differ_need_no_warning():
    assert warned(GOOD, beside=20) == []


@pytest.mark.parametrize(
    "expression",
    [
        "(f(1) == f(2))",
        "(not f(1) < 2)",
        "(f(1) or f(2) != 3)",
        "all(x in f(1) for x in f(2))",
    ],
)
def test_a_comparison_that_the_package_decides(expression):
    found = warned(GOOD + several("b", f"assert {expression} is True"), beside=20)
    assert any("lets the package's own objects decide" in item for item in found)


@pytest.mark.parametrize(
    "expression",
    ["(f(1) is f(1))", "isinstance(f(1), int)", "f(1)", "math.isnan(f(1))"],
)
def test_other_truths_are_not_warned_of_one_by_one(expression):
    found = warned(GOOD + several("b", f"assert {expression} is True"), beside=20)
    assert not any("own objects" in item for item in found)


def test_a_constant_that_earns_much():
    bodies = [f"assert f({n}) is True" for n in range(4)] + ["assert f(9) is False"]
    (found, *_) = warned(GOOD + several("b", *bodies), beside=16)
    assert "a package that always answers True passes 4 of 25" in found


def test_an_exception_that_earns_much():
    bodies = [f"with pytest.raises(KeyError): f({n})" for n in range(4)]
    found = warned(GOOD + several("b", *bodies, "assert f(9) == 1"), beside=16)
    assert "always raises builtins.KeyError passes 4 of 25" in found[0]


def test_a_rule_that_one_constant_passes():
    bodies = [f"assert f({n}) is False" for n in range(3)]
    found = warned(GOOD + several("b", *bodies), beside=20)
    assert any(
        item.startswith("rule b: one constant passes all of its 3") for item in found
    )
    other = [*bodies[:2], "assert f(7) is True"]
    assert not any(
        "rule b" in i for i in warned(GOOD + several("b", *other), beside=20)
    )


def test_an_error_of_any_kind():
    found = warned(GOOD + several("b", "with pytest.raises(Exception): f()"), beside=20)
    assert any("any error passes" in item for item in found)


def test_the_same_question_twice():
    found = warned(
        GOOD + several("b", "assert f(1) == 2", "assert f(1) == 2"), beside=20
    )
    assert "test_x.py:20: test_b_2: asks the same as test_b_1" in "\n".join(found)


@pytest.mark.parametrize(
    ("literal", "words"),
    [
        (repr([0] * 13_000), "13001 items"),
        (repr("x" * 1_100_000), "1100000 characters"),
        ("[" * 40 + "]" * 40, "40 levels"),
    ],
)
def test_an_expectation_near_the_bounds(literal, words):
    found = warned(GOOD + several("b", f"assert f() == {literal}"), beside=20)
    assert any(words in item for item in found)


def test_rules_that_are_too_small_or_too_large():
    found = warned(GOOD + several("b", "assert f() == 2"), beside=8)
    assert "fewer than 3 assertions, which luck may decide: b 1" in found[0]
    assert "more than a quarter" in found[1]
    assert "a 4 of 13, p 4 of 13, q 4 of 13" in found[1]


def test_names_without_a_rule():
    found = warned(GOOD + "def test_wild():\n    assert f() == 1\n", beside=20)
    assert "test_<rule>_<number>" in found[-1]
    assert "test_wild" in found[-1]
