"""Public conformance suites: what an implementation of a port has to promise.

Who adds a sandbox runs `check_sandbox` against it, or the promises one by one.
"""

from shipbar.testing.check_sandbox import PROMISES, Promise, check_sandbox, lacking

__all__ = ["PROMISES", "Promise", "check_sandbox", "lacking"]
