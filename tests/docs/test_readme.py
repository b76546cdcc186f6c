"""What the README tells people to type and to open is there."""

import os
import re

from tests.repository import ROOT

README = (ROOT / "README.md").read_text()


def test_every_command_is_a_target_and_every_target_a_script():
    makefile = (ROOT / "Makefile").read_text()
    rule = re.search(r"^(setup [\w ]+):$", makefile, re.MULTILINE)
    assert rule is not None
    targets = set(rule[1].split())
    told = set(re.findall(r"\bmake ([a-z]+)", README)) - {"itself"}
    assert told <= targets
    scripts = [ROOT / "scripts" / name for name in targets]
    assert [s for s in scripts if not os.access(s, os.X_OK)] == []


def test_every_link_leads_somewhere():
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", README)
    assert links
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (ROOT / link).exists()] == []
