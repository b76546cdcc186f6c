"""What a weak grader's processes can reach where the packages are somebody else's."""

import os
import socket
import threading

import attrs
import pytest

from shipbar.attacks import weak
from shipbar.attacks.fence import fenced, works

pytestmark = pytest.mark.skipif(not works(), reason="bubblewrap does not work here")


@pytest.fixture
def inside(tmp_path):
    """Run a piece of Python behind the fence; return its exit status and output."""
    place = tmp_path / "place"
    place.mkdir()

    def run(code):
        with fenced(place):
            return weak.run(weak.python("-c", code), place)

    return run


def test_a_grader_works_there_as_elsewhere(inside, tmp_path):
    ran = inside(
        "import pytest, pathlib; pathlib.Path('out').write_text('x'); print(7)"
    )
    assert (ran.code, ran.log) == (0, "7\n")
    assert (tmp_path / "place" / "out").read_text() == "x"


def test_nothing_is_written_elsewhere(inside, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    inside(f"open({str(victim)!r}, 'w').write('theirs')")
    assert victim.read_text() == "mine"
    ran = inside(f"open({attrs.__file__!r}, 'a')")
    assert "Read-only file system" in ran.log


def test_what_the_user_has_is_not_seen(inside, tmp_path):
    (tmp_path / "secret").write_text("key")
    ran = inside(f"import os; print(os.path.exists({str(tmp_path / 'secret')!r}))")
    assert ran.log == "False\n"


def test_no_service_of_the_host_answers(inside):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        taken = threading.Thread(target=_accept, args=(server,), daemon=True)
        taken.start()
        ran = inside(
            f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
        )
    assert "refused" in ran.log.lower()


def _accept(server):
    try:
        server.accept()
    except OSError:
        return


def test_no_process_of_the_host_is_seen_or_ended(inside):
    ran = inside(f"import os; os.kill({os.getpid()}, 0)")
    assert "ProcessLookupError" in ran.log


def test_without_a_fence_nothing_changes(tmp_path):
    ran = weak.run(weak.python("-c", "import os; print(os.getpid())"), tmp_path)
    assert int(ran.log) > 3
