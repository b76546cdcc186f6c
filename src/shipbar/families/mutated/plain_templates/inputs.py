"""Inputs of the plain-templates family: templates, data and what is asked of them.

Each generator serves one rule, and keeps away from the others as far as the rule
itself allows: names of keys are no attributes of Python's types, values hold no
character that is escaped unless escaping is asked about, and lists hold whole
numbers. Every input is within what the specification lays down for every selection.
"""

import random
from collections.abc import Callable, Iterator, Mapping

Asked = tuple[str, str]
"""An expression, and the arrange lines that it needs."""
Names = Mapping[str, str]
"""The public names by role."""
Generator = Callable[[Names, random.Random], Asked]
"""Makes one input for a rule."""

KEYS = ("ann", "bob", "cod", "dot", "elk", "fig", "gem", "hut", "ivy", "jug")
WORDS = ("oak", "tin", "fern", "moss", "reed", "clay", "dune", "silk", "barn", "flint")
MARKS = (("<%", "%>"), ("[", "]"), ("<<", ">>"), ("(|", "|)"), ("$", "$"), ("@@", "@"))
EMPTY = ("0", "''", "[]", "{}", "None", "False", "0.0", "()")
FULL = ("1", "'0'", "[0]", "True", "-3", "'no'", "{'a': 0}", "[[]]", "0.5")


def tag(text: str) -> str:
    """A tag with the usual marks."""
    return "{{" + text + "}}"


def around(key: str, inside: str, sign: str = "#") -> str:
    """A section with its tags."""
    return f"{tag(sign + key)}{inside}{tag('/' + key)}"


def _some(rng: random.Random, count: int) -> list[str]:
    return rng.sample(KEYS, count)


def _word(rng: random.Random) -> str:
    return rng.choice(WORDS)


def _fill(names: Names, template: str, data: str, includes: str = "") -> str:
    rest = f", {includes}" if includes else ""
    return f"{names['fill']}({template!r}, {data}{rest})"


# -- escaping


def escaping(names: Names, rng: random.Random) -> Asked:
    """Both kinds of tag over a value with a character that is escaped; or which names are."""
    key, other, third = _some(rng, 3)
    if rng.random() < 0.3:  # noqa: PLR2004
        tags = [rng.choice(("", "&")) + rng.choice((key, other, third)) for _ in "1234"]
        template = f" {_word(rng)} ".join(map(tag, [key, "&" + other, *tags]))
        return f"{names['escaped']}({template!r})", ""
    value = f"{_word(rng)}{rng.choice(('<', '>', '&', ' & ', '<>', '&lt;', '&amp;'))}{_word(rng)}"
    pieces = [tag(key), tag("&" + key), tag("{" + key + "}"), f"{_word(rng)} "]
    inside = rng.choice(("", " ", "; ")).join(rng.choices(pieces, k=rng.randint(1, 4)))
    data: dict[str, object] = {key: value}
    includes = ""
    match rng.randrange(4):
        case 0:
            inside = f"{_word(rng)}: {tag('>' + third)}."
            includes = repr({third: rng.choice(pieces[:3]) + "!"})
        case 1:
            inside, data = around(other, inside), {other: {key: value}}
        case 2:
            inside = around(other, inside + tag("&" + key), "^")
        case _:
            inside += rng.choice(pieces[:3])
    return _fill(names, inside, repr(data), includes), ""


def quotes(names: Names, rng: random.Random) -> Asked:
    """Texts with quotes among them."""
    pieces = [
        "'",
        '"',
        "<",
        "&",
        " ",
        "=",
        "&quot;",
        _word(rng),
        _word(rng),
        "''",
        "#39;",
    ]
    text = "".join(rng.choices(pieces, k=rng.randint(2, 7)))
    text = rng.choice(("{}'s {}", '{}"{}', "'{}' {}", '"{}" {}', "{}'{}\"")).format(
        _word(rng), text
    )
    return f"{names['escape']}({text!r})", ""


# -- names


def missing(names: Names, rng: random.Random) -> Asked:
    """A name that no context has, beside one that is there."""
    key, other, third = _some(rng, 3)
    gone = rng.choice((third, f"{third}.{key}"))
    value = rng.choice((_word(rng), rng.randint(2, 99), None))
    if rng.random() < 0.5:  # noqa: PLR2004
        stack: list[object] = [{other: _word(rng)}] * rng.randint(0, 2) + [{key: value}]
        calls = [
            f"outcome({names['find']}, {gone!r}, {stack!r})",
            f"{names['find']}({key!r}, {stack!r})",
        ]
    else:
        there, gone = (
            rng.choice((tag(key), tag("&" + key))),
            rng.choice((tag(gone), tag("&" + gone))),
        )
        template = f"{_word(rng)} {there} {gone}"
        if rng.random() < 0.4:  # noqa: PLR2004
            template = there + around(key, gone + ".", rng.choice("^#"))
        calls = [
            f"outcome({names['fill']}, {template!r}, { ({key: value})!r})",
            f"{names['fill']}({there!r}, { ({key: _word(rng)})!r})",
        ]
    rng.shuffle(calls)
    return f"[{', '.join(calls)}]", ""


def scope(names: Names, rng: random.Random) -> Asked:
    """A name that several contexts have, or only an outer one."""
    key, other, third = _some(rng, 3)
    form = rng.randrange(4)
    if form == 0:
        stack = [
            {k: _word(rng) for k in rng.sample((key, other), rng.randint(1, 2))}
            for _ in "123"
        ]
        stack[0][key], stack[-1][key] = rng.sample(WORDS, 2)
        return (
            f"{names['find']}({key!r}, {stack[-rng.randint(2, 3) :] if key in stack[1] else stack!r})",
            "",
        )
    if form == 1:
        contexts = [
            {
                k: rng.randint(1, 9)
                for k in rng.sample((key, other, third), rng.randint(1, 2))
            }
            for _ in "12"
        ]
        stack = [*contexts, {rng.choice((key, other)): rng.choice((None, 0, 5))}]
        return (
            f"[{names['known']}(name, {stack!r}) for name in {rng.sample((key, other, third), 3)!r}]",
            "",
        )
    first, second = rng.sample(WORDS, 2)
    data: dict[str, object] = {key: first, third: {key: second, other: 1}}
    if form == 2:  # noqa: PLR2004
        text = rng.choice((tag(key), tag("&" + key))) + rng.choice(
            ("", "!", " " + _word(rng))
        )
        return _fill(names, tag(key) + " " + around(third, text), repr(data)), ""
    yes, no = f"{_word(rng)} ", f"no {_word(rng)}"
    flags: dict[str, object] = {
        key: rng.choice((True, True, False)),
        third: {other: 1}
        | ({key: rng.choice((True, False))} if rng.random() < 0.5 else {}),  # noqa: PLR2004
    }
    return _fill(
        names, around(third, around(key, yes) + around(key, no, "^")), repr(flags)
    ), ""


def dotted(names: Names, rng: random.Random) -> Asked:
    """Names with dots: paths that break off, keys that hold a dot."""
    key, other, third = _some(rng, 3)
    path = f"{key}.{other}"
    form = rng.randrange(5)
    if form == 0:
        used = rng.sample(
            (path, key, other, f"{other}.{third}", f"{third}.{key}.{other}"), 3
        )
        template = f" {_word(rng)} ".join(
            rng.choice((tag(name), tag("&" + name), around(name, "-")))
            for name in [*used, path]
        )
        return f"{names['roots']}({template!r})", ""
    if form == 1:
        inner = {path: _word(rng), key: {other: _word(rng)}}
        return (
            f"{names['find']}({path!r}, {[{third: 1}, inner][rng.randint(0, 1) :]!r})",
            "",
        )
    whole: dict[str, object] = {key: {other: rng.randint(1, 9)}}
    broken: dict[str, object] = {
        key: rng.choice(({third: 2}, _word(rng), {other + "s": 4}))
    }
    flat: dict[str, object] = {path: rng.randint(1, 9)}
    if form in (2, 3):
        stack = rng.choice(
            (
                [whole, broken],
                [broken, whole, {key: _word(rng)}],
                [broken, whole, {key: {third: 3}}],
                [whole, broken, {third: 1}],
                [flat, broken],
                [flat, whole],
            )
        )
        asked = rng.sample((path, f"{key}.{third}", f"{third}.{other}", key), 3)
        asked = asked if path in asked else [path, *asked[1:]]
        return f"[{names['known']}(name, {stack!r}) for name in {asked!r}]", ""
    outer, inner2 = rng.choice(((whole, broken), (broken, whole), (flat, whole)))
    template = around(
        third, around(path, _word(rng)) + around(path, f"no {_word(rng)}", "^")
    )
    return _fill(names, template, repr({**outer, third: {**inner2, other: 1}})), ""


# -- sections


def empties(names: Names, rng: random.Random) -> Asked:
    """Values that look like nothing, beside some that do not."""
    key, other, third = _some(rng, 3)
    zero = rng.choice(("0", "0", "0.0"))
    form = rng.randrange(4)
    if form < 2:  # noqa: PLR2004
        values = [zero, rng.choice(FULL), *rng.sample(EMPTY + FULL, rng.randint(1, 2))]
        rng.shuffle(values)
        return (
            f"[{names['absent']}(value) for value in [{', '.join(dict.fromkeys(values))}]]",
            "",
        )
    if form == 2:  # noqa: PLR2004
        value = rng.choice((zero, zero, "''", "{}"))
        template = (
            f"{_word(rng)} "
            + around(key, f"is {_word(rng)}")
            + around(key, f"no {_word(rng)}", "^")
        )
        return _fill(names, template, f"{{{key!r}: {value}, {other!r}: 1}}"), ""
    values = [
        zero,
        *rng.choices(("1", "2", "3", "''", "None", "0"), k=rng.randint(1, 3)),
    ]
    rng.shuffle(values)
    template = f"{_word(rng)}" + around(
        third, rng.choice(("-", "+", f" {_word(rng)}", "."))
    )
    return _fill(names, template, f"{{{third!r}: [4, {', '.join(values)}]}}"), ""


def lists(names: Names, rng: random.Random) -> Asked:
    """Sections over lists of whole numbers, of lists and of mappings."""
    key, other = _some(rng, 2)
    numbers = rng.sample(range(1, 40), rng.randint(2, 5))
    here = rng.choice(
        (
            tag("."),
            tag("&."),
            f"<{tag('.')}>",
            f"{tag('.')}, ",
            f"{tag('.')} {_word(rng)};",
        )
    )
    match rng.randrange(4):
        case 0:
            template, data = around(key, here), {key: numbers}
        case 1:
            template = f"{_word(rng)}: {around(key, here)}{around(key, 'none', '^')}."
            data = {key: numbers}
        case 2:
            rows: list[object] = [
                rng.sample(range(1, 9), rng.randint(1, 3)) for _ in "12"
            ]
            template, data = around(key, f"({around('.', here)})"), {key: rows}
        case _:
            items: list[object] = [{other: number} for number in numbers]
            template, data = (
                around(key, tag(other) + rng.choice((".", "; ", ""))),
                {key: items, other: 50},
            )
    return _fill(names, template, repr(data)), ""


def callables(names: Names, rng: random.Random) -> Asked:
    """Sections that a callable makes."""
    key, other, third = _some(rng, 3)
    call = rng.choice(("same", "same", "twice", "framed", "measured", "added", "upper"))
    inside = rng.choice(
        (
            f"{_word(rng)} {tag(other)}",
            f"{tag(other)}{_word(rng)}",
            f"{tag('&' + other)}!",
            around(other, f"{_word(rng)}"),
            f"{around(third, 'x', '^')} {tag(other)}",
            f"{tag('>' + third)} {tag(other)}",
        )
    )
    if call == "upper":
        inside = f"{_word(rng)} {around(other, _word(rng))}"
    if call == "added":
        call = f"lambda text, again: text + {tag(other)!r}"
    data = f"{{{key!r}: {call}, {other!r}: {_word(rng)!r}}}"
    template = (
        rng.choice(("", f"{_word(rng)} ")) + around(key, inside) + rng.choice(("", "."))
    )
    includes = repr({third: f"[{tag(other)}]"}) if ">" in inside else ""
    return _fill(names, template, data, includes), ""


# -- reading


def alone(names: Names, rng: random.Random) -> Asked:
    """Tags with a line to themselves, and tags that only look so."""
    key, other = _some(rng, 2)
    gap = " " * rng.choice((0, 0, 1, 2, 4))
    note, marks = tag(f"! {_word(rng)} "), rng.choice(MARKS[:4])
    first, second = _word(rng), _word(rng)
    match rng.randrange(7):
        case 0 | 1:
            sign = rng.choice("#^")
            end = rng.choice(("\n" + second, "", f" {second}\n", "\n"))
            template = (
                f"{first}\n{gap}{tag(sign + key)}\n{second}\n{tag('/' + key)}{end}"
            )
        case 2:
            template = f"{rng.choice(('', first + chr(10)))}{note}\n{second}{rng.choice(('', chr(10)))}"
        case 3:
            left, right = marks
            template = f"{first}\n{gap}{tag(f'={left} {right}=')}\n{second} {left}{key}{right}\n"
        case 4:
            template = f"{tag(rng.choice('#^') + key)}\n{tag('#' + other)}{gap}\n{first}{tag('/' + other)}\n{tag('/' + key)}\n{second}"
        case 5:
            template = f"{first}\n{tag('>' + key)}{gap}\n{second}"
            if rng.random() < 0.5:  # noqa: PLR2004
                return _fill(
                    names,
                    template,
                    "{}",
                    repr({key: rng.choice((other, other + "\n"))}),
                ), ""
        case _:
            template = (
                f"{first}\n{gap}{around(key, chr(10) + second + chr(10))}\n{first}"
            )
            return _fill(names, template, repr({key: {other: 1}})), ""
    return f"{names['tokens']}({template!r})", ""


def margin(names: Names, rng: random.Random) -> Asked:
    """Texts of several lines behind a margin, by themselves and included."""
    key, other = _some(rng, 2)
    gap = " " * rng.randint(1, 6)
    lines = [
        rng.choice((_word(rng), f"{_word(rng)} {_word(rng)}", ""))
        for _ in range(rng.randint(0, 3))
    ]
    text = "\n".join([_word(rng), *lines, _word(rng)]) + rng.choice(("", "\n"))
    match rng.randrange(3):
        case 0:
            return (
                f"{names['indent']}({text!r}, {gap!r})",
                "",
            )
        case 1:
            template = f"{rng.choice(('', _word(rng) + chr(10)))}{gap}{tag('>' + key)}"
            if not text.endswith("\n"):
                template += rng.choice(("", ".", f" {_word(rng)}"))
            return _fill(names, template, "{}", repr({key: text})), ""
        case _:
            included = f"{tag(other)}\n{_word(rng)} {tag(other)}"
            value = f"{_word(rng)}{rng.choice(('', chr(10)))}{_word(rng)}"
            return _fill(
                names,
                f"{_word(rng)}\n{gap}{tag('>' + key)};",
                repr({other: value}),
                repr({key: included}),
            ), ""


def comments(names: Names, rng: random.Random) -> Asked:
    """Comments within a line, with blanks on either side."""
    key, other = _some(rng, 2)
    before, after = " " * rng.choice((0, 1, 1, 2, 3)), " " * rng.choice((0, 1, 2, 2, 3))
    note = tag(
        rng.choice(("!", "! "))
        + rng.choice((_word(rng), f"{_word(rng)} {key}", f"{_word(rng)}\n{other}"))
    )
    left = rng.choice((_word(rng), tag(key), f"{_word(rng)}\n{tag(other)}", ","))
    right = rng.choice(
        (_word(rng), tag(other), f"{_word(rng)}\n", f"{tag('&' + key)}.")
    )
    if rng.random() < 0.3:  # noqa: PLR2004
        before, after = before or " ", after or " "
    template = f"{left}{before}{note}{after}{right}"
    if rng.random() < 0.4:  # noqa: PLR2004
        return _fill(
            names, template, repr({key: _word(rng), other: rng.randint(1, 9)})
        ), ""
    return f"{names['tokens']}({template!r})", ""


def marks(names: Names, rng: random.Random) -> Asked:
    """New marks set within a section, and tags of both sorts after it."""
    key, other, third = _some(rng, 3)
    left, right = rng.choice(MARKS)
    inner = f"{left}{other}{right}"
    section = f"{tag(rng.choice('#^') + key)}{tag(f'={left} {right}=')}{rng.choice((inner, _word(rng), ''))}{left}/{key}{right}"
    later = [tag(other), tag("&" + third), inner, f" {_word(rng)} ", around(third, "x")]
    template = rng.choice(("", tag(third), _word(rng) + " ")) + section
    template += "".join(
        rng.sample(later[:2] + later[4:], 1) + rng.sample(later[1:4], rng.randint(0, 2))
    )
    if rng.random() < 0.5:  # noqa: PLR2004
        data = {
            key: rng.choice((False, {third: _word(rng), other: 3})),
            other: rng.randint(1, 9),
            third: _word(rng),
        }
        return _fill(names, template, repr(data)), ""
    return f"{names['tokens']}({template!r})", ""


def unclosed(names: Names, rng: random.Random) -> Asked:
    """Sections that the template does not end, beside one that it does."""
    key, other, third = _some(rng, 3)
    opened = tag(rng.choice("#^") + key)
    inside = rng.choice(
        (
            _word(rng),
            tag(other),
            f"{_word(rng)} {tag(other)}",
            around(other, "x"),
            tag("^" + third),
        )
    )
    start = rng.choice(("", f"{_word(rng)} ", tag(third)))
    whole = rng.choice(
        (
            around(key, inside) if "^" not in inside else opened + tag("/" + key),
            start + tag(third),
        )
    )
    if rng.random() < 0.35:  # noqa: PLR2004
        data = {key: {third: 2}, other: _word(rng), third: 1}
        calls = [
            f"outcome({names['fill']}, {start + opened + inside!r}, {data!r})",
            _fill(names, tag(third) + "!", repr(data)),
        ]
    else:
        wrong = rng.choice((f"{start}{tag('/' + key)}", f"{opened}{tag('/' + other)}"))
        calls = [
            f"outcome({names['tokens']}, {start + opened + inside!r})",
            f"{names['tokens']}({whole!r})",
        ]
        if rng.random() < 0.3:  # noqa: PLR2004
            calls.append(f"outcome({names['tokens']}, {wrong!r})")
    return f"[{', '.join(calls)}]", ""


# -- what no rule touches, and where several meet


def spine(names: Names, rng: random.Random) -> Asked:
    """What every selection answers alike."""
    key, other, third = _some(rng, 3)
    form = rng.randrange(6)
    if form == 0:
        values = rng.sample(
            (
                "True",
                "False",
                "None",
                "0",
                "''",
                "[]",
                "{}",
                "12",
                "'oak'",
                "[1, 2]",
                "'0'",
            ),
            4,
        )
        return f"[{names['show']}(value) for value in [{', '.join(values)}]]", ""
    if form == 1:
        kinds = [
            (
                rng.choice(("name", "marked", "include", "text", "margin")),
                rng.choice(KEYS),
            )
            for _ in "123"
        ]
        section = [(rng.choice(("open", "unless")), key), *kinds[:1], ("close", key)]
        return f"{names['source']}({[*kinds, *section]!r})", ""
    if form == 2:  # noqa: PLR2004
        pieces = [
            tag(rng.choice(("", "&")) + name)
            for name in rng.choices((key, other, third), k=4)
        ]
        template = f" {_word(rng)} ".join(
            [*pieces[:2], around(third, tag(".") + pieces[2]), pieces[3]]
        )
        return f"{names['names']}({template!r})", ""
    if form == 3:  # noqa: PLR2004
        wrong = rng.choice(
            (
                f"{tag(key)} {'{' * 2}{other}",
                tag("/" + key),
                around(key, "x") + tag("/" + key),
                tag("=<%"),
                tag("#" + key) + tag("/" + other),
            )
        )
        fine = f"{_word(rng)} {tag(rng.choice(('', '&', '>')) + other)}"
        calls = [
            f"outcome({names['tokens']}, {wrong!r})",
            f"{names['tokens']}({fine!r})",
        ]
        rng.shuffle(calls)
        return f"[{', '.join(calls)}]", ""
    if form == 4:  # noqa: PLR2004
        items = [_word(rng) for _ in "123"]
        stack = [{key: items, other: _word(rng)}]
        calls = [f"{names['find']}({name!r}, {stack!r})" for name in (other, key)]
        index = str(rng.randint(0, 2))
        return f"[{', '.join(calls)}, {names['find']}({index!r}, [{items!r}])]", ""
    template = f"{_word(rng)} {tag(key)} {tag('&' + other)}, {around(third, _word(rng))}{around(third, 'x', '^')}."
    return _fill(
        names,
        template,
        repr(
            {
                key: _word(rng),
                other: rng.randint(1, 99),
                third: rng.choice((True, False)),
            }
        ),
    ), ""


def joint(names: Names, rng: random.Random) -> Asked:
    """Pages: sections, lists, includes and comments together."""
    key, other, third, fourth = _some(rng, 4)
    head = f"{_word(rng)} {tag(key)}\n"
    row = rng.choice(
        (
            f"{tag('>' + fourth)}\n",
            f"- {tag(third)}\n",
            f"  {tag('>' + fourth)} {_word(rng)}\n",
        )
    )
    body = rng.choice(
        (around(other, "\n" + row) + "\n", around(other, tag(third) + "; "))
    )
    foot = rng.choice(
        (
            "",
            tag("! end ") + "\n",
            around(third, f"no {_word(rng)}", "^"),
            f"{_word(rng)}\n",
        )
    )
    items: list[object] = [{third: rng.randint(1, 9)} for _ in range(rng.randint(1, 3))]
    data = {
        key: rng.choice((_word(rng), "a<b", 0)),
        other: rng.choice((items, items[0])),
    }
    template = head + body + foot
    return _fill(
        names,
        template,
        repr(data),
        repr({fourth: f"{tag(third)}:\n{_word(rng)}"}) if ">" in row else "",
    ), ""


GENERATORS: Mapping[str, Generator] = {
    "escaping": escaping,
    "quotes": quotes,
    "missing": missing,
    "empties": empties,
    "lists": lists,
    "scope": scope,
    "dotted": dotted,
    "alone": alone,
    "margin": margin,
    "comments": comments,
    "marks": marks,
    "callables": callables,
    "unclosed": unclosed,
    "spine": spine,
    "joint": joint,
}
"""By rule, and two beside: what no rule touches, and where several meet."""


def rounds(names: Names, rng: random.Random, most: int) -> Iterator[tuple[str, Asked]]:
    """Yield ``most`` rounds of one input for each rule in turn, so that any stretch serves all."""
    for _ in range(most):
        for rule, generator in GENERATORS.items():
            yield rule, generator(names, rng)
