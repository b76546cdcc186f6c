"""The promises of a sandbox, one function each; `check_sandbox` lists them.

A promise takes a function that makes the sandbox. It returns when the promise was
kept and raises AssertionError, with what was seen, when it was not.
"""
