"""Inputs for the rules on names, values and sections."""

import random
from collections.abc import Sequence

from shipbar.families.mutated.plain_templates.pieces import (
    EMPTY,
    FULL,
    WORDS,
    Asked,
    Names,
    around,
    chance,
    fill,
    some,
    tag,
    word,
)

# -- escaping


def escaping(names: Names, rng: random.Random) -> Asked:
    """Both kinds of tag over a value with a character that is escaped; or which names are."""
    key, other, third = some(rng, 3)
    if chance(rng, 0.3):
        tags = [rng.choice(("", "&")) + rng.choice((key, other, third)) for _ in "1234"]
        template = f" {word(rng)} ".join(map(tag, [key, "&" + other, *tags]))
        return f"{names['escaped']}({template!r})", ""
    value = f"{word(rng)}{rng.choice(('<', '>', '&', ' & ', '<>', '&lt;', '&amp;'))}{word(rng)}"
    pieces = [tag(key), tag("&" + key), tag("{" + key + "}"), f"{word(rng)} "]
    inside = rng.choice(("", " ", "; ")).join(rng.choices(pieces, k=rng.randint(1, 4)))
    data: dict[str, object] = {key: value}
    includes = ""
    match rng.randrange(4):
        case 0:
            inside = f"{word(rng)}: {tag('>' + third)}."
            includes = repr({third: rng.choice(pieces[:3]) + "!"})
        case 1:
            inside, data = around(other, inside), {other: {key: value}}
        case 2:
            inside = around(other, inside + tag("&" + key), "^")
        case _:
            inside += rng.choice(pieces[:3])
    return fill(names, inside, repr(data), includes), ""


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
        word(rng),
        word(rng),
        "''",
        "#39;",
    ]
    text = "".join(rng.choices(pieces, k=rng.randint(2, 7)))
    text = rng.choice(("{}'s {}", '{}"{}', "'{}' {}", '"{}" {}', "{}'{}\"")).format(
        word(rng), text
    )
    return f"{names['escape']}({text!r})", ""


# -- names


def missing(names: Names, rng: random.Random) -> Asked:
    """A name that no context has, beside one that is there."""
    key, other, third = some(rng, 3)
    gone = rng.choice((third, f"{third}.{key}"))
    value = rng.choice((word(rng), rng.randint(2, 99), None))
    if chance(rng, 0.5):
        stack: list[object] = [{other: word(rng)}] * rng.randint(0, 2) + [{key: value}]
        calls = [
            f"outcome({names['find']}, {gone!r}, {stack!r})",
            f"{names['find']}({key!r}, {stack!r})",
        ]
    else:
        there, gone = (
            rng.choice((tag(key), tag("&" + key))),
            rng.choice((tag(gone), tag("&" + gone))),
        )
        template = f"{word(rng)} {there} {gone}"
        if chance(rng, 0.4):
            template = there + around(key, gone + ".", rng.choice("^#"))
        calls = [
            f"outcome({names['fill']}, {template!r}, { ({key: value})!r})",
            f"{names['fill']}({there!r}, { ({key: word(rng)})!r})",
        ]
    rng.shuffle(calls)
    return f"[{', '.join(calls)}]", ""


def scope(names: Names, rng: random.Random) -> Asked:
    """A name that several contexts have, or only an outer one."""
    key, other, third = some(rng, 3)
    first, second = rng.sample(WORDS, 2)
    match rng.randrange(4):
        case 0:
            middle = {name: word(rng) for name in rng.sample((key, other), 1)}
            ends = {key: first, other: word(rng)}, {key: second}
            stack = [ends[0], middle, ends[1]]
            return (
                f"{names['find']}({key!r}, {stack[rng.choice((0, 0, -2 if key in middle else 0)) :]!r})",
                "",
            )
        case 1:
            contexts: list[dict[str, object]] = [
                {
                    name: rng.randint(1, 9)
                    for name in rng.sample((key, other, third), size)
                }
                for size in rng.choices((1, 2), k=2)
            ]
            last = {rng.choice((key, other)): rng.choice((None, 0, 5))}
            return _known(names, rng, [key, other, third], [*contexts, last])
        case 2:
            data: dict[str, object] = {key: first, third: {key: second, other: 1}}
            text = rng.choice((tag(key), tag(f"&{key}"))) + rng.choice(
                ("", "!", " " + word(rng))
            )
            return fill(names, f"{tag(key)} {around(third, text)}", repr(data)), ""
        case _:
            inner = {other: 1} | (
                {key: rng.choice((True, False))} if chance(rng, 0.5) else {}
            )
            flags = {key: rng.choice((True, True, False)), third: inner}
            text = around(key, f"{word(rng)} ") + around(key, f"no {word(rng)}", "^")
            return fill(names, around(third, text), repr(flags)), ""


def dotted(names: Names, rng: random.Random) -> Asked:
    """Names with dots: paths that break off, keys that hold a dot."""
    key, other, third = some(rng, 3)
    path = f"{key}.{other}"
    whole: dict[str, object] = {key: {other: rng.randint(1, 9)}}
    flat: dict[str, object] = {path: rng.randint(1, 9)}
    ends = rng.sample(({third: 2}, word(rng), {f"{other}s": 4}), 2)
    first, last = ({key: end} for end in ends)
    match rng.randrange(7):
        case 0:
            used = [path, key, other, f"{other}.{third}", f"{third}.{key}.{other}"]
            tags = [
                rng.choice((tag(name), tag(f"&{name}"), around(name, "-")))
                for name in [*rng.sample(used, 3), path]
            ]
            return f"{names['roots']}({f' {word(rng)} '.join(tags)!r})", ""
        case 1:
            both = {path: word(rng), key: {other: word(rng)}}
            stack = [{third: 1}, both][rng.randint(0, 1) :]
            return f"{names['find']}({path!r}, {stack!r})", ""
        case 2:
            stacks = [whole, first], [first, whole], [flat, first], [flat, whole]
            asked = [path, *rng.sample((f"{key}.{third}", f"{third}.{other}", key), 2)]
            return _known(names, rng, asked, rng.choice(stacks))
        case 3 | 4:
            return _known(names, rng, [path, key, other], [first, whole, last])
        case 5:
            asked = [path, key, f"{other}.{key}"]
            return _known(
                names, rng, asked, [*rng.sample((whole, first), 2), {third: 1}]
            )
        case _:
            outer, inner = rng.choice(((whole, first), (first, whole), (flat, whole)))
            text = around(path, word(rng)) + around(path, f"no {word(rng)}", "^")
            data = {**outer, third: {**inner, other: 1}}
            return fill(names, around(third, text), repr(data)), ""


def _known(
    names: Names, rng: random.Random, asked: list[str], stack: Sequence[object]
) -> Asked:
    """Ask for some names in one stack, in any order."""
    rng.shuffle(asked)
    return f"[{names['known']}(name, {stack!r}) for name in {asked!r}]", ""


# -- sections


def empties(names: Names, rng: random.Random) -> Asked:
    """Values that look like nothing, beside some that do not."""
    key, other, third = some(rng, 3)
    zero = rng.choice(("0", "0", "0.0"))
    match rng.randrange(4):
        case 0 | 1:
            values = [
                zero,
                rng.choice(FULL),
                *rng.sample(EMPTY + FULL, rng.randint(1, 2)),
            ]
            rng.shuffle(values)
            asked = ", ".join(dict.fromkeys(values))
            return f"[{names['absent']}(value) for value in [{asked}]]", ""
        case 2:
            value = rng.choice((zero, zero, "''", "{}"))
            text = around(key, f"is {word(rng)}") + around(key, f"no {word(rng)}", "^")
            data = f"{{{key!r}: {value}, {other!r}: 1}}"
            return fill(names, f"{word(rng)} {text}", data), ""
        case _:
            values = [
                zero,
                *rng.choices(("1", "2", "3", "''", "None", "0"), k=rng.randint(1, 3)),
            ]
            rng.shuffle(values)
            text = around(third, rng.choice(("-", "+", f" {word(rng)}", ".")))
            return fill(
                names, word(rng) + text, f"{{{third!r}: [4, {', '.join(values)}]}}"
            ), ""


def lists(names: Names, rng: random.Random) -> Asked:
    """Sections over lists of whole numbers, of lists and of mappings."""
    key, other = some(rng, 2)
    numbers = rng.sample(range(1, 40), rng.randint(2, 5))
    dot = tag(".")
    here = rng.choice((dot, tag("&."), f"<{dot}>", f"{dot}, ", f"{dot} {word(rng)};"))
    match rng.randrange(4):
        case 0:
            return fill(names, around(key, here), repr({key: numbers})), ""
        case 1:
            text = f"{word(rng)}: {around(key, here)}{around(key, 'none', '^')}."
            return fill(names, text, repr({key: numbers})), ""
        case 2:
            rows = [rng.sample(range(1, 9), rng.randint(1, 3)) for _ in "12"]
            text = around(key, f"({around('.', here)})")
            return fill(names, text, repr({key: rows})), ""
        case _:
            items = [{other: number} for number in numbers]
            text = around(key, tag(other) + rng.choice((".", "; ", "")))
            return fill(names, text, repr({key: items, other: 50})), ""


def callables(names: Names, rng: random.Random) -> Asked:
    """Sections that a callable makes."""
    key, other, third = some(rng, 3)
    call = rng.choice(("same", "same", "twice", "framed", "measured", "added", "upper"))
    inside = rng.choice(
        (
            f"{word(rng)} {tag(other)}",
            f"{tag(other)}{word(rng)}",
            f"{tag('&' + other)}!",
            around(other, f"{word(rng)}"),
            f"{around(third, 'x', '^')} {tag(other)}",
            f"{tag('>' + third)} {tag(other)}",
        )
    )
    if call == "upper":
        inside = f"{word(rng)} {around(other, word(rng))}"
    if call == "added":
        call = f"lambda text, again: text + {tag(other)!r}"
    data = f"{{{key!r}: {call}, {other!r}: {word(rng)!r}}}"
    template = (
        rng.choice(("", f"{word(rng)} ")) + around(key, inside) + rng.choice(("", "."))
    )
    includes = repr({third: f"[{tag(other)}]"}) if ">" in inside else ""
    return fill(names, template, data, includes), ""
