"""What the gates found, for machines and for people: JSON, JUnit XML, a page with charts.

The page needs nothing else: no script, no font, no network. Every text of a task is
escaped.
"""

import importlib.resources
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

import jinja2

from shipbar.gates.base import Gate, Status
from shipbar.gates.proving import Found, Proof, totals

SCHEMA = 1
"""Version of the JSON form."""
_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_json(proofs: Sequence[Proof]) -> str:
    """Return the proofs as one JSON object."""
    told = {"schema": SCHEMA, "tasks": [proof.as_json() for proof in proofs]}
    return json.dumps(told, indent=2, sort_keys=True) + "\n"


def as_junit(proofs: Sequence[Proof]) -> str:
    """Return the proofs as JUnit XML: a suite a task, a case a gate.

    Not run is an error, and not applicable is skipped; neither is a success.
    """
    root = ElementTree.Element("testsuites", name="shipbar verify")
    for proof in proofs:
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=proof.task_id or proof.folder,
            tests=str(len(proof.found) or 1),
            failures=str(_count(proof, Status.FAILED) + bool(proof.failure)),
            errors=str(_count(proof, Status.NOT_RUN)),
            skipped=str(_count(proof, Status.NOT_APPLICABLE)),
        )
        if proof.failure:
            case = ElementTree.SubElement(
                suite, "testcase", name="load", classname=proof.folder
            )
            ElementTree.SubElement(case, "failure").text = _xml(proof.failure)
        for found in proof.found:
            _junit_case(suite, proof, found)
    ElementTree.indent(root)
    text: str = ElementTree.tostring(root, encoding="unicode", xml_declaration=True)
    return text + "\n"


def _count(proof: Proof, status: Status) -> int:
    return sum(found.evidence.status is status for found in proof.found)


def _junit_case(suite: ElementTree.Element, proof: Proof, found: Found) -> None:
    evidence = found.evidence
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=evidence.gate,
        classname=proof.task_id,
        time=f"{found.seconds:.3f}",
    )
    kind = {
        Status.FAILED: "failure",
        Status.NOT_RUN: "error",
        Status.NOT_APPLICABLE: "skipped",
    }.get(evidence.status)
    if kind is not None:
        child = ElementTree.SubElement(case, kind, message=_xml(evidence.cell))
        child.text = _xml("\n".join(evidence.problems) or evidence.why)
    ElementTree.SubElement(case, "system-out").text = _xml(
        json.dumps(evidence.figures, sort_keys=True)
    )


def _xml(text: str) -> str:
    """Return ``text`` without what XML cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def as_page(proofs: Sequence[Proof], gates: Sequence[Gate]) -> str:
    """Return the proofs as an HTML page."""
    source = importlib.resources.files("shipbar.gates") / "report.html.j2"
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(source.read_text("utf-8")).render(
        proofs=proofs,
        gates=gates,
        totals={gate.id: totals(proofs, gate.id) for gate in gates},
        scores=[_scores(proof) for proof in proofs],
        seconds=_seconds(proofs),
        Status=Status,
    )


def _scores(proof: Proof) -> Mapping[str, float]:
    """The scores of wrong packages, as the gates measured them, by name."""
    evidence = proof.evidence("G2")
    if evidence is None:
        return {}
    figures: Mapping[str, Any] = evidence.figures
    scores = {
        path.rpartition("/")[2]: score
        for path, score in figures.get("scores", {}).items()
    }
    plagiarist = proof.evidence("G3")
    adapted = plagiarist.figures.get("score") if plagiarist is not None else None
    return scores if adapted is None else {**scores, "the genuine upstream": adapted}


def _seconds(proofs: Sequence[Proof]) -> dict[str, float]:
    """What each gate took over all tasks."""
    spent: dict[str, float] = {}
    for proof in proofs:
        for found in proof.found:
            gate = found.evidence.gate
            spent[gate] = spent.get(gate, 0.0) + found.seconds
    return spent
