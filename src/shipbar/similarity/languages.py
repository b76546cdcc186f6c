"""What each language's syntax tree means to the copy guard: one table, small maps on top.

A grammar names some two hundred kinds of node. Here each kind gets one *role*:

- `DROP`: it and all below it say nothing (comments, imports, annotations, types);
- `OPEN`: it says nothing itself, its children do (blocks, brackets);
- `NAME` and `LITERAL`: one symbol each, whatever is written there;
- anything else is a symbol, which several kinds may share: every loop is `loop`.

Most kinds mean the same in every grammar that has them, so there is one general map,
and for each language only what differs. A kind that no map names is a symbol of its
own name, which is right for most statements.
"""

import enum
import functools
import importlib
from collections.abc import Mapping
from importlib.metadata import version

import attrs
import tree_sitter

from shipbar.errors import UnknownNameError

NAME, LITERAL = "name", "literal"
TABLE = "table"
"""Stands for a list or mapping of constants alone: two such tables look alike to us."""


class Role(enum.Enum):
    """What a walk does at a node."""

    IGNORE = 0
    """A token that says nothing."""
    DROP = 1
    """Leave it and all below it out."""
    OPEN = 2
    """Leave it out, go on with its children."""
    LEAF = 3
    """One symbol, nothing below it."""
    SYMBOL = 4
    """One symbol, then its children."""
    HOLDER = 5
    """A container: if it holds three constants and nothing else, it is a table."""
    BINARY = 6
    """An operation whose operator decides its symbol."""
    ASSIGN = 7
    """An assignment, which may be an augmented one."""
    STEP = 8
    """An increment or decrement: an augmented assignment of one."""
    FUNCTION = 9
    """A function or a method."""
    STATEMENT = 10
    """An expression as a statement; a text that stands alone says nothing."""
    OPERATOR = 11
    """A token that is the operator of the node around it."""
    AUGMENT = 12
    """A token such as `+=`."""
    NEGATE = 13
    """A token `!`: the unary operation around it says nothing."""
    RETURN = 14
    """Gives a value back; that of a name just assigned is what was assigned."""


_FRAMED = frozenset({Role.HOLDER, Role.BINARY, Role.ASSIGN, Role.STEP, Role.FUNCTION})
_EMITTING = _FRAMED | {Role.LEAF, Role.SYMBOL, Role.RETURN}
_OPENING = _FRAMED | {Role.OPEN, Role.SYMBOL, Role.RETURN, Role.STATEMENT}
_SILENT = frozenset({Role.IGNORE, Role.DROP, Role.OPEN})


@attrs.frozen(kw_only=True)
class Action:
    """What to do at one kind of node."""

    role: Role
    """What a walk does."""
    symbol: str = ""
    """What it emits; for tokens, the operator."""
    # A walk asks for these at every node, and a look into a set of Roles is slow.
    opens: bool = attrs.field(init=False)
    """Whether to go on below it."""
    emits: bool = attrs.field(init=False)
    """Whether it is a symbol."""
    framed: bool = attrs.field(init=False)
    """Whether it is looked at again when all below it has been read."""
    silent: bool = attrs.field(init=False)
    """Whether there is nothing to do but to go on."""

    @opens.default
    def _opens(self) -> bool:
        return self.role in _OPENING

    @emits.default
    def _emits(self) -> bool:
        return self.role in _EMITTING

    @framed.default
    def _framed(self) -> bool:
        return self.role in _FRAMED

    @silent.default
    def _silent(self) -> bool:
        return self.role in _SILENT


@attrs.frozen(kw_only=True)
class Language:
    """A language that the guard can parse."""

    name: str
    """As it is told to readers."""
    suffixes: tuple[str, ...]
    """Of its files, in small letters."""
    package: str
    """Distribution that holds its grammar."""
    entry: str = "language"
    """Function of the grammar that returns it."""
    roles: Mapping[str, str] = attrs.field(factory=dict, eq=False)
    """Kinds that mean something else here than in the general map: `drop`, `open`, `leaf:…`, `symbol:…`."""
    calibrated: bool = False
    """Whether the thresholds were measured on a corpus of this language."""

    @property
    def grammar_version(self) -> str:
        """Version of the distribution that holds the grammar."""
        return version(self.package)


_DROP = """
comment line_comment block_comment html_comment hash_bang_line shebang_directive
import_statement import_from_statement future_import_statement import_declaration
package_declaration package_clause preproc_include using_directive using_declaration
namespace_use_declaration extern_alias_directive decorator annotation marker_annotation
attribute_list attribute_declaration attribute_specifier global_attribute
type type_annotation asserts_annotation type_predicate_annotation type_arguments
type_parameters type_parameter_list type_argument_list type_parameter_constraints_clause
modifiers modifier accessibility_modifier visibility_modifier override_modifier
static_modifier final_modifier abstract_modifier readonly_modifier var_modifier
virtual_specifier storage_class_specifier type_qualifier access_specifier
explicit_function_specifier noexcept trailing_return_type throws
type_identifier primitive_type predefined_type integral_type floating_point_type
boolean_type void_type sized_type_specifier generic_type generic_name array_type
pointer_type nullable_type implicit_type optional_type union_type named_type type_list
map_type channel_type qualified_type placeholder_type_specifier dimensions
interface_declaration type_alias_declaration type_alias_statement type_alias
ambient_declaration function_signature method_signature abstract_method_signature
empty_statement pass_statement global_statement nonlocal_statement line_continuation
php_tag php_end_tag text text_interpolation declare_statement
string_start string_end string_content escape_sequence escape_interpolation
string_fragment template_chars string_literal_content raw_string_content
interpreted_string_literal_content raw_string_literal_content string_literal_encoding
type_conversion format_specifier interpolation_start interpolation_quote
interpolation_brace interpolation_format_clause interpolation_alignment_clause
heredoc_start heredoc_end positional_separator keyword_separator regex_flags
preproc_pragma preproc_line preproc_region preproc_endregion preproc_nullable
label_name statement_identifier
"""

_OPEN = """
module program translation_unit compilation_unit source_file
block statement_block compound_statement declaration_list class_body enum_body
field_declaration_list switch_block switch_body statement_list global_statement_list
constructor_body colon_block interface_body block_statements
parenthesized_expression parenthesized_list_splat condition_clause
argument_list arguments argument bracketed_argument_list parameters lambda_parameters
formal_parameters parameter_list parameter formal_parameter simple_parameter
required_parameter optional_parameter parameter_declaration optional_parameter_declaration
typed_parameter default_parameter typed_default_parameter property_promotion_parameter
keyword_argument pair pair_pattern array_element_initializer keyed_element literal_element
decorated_definition export_statement lexical_declaration variable_declaration declaration
local_variable_declaration local_declaration_statement field_declaration
property_declaration const_declaration var_declaration var_spec_list global_statement
else_clause not_operator interpolation template_substitution encapsed_string
function_declarator pointer_declarator reference_declarator parenthesized_declarator
array_declarator with_clause as_pattern_target namespace_definition
namespace_declaration file_scoped_namespace_declaration internal_module
linkage_specification template_declaration equals_value_clause sequence_expression
comma_expression case_pattern non_null_expression as_expression satisfies_expression
type_assertion preproc_if preproc_ifdef preproc_else preproc_elif
heredoc_body nowdoc_body class_heritage superclass super_interfaces base_list base_clause
base_class_clause expression_list_item type_declaration declaration_expression
"""

_NAMES = """
identifier property_identifier private_property_identifier shorthand_property_identifier
shorthand_property_identifier_pattern field_identifier namespace_identifier
package_identifier blank_identifier name variable_name qualified_name namespace_name
dotted_name scoped_identifier scoped_type_identifier qualified_identifier nested_identifier
alias_qualified_name relative_scope this super self template_function destructor_name
operator_name wildcard discard dynamic_variable_name undefined
"""

_LITERALS = """
integer float number integer_literal real_literal number_literal int_literal float_literal
imaginary_literal rune_literal decimal_integer_literal hex_integer_literal
octal_integer_literal binary_integer_literal decimal_floating_point_literal
hex_floating_point_literal character_literal char_literal true false none null nil iota
boolean boolean_literal null_literal ellipsis regex nowdoc user_defined_literal
verbatim_string_literal raw_string_literal interpreted_string_literal system_lib_string
"""

# A text may hold expressions, which count.
_TEXTS = """
string string_literal template_string interpolated_string_expression heredoc
multiline_string_fragment
"""

_HOLDERS = {
    "list": "list",
    "array": "list",
    "array_initializer": "list",
    "initializer_list": "list",
    "initializer_expression": "list",
    "collection_expression": "list",
    "literal_value": "list",
    "tuple": "tuple",
    "tuple_expression": "tuple",
    "expression_list": "tuple",
    "pattern_list": "tuple",
    "tuple_pattern": "tuple",
    "list_pattern": "tuple",
    "set": "set",
    "dictionary": "mapping",
    "object": "mapping",
    "array_creation_expression": "list",
    "concatenated_string": LITERAL,
}

_SYMBOLS = {
    "loop": """for_statement while_statement do_statement enhanced_for_statement
        for_in_statement for_range_loop foreach_statement for_in_clause range_clause_loop""",
    "if": "if_statement elif_clause else_if_clause",
    "choice": "conditional_expression ternary_expression",
    "switch": """match_statement switch_statement switch_expression match_expression
        expression_switch_statement type_switch_statement""",
    "case": """case_clause switch_case switch_default case_statement default_statement
        switch_section switch_block_statement_group expression_case default_case
        switch_rule switch_expression_arm match_conditional_expression
        match_default_expression type_case switch_label""",
    "call": """call call_expression method_invocation invocation_expression
        function_call_expression member_call_expression nullsafe_member_call_expression
        scoped_call_expression""",
    "new": "new_expression object_creation_expression implicit_object_creation_expression composite_literal",
    "member": """attribute member_expression field_access field_expression
        member_access_expression selector_expression nullsafe_member_access_expression
        class_constant_access_expression scoped_property_access_expression""",
    "item": """subscript subscript_expression array_access element_access_expression
        index_expression""",
    "class": """class_definition class_declaration class_specifier struct_specifier class
        abstract_class_declaration struct_declaration record_declaration struct_type
        enum_declaration trait_declaration anonymous_class""",
    "throw": "raise_statement throw_statement throw_expression",
    "catch": "except_clause catch_clause",
    "lambda": "lambda",
    "comprehension": """list_comprehension set_comprehension dictionary_comprehension
        generator_expression""",
}

_FUNCTIONS = """
function_definition function_declaration method_definition method_declaration
constructor_declaration function_expression arrow_function generator_function
generator_function_declaration lambda_expression func_literal anonymous_function
local_function_statement destructor_declaration operator_declaration
anonymous_method_expression compact_constructor_declaration
"""

_BINARY = "binary_operator binary_expression boolean_operator comparison_operator"
_UNARY = "unary_operator unary_expression prefix_unary_expression unary_op_expression"
_ASSIGNS = """
assignment augmented_assignment assignment_expression augmented_assignment_expression
assignment_statement short_var_declaration variable_declarator init_declarator
named_expression const_spec var_spec const_element property_element field_definition
public_field_definition enum_assignment reference_assignment_expression
"""
_STEPS = "update_expression inc_statement dec_statement postfix_unary_expression"

_COMPARES = """
< > <= >= == != === !== <> in is instanceof
"""
_OPERATORS = {
    **dict.fromkeys(_COMPARES.split(), "compare"),
    "not in": "compare",
    "is not": "compare",
    **dict.fromkeys(["and", "or", "&&", "||", "??"], "logic"),
    **{
        op: op
        for op in ("+", "-", "*", "/", "//", "%", "**", "@", "|", "&", "^", "<<", ">>")
    },
    ".": "+",  # joins texts in PHP; elsewhere it is no operator of a binary node
}
COMPARE = "compare"


def _general() -> dict[str, Action]:
    """Return what kinds of node mean in every grammar that has them."""
    actions = {kind: Action(role=Role.DROP) for kind in _DROP.split()}
    actions |= {kind: Action(role=Role.OPEN) for kind in _OPEN.split()}
    actions |= {kind: Action(role=Role.LEAF, symbol=NAME) for kind in _NAMES.split()}
    actions |= {
        kind: Action(role=Role.LEAF, symbol=LITERAL) for kind in _LITERALS.split()
    }
    actions |= {
        kind: Action(role=Role.SYMBOL, symbol=LITERAL) for kind in _TEXTS.split()
    }
    actions |= {
        kind: Action(role=Role.HOLDER, symbol=symbol)
        for kind, symbol in _HOLDERS.items()
    }
    for symbol, kinds in _SYMBOLS.items():
        actions |= {
            kind: Action(role=Role.SYMBOL, symbol=symbol) for kind in kinds.split()
        }
    for role, kinds, symbol in (
        (Role.FUNCTION, _FUNCTIONS, "function"),
        (Role.BINARY, _BINARY, "binary"),
        (Role.SYMBOL, _UNARY, "unary"),
        (Role.ASSIGN, _ASSIGNS, "assign"),
        (Role.STEP, _STEPS, "assign"),
        (Role.RETURN, "return_statement", "return"),
        (Role.STATEMENT, "expression_statement", ""),
    ):
        actions |= {kind: Action(role=role, symbol=symbol) for kind in kinds.split()}
    return actions


def _tokens() -> dict[str, Action]:
    """Return what tokens mean: operators, and what changes the node around them."""
    actions = {
        token: Action(role=Role.OPERATOR, symbol=symbol)
        for token, symbol in _OPERATORS.items()
    }
    actions |= {
        f"{token}=": Action(role=Role.AUGMENT, symbol=symbol)
        for token, symbol in _OPERATORS.items()
        if symbol not in (COMPARE,) and token not in ("and", "or")
    }
    actions["!"] = Action(role=Role.NEGATE)
    return actions


_GENERAL, _TOKENS = _general(), _tokens()

LANGUAGES = (
    Language(
        name="Python",
        suffixes=(".py", ".pyi", ".pyw"),
        package="tree-sitter-python",
        calibrated=True,
    ),
    Language(
        name="JavaScript",
        suffixes=(".js", ".mjs", ".cjs", ".jsx"),
        package="tree-sitter-javascript",
    ),
    Language(
        name="TypeScript",
        suffixes=(".ts", ".mts", ".cts"),
        package="tree-sitter-typescript",
        entry="language_typescript",
    ),
    Language(
        name="TSX",
        suffixes=(".tsx",),
        package="tree-sitter-typescript",
        entry="language_tsx",
    ),
    Language(
        name="Java",
        suffixes=(".java",),
        package="tree-sitter-java",
        roles={"catch_type": "drop"},
    ),
    Language(
        name="C",
        suffixes=(".c", ".h"),
        package="tree-sitter-c",
        roles={"preproc_def": "symbol:assign", "preproc_arg": "leaf:literal"},
    ),
    Language(
        name="C++",
        suffixes=(".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
        package="tree-sitter-cpp",
        roles={
            "preproc_def": "symbol:assign",
            "preproc_arg": "leaf:literal",
            "field_initializer_list": "open",
            "template_argument_list": "drop",
            "template_parameter_list": "drop",
        },
    ),
    Language(
        name="C#",
        suffixes=(".cs",),
        package="tree-sitter-c-sharp",
        roles={"attribute": "drop", "arrow_expression_clause": "symbol:return"},
    ),
    Language(
        name="Go",
        suffixes=(".go",),
        package="tree-sitter-go",
        # A single value is a list of one here.
        roles={"expression_list": "open", "for_clause": "open", "range_clause": "open"},
    ),
    Language(
        name="PHP",
        suffixes=(".php", ".phtml"),
        package="tree-sitter-php",
        entry="language_php",
        roles={"attribute": "drop"},
    ),
)
"""Every language that can be parsed, Python first."""

BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
"""Languages by the suffix of a file."""


def language_named(name: str) -> Language:
    """Return a language.

    Raises:
        UnknownNameError: it is not among `LANGUAGES`.
    """
    for language in LANGUAGES:
        if language.name == name:
            return language
    raise UnknownNameError("language", name, [it.name for it in LANGUAGES])


@functools.cache
def grammar(language: Language) -> tree_sitter.Language:
    """Load the grammar of ``language``; only one that is needed is imported."""
    module = importlib.import_module(language.package.replace("-", "_"))
    return tree_sitter.Language(getattr(module, language.entry)())


@functools.cache
def actions_of(name: str) -> tuple[Action, ...]:
    """Return what to do at each kind of node of the language ``name``, by the kind's number."""
    language = language_named(name)
    parsed = grammar(language)
    return tuple(
        _action(language, parsed.node_kind_for_id(number) or "", named=named)
        for number in range(parsed.node_kind_count)
        for named in [parsed.node_kind_is_named(number)]
    )


def _action(language: Language, kind: str, *, named: bool) -> Action:
    if not named:
        return _TOKENS.get(kind, Action(role=Role.IGNORE))
    if kind in language.roles:
        role, _, symbol = language.roles[kind].partition(":")
        return Action(role=Role[role.upper()], symbol=symbol)
    return _GENERAL.get(kind, Action(role=Role.SYMBOL, symbol=kind))


def grammar_versions() -> dict[str, str]:
    """Return the versions of all grammars, and of the library that runs them."""
    packages = {"tree-sitter", *(language.package for language in LANGUAGES)}
    return {name: version(name) for name in sorted(packages)}
