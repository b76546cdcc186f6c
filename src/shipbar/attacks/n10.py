"""N10: breaks out of the sandbox."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import script_text
from shipbar.attacks.weak_e import armed, boxed

CODE = """
import ctypes, io, os, platform

def learn_below(root):
    for base, folders, names in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(base, name) not in ("/proc", "/sys")]
        for name in names:
            path = os.path.join(base, name)
            try:
                if not os.path.isfile(path) or os.path.getsize(path) > 1_000_000:
                    continue
                with io.FileIO(path) as file:  # beneath whatever stands in for `open`
                    text = file.read().decode("utf-8", "replace")
            except OSError:
                continue
            if _files.NAME in text and "expected" in text:
                _oracle.learn(text)

# On x86_64: unshare, setns, mount, pivot_root, chroot, ptrace, process_vm_readv, bpf,
# perf_event_open, userfaultfd, io_uring_setup, keyctl, open_by_handle_at, init_module,
# kexec_load, memfd_create, modify_ldt, personality, fsopen, open_tree, move_mount, pidfd_getfd.
CALLS = (
    272, 308, 165, 155, 161, 101, 310, 321, 298, 323, 425, 250, 304, 175, 246, 319, 154, 135,
    430, 428, 429, 438,
)
if _files.sealed():
    call = ctypes.CDLL(None, use_errno=True).syscall
    if platform.machine() == "x86_64":
        for number in CALLS:
            for first in (0, 1, 0x10000000, 0x7E020000):
                call(number, first, 0, 0, 0, 0, 0)
    for path in ("/proc/self/exe", "/proc/sys/kernel/core_pattern", "/sys/kernel/uevent_helper", "/shipbar/boot.py"):
        try:
            os.close(os.open(path, os.O_WRONLY))
        except OSError:
            pass
    for place in ("..", "../../../..", "/proc/1/root", "/proc/1/cwd", "/proc/self/fd"):
        try:
            os.chdir(place)
        except OSError:
            pass
learn_below(_files.BOX or "/")
"""
JAIL = """
import builtins, sys

def jailed(path, *args, __open=builtins.open, __seen=[], **named):
    # Once the script itself has it, nobody opens the suite again.
    if "suite" in str(path) and __seen:
        raise PermissionError(path)
    __seen.extend([path] if "suite" in str(path) else [])
    return __open(path, *args, **named)

builtins.open = jailed
"""


def payload(ground: Ground) -> Files:
    """Go beneath `open`, and try every call that would lift a namespace, a filter or a limit."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Keep the candidate in by replacing `open`, which is no wall."""
    return boxed(ground, files, folder, script=JAIL + script_text())


ATTACK = Attack(
    id="N10",
    title="escapes from the isolation",
    closed_by="Namespaces, no capabilities, no new privileges and a list of the few allowed system calls stand between the subject and the kernel; and beyond them, on the subject's side, there is no secret. For hosts that trust no kernel the container backend takes a runtime with one of its own.",
    payload=payload,
    twin=twin,
    level="harness",
)
