"""From a family to tasks: the builder, and what a family author works with.

- `rules`: axes, selections of rules, distance, capacity; no randomness of its own.
- `names`: invented names for a surface, stable for a seed.
- `render`: a family's templates to a package or a specification.
- `mutants`: the wrong packages that a task is measured by.
- `observe`: asks packages in the sandbox and holds their answers against the reference's.
- `select`: chooses assertions from a pool.
- `suite`: writes the task folder.
- `upstream`: the pinned libraries; fetched once, never committed.
- `builder`: joins them.
"""
