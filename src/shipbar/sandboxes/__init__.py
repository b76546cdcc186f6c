"""The sandboxes: places in which a candidate runs and from which it reaches nothing.

`runtime` makes the root that a subject sees, `process` drives a started
program over two pipes, and one module a backend says how to start it.
"""
