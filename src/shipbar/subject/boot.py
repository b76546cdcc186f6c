"""Gives up what a sandboxed process must not have, then becomes the program.

Arguments are words: `RLIMIT_X=N` lowers a limit for good (soft and hard),
`lock=DATA` closes the process in by Landlock and seccomp (see `lockdown`), `--`
ends them. Then come the program's folder and the program's own words.
"""

import resource
import sys


def main() -> None:
    """Apply the words before `--`, then run the program behind it."""
    words = sys.argv[1:]
    cut = words.index("--")
    lock = ""
    for word in words[:cut]:
        name, _, value = word.partition("=")
        if name == "lock":
            lock = value
        else:
            # Lowering both halves: without CAP_SYS_RESOURCE there is no way back.
            resource.setrlimit(getattr(resource, name), (int(value), int(value)))
    if lock:
        sys.path.insert(0, __file__.rpartition("/")[0])
        import lockdown  # noqa: PLC0415  # only here is ctypes worth its start-up time

        lockdown.close_in(lock)
        del sys.path[0]
    program = words[cut + 1]
    sys.argv = [program, *words[cut + 2 :]]
    sys.path.insert(0, program)
    path = program + "/__main__.py"
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, {"__name__": "__main__", "__file__": path, "__builtins__": __builtins__})


main()
