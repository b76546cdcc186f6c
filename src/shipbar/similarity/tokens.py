"""The second view: a file as tokens, for languages without a grammar and files that do not parse.

Names and literals are one symbol each, as in a syntax tree; words that steer a
program in most languages, and punctuation, stand for themselves. Linear in the size
of the text, whatever it holds.
"""

import re

_STEERING = """
and as async await begin break case catch class const continue def default do elif else
elseif end except finally fn for foreach from func function if impl in is lambda let loop
match module new not or package pass raise repeat return self struct switch this then
throw trait try type unless until var when where while with yield
"""
_WORDS = frozenset(_STEERING.split())

# What begins and never ends goes on to the end of the line or of the text: were it
# refused there, each of its characters would be tried as a beginning again.
_TOKEN = re.compile(
    r"""
    (?P<remark>/\*(?:[^*]|\*(?!/))*+(?:\*/)?|^[ \t]*+(?:\#|//|--|;|%)[^\n]*+)
    |(?P<text>\"\"\"(?:[^"]|"(?!""))*+(?:\"\"\")?|'''(?:[^']|'(?!''))*+(?:''')?
        |"(?:[^"\\\n]|\\[^\n])*+"?|'(?:[^'\\\n]|\\[^\n])*+'?|`[^`\n]*+`?)
    |(?P<number>\d[\w.]*+)
    |(?P<word>[^\W\d]\w*+)
    |(?P<mark>[^\s\w])
    """,
    re.VERBOSE | re.MULTILINE,
)


def tokens(text: str, most: int) -> tuple[list[str], list[int]]:
    """Return the first ``most`` symbols of ``text`` and the line of each, from 1."""
    symbols: list[str] = []
    lines: list[int] = []
    line, seen = 1, 0
    for match in _TOKEN.finditer(text):
        if len(lines) == most:
            break
        kind = match.lastgroup
        if kind == "remark":
            continue
        start = match.start()
        line += text.count("\n", seen, start)
        seen = start
        word = match.group()
        if (kind == "mark" and word.isascii()) or (kind == "word" and word in _WORDS):
            symbols.append(f"token {word}")
        else:
            symbols.append("token value")
        lines.append(line)
    return symbols, lines
