"""Another line anywhere in Shipbar is another tool."""

import runpy
import shutil

import shipbar
from shipbar.attest import tool
from tests.repository import SOURCE


def copied(tmp_path):
    """A copy of the package, and the digest that its own module computes."""
    root = tmp_path / "shipbar"
    if not root.exists():
        (root / "attest").mkdir(parents=True)
        shutil.copy(SOURCE / "attest" / "tool.py", root / "attest")
        (root / "page.html.j2").write_text("a page")
    facts = runpy.run_path(str(root / "attest" / "tool.py"))
    return root, facts["tool_digest"]()


def test_the_version_is_the_one_that_the_command_tells():
    assert tool.tool_version() == shipbar.__version__


def test_it_is_the_same_each_time_and_for_what_tools_leave_behind(tmp_path):
    root, first = copied(tmp_path)
    (root / "__pycache__").mkdir(exist_ok=True)
    (root / "__pycache__" / "x.cpython-311.pyc").write_bytes(b"0")
    assert copied(tmp_path)[1] == first
    assert tool.tool_digest() == tool.tool_digest() != first


def test_a_changed_file_of_any_kind_is_another_tool(tmp_path):
    root, first = copied(tmp_path)
    (root / "page.html.j2").write_text("another page")
    assert copied(tmp_path)[1] != first
