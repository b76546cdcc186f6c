"""From a file to a stream of symbols that a disguise leaves as it was.

A stream is the kinds of a syntax tree's nodes, parents before children, after what
`languages` says of each kind. On the way some forms become one:

- comparisons are one symbol, and their two sides are in a fixed order; a negation is
  left out, *and* and *or* are one;
- `x += y` is read as `x = x + y`, and `x++` as `x = x + 1`;
- a list or mapping of three or more constants is one symbol;
- a text that stands alone, such as a docstring, is left out.

The walk keeps its own stack, so that no depth of nesting ends it, and is linear.
"""

import functools
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import attrs
import tree_sitter

from shipbar.similarity.languages import (
    COMPARE,
    LITERAL,
    NAME,
    TABLE,
    Action,
    Role,
)

MOST_SYMBOLS = 200_000
"""In one file's stream."""
WIDTH = 4
"""Bytes that stand for one symbol in a stream."""
_LEAST_TABLE = 3
WRAPPER = 0.5
"""Share of a file from which on a function around others is a wrapper of them."""
MOST_REWORK = 2_000_000
"""Symbols of a package that are looked at again when the node around them is settled."""

_OPEN = Action(role=Role.OPEN)
_HOLDERS = frozenset({"list", "tuple", "set", "mapping"})
_CONSTANT = frozenset({LITERAL, TABLE, "unary"}) | _HOLDERS
_TEXTS = frozenset({"string", "concatenated_string"})


@attrs.frozen(kw_only=True)
class Function:
    """A function or method in a stream; what is nested in one belongs to it.

    One around most of a file is how scripts make a module. It is a function, and so are
    those that stand in it.
    """

    name: str
    """As written; `function` where it has no name."""
    line: int
    """Where it begins, from 1."""
    last_line: int
    """Where it ends."""
    start: int
    """Its first symbol's place in the stream."""
    end: int
    """The place after its last symbol."""


@attrs.frozen(kw_only=True)
class Stream:
    """A file as symbols."""

    path: str
    """Of the file."""
    codes: bytes
    """`WIDTH` bytes a symbol."""
    lines: tuple[int, ...]
    """The line of each symbol, from 1."""
    functions: tuple[Function, ...] = ()
    """Its outermost functions and methods, and those in a wrapper around most of it."""
    _hashed: dict[int, list[bytes]] = attrs.field(
        factory=dict, init=False, eq=False, repr=False
    )

    def __len__(self) -> int:
        return len(self.lines)

    def hashes(self, width: int) -> list[bytes]:
        """Return the hash of each run of ``width`` symbols, by the place where it begins.

        It is worked out once, and asked for once a source.
        """
        if width not in self._hashed:
            codes, size = self.codes, width * WIDTH
            stop = (len(self) - width + 1) * WIDTH
            self._hashed[width] = [
                blake2b(codes[place : place + size], digest_size=8).digest()
                for place in range(0, stop, WIDTH)
            ]
        return self._hashed[width]


@functools.cache
def code(symbol: str) -> bytes:
    """Return the bytes that stand for ``symbol``: the same in every run and release."""
    # Names and literals are one symbol; the difference only tells tables apart.
    symbol = NAME if symbol == LITERAL else symbol
    return blake2b(symbol.encode(), digest_size=WIDTH).digest()


class _Frame:
    """A node that is looked at again when all below it has been read."""

    __slots__ = ("depth", "node", "operators", "role", "split", "start", "symbol")

    def __init__(
        self, action: Action, start: int, depth: int, node: tree_sitter.Node
    ) -> None:
        self.role, self.symbol = action.role, action.symbol
        self.start, self.depth, self.node = start, depth, node
        self.operators: list[str] = []
        # Where the right side begins.
        self.split = 0


class Walk:
    """Goes through one tree."""

    def __init__(self, actions: tuple[Action, ...], data: bytes, patience: int) -> None:
        self._actions, self._data = actions, data
        self._symbols: list[str] = []
        self._lines: list[int] = []
        self._frames: list[_Frame] = []
        self._functions: list[Function] = []
        # The assignment that was left last, and where its symbols begin.
        self._assigned: _Frame | None = None
        # Symbols that may still be looked at again. Spent on nesting that only an
        # attacker writes; from then on forms are left as they are.
        self.patience = patience
        self.cut = False

    def stream(self, path: str) -> Stream:
        """Return what was read."""
        return Stream(
            path=path,
            codes=b"".join(map(code, self._symbols)),
            lines=tuple(self._lines),
            functions=tuple(self._outermost(self._functions)),
        )

    def _outermost(self, found: Iterable[Function]) -> Iterator[Function]:
        """Yield functions that stand in no other, wrappers aside, in their order."""
        end = 0
        for it in sorted(found, key=lambda it: (it.start, -it.end)):
            if it.start >= end:
                yield it
                # What stands in a wrapper comes next, and stands by itself.
                wraps = it.end - it.start > WRAPPER * len(self._symbols)
                end = it.start + 1 if wraps else it.end

    def run(self, parsed: tree_sitter.Tree) -> None:
        """Read the whole tree."""
        cursor = parsed.walk()
        actions, known = self._actions, len(self._actions)
        frames = self._frames
        depth = 0
        while len(self._symbols) < MOST_SYMBOLS:
            node = cursor.node
            if node is None:
                return
            kind = node.kind_id
            # An error node has no number of the grammar's.
            action = actions[kind] if kind < known else _OPEN
            below = action.opens if action.silent else self._enter(node, action, depth)
            if below and cursor.goto_first_child():
                depth += 1
                continue
            while True:
                if frames and frames[-1].depth == depth:
                    self._leave(frames.pop())
                if cursor.goto_next_sibling():
                    break
                if not cursor.goto_parent():
                    return
                depth -= 1
        self.cut = True

    def _enter(self, node: tree_sitter.Node, action: Action, depth: int) -> bool:
        """Take in a node; say whether to go on below it."""
        if not action.emits:
            if action.role is Role.STATEMENT:
                return not _stands_alone(node)
            self._token(action, depth)
            return action.opens
        if action.framed:
            frame = _Frame(action, len(self._symbols), depth, node)
            self._frames.append(frame)
        elif action.role is Role.RETURN and self._gives_back(node, action.symbol):
            return False
        self._symbols.append(action.symbol)
        self._lines.append(node.start_point[0] + 1)
        return action.opens

    def _gives_back(self, node: tree_sitter.Node, symbol: str) -> bool:
        """Read `x = value; return x` as `return value`, if that is what stands here."""
        value, last = _only_child(node), self._assigned
        if last is None or value is None or value.type not in _IDENTIFIERS:
            return False
        target = _first_child(last.node)
        between = self._data[last.node.end_byte : node.start_byte]
        # Where blocks are a matter of columns, nothing else shows that one ended.
        ended = last.node.type == "assignment" and (
            last.node.start_point[1] != node.start_point[1]
        )
        if target is None or target.text != value.text:
            return False
        if ended or between.strip(b"; \t\r\n"):
            return False
        # The assignment's symbol, and the name's behind it, make way.
        start = last.start
        self._symbols[start : start + 2] = [symbol]
        self._lines[start : start + 2] = [self._lines[start]]
        return True

    def _token(self, action: Action, depth: int) -> None:
        """Take in a token that says something of the node around it."""
        if action.role is Role.NEGATE:
            if self._symbols and self._symbols[-1] == "unary":
                del self._symbols[-1], self._lines[-1]
            return
        frame = self._frames[-1] if self._frames else None
        if frame is None or frame.depth != depth - 1:
            return
        if action.role is Role.OPERATOR and frame.role is Role.BINARY:
            frame.operators.append(action.symbol)
            frame.split = len(self._symbols)
        elif action.role is Role.AUGMENT and frame.role is Role.ASSIGN:
            self._repeat(frame.start + 1, action.symbol)

    def _leave(self, frame: _Frame) -> None:
        """Settle what a node is, now that all below it is known."""
        if frame.role is Role.FUNCTION:
            end = len(self._symbols)
            self._functions.append(_function(frame.node, frame.start, end))
        elif frame.role is Role.ASSIGN:
            self._assigned = frame
        elif frame.role is Role.STEP:
            self._repeat(frame.start + 1, "+")
            self._symbols.append(LITERAL)
            self._lines.append(self._lines[-1])
        elif frame.role is Role.BINARY:
            self._settle(frame)
        elif frame.symbol == LITERAL:
            self._join(frame.start)
        else:
            self._collapse(frame.start)

    def _spend(self, start: int) -> bool:
        """Whether all from ``start`` on may be looked at once more."""
        self.patience -= len(self._symbols) - start
        return self.patience >= 0

    def _repeat(self, start: int, operator: str) -> None:
        """After the left side of `x += y`: go on as if `x = x + y` stood there."""
        if not self._spend(start):
            return
        symbols, lines = self._symbols[start:], self._lines[start:]
        line = self._lines[start - 1]
        self._symbols += [f"binary {operator}", *symbols]
        self._lines += [line, *lines]

    def _collapse(self, start: int) -> None:
        """Make one symbol of a container of constants alone."""
        if not self._spend(start):
            return
        inner = self._symbols[start + 1 :]
        many = inner.count(LITERAL) >= _LEAST_TABLE or TABLE in inner
        if many and _CONSTANT.issuperset(inner):
            self._symbols[start:] = [TABLE]
            del self._lines[start + 1 :]

    def _join(self, start: int) -> None:
        """Make one of texts that stand side by side."""
        if not self._spend(start):
            return
        kept = [
            place
            for place in range(start, len(self._symbols))
            if place == start or self._symbols[place] != LITERAL
        ]
        self._symbols[start:] = [self._symbols[place] for place in kept]
        self._lines[start:] = [self._lines[place] for place in kept]

    def _settle(self, frame: _Frame) -> None:
        """Name an operation; put the sides of a comparison in order."""
        operators = frame.operators
        if not operators:
            return
        if operators[0] != COMPARE:
            self._symbols[frame.start] = f"binary {operators[0]}"
            return
        self._symbols[frame.start] = COMPARE
        if len(operators) != 1 or not self._spend(frame.start):
            return
        left = slice(frame.start + 1, frame.split)
        right = slice(frame.split, len(self._symbols))
        one, other = self._symbols[left], self._symbols[right]
        if (len(one), one) > (len(other), other):
            both = self._lines[right] + self._lines[left]
            self._symbols[frame.start + 1 :] = other + one
            self._lines[frame.start + 1 :] = both


_IDENTIFIERS = frozenset({"identifier", "variable_name"})


def _first_child(node: tree_sitter.Node) -> tree_sitter.Node | None:
    return node.named_child(0) if node.named_child_count else None


def _only_child(node: tree_sitter.Node) -> tree_sitter.Node | None:
    return node.named_child(0) if node.named_child_count == 1 else None


def _stands_alone(node: tree_sitter.Node) -> bool:
    """Whether a statement is nothing but a text."""
    child = _only_child(node)
    return child is not None and child.type in _TEXTS


def _function(node: tree_sitter.Node, start: int, end: int) -> Function:
    named = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    text = (named.text or b"") if named is not None else b""
    return Function(
        name=text.decode("utf-8", "replace").partition("(")[0][:80] or "function",
        line=node.start_point.row + 1,
        last_line=node.end_point.row + 1,
        start=start,
        end=end,
    )
