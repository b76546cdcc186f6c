"""Inputs for the rules on reading and includes, and the round of all inputs."""

import random
from collections.abc import Iterator, Mapping, Sequence

from shipbar.families.mutated.plain_templates.edges import (
    looked_up,
    not_alone,
    refusals,
    rewritten,
    texts,
)
from shipbar.families.mutated.plain_templates.pieces import (
    KEYS,
    MARKS,
    SHOWN,
    Asked,
    Generator,
    Names,
    around,
    chance,
    fill,
    some,
    tag,
    word,
)
from shipbar.families.mutated.plain_templates.values import (
    callables,
    dotted,
    empties,
    escaping,
    lists,
    missing,
    quotes,
    scope,
)

# -- reading


def alone(names: Names, rng: random.Random) -> Asked:
    """Tags with a line to themselves, and tags that only look so."""
    key, other = some(rng, 2)
    gap = " " * rng.choice((0, 0, 1, 2, 4))
    note, marks = tag(f"! {word(rng)} "), rng.choice(MARKS[:4])
    first, second = word(rng), word(rng)
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
            if chance(rng, 0.5):
                return fill(
                    names,
                    template,
                    "{}",
                    repr({key: rng.choice((other, other + "\n"))}),
                ), ""
        case _:
            template = (
                f"{first}\n{gap}{around(key, chr(10) + second + chr(10))}\n{first}"
            )
            return fill(names, template, repr({key: {other: 1}})), ""
    return f"{names['tokens']}({template!r})", ""


def margin(names: Names, rng: random.Random) -> Asked:
    """Texts of several lines behind a margin, by themselves and included."""
    key, other = some(rng, 2)
    gap = " " * rng.randint(1, 6)
    lines = [
        rng.choice((word(rng), f"{word(rng)} {word(rng)}", ""))
        for _ in range(rng.randint(0, 3))
    ]
    text = "\n".join([word(rng), *lines, word(rng)]) + rng.choice(("", "\n"))
    match rng.randrange(3):
        case 0:
            return (
                f"{names['indent']}({text!r}, {gap!r})",
                "",
            )
        case 1:
            template = f"{rng.choice(('', word(rng) + chr(10)))}{gap}{tag('>' + key)}"
            if not text.endswith("\n"):
                template += rng.choice(("", ".", f" {word(rng)}"))
            return fill(names, template, "{}", repr({key: text})), ""
        case _:
            included = f"{tag(other)}\n{word(rng)} {tag(other)}"
            value = f"{word(rng)}{rng.choice(('', chr(10)))}{word(rng)}"
            return fill(
                names,
                f"{word(rng)}\n{gap}{tag('>' + key)};",
                repr({other: value}),
                repr({key: included}),
            ), ""


def comments(names: Names, rng: random.Random) -> Asked:
    """Comments within a line, with blanks on either side."""
    key, other = some(rng, 2)
    before, after = " " * rng.choice((0, 1, 1, 2, 3)), " " * rng.choice((0, 1, 2, 2, 3))
    note = tag(
        rng.choice(("!", "! "))
        + rng.choice((word(rng), f"{word(rng)} {key}", f"{word(rng)}\n{other}"))
    )
    left = rng.choice((word(rng), tag(key), f"{word(rng)}\n{tag(other)}", ","))
    right = rng.choice((word(rng), tag(other), f"{word(rng)}\n", f"{tag('&' + key)}."))
    if chance(rng, 0.3):
        before, after = before or " ", after or " "
    template = f"{left}{before}{note}{after}{right}"
    if chance(rng, 0.4):
        return fill(
            names, template, repr({key: word(rng), other: rng.randint(1, 9)})
        ), ""
    return f"{names['tokens']}({template!r})", ""


def marks(names: Names, rng: random.Random) -> Asked:
    """New marks set within a section, and tags of both sorts after it."""
    key, other, third = some(rng, 3)
    left, right = rng.choice(MARKS)
    inner = f"{left}{other}{right}"
    section = f"{tag(rng.choice('#^') + key)}{tag(f'={left} {right}=')}{rng.choice((inner, word(rng), ''))}{left}/{key}{right}"
    later = [tag(other), tag("&" + third), inner, f" {word(rng)} ", around(third, "x")]
    template = rng.choice(("", tag(third), word(rng) + " ")) + section
    template += "".join(
        rng.sample(later[:2] + later[4:], 1) + rng.sample(later[1:4], rng.randint(0, 2))
    )
    if chance(rng, 0.5):
        data = {
            key: rng.choice((False, {third: word(rng), other: 3})),
            other: rng.randint(1, 9),
            third: word(rng),
        }
        return fill(names, template, repr(data)), ""
    return f"{names['tokens']}({template!r})", ""


def unclosed(names: Names, rng: random.Random) -> Asked:
    """Sections that the template does not end, beside one that it does."""
    key, other, third = some(rng, 3)
    opened = tag(rng.choice("#^") + key)
    inside = rng.choice(
        (
            word(rng),
            tag(other),
            f"{word(rng)} {tag(other)}",
            around(other, "x"),
            tag("^" + third),
        )
    )
    start = rng.choice(("", f"{word(rng)} ", tag(third)))
    whole = rng.choice(
        (
            around(key, inside) if "^" not in inside else opened + tag("/" + key),
            start + tag(third),
        )
    )
    if chance(rng, 0.35):
        data = {key: {third: 2}, other: word(rng), third: 1}
        calls = [
            f"outcome({names['fill']}, {start + opened + inside!r}, {data!r})",
            fill(names, tag(third) + "!", repr(data)),
        ]
    else:
        wrong = rng.choice((f"{start}{tag('/' + key)}", f"{opened}{tag('/' + other)}"))
        calls = [
            f"outcome({names['tokens']}, {start + opened + inside!r})",
            f"{names['tokens']}({whole!r})",
        ]
        if chance(rng, 0.3):
            calls.append(f"outcome({names['tokens']}, {wrong!r})")
    return f"[{', '.join(calls)}]", ""


# -- what no rule touches, and where several meet


def spine(names: Names, rng: random.Random) -> Asked:
    """What every selection answers alike."""
    key, other, third = some(rng, 3)
    match rng.randrange(6):
        case 0:
            values = ", ".join(rng.sample(SHOWN, 4))
            return f"[{names['show']}(value) for value in [{values}]]", ""
        case 1:
            kinds = ("name", "marked", "include", "text", "margin")
            tokens = [(rng.choice(kinds), rng.choice(KEYS)) for _ in "1234"]
            tokens[3:3] = [(rng.choice(("open", "unless")), key)]
            return f"{names['source']}({[*tokens, ('close', key)]!r})", ""
        case 2:
            used = [
                tag(rng.choice(("", "&")) + name)
                for name in rng.choices((key, other, third), k=4)
            ]
            used[1] = around(third, tag(".") + used[1])
            return f"{names['names']}({f' {word(rng)} '.join(used)!r})", ""
        case 3:
            wrong = rng.choice(
                (
                    f"{tag(key)} {tag(other)[:-2]}",
                    tag(f"/{key}"),
                    around(key, "x") + tag(f"/{key}"),
                    tag("=<%"),
                    tag(f"#{key}") + tag(f"/{other}"),
                )
            )
            fine = f"{word(rng)} {tag(rng.choice(('', '&', '>')) + other)}"
            calls = [
                f"outcome({names['tokens']}, {wrong!r})",
                f"{names['tokens']}({fine!r})",
            ]
            rng.shuffle(calls)
            return f"[{', '.join(calls)}]", ""
        case 4:
            items = [word(rng) for _ in "123"]
            stack = [{key: items, other: word(rng)}]
            calls = [f"{names['find']}({name!r}, {stack!r})" for name in (other, key)]
            index = str(rng.randint(0, 2))
            return f"[{', '.join(calls)}, {names['find']}({index!r}, [{items!r}])]", ""
        case _:
            choice = around(third, word(rng)) + around(third, "x", "^")
            data = {
                key: word(rng),
                other: rng.randint(1, 99),
                third: rng.choice((True, False)),
            }
            text = f"{word(rng)} {tag(key)} {tag('&' + other)}, {choice}."
            return fill(names, text, repr(data)), ""


def joint(names: Names, rng: random.Random) -> Asked:
    """Pages: sections, lists, includes and comments together."""
    key, other, third, fourth = some(rng, 4)
    head = f"{word(rng)} {tag(key)}\n"
    row = rng.choice(
        (
            f"{tag('>' + fourth)}\n",
            f"- {tag(third)}\n",
            f"  {tag('>' + fourth)} {word(rng)}\n",
        )
    )
    body = rng.choice(
        (around(other, "\n" + row) + "\n", around(other, tag(third) + "; "))
    )
    foot = rng.choice(
        (
            "",
            tag("! end ") + "\n",
            around(third, f"no {word(rng)}", "^"),
            f"{word(rng)}\n",
        )
    )
    items: list[object] = [{third: rng.randint(1, 9)} for _ in range(rng.randint(1, 3))]
    data = {
        key: rng.choice((word(rng), "a<b", 0)),
        other: rng.choice((items, items[0])),
    }
    template = head + body + foot
    return fill(
        names,
        template,
        repr(data),
        repr({fourth: f"{tag(third)}:\n{word(rng)}"}) if ">" in row else "",
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
EDGES: Sequence[Generator] = (not_alone, refusals, looked_up, rewritten, texts)
"""What no rule touches either, each about one part of the package."""


def rounds(names: Names, rng: random.Random, most: int) -> Iterator[tuple[str, Asked]]:
    """Yield ``most`` rounds of one input of each kind in turn, so that any stretch serves all."""
    for _ in range(most):
        for rule, generator in GENERATORS.items():
            yield rule, generator(names, rng)
        for generator in EDGES:
            yield "spine", generator(names, rng)
