"""Disguises of programs in languages with braces, made on their syntax trees.

A disguise is a list of edits of the text, found in a parsed tree: what is not edited
stays as it was written. Each keeps what a program does, as far as a tree shows it: a
name that also stands for a member, or is written short for one, is not changed, and
functions change places only with their neighbours.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

import attrs
import tree_sitter

from shipbar.similarity.languages import grammar, language_named

Files = Mapping[str, str]
Node = tree_sitter.Node
Edit = tuple[int, int, bytes]
"""Where it begins and ends in the text, and what stands there instead."""


@attrs.frozen(kw_only=True)
class Speech:
    """What the disguises must know of a language."""

    language: str
    """As `shipbar.similarity.languages` names it."""
    functions: frozenset[str]
    """Kinds of function that may change places."""
    blocks: frozenset[str]
    """Kinds of block of statements."""
    dead: tuple[str, ...]
    """Statements without effect; `{n}` is a number."""
    binders: frozenset[str]
    """Kinds of node whose `binding` field binds a local name."""
    binding: tuple[str, ...] = ("name", "declarator", "pattern", "parameter", "left")
    """Fields that hold the name."""
    kept: str = ""
    """Pattern of a local variable's declaration, with `{value}`; empty: none without a type."""
    negation: str = "(!({test}))"
    """Pattern of a condition turned round."""
    prototypes: bool = False
    """Whether a function must be declared before it is used."""
    wrapped: bool = True
    """Whether methods stand in a class."""
    head: str = ""
    """What a file begins with."""


_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "html_comment"})
_TEXTS = re.compile(r"string|template|char|heredoc|nowdoc|regex|text|raw")
_MEMBERS = frozenset(
    {
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "field_identifier",
        "type_identifier",
        "label_name",
        "statement_identifier",
        "namespace_identifier",
        "package_identifier",
    }
)
_MEMBER_OF = {
    "field_access": "field",
    "method_invocation": "name",
    "member_access_expression": "name",
    "field_declaration": "declarator",
    "property_declaration": "name",
    "method_declaration": "name",
    "class_declaration": "name",
    "keyed_element": "key",
    "property_element": "name",
    "property_promotion_parameter": "name",
    "scoped_property_access_expression": "name",
    "argument": "name",
    "assignment_expression": "",
    "function_definition": "declarator",
    "export_specifier": "name",
    "import_specifier": "name",
}


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(one.children))


class Program:
    """One file, parsed."""

    def __init__(self, text: str, speech: Speech) -> None:
        """Parse ``text``."""
        self.data, self.speech = text.encode(), speech
        parser = tree_sitter.Parser(grammar(language_named(speech.language)))
        self.root = parser.parse(self.data).root_node

    def text(self, node: Node) -> str:
        """Return what stands at ``node``."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def nodes(self, *kinds: str) -> list[Node]:
        """Return the nodes of some kinds, parents first."""
        wanted = set(kinds)
        return [it for it in _walk(self.root) if it.type in wanted]

    def edited(self, edits: Sequence[Edit]) -> str:
        """Return the text with ``edits``; of two that overlap the outer one is made."""
        out, at = [], 0
        for start, end, text in sorted(edits, key=lambda it: (it[0], -it[1])):
            if start < at:
                continue
            out += [self.data[at:start], text]
            at = end
        return b"".join([*out, self.data[at:]]).decode("utf-8", "replace")


Change = Callable[[Program, Random], str]


def stripped(program: Program, _rng: Random) -> str:
    """Drop comments."""
    edits = [
        (it.start_byte, it.end_byte, b" ")
        for it in _walk(program.root)
        if it.type in _COMMENTS
    ]
    return program.edited(edits)


def reformatted(program: Program, _rng: Random) -> str:
    """Set every line anew: no indentation but a tab, no empty lines, spaces doubled."""
    inside: set[int] = set()
    for node in _walk(program.root):
        if _TEXTS.search(node.type) or node.type in _COMMENTS:
            inside.update(range(node.start_point[0] + 1, node.end_point[0] + 1))
    lines = []
    for number, line in enumerate(program.data.decode("utf-8", "replace").split("\n")):
        if number in inside:
            lines.append(line)
        elif bare := line.strip():
            lines.append(bare if bare.startswith("#") else f"\t{bare}")
    return "\n".join(lines) + "\n"


def renamed(program: Program, rng: Random) -> str:
    """Rename parameters and local variables that stand for nothing else in the file."""
    bound, members = _names(program)
    names = sorted(bound - members)
    rng.shuffle(names)
    new = {name: f"q{number}z" for number, name in enumerate(names)}
    edits = []
    for node in _walk(program.root):
        text = program.text(node) if not node.child_count else ""
        if text not in new or node.type not in ("identifier", "name"):
            continue
        inside = node.parent is not None and node.parent.type == "variable_name"
        if node.type == "identifier" or inside:
            edits.append((node.start_byte, node.end_byte, new[text].encode()))
    return program.edited(edits)


def _names(program: Program) -> tuple[set[str], set[str]]:
    """Return the names that are bound locally, and those that are something else too."""
    bound: set[str] = set()
    members = {"this", "self", "arguments", "undefined", "main", "_", "value"}
    for node in _walk(program.root):
        if node.type in _MEMBERS:
            members.add(program.text(node))
        field = _MEMBER_OF.get(node.type)
        if field and (named := node.child_by_field_name(field)) is not None:
            members |= _leaves(program, named, deep=node.type == "function_definition")
        if node.type in ("export_statement", "export_specifier"):
            members |= {it for child in node.children for it in _heads(program, child)}
        if node.type not in program.speech.binders or not _is_local(node):
            continue
        for field in program.speech.binding:
            for one in node.children_by_field_name(field):
                bound |= _leaves(program, one)
    return bound, members


def _is_local(node: Node) -> bool:
    """Whether a declaration lies in a function."""
    at = node.parent
    while at is not None:
        if re.search(r"function|method|constructor|lambda|func_|arrow", at.type):
            return True
        at = at.parent
    return False


def _leaves(program: Program, node: Node, *, deep: bool = False) -> set[str]:
    """Return the plain names that a declarator holds."""
    if node.type in ("identifier", "name"):
        return {program.text(node)}
    inner = re.search(r"declarator|pattern|list|variable_name", node.type)
    if not inner or (deep and node.type == "parameter_list"):
        return set()
    parts = [
        it
        for place, it in enumerate(node.named_children)
        if node.field_name_for_named_child(place)
        not in ("value", "size", "right", "parameters")
    ]
    return {name for it in parts for name in _leaves(program, it, deep=deep)}


def _heads(program: Program, node: Node) -> set[str]:
    """Return the names that a declaration gives to the outside."""
    named = node.child_by_field_name("name")
    if named is not None:
        return {program.text(named)}
    return (
        {name for child in node.named_children for name in _heads(program, child)}
        if ("declaration" in node.type or "clause" in node.type)
        else {program.text(node)}
        if node.type == "identifier"
        else set()
    )


def reordered(program: Program, rng: Random) -> str:
    """Shuffle neighbouring functions; where it is needed they are declared first."""
    speech = program.speech
    edits: list[Edit] = []
    for parent in _walk(program.root):
        run: list[Node] = []
        runs = [run]
        for child in parent.named_children:
            if child.type in speech.functions:
                run.append(child)
            elif child.type not in _COMMENTS:
                run = []
                runs.append(run)
        for run in runs:
            edits += _shuffled(program, run, rng)
    return program.edited(edits)


def _shuffled(program: Program, run: list[Node], rng: Random) -> list[Edit]:
    top = run and run[0].parent is not None and run[0].parent.type == "translation_unit"
    heads = (
        [_head(program, it) for it in run] if program.speech.prototypes and top else []
    )
    if len(run) < 2 or "" in heads:  # noqa: PLR2004  # one has no neighbour
        return []
    texts = [program.text(it) for it in run]
    order = list(range(len(run)))
    rng.shuffle(order)
    declared = "".join(f"{head};\n" for head in heads)
    return [
        (
            it.start_byte,
            it.end_byte,
            ((declared if not place else "") + texts[order[place]]).encode(),
        )
        for place, it in enumerate(run)
    ]


def _head(program: Program, function: Node) -> str:
    """Return a function's declaration; empty if it cannot stand alone."""
    body = function.child_by_field_name("body")
    if body is None:
        return ""
    head = program.data[function.start_byte : body.start_byte].decode().strip()
    alone = not re.search(r"=|\bauto\b|\bconstexpr\b|::|\binline\b|\):", head)
    return head if alone else ""


def rewritten(program: Program, _rng: Random) -> str:
    """Swap the branches of conditions; then turn comparisons round and write out assignments."""
    swaps = [
        edit
        for node in program.nodes("if_statement")
        for edit in _swapped(program, node)
    ]
    program = Program(program.edited(swaps), program.speech)
    edits: list[Edit] = []
    for node in program.nodes("binary_expression", "binary_operator"):
        edits += _turned(program, node)
    for node in program.nodes(
        "augmented_assignment_expression",
        "assignment_expression",
        "assignment_statement",
    ):
        edits += _written_out(program, node)
    return program.edited(edits)


def _swapped(program: Program, node: Node) -> list[Edit]:
    test = node.child_by_field_name("condition")
    first = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    second = node.child_by_field_name("alternative")
    if second is not None and second.type == "else_clause":
        second = second.named_children[0] if second.named_child_count else None
    blocks = program.speech.blocks
    if test is None or first is None or second is None:
        return []
    if first.type not in blocks or second.type not in blocks:
        return []
    inner = program.text(test).strip()
    if "=" in re.sub(r"[=!<>]=+", "", inner) or ";" in inner:
        return []
    turned = program.speech.negation.format(test=inner)
    return [
        (test.start_byte, test.end_byte, turned.encode()),
        (first.start_byte, first.end_byte, program.text(second).encode()),
        (second.start_byte, second.end_byte, program.text(first).encode()),
    ]


_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_SIMPLE = re.compile(r"identifier|variable_name|integer|number|literal$")


def _turned(program: Program, node: Node) -> list[Edit]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node.child_by_field_name("operator")
    if left is None or right is None or sign is None:
        return []
    flipped = _FLIPPED.get(program.text(sign))
    if flipped is None or not (
        _SIMPLE.search(left.type) and _SIMPLE.search(right.type)
    ):
        return []
    text = f"{program.text(right)} {flipped} {program.text(left)}"
    return [(node.start_byte, node.end_byte, text.encode())]


def _written_out(program: Program, node: Node) -> list[Edit]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node.child_by_field_name("operator")
    if (
        left is None
        or right is None
        or sign is None
        or (left.type == "expression_list" and left.named_child_count != 1)
    ):
        return []
    operator = program.text(sign)
    if operator not in ("+=", "-=", "*=") or re.search(r"[\[(.>]", program.text(left)):
        return []
    text = f"{program.text(left)} = {program.text(left)} {operator[0]} ({program.text(right)})"
    return [(node.start_byte, node.end_byte, text.encode())]


def with_dead_code(program: Program, rng: Random) -> str:
    """Put statements without effect before a third of all others."""
    edits: list[Edit] = []
    for block in program.nodes(*program.speech.blocks):
        inner = block.named_children
        if inner and inner[0].type == "statement_list":
            inner = inner[0].named_children
        for place, statement in enumerate(inner):
            plain = statement.type not in _COMMENTS and "label" not in statement.type
            if place and plain and rng.random() < 1 / 3:
                text = rng.choice(program.speech.dead).format(n=len(edits))
                edits.append(
                    (statement.start_byte, statement.start_byte, f"{text}\n".encode())
                )
    return program.edited(edits)


def with_temporaries(program: Program, _rng: Random) -> str:
    """Give what is returned a name first, where a block holds the return."""
    kept = program.speech.kept
    edits: list[Edit] = []
    for node in program.nodes("return_statement") if kept else []:
        value = node.named_children[0] if node.named_child_count == 1 else None
        if value is not None and value.type == "expression_list":
            value = value.named_children[0] if value.named_child_count == 1 else None
        at = node.parent
        if at is not None and at.type == "statement_list":
            at = at.parent
        if value is None or at is None or at.type not in program.speech.blocks:
            continue
        if not re.search(
            r"call|invocation|binary|subscript|element|member", value.type
        ):
            continue
        name = f"kept{len(edits)}"
        declared = kept.format(name=name, value=program.text(value))
        mark = "$" if program.speech.language == "PHP" else ""
        text = f"{declared}\nreturn {mark}{name};"
        if program.speech.language == "Go":
            text = text.rstrip(";")
        edits.append((node.start_byte, node.end_byte, text.encode()))
    return program.edited(edits)


_WHOLE = 0.5
"""Share of a program from which on a function is a wrapper around it, and no part of it."""


def size(program: Program) -> int:
    """Return how many nodes a program has."""
    return sum(1 for _ in _walk(program.root))


def functions(program: Program) -> list[tuple[str, int]]:
    """Return each outermost function that is a part, as it can stand alone, and its nodes."""
    most = _WHOLE * size(program)
    found: list[tuple[str, int]] = []
    stack = [program.root]
    while stack:
        node = stack.pop()
        nodes = 0
        if node.type in program.speech.functions | _EXPRESSIONS:
            nodes = sum(1 for _ in _walk(node))
        if _LEAST <= nodes <= most:
            found.append((_alone(program, node), nodes))
        else:
            stack.extend(reversed(node.children))
    return found


_EXPRESSIONS = frozenset({"function_expression", "arrow_function"})
_LEAST = 30
"""Nodes of a function that is worth taking."""


def _alone(program: Program, node: Node) -> str:
    text = program.text(node)
    if node.type in _EXPRESSIONS:
        return f"const taken{node.start_byte} = {text};"
    if node.type.startswith("method_") and program.speech.wrapped:
        return f"class Taken{node.start_byte} {{\n{text}\n}}"
    return text
