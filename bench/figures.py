"""One object a figure: what was measured, against what, and whether that was the goal."""

from typing import Any

Figure = dict[str, Any]


def at_least(name: str, median_s: float, ratio: float, goal: float) -> Figure:
    """A figure whose ratio says how many times faster; more is better."""
    return {
        "name": name,
        "median_s": median_s,
        "ratio": ratio,
        "goal": goal,
        "sense": ">=",
        "met": ratio >= goal,
    }


def at_most(name: str, median_s: float, ratio: float, goal: float) -> Figure:
    """A figure whose ratio says how many times the floor; less is better."""
    return {
        "name": name,
        "median_s": median_s,
        "ratio": ratio,
        "goal": goal,
        "sense": "<=",
        "met": ratio <= goal,
    }


def told(name: str, median_s: float, ratio: float) -> Figure:
    """A figure without a goal, beside one that has one."""
    return {
        "name": name,
        "median_s": median_s,
        "ratio": ratio,
        "goal": None,
        "met": None,
    }


def not_run(name: str, goal: float, why: str) -> Figure:
    """A figure that cannot be measured on this machine. Not run is not met, nor unmet."""
    return {
        "name": name,
        "median_s": None,
        "ratio": None,
        "goal": goal,
        "met": None,
        "why": why,
    }


def within(name: str, median_s: float, most_s: float) -> Figure:
    """A figure that must stay within some seconds; its ratio is the share that it used."""
    return at_most(name, median_s, median_s / most_s, 1)
