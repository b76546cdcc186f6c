"""Runs a suite under stock pytest inside the sandbox and says which tests there were.

Arguments are `candidate=PATH`, a folder with the task's suite below `task` and the
package below `package`, and `extra=PATH`, a folder with pytest and what it needs. The first
request, whose payload is a path to test a line, starts it. Each request is answered
with the next test that ended, `D` for passed and `E` for not; the last one with `V`,
pytest's exit code and its words.

Whatever the package does to this process only changes what is said of it: here it
shares a process with the tests, as it does wherever a suite is run by hand.
"""

from __future__ import annotations

import os
import sys

FRAME_HEAD = 4
ID_BYTES = 16
OUTPUT_BYTES = 20_000


class Recorder:
    """Hears of every test, and tells it at once, so that a crash loses no other."""

    def __init__(self) -> None:
        """Take over the pipes; what else is written goes to a file."""
        self._requests = open(os.dup(0), "rb")  # noqa: SIM115  # for the life of the process
        self._answers = os.dup(1)
        self._id = bytes(ID_BYTES)
        self._failed: set[str] = set()
        self._log = os.open(os.environ["HOME"] + "/log", os.O_RDWR | os.O_CREAT)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.dup2(self._log, 1)
        os.dup2(self._log, 2)

    def pytest_runtest_logreport(self, report: object) -> None:
        """Note how a phase went; after the last one tell how the test did."""
        test = str(report.nodeid)  # type: ignore[attr-defined]  # pytest is no import here
        if report.outcome != "passed":  # type: ignore[attr-defined]  # likewise
            self._failed.add(test)
        if report.when == "teardown":  # type: ignore[attr-defined]  # likewise
            self.tell(b"E" if test in self._failed else b"D", test)
            self.asked()

    def asked(self) -> str:
        """Wait for the next request and return its payload."""
        head = self._requests.read(FRAME_HEAD)
        body = self._requests.read(int.from_bytes(head, "big"))
        self._id = body[1 : 1 + ID_BYTES]
        return body[1 + ID_BYTES :].decode()

    def tell(self, kind: bytes, text: str) -> None:
        """Answer the request."""
        body = kind + self._id + text.encode("utf-8", "backslashreplace")
        frame = len(body).to_bytes(FRAME_HEAD, "big") + body
        while frame:
            frame = frame[os.write(self._answers, frame) :]

    def words(self) -> str:
        """Return the end of what was written."""
        size = os.lseek(self._log, 0, os.SEEK_END)
        data = os.pread(self._log, OUTPUT_BYTES, max(0, size - OUTPUT_BYTES))
        return data.decode("utf-8", "replace")


def run(recorder: Recorder, task: str, paths: list[str]) -> int:
    """Run pytest as it is on the tests below ``task``; return its exit code."""
    import pytest  # noqa: PLC0415  # on the path only now

    # What of failures is shown: one line each, since showing the source takes
    # longer than all the tests.
    words = [
        *(f"--rootdir={task}", "-p", "no:cacheprovider", "--color=no", "--tb=line"),
        *(f"{task}/{path}" for path in paths),
    ]
    return int(pytest.main(words, plugins=[recorder]))


def main() -> None:
    """Run once and end."""
    places = dict(word.split("=", 1) for word in sys.argv[1:])
    del sys.argv[1:]
    recorder = Recorder()
    # As installed: behind the standard library, and the package before pytest.
    del sys.path[0]
    sys.path += [places["candidate"] + "/package", places["extra"]]
    recorder.tell(b"D", "")
    paths = recorder.asked().split("\n")
    code = run(recorder, places["candidate"] + "/task", paths)
    sys.stdout.flush()
    recorder.tell(b"V", f"{code}\n{recorder.words()}")


main()
