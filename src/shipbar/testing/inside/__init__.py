"""What the conformance suite runs inside a sandbox: programs that try everything.

The folder is copied and started as a job's program, with `wish.json` beside it:
which function of which module to call, and with what. The function's result is
written to standard output as one line of JSON. Standard library only, and no module
imports another, since inside there is no package of that name.
"""
