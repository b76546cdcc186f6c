"""The public face of a task, and how another task's names are mapped to it."""

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence

import attrs

from shipbar.grading.tasks import CACHES, RECORD, Task

BY_ROLE, BY_KIND = "by role", "by kind and place"

FUNCTION, CLASS, EXCEPTION = "function", "class", "exception"


@attrs.frozen(kw_only=True)
class Item:
    """A public symbol, or a method of a class."""

    name: str
    """Its name."""
    arity: int
    """Parameters; a class has those of its constructor."""
    methods: tuple["Item", ...] = ()
    """Public methods of a class, in order."""


@attrs.frozen(kw_only=True)
class Surface:
    """The public face of a task."""

    package: str
    """The import name."""
    symbols: frozenset[str]
    """Its public symbols."""
    family: str
    """Its family; empty if it has no record."""
    roles: Mapping[str, str]
    """Names by role; empty if it has no record."""
    kinds: Mapping[str, tuple[Item, ...]]
    """Public symbols by kind, in the order of the reference."""


@attrs.frozen(kw_only=True)
class Renaming:
    """How the names of one task become those of another."""

    how: str
    """`BY_ROLE` or `BY_KIND`."""
    names: Mapping[str, str]
    """New names by old ones: the package, its symbols, and all names by role."""
    methods: Mapping[str, str] = attrs.field(factory=dict)
    """New names of methods by old ones, where they were mapped by kind."""

    def apply(self, source: str) -> str:
        """Return source under the new names."""
        if self.how == BY_ROLE:
            return _renamed(source, self.names, r"\b{}\b")
        # These may be everyday words, so a method's name changes where it is an
        # attribute or is defined, and any other where it is neither.
        source = _renamed(source, self.names, r"(?<![\w.]){}\b")
        return _renamed(source, self.methods, r"(?<=\.){0}\b|(?<=def ){0}\b")


def surface_of(task: Task) -> Surface:
    """Read the public face of a task from its record and its reference."""
    path = task.folder / RECORD
    record = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    root = task.folder / task.contract.reference_install
    modules = [
        ast.parse(path.read_bytes())
        for path in sorted(root.rglob("*.py"))
        if not CACHES & set(path.parts)
    ]
    symbols = frozenset(task.contract.public_symbols)
    return Surface(
        package=task.contract.import_name,
        symbols=symbols,
        family=record.get("family", ""),
        roles=record.get("names", {}),
        kinds=_kinds(modules, symbols),
    )


def renaming(mine: Surface, theirs: Surface) -> Renaming | None:
    """Return how their names become mine; None if they have too few of a kind."""
    if (
        mine.family
        and mine.family == theirs.family
        and mine.roles.keys() == theirs.roles.keys()
    ):
        exact = {theirs.roles[role]: name for role, name in mine.roles.items()}
        return Renaming(how=BY_ROLE, names={**exact, theirs.package: mine.package})
    names: dict[str, str] = {theirs.package: mine.package}
    methods: dict[str, str] = {}
    for kind, wanted in mine.kinds.items():
        pairs = _paired(wanted, theirs.kinds.get(kind, ()))
        if len(pairs) < len(wanted):
            return None
        for want, have in pairs:
            names[have.name] = want.name
            methods |= {
                other.name: one.name
                for one, other in _paired(want.methods, have.methods)
            }
    return Renaming(how=BY_KIND, names=names, methods=methods)


def _paired(wanted: Sequence[Item], have: Sequence[Item]) -> list[tuple[Item, Item]]:
    """Pair what is wanted with what there is: first what has as many parameters, then the rest."""
    left = list(have)
    pairs: dict[str, tuple[Item, Item]] = {}
    for same in (True, False):
        for want in wanted:
            found = next(
                (it for it in left if not same or it.arity == want.arity), None
            )
            if want.name not in pairs and found is not None:
                pairs[want.name] = want, found
                left.remove(found)
    return list(pairs.values())


def _renamed(source: str, names: Mapping[str, str], pattern: str) -> str:
    if not names:
        return source
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(pattern.format(f"({either})"), lambda it: names[it[0]], source)


def _kinds(
    modules: Iterable[ast.Module], symbols: frozenset[str]
) -> dict[str, tuple[Item, ...]]:
    found: dict[str, list[Item]] = {FUNCTION: [], CLASS: [], EXCEPTION: []}
    errors: set[str] = set()
    for node in (node for module in modules for node in module.body):
        if isinstance(node, ast.FunctionDef) and node.name in symbols:
            found[FUNCTION].append(Item(name=node.name, arity=_arity(node)))
        elif isinstance(node, ast.ClassDef):
            bases = [ast.unparse(base) for base in node.bases]
            fails = any(
                base in errors or base.endswith(("Error", "Exception"))
                for base in bases
            )
            errors |= {node.name} if fails else set()
            if node.name in symbols:
                found[EXCEPTION if fails else CLASS].append(_class(node))
    return {kind: tuple(items) for kind, items in found.items()}


def _class(node: ast.ClassDef) -> Item:
    functions = [it for it in node.body if isinstance(it, ast.FunctionDef)]
    made = next((_arity(it) for it in functions if it.name == "__init__"), 0)
    return Item(
        name=node.name,
        arity=made,
        methods=tuple(
            Item(name=it.name, arity=_arity(it))
            for it in functions
            if not it.name.startswith("_")
        ),
    )


def _arity(node: ast.FunctionDef) -> int:
    return len(node.args.posonlyargs) + len(node.args.args) + len(node.args.kwonlyargs)
