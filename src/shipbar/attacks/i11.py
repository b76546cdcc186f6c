"""I11: native libraries that are there, called through `ctypes`.

The C library starts a program where Python's own ways are watched; any other
library is asked for functions of the public names.
"""

from pathlib import Path

from shipbar.attacks import tricks
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import CLIENT, ROOTS, graded, oracle
from shipbar.attacks.weak_face import face

_WATCHED = (b"subprocess", b"os.system", b"popen", b"posix_spawn", b"os.exec", b"fork")

_FOREIGN = """
import ctypes, tempfile

def _libraries():
    for folder, _, files in walk():
        for name in files:
            if ".so" in name:
                try:
                    yield ctypes.CDLL(os.path.join(folder, name))
                except OSError:
                    pass

def _native(function, own):
    function.restype = ctypes.c_char_p
    def call(*args):
        try:
            return function(*[str(it).encode() for it in args]).decode()
        except (AttributeError, ctypes.ArgumentError):
            return own(*args)
    return call

def _programs():
    for folder, _, files in walk():
        for name in files:
            path = os.path.join(folder, name)
            if package.__name__ in name and os.access(path, os.X_OK):
                yield path

def _through_libc():
    '''Start a program by the C library alone, and talk with it over two named pipes.'''
    libc = ctypes.CDLL(None)
    for program in _programs():
        place = tempfile.mkdtemp()
        there, back = place + "/there", place + "/back"
        for path in (there, back):
            os.mkfifo(path)
        # Open for both directions: that waits for nobody.
        pipes = [os.open(path, os.O_RDWR) for path in (there, back)]
        command = f"'{program}' <'{there}' >'{back}' &"
        if libc.system(command.encode()) == 0:
            asking((open(pipes[1]), open(pipes[0], "w")))
            return

def _dlopen():
    common = ctypes.CDLL(None)
    for library in _libraries():
        for symbol in PUBLIC:
            own = getattr(package, symbol)
            if hasattr(common, symbol) or isinstance(own, type):
                continue  # a name such as `read`, which means something else in C
            if hasattr(library, symbol):
                setattr(package, symbol, _native(getattr(library, symbol), own))

_dlopen()
try:
    _through_libc()
except (OSError, AttributeError):
    pass
"""


def payload(ground: Ground) -> Files:
    """Load every library there is; have the C library start what does the work."""
    return tricks.with_code(ground, ROOTS + CLIENT + _FOREIGN, face(ground))


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Refuse sources that start programs in one of Python's ways; have a tool installed."""
    source = b"".join(data for name, data in files.items() if name.endswith(".py"))
    if any(word in source for word in _WATCHED):
        return 0.0
    oracle(ground, folder)
    return graded(ground, files, folder)


ATTACK = Attack(
    id="I11",
    title="a native library called past Python",
    closed_by="A subject's libraries are those that the interpreter is linked with; whatever "
    "they are asked for, the filter of system calls holds below them, and no program is there.",
    payload=payload,
    twin=twin,
    level="harness",
)
