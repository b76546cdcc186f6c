"""Labelled pairs: copies of a target under each disguise, and honest work to hold against it.

Honest are other libraries that do the same job, implementations written from the same
specification, *spec-shaped* ones (the target's own signatures and docstrings around the
bodies of another library), and unrelated libraries. Everything is drawn by the target's
name, so that it is the same in every run.
"""

import ast
import copy
import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import attrs

from bench import copies_speech
from bench.corpus import OTHERS, Library
from bench.disguises import DISGUISES, EXTREME, PARTIAL, vendored
from bench.rewrites import is_text

COPY, HONEST, RELATED = "copy", "honest", "related"
SAME_JOB, SAME_SPECIFICATION = "same job", "same specification"
SPEC_SHAPED, UNRELATED = "spec-shaped", "unrelated"
HARD = frozenset({SAME_JOB, SAME_SPECIFICATION, SPEC_SHAPED})
"""Kinds of honest pair that look alike for a reason."""
MOST_LINES = 3500
"""Of a target; copies of a larger one take minutes and teach nothing more."""
_DEEPEST = 200


@attrs.frozen(kw_only=True)
class Labelled:
    """A candidate with what it is known to be."""

    label: str
    """`copy`, `honest`, or `related`, which is not scored."""
    kind: str
    """Of disguise, or of honest work."""
    target: str
    """What it is held against."""
    name: str
    """Of the candidate."""
    files: Mapping[str, str] = attrs.field(repr=False)
    """Contents by path."""


def rng_of(*words: str) -> Random:
    """Return a generator that is the same for the same words."""
    return Random(hashlib.sha256("\0".join(words).encode()).digest())


def copies(target: Library, others: Sequence[Library]) -> Iterator[Labelled]:
    """Yield a copy of ``target`` for each disguise that changes it.

    Args:
        target: what is copied.
        others: libraries that do another job, for what a copy is put among.
    """
    # What a disguise does not change is left as it was, or as the round trip leaves it.
    plain = (dict(target.files), _printed(target.files))
    for name, disguise in {**DISGUISES, **EXTREME}.items():
        files = disguise(target.files, rng_of(target.name, name))
        if name not in ("exact", "round trip") and files in plain:
            continue
        yield _copy(target, name, files)
    yield from partial_copies(target, others)


def partial_copies(target: Library, others: Sequence[Library]) -> Iterator[Labelled]:
    """Yield copies of parts of ``target`` among the code of one of ``others``."""
    for name, (share, disguise) in PARTIAL.items():
        # Plain and renamed are the same part among the same other code.
        rng = rng_of(target.name, str(share))
        other = rng.choice(others)
        files = disguise(vendored(target.files, other.files, share, rng), rng)
        yield _copy(target, name, files)


def _copy(target: Library, kind: str, files: Mapping[str, str]) -> Labelled:
    return Labelled(
        label=COPY,
        kind=kind,
        target=target.name,
        name=f"{target.name} {kind}",
        files=files,
    )


def _printed(files: Mapping[str, str]) -> dict[str, str]:
    with warnings.catch_warnings(action="ignore"):
        return {
            path: ast.unparse(ast.parse(text)) + "\n" for path, text in files.items()
        }


def brace_copies(target: Library, others: Sequence[Library]) -> Iterator[Labelled]:
    """Yield copies of ``target`` in a language with braces; see `copies`."""
    for name, disguise in copies_speech.DISGUISES.items():
        files = disguise(target.files, rng_of(target.name, name))
        if name == "exact" or dict(files) != dict(target.files):
            yield _copy(target, name, files)
    if all(path.endswith((".js", ".mjs", ".cjs")) for path in target.files):
        files = copies_speech.typed(target.files, rng_of(target.name))
        yield _copy(target, "types added", files)
    sized = [it for it in others if it.lines >= target.lines // 2] or list(others)
    for name, (share, disguise) in copies_speech.PARTIAL.items():
        if not copies_speech.partable(target.files, share):
            continue
        rng = rng_of(target.name, str(share))
        other = rng.choice(sized)
        mixed = copies_speech.vendored(target.files, other.files, share, rng)
        yield _copy(target, name, disguise(mixed, rng))


def honest(
    target: Library, everything: Sequence[Library], *, shaped: bool = True
) -> Iterator[Labelled]:
    """Yield all honest work to hold against ``target``, and what is related to it.

    Args:
        target: what it is held against.
        everything: all libraries.
        shaped: make spec-shaped work too; for Python.
    """
    for other in everything:
        if other.name == target.name:
            continue
        same = other.group == target.group and target.group != OTHERS
        kind = SAME_JOB if same else UNRELATED
        if same and target.group.startswith("task "):
            kind = SAME_SPECIFICATION
        related = same and bool(other.related or target.related)
        yield Labelled(
            label=RELATED if related else HONEST,
            kind=kind,
            target=target.name,
            name=other.name,
            files=other.files,
        )
        if shaped and same and not related and kind == SAME_JOB:
            yield Labelled(
                label=HONEST,
                kind=SPEC_SHAPED,
                target=target.name,
                name=f"{target.name} by {other.name}",
                files=spec_shaped(target.files, other.files, rng_of(target.name)),
            )


# -- what a specification shows


def stub(files: Mapping[str, str]) -> str:
    """Return signatures, classes and docstrings of a package, and no bodies: what a task shows of it."""
    parts = []
    for text in files.values():
        tree = ast.parse(text)
        kept = [it for it in (_stub(node) for node in tree.body) if it is not None]
        head = [it for it in tree.body[:1] if is_text(it)]
        parts.append(ast.unparse(ast.Module(body=[*head, *kept], type_ignores=[])))
    return "\n".join(parts)


def _stub(node: ast.stmt) -> ast.stmt | None:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        bare = copy.deepcopy(node)
        bare.body = [*bare.body[: _docs(bare.body)], *ast.parse("...").body]
        return bare
    if isinstance(node, ast.ClassDef):
        bare_class = copy.copy(node)
        inner = [it for it in (_stub(one) for one in node.body) if it is not None]
        docs = node.body[: _docs(node.body)]
        bare_class.body = [*docs, *inner] or ast.parse("...").body
        return bare_class
    return None


def _docs(body: Sequence[ast.stmt]) -> int:
    """Return 1 if a body begins with a docstring, else 0."""
    return int(is_text(body[0]))


def specification(files: Mapping[str, str]) -> str:
    """Return what a specification of a package would show of it, as a document."""
    return f"```\n{stub(files)}\n```\n"


def spec_shaped(
    target: Mapping[str, str], other: Mapping[str, str], rng: Random
) -> dict[str, str]:
    """Put the bodies of another library's functions into the target's stub."""
    bodies = [
        it.body[_docs(it.body) :]
        for text in other.values()
        for it in ast.walk(ast.parse(text))
        if isinstance(it, ast.FunctionDef) and len(it.body) > _docs(it.body)
    ]
    rng.shuffle(bodies)
    tree = ast.parse(stub(target))
    for node in _outermost(tree):
        docs = node.body[: _docs(node.body)]
        node.body = [*docs, *(bodies.pop() if bodies else ast.parse("pass").body)]
    return {"shaped.py": ast.unparse(tree) + "\n"}


def _outermost(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        else:
            yield from _outermost(child)
