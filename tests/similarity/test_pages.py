"""Pages need nothing else, and what a candidate wrote cannot become a part of them."""

from html.parser import HTMLParser

import attrs

from shipbar.similarity import compare, fingerprint, matrix, package_of, regions
from shipbar.similarity.pages import Compared, evidence_page, matrix_page
from tests.similarity.samples import LIBRARY, OTHER, printed

HOSTILE = "<script>alert(1)</script><img src=x onerror=a>\"'"


class Tags(HTMLParser):
    """Gathers what elements a page has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.outside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.outside += [
            name for name, _ in attrs if name in ("src", "href") or name[:2] == "on"
        ]


def harmless(page: str) -> None:
    tags = Tags(page)
    assert not tags.names & {"script", "img", "link", "iframe"}
    assert tags.outside == []
    assert "&lt;script&gt;" in page


def test_evidence_is_escaped():
    text = LIBRARY.replace("out of order", HOSTILE.replace('"', "'"))
    package = package_of({f"{HOSTILE[:8]}.py": text.encode()})
    own = fingerprint(package, HOSTILE)
    shown = regions((own, package), (own, package))
    page = evidence_page(
        [Compared(comparison=compare(own, own), regions=shown)], [HOSTILE]
    )
    harmless(page)
    assert "verbatim" in page
    assert "def parse" in page


def test_a_page_without_evidence_says_so():
    own = printed(OTHER)
    page = evidence_page(
        [Compared(comparison=compare(own, printed(LIBRARY)), regions=())], []
    )
    assert "Nothing to show" in page


def test_a_matrix_is_escaped():
    found = matrix([attrs.evolve(printed(LIBRARY), name=it) for it in (HOSTILE, "bob")])
    page = matrix_page(found, [HOSTILE])
    harmless(page)
    assert "bob" in page
