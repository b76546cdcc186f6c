"""The report: a page for people, JSON and JUnit XML for machines.

Each is written a task at a time from what each task's process wrote down, so that a
delivery may be as large as it likes. Every text of a delivery is escaped. The page needs
nothing else: no script, no font, no network.
"""

import importlib.resources
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO
from xml.etree import ElementTree

import attrs
import jinja2

from shipbar.acceptance.values import (
    ACCEPTED,
    OUTCOMES,
    REJECTED,
    UNMEASURED,
    Asked,
    Result,
)

SCHEMA = 1
"""Version of the JSON form."""
JSON, JUNIT, PAGE = "report.json", "junit.xml", "report.html"
FILES = (JSON, JUNIT, PAGE)
_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Results = Callable[[], Iterable[Result]]
"""Reads the results of all tasks, in the order of their ids, once more."""


@attrs.frozen(kw_only=True)
class Summary:
    """What comes of a delivery."""

    delivery: Mapping[str, Any]
    """Client, tranche, serial, digest and signers; empty if it does not count."""
    closed: str
    """Why nothing of it counts; empty if all is well."""
    counts: Mapping[str, int]
    """How many tasks came to each outcome."""
    by_design: int
    """How many of those not measured were not to be: withheld evaluation graders."""
    sample: Mapping[str, Any] | None
    """Count, nonce and of how many, if it was a sample."""
    target: float
    """The part of the tasks, 0 to 1, that was to be accepted."""
    buyer: str
    """The id of the buyer's key."""
    date: str
    """The day, as the buyer's clock has it."""
    seconds: float
    """Wall seconds of this call, and of gates that earlier calls ran, by its processes together."""
    in_gates: float
    """The part of this call's time, 0 to 1, that its processes spent in gates."""
    notes: Mapping[str, int]
    """What differs and is held against nobody, and of how many tasks."""
    measured_by: Mapping[str, Any]
    """The Shipbar, sandbox and interpreter that measured."""

    @property
    def rate(self) -> float | None:
        """Accepted tasks by all that were accepted or rejected; None without any."""
        total = self.counts[ACCEPTED] + self.counts[REJECTED]
        return self.counts[ACCEPTED] / total if total else None

    @property
    def met(self) -> bool:
        """Whether the target was met."""
        return self.rate is not None and self.rate >= self.target

    @property
    def open_questions(self) -> int:
        """How many tasks should have been measured and could not be."""
        return self.counts[UNMEASURED] - self.by_design

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**attrs.asdict(self), "rate": self.rate, "met": self.met}


def counted(results: Iterable[Result]) -> dict[str, int]:
    """Count outcomes."""
    counts = dict.fromkeys(OUTCOMES, 0)
    for it in results:
        counts[it.outcome] += 1
    return counts


def write_all(folder: Path, summary: Summary, results: Results) -> None:
    """Write the reports below ``folder``, each in one step.

    Raises:
        OSError: one cannot be written.
    """
    writers: dict[str, Callable[[TextIO, Summary, Results], None]] = {
        JSON: write_json,
        JUNIT: write_junit,
        PAGE: write_page,
    }
    for name, write in writers.items():
        partial = folder / f".{name}.partial"
        with partial.open("w", encoding="utf-8") as out:
            write(out, summary, results)
        partial.replace(folder / name)


def write_json(out: TextIO, summary: Summary, results: Results) -> None:
    """Write the report as one JSON object."""
    head = json.dumps({"schema": SCHEMA, **summary.as_json()}, indent=1, sort_keys=True)
    out.write(head.removesuffix("\n}") + ',\n "tasks": [')
    for number, it in enumerate(results()):
        out.write(",\n" if number else "\n")
        out.write(json.dumps(it.as_json(), sort_keys=True))
    out.write("\n ]\n}\n")


def write_junit(out: TextIO, summary: Summary, results: Results) -> None:
    """Write it as JUnit XML: a suite a task, a case a gate and one for the task itself.

    What could not be measured is an error, what was not to be is skipped; neither is a
    success.
    """
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    out.write('<testsuites name="shipbar accept">\n')
    for it in results():
        suite = ElementTree.Element("testsuite", name=_xml(it.task_id))
        cases = [_task_case(it), *(_gate_case(it, one) for one in it.asked)]
        suite.extend(cases)
        suite.set("tests", str(len(cases)))
        for attribute, tag in (
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ):
            suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
        ElementTree.indent(suite)
        out.write(ElementTree.tostring(suite, encoding="unicode") + "\n")
    out.write("</testsuites>\n")
    del summary


def _task_case(result: Result) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        name="accepted",
        classname=_xml(result.task_id),
        time=f"{result.seconds:.3f}",
    )
    tag = {ACCEPTED: None, REJECTED: "failure"}.get(
        result.outcome, "skipped" if result.by_design else "error"
    )
    _say(case, tag, result.outcome, result.reasons)
    return case


def _gate_case(result: Result, asked: Asked) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        name=f"{asked.gate} {asked.name}",
        classname=_xml(result.task_id),
        time=f"{asked.seconds:.3f}",
    )
    if asked.reasons:
        _say(case, "failure", asked.cell, asked.reasons)
    elif asked.missing:
        _say(case, "error", asked.cell, [asked.missing])
    elif asked.status == "not applicable":
        _say(case, "skipped", asked.cell, [])
    figures = json.dumps(asked.figures, sort_keys=True)
    ElementTree.SubElement(case, "system-out").text = _xml(figures)
    return case


def _say(
    case: ElementTree.Element, tag: str | None, message: str, text: Iterable[str]
) -> None:
    if tag is not None:
        child = ElementTree.SubElement(case, tag, message=_xml(message))
        child.text = _xml("\n".join(text))


def _xml(text: str) -> str:
    """Return ``text`` without what XML cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def write_page(out: TextIO, summary: Summary, results: Results) -> None:
    """Write it as an HTML page."""
    source = importlib.resources.files("shipbar.acceptance") / "report.html.j2"
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pieces: Iterator[str] = environment.from_string(source.read_text("utf-8")).generate(
        summary=summary, results=results, outcomes=OUTCOMES
    )
    out.writelines(_xml(piece) for piece in pieces)
