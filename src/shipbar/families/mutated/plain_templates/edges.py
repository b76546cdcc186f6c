"""Short inputs at the edges of what no rule touches.

Each asks one small thing in few characters, so that several may share an assertion.
"""

import random

from shipbar.families.mutated.plain_templates.pieces import (
    KEYS,
    MARKS,
    Asked,
    Names,
    around,
    fill,
    some,
    tag,
    word,
)


def not_alone(names: Names, rng: random.Random) -> Asked:
    """Tags that are not alone on their line, though little stands beside them."""
    key, other = some(rng, 2)
    beside = rng.choice(("X", "X ", " X", "X  ", "-", " -"))
    start = rng.choice(("", word(rng) + "\n", "\n"))
    sign = rng.choice("#^")
    template = rng.choice(
        (
            f"{start}{beside}{tag('>' + key)}\n{word(rng)}",
            f"{start}{tag('>' + key)}{beside}\n{word(rng)}",
            f"{start}{beside}{tag(sign + key)}\n{tag('/' + key)}.",
            f"{start}{tag(sign + key)}{beside}\n-{tag('/' + key)}",
            f"{start} {tag('&' + key)}\n{word(rng)}",
            f"{start}{tag(key)} \n{word(rng)}",
            f"{start}{tag('{' + key + '}')}\n{tag('&' + other)}\n",
            f"{word(rng)}{tag(rng.choice(('!', '! ', '!' + other)))}{tag(key)}",
        )
    )
    return f"{names['tokens']}({template!r})", ""


def refusals(names: Names, rng: random.Random) -> Asked:
    """Templates that cannot be read, beside tags that are written in other ways than usual."""
    key = rng.choice(KEYS)
    left, right = rng.choice(MARKS[:3])
    wrong = [
        "{{" + key,
        "{{" + rng.choice("#^/>&") + key + "}",
        tag(rng.choice("#^") + key) + tag("/" + key * 2),
        tag("/" + key),
    ]
    fine = [
        tag("!"),
        f"{tag('! ')}-",
        tag("{" + key + "}"),
        tag(f"= {left}  {right} =") + left + key + right,
        tag(f"={left} {right}=") + "{" + key + "}",
        tag(f" {key}\t"),
        tag(f"&  {key} "),
    ]
    texts = [word(rng) + rng.choice(wrong), rng.choice("-.:") + rng.choice(fine)]
    rng.shuffle(texts)
    return f"[outcome({names['tokens']}, text) for text in {texts!r}]", ""


def looked_up(names: Names, rng: random.Random) -> Asked:
    """Names in lists and mappings, and elements by their index."""
    key, one, other = rng.choice(KEYS), word(rng), word(rng)
    lists = ([one], [one, other], (one, other), [one, other, 7], [0])
    items = rng.choice(lists)
    size = len(items)
    match rng.randrange(4):
        case 0 | 1:
            context = rng.choice((items, items, {key: one}))
            asked = [str(size), f"0{size - 1}", f"0{size}", key, "0", "²", "."]
            chosen = rng.sample(asked, 3)
            return f"[{names['known']}(name, [{context!r}]) for name in {chosen!r}]", ""
        case 2:
            place = rng.randrange(size)
            name = rng.choice((str(place), f"0{place}", "."))
            return f"{names['find']}({name!r}, [{items!r}])", ""
        case _:
            lasts: tuple[object, ...] = (one, 0, "", [one])
            stack = [{key: other}, rng.choice(lasts)]
            return f"{names['find']}('.', {stack!r})", ""


def rewritten(names: Names, rng: random.Random) -> Asked:
    """Tokens written back, and the names that a template uses."""
    key, other = some(rng, 2)
    if rng.random() < 0.5:  # noqa: PLR2004  # as often as not
        kinds = ("name", "marked", "include", "margin", "text")
        tokens = [(rng.choice(kinds), rng.choice(KEYS)) for _ in "12"]
        section = [(rng.choice(("open", "unless")), key), ("close", key)]
        tokens[1:1] = section[: rng.choice((0, 2))]
        return f"{names['source']}({tokens!r})", ""
    used = [
        around(key, rng.choice((".", "-", tag("."))), "^"),
        tag(rng.choice(("", "&", ">", "!", "^")) + other),
    ]
    if "^" in used[1]:
        used[1] += tag("/" + other)
    rng.shuffle(used)
    call = names[rng.choice(("names", "names", "roots"))]
    return f"{call}({rng.choice(('', word(rng) + ' ')) + ''.join(used)!r})", ""


def texts(names: Names, rng: random.Random) -> Asked:
    """Includes that are nowhere or have marks of their own, margins, and plain sections."""
    key, other = some(rng, 2)
    number = rng.randint(2, 99)
    left, right = rng.choice(MARKS[:2])
    included = f"{tag(f'={left} {right}=')}{left}{other}{right}"
    gap = " " * rng.randint(1, 5)
    call = rng.choice(("same", "twice", "framed", "measured", "upper"))
    chosen = rng.choice(
        (
            fill(names, f"{word(rng)} {tag('>' + key)}.", "{}"),
            fill(names, f"{gap}{tag('>' + key)}{word(rng)}", "{}"),
            fill(
                names,
                f"{tag('>' + key)} {tag(other)}",
                repr({other: number}),
                repr({key: included}),
            ),
            fill(
                names,
                f"{gap}{tag('>' + key)}.",
                "{}",
                repr({key: rng.choice((word(rng), ""))}),
            ),
            f"{names['indent']}({rng.choice((word(rng), ''))!r}, {gap!r})",
            fill(names, around(key, word(rng)), f"{{{key!r}: {call}}}"),
            fill(names, around(key, word(rng), "^"), rng.choice(("''", "7", "[]"))),
            fill(
                names,
                around(key, f"{tag('.')} {word(rng)}"),
                repr({key: rng.choice((number, word(rng)))}),
            ),
            fill(
                names,
                around(key, f"-{around(key, word(rng))}."),
                repr({key: {key: True}}),
            ),
        )
    )
    return chosen, ""
