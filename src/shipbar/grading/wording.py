"""Which arguments of an exception are only the wording of its message.

A message is free where nothing can tell it: the class keeps it as text alone, and no
code looks at the text. So an argument is wording if it goes to a class which has
no constructor of its own and is an ordinary built-in one or derives from one; or if it
goes to a constructor that only hands it on to such a class. Nowhere may a caught
exception be used other than by its attributes, or in raising another.
"""

import ast
import builtins
from collections.abc import Iterable, Sequence

import libcst as cst
import libcst.matchers as m

_ARGUMENTS_MATTER = (StopIteration, SystemExit, OSError, UnicodeError, SyntaxError)
"""Built-in classes that keep more of their arguments than a text."""

_OF_CLASS = ("type", "isinstance")
"""Calls that look at an exception's class alone."""


class Wording:
    """What a package's exceptions keep as text."""

    def __init__(self, modules: Iterable[str], observers: Iterable[str]) -> None:
        """Read a package.

        Args:
            modules: the source of its modules.
            observers: source that looks at its exceptions from outside.
        """
        trees = [ast.parse(text) for text in modules]
        self._classes = {
            node.name: node
            for tree in trees
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
        }
        everything = [*trees, *map(ast.parse, observers)]
        self._read = any(_reads_text(tree) for tree in everything)

    def is_free(self, chain: Sequence[cst.CSTNode]) -> bool:
        """Whether a node, the last of ``chain``, is in what only words a message.

        Args:
            chain: the nodes from the module down to it.
        """
        if self._read:
            return False
        return any(self._words(chain[at:]) for at in range(len(chain) - 1))

    def _words(self, chain: Sequence[cst.CSTNode]) -> bool:
        """Whether the chain begins at what raises, or at a class, and ends in a message."""
        first = chain[0]
        if isinstance(first, cst.Raise):
            raised = first.exc
            return (
                isinstance(raised, cst.Call)
                and isinstance(raised.func, cst.Name)
                and chain[1] is raised
                and self._argument_is_free(raised, chain[1:], raised.func.value)
            )
        if not isinstance(first, cst.ClassDef):
            return False
        handed_on = _super_call(chain)
        base = self._base(first.name.value)
        if handed_on is None or base is None or not self._keeps_text(base):
            return False
        rest = chain[list(chain).index(handed_on) :]
        return self._argument_is_free(handed_on, rest, base)

    def _argument_is_free(
        self, call: cst.Call, chain: Sequence[cst.CSTNode], name: str
    ) -> bool:
        """Whether the chain goes through a call's argument that the class keeps as text.

        Args:
            call: of the class, or of its constructor.
            chain: from the call down.
            name: the class.
        """
        plain = all(not arg.star and arg.keyword is None for arg in call.args)
        if len(chain) == 1:
            # The call itself: dropping or emptying arguments that are all text.
            return bool(call.args) and all(
                self._free_at(name, at) for at in range(len(call.args))
            )
        at = next((i for i, arg in enumerate(call.args) if arg is chain[1]), None)
        return plain and at is not None and self._free_at(name, at)

    def _free_at(self, name: str, at: int) -> bool:
        if self._keeps_text(name):
            return True
        node = self._classes.get(name)
        base = self._base(name)
        own = _method(node, "__init__") if node is not None else None
        if node is None or own is None or base is None or _odd(node):
            return False
        if not self._keeps_text(base):
            return False
        names = [argument.arg for argument in own.args.args][1:]
        return at < len(names) and _only_handed_on(own, names[at])

    def _keeps_text(self, name: str) -> bool:
        """Whether a class has no constructor but a built-in one that keeps text."""
        node = self._classes.get(name)
        if node is None:
            found = getattr(builtins, name, None)
            return (
                isinstance(found, type)
                and issubclass(found, Exception)
                and not issubclass(found, _ARGUMENTS_MATTER)
            )
        base = self._base(name)
        if base is None or _odd(node) or _method(node, "__init__"):
            return False
        return self._keeps_text(base)

    def _base(self, name: str) -> str | None:
        node = self._classes.get(name)
        if node is None or len(node.bases) != 1:
            return None
        base = node.bases[0]
        return base.id if isinstance(base, ast.Name) and base.id != name else None


def _method(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next(
        (it for it in node.body if isinstance(it, ast.FunctionDef) and it.name == name),
        None,
    )


def _odd(node: ast.ClassDef) -> bool:
    """Whether a class may do more with its arguments than a constructor shows."""
    return bool(node.decorator_list or node.keywords) or any(
        isinstance(it, ast.FunctionDef) and it.name != "__init__" for it in node.body
    )


def _only_handed_on(own: ast.FunctionDef, name: str) -> bool:
    """Whether a constructor uses a parameter in `super().__init__(…)` alone."""
    handed: set[int] = set()
    for node in ast.walk(own):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
            handed |= {id(it) for it in ast.walk(node)}
    return all(
        id(it) in handed
        for it in ast.walk(own)
        if isinstance(it, ast.Name) and it.id == name
    )


def _super_call(chain: Sequence[cst.CSTNode]) -> cst.Call | None:
    """The call `super().__init__(…)` on the way down a chain that begins at a class."""
    handed_on = m.Call(
        func=m.Attribute(
            value=m.Call(func=m.Name("super"), args=[]), attr=m.Name("__init__")
        )
    )
    found = next((node for node in chain if m.matches(node, handed_on)), None)
    return found if isinstance(found, cst.Call) else None


def _reads_text(tree: ast.AST) -> bool:
    """Whether a caught exception is used other than by its attributes or in raising."""
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.name:
            allowed: set[int] = set()
            for node in ast.walk(handler):
                if isinstance(node, ast.Raise):
                    allowed |= {id(it) for it in ast.walk(node)}
                if isinstance(node, ast.Attribute) and node.attr != "args":
                    allowed.add(id(node.value))
                if isinstance(node, ast.Call) and ast.unparse(node.func) in _OF_CLASS:
                    allowed |= {id(it) for it in node.args}
            if any(
                isinstance(node, ast.Name)
                and node.id == handler.name
                and id(node) not in allowed
                for node in ast.walk(handler)
            ):
                return True
    return False
