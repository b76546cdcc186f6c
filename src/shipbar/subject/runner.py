"""The runner: answers requests from standard input until it ends.

Says once that it is ready, before any candidate code is there. Then, one
request at a time and under the request's own id: imports the package, runs a
suite file's head, or evaluates a case. A case is a function that prepares and
returns another that evaluates; every case has that shape, so that it cannot be
told from the outside whether a value or an exception is expected (N08).
"""

from __future__ import annotations

import builtins
import gc
import marshal
import os
import sys

TYPE_CHECKING = False  # as typing's, without what importing it costs
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO

USUAL = (
    *("typing", "dataclasses", "enum", "re", "collections.abc"),
    *("functools", "itertools", "contextlib", "operator"),
)
"""What most packages import. Loaded before a subject says that it is ready, so that
one which was started ahead has them; fixed, so that it is the same for everyone."""

MAGIC: bytes = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
FRAME_HEAD = 4
ID_BYTES = 16
TRACE_CHARS = 20_000
FUTURE_ANNOTATIONS = 0x100_0000  # as `__future__.annotations.compiler_flag`


def own_channel() -> tuple[BinaryIO, int]:
    """Take the protocol's pipes for ourselves; leave the candidate an empty stdin and a void."""
    requests, answers = os.dup(0), os.dup(1)
    void = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(void, descriptor)
    os.close(void)
    return open(requests, "rb", buffering=65536), answers


class Runner:
    """Holds the imported package and the heads of the suite's files."""

    def __init__(
        self, candidate: str, encoder_of: Callable[..., Any], answers: int
    ) -> None:
        """Serve the package below ``candidate``, answering on descriptor ``answers``."""
        self._candidate = candidate
        self._answers = answers
        self.compiled = b""
        self._package: object = None
        self._symbols: tuple[str, ...] = ()
        self._heads: dict[str, tuple[dict[str, Any], int]] = {}
        self._encoder = encoder_of(self.name_of)

    def say(self, kind: bytes, id_: bytes, text: str = "") -> None:
        """Write one answer."""
        body = kind + id_ + text.encode("utf-8", "backslashreplace")
        frame = len(body).to_bytes(FRAME_HEAD, "big") + body
        while frame:
            frame = frame[os.write(self._answers, frame) :]

    def names_of(self, cls: type) -> list[str]:
        """Every name a class goes by: the public symbols bound to it, and the library's own."""
        names = [
            symbol
            for symbol in self._symbols
            if getattr(self._package, symbol, None) is cls
        ]
        library = self._library_name(cls)
        return names if names and library.startswith("?") else [*names, library]

    def name_of(self, cls: type) -> str:
        """The first of its names."""
        return self.names_of(cls)[0]

    def _library_name(self, cls: type) -> str:
        name: str = cls.__qualname__
        if getattr(builtins, name, None) is cls:
            return "builtins." + name
        home = sys.modules.get(cls.__module__)
        if getattr(home, name, None) is cls:
            return f"{cls.__module__}.{name}"
        return "?." + name

    def lineage(self, error: BaseException) -> str:
        """The names in an exception's MRO as JSON text."""
        names = [name for cls in type(error).__mro__ for name in self.names_of(cls)]
        return str(self._encoder.encode(names))

    def load(self, id_: bytes, text: str) -> None:
        """Import the package and look for its public symbols."""
        name, *symbols = text.split("\n")
        sys.path.append(self._candidate)
        try:
            self._package = __import__(name)
        except BaseException as error:  # whatever an import raises is an answer
            self.say(b"E", id_, trace(error))
            return
        self._symbols = tuple(symbols)
        missing = [symbol for symbol in symbols if not has(self._package, symbol)]
        self.say(b"D", id_, "\n".join(missing))

    def head(self, id_: bytes, text: str) -> None:
        """Run a suite file's imports and helpers in a module of their own."""
        number, _, source = text.partition("\n")
        scope: dict[str, Any] = {"__name__": "suite", "__builtins__": builtins}
        try:
            code = self._code(source, "suite", 0)
            exec(code, scope)
        except BaseException as error:  # a name that the package lacks, for one
            self.say(b"E", id_, trace(error))
            return
        self._heads[number] = scope, code.co_flags & FUTURE_ANNOTATIONS
        self.say(b"D", id_)

    def _code(self, source: str, name: str, flags: int) -> Any:
        """What source compiles to: as it came, if our kind of interpreter made it."""
        if self.compiled.startswith(MAGIC):
            return marshal.loads(self.compiled[len(MAGIC) :])
        return compile(source, name, "exec", flags, dont_inherit=True)

    def case(self, id_: bytes, text: str) -> None:
        """Prepare and evaluate one case."""
        number, _, source = text.partition("\n")
        # Apart from the head's own names, one of which may be `case`.
        made: dict[str, Any] = {}
        try:
            scope, flags = self._heads[number]  # none, if the head could not be run
            exec(self._code(source, "case", flags), scope, made)
            evaluate = made["case"]()
        except BaseException as error:  # the candidate's, whatever it is
            self.say(b"E", id_, self.lineage(error))
            return
        try:
            value = evaluate()
        except BaseException as error:  # the candidate's, whatever it is
            self.say(b"R", id_, self.lineage(error))
            return
        self.say(b"V", id_, self._encoder.encode(value))


def has(package: object, symbol: str) -> bool:
    """Whether the package has the symbol, whatever its `__getattr__` does."""
    try:
        getattr(package, symbol)
    except BaseException:  # a module may answer with anything
        return False
    return True


def trace(error: BaseException) -> str:
    """The candidate's traceback as text, without our own frames."""
    import traceback  # noqa: PLC0415  # only a failure is worth its start-up time

    shown = error.__traceback__
    while shown is not None and shown.tb_frame.f_code.co_filename == __file__:
        shown = shown.tb_next
    return "".join(traceback.format_exception(type(error), error, shown, limit=-40))[
        -TRACE_CHARS:
    ]


def main() -> None:
    """Serve until the requests end."""
    from encode import Encoder  # noqa: PLC0415  # boot put our folder on the path for this line

    # A candidate may have modules of these names, and must not meet ours.
    del sys.path[0], sys.modules["encode"], sys.modules["runner"]
    places = dict(word.split("=", 1) for word in sys.argv[1:])
    del sys.argv[1:]
    requests, answers = own_channel()
    runner = Runner(places.get("candidate", ""), Encoder, answers)
    serve = {b"L": runner.load, b"P": runner.head, b"C": runner.case}
    for name in USUAL:
        __import__(name)
    gc.freeze()  # what is there by now stays; the collector need not look at it again
    runner.say(b"D", bytes(ID_BYTES))
    while head := requests.read(FRAME_HEAD):
        body = requests.read(int.from_bytes(head, "big"))
        text, _, runner.compiled = body[1 + ID_BYTES :].partition(b"\0")
        serve[body[:1]](body[1 : 1 + ID_BYTES], text.decode("utf-8", "surrogatepass"))
