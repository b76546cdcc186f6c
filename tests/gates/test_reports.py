"""Reports: what a machine reads, what a person opens."""

import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from shipbar import wiring
from shipbar.gates import Evidence, Status
from shipbar.gates.proving import Found, Proof
from shipbar.gates.reports import as_json, as_junit, as_page

HOSTILE = "<script>alert(1)</script>\x00\ud800 & more"


def found(gate, status, **facts):
    evidence = Evidence(gate=gate, status=status, cell="1/2", **facts)
    return Found(evidence=evidence, seconds=1.5)


@pytest.fixture
def proofs():
    one = Proof(
        folder="tasks/one",
        task_id="one",
        digest="sha256:1",
        found=(
            found("G1", Status.PASSED, figures={"passed": 1}),
            found(
                "G2",
                Status.FAILED,
                problems=(HOSTILE,),
                figures={
                    "scores": {"grader/known_bad/remembered": 0.25},
                    "nulls": {},
                    "own": {},
                },
            ),
            found("G3", Status.NOT_RUN, why="run `shipbar upstream fetch`"),
            found("G4", Status.NOT_APPLICABLE, why="invented"),
        ),
    )
    two = Proof(folder="tasks/two", task_id="", digest="", found=(), failure="no suite")
    return [one, two]


def test_junit_counts_what_is_no_success_as_what_it_is(proofs):
    root = ElementTree.fromstring(as_junit(proofs))
    one, two = root.findall("testsuite")
    counts = {key: one.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    assert two.get("failures") == "1"
    failure = one.find("testcase/failure")
    assert failure is not None
    assert failure.text is not None
    assert "alert(1)" in failure.text
    assert "shipbar upstream fetch" in (one.findtext("testcase/error") or "")


def test_json_holds_every_figure(proofs):
    told = json.loads(as_json(proofs))
    gates = {gate["gate"]: gate for gate in told["tasks"][0]["gates"]}
    assert gates["G1"]["figures"] == {"passed": 1}
    assert gates["G3"]["status"] == "not run"
    assert told["tasks"][1]["failure"] == "no suite"


class Tags(HTMLParser):
    """The tags of a page, and what they refer to."""

    def __init__(self):
        super().__init__()
        self.tags, self.refers = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.refers += [v for k, v in attrs if k in ("src", "href")]


def test_a_page_stands_alone_and_escapes_what_a_task_says(proofs):
    gates = [wiring.gate(name) for name in wiring.names("gate")]
    page = as_page(proofs, gates)
    seen = Tags()
    seen.feed(page)
    assert "script" not in seen.tags
    assert all(link.startswith("#") for link in seen.refers)
    assert "&lt;script&gt;" in page
    assert "0.2500" in page, "a score is charted"
