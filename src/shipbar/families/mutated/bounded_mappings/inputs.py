"""What bounded mappings are asked: short scripts on one store, then what it holds.

A script is a list of statements on `box`. Most kinds of probe use only what one
axis decides; `joint` scripts mix everything, `spine` scripts avoid all axes.
"""

import random
from collections.abc import Callable, Iterator, Sequence

from shipbar.building.family import Probe
from shipbar.building.names import Names
from shipbar.families.mutated.bounded_mappings.scripts import Script

EACH = 400
"""Rounds; each yields one probe of every kind."""
UNTIMED = ("queue", "recent", "tally")
KINDS = (*UNTIMED, "timed")
USING = ("recent", "tally", "timed")
"""Kinds in which the order of giving way depends on uses."""


Maker = Callable[[Script], Probe]


def all_probes(names: Names, rng: random.Random) -> Iterator[Probe]:
    """Yield probes of every kind in turn."""
    makers: Sequence[Maker] = (
        _reading,
        _asking,
        _keeping,
        _requeue,
        _ties,
        _evict,
        _oversize,
        _growth,
        _last_moment,
        _lifetime,
        _counting,
        _arguments,
        _failures,
    )
    for number in range(EACH):
        yield _joint(Script(names, rng))
        yield _memo_joint(Script(names, rng))
        # What nothing special decides needs fewer.
        if number % 3 == 0:
            yield _spine(Script(names, rng))
        for maker in makers:
            yield maker(Script(names, rng))


# -- uses


def _overflow(script: Script, axis: str, use: Callable[[str], None]) -> Probe:
    """Fill a store, use some of its keys, put more."""
    rng = script.rng
    kind = rng.choice(USING)
    capacity = rng.randint(2, 4)
    keys = script.keys(capacity + 2)
    held, more = keys[:capacity], keys[capacity:]
    script.make(kind, capacity)
    script.put_all(held)
    # The key that would go first is among those used, in half of the cases alone.
    used = {
        held[0],
        *rng.sample(held, rng.randint(1, capacity - 1) if rng.random() < 0.5 else 0),  # noqa: PLR2004
    }
    for key in [key for key in held if key in used]:
        use(key)
    script.put_all(more[: rng.randint(1, 2) if capacity > 2 else 1])  # noqa: PLR2004
    return script.ask(axis, script.pairs)


def _reading(script: Script) -> Probe:
    def use(key: str) -> None:
        if script.rng.random() < 0.5:  # noqa: PLR2004
            script.do("read", key)
        else:
            script.do("find", key, *([0] if script.rng.random() < 0.3 else []))  # noqa: PLR2004

    return _overflow(script, "reading", use)


def _asking(script: Script) -> Probe:
    return _overflow(script, "asking", lambda key: script.do("has", key))


def _keeping(script: Script) -> Probe:
    return _overflow(
        script, "keeping", lambda key: script.do("keep", key, script.value())
    )


# -- order


def _requeue(script: Script) -> Probe:
    rng = script.rng
    capacity = rng.randint(2, 4)
    keys = script.keys(capacity + 2)
    held = keys[:capacity]
    script.make("queue", capacity)
    script.put_all(held)
    script.put_all(
        [held[0], *(key for key in held[1:-1] if rng.random() < 0.4)]  # noqa: PLR2004
    )
    script.put_all(keys[capacity : capacity + rng.randint(1, capacity - 1)])
    return script.ask("requeue", script.pairs)


def _ties(script: Script) -> Probe:
    """Every key is put equally often, so that only the rule for ties decides."""
    rng = script.rng
    capacity = rng.randint(2, 4)
    keys = script.keys(capacity + 1)
    held = keys[:capacity]
    script.make("tally", capacity)
    script.put_all(held)
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        script.put_all(rng.sample(held, capacity))
    script.put_all(keys[capacity:])
    return script.ask("ties", script.pairs)


def _evict(script: Script) -> Probe:
    rng = script.rng
    kind = rng.choice(KINDS)
    capacity = rng.randint(3, 6)
    held = script.keys(rng.randint(2, capacity))
    script.make(kind, capacity)
    script.put_all(held)
    if kind == "tally":
        # Different numbers of uses, so that no tie has to be broken.
        for place, key in enumerate(rng.sample(held, len(held))):
            script.put_all([key] * place)
    evict = script.call("evict")
    if rng.random() < 0.5:  # noqa: PLR2004
        return script.ask("evict", evict, script.pairs)
    return script.ask("evict", evict, evict, script.pairs)


# -- room


def _oversize(script: Script) -> Probe:
    rng = script.rng
    kind = rng.choice(KINDS)
    capacity = rng.randint(5, 12)
    keys = script.keys(3)
    script.make(kind, capacity, weigh="int")
    for key in keys[:2]:
        script.do("put", key, rng.randint(1, capacity // 2))
    key = rng.choice([keys[0], keys[0], keys[1], keys[2]])
    if rng.random() < 0.25:  # noqa: PLR2004
        asked = script.guarded("keep", keys[2], capacity + rng.randint(1, 5))
    else:
        asked = script.guarded("put", key, capacity + rng.randint(1, 5))
    return script.ask("oversize", asked, script.pairs)


def _growth(script: Script) -> Probe:
    rng = script.rng
    kind = rng.choice(KINDS)
    capacity = rng.randint(7, 14)
    keys = script.keys(rng.randint(2, 4))
    script.make(kind, capacity, weigh="int")
    # Nearly full; the growth fits into what is left, or hardly.
    weights = dict.fromkeys(keys, 1)
    room = rng.randint(1, 3)
    for _ in range(capacity - len(keys) - room):
        weights[rng.choice(keys)] += 1
    for key in keys:
        script.do("put", key, weights[key])
    grown = rng.choice(keys[1:] if rng.random() < 0.8 else keys)  # noqa: PLR2004
    heavier = rng.randint(1, room + (rng.random() < 0.3))  # noqa: PLR2004
    script.do("put", grown, min(capacity, weights[grown] + heavier))
    if rng.random() < 0.3:  # noqa: PLR2004
        return script.ask("growth", script.call("load"), script.pairs)
    return script.ask("growth", script.pairs)


# -- age


def _last_moment(script: Script) -> Probe:
    rng = script.rng
    span = rng.randint(3, 30)
    start = rng.randint(0, 9)
    one, two, three = script.keys(3)
    script.make("timed", rng.randint(3, 6), span=span)
    script.at(start)
    script.put_all([one])
    script.at(start + rng.randint(1, span - 1))
    script.put_all([two])
    script.at(start + span + rng.choice((0, 0, 0, 0, -1, 1)))
    match rng.randint(0, 4):
        case 0:
            return script.ask("last-moment", script.pairs)
        case 1:
            return script.ask(
                "last-moment", script.guarded("read", one), script.call("read", two)
            )
        case 2:
            return script.ask("last-moment", script.call("find", one, 0), script.pairs)
        case 3:
            script.do("sweep")
            return script.ask("last-moment", script.call("count"), script.pairs)
        case _:
            return script.ask(
                "last-moment", script.guarded("take", one), script.call("has", three)
            )


def _lifetime(script: Script) -> Probe:
    """Put, do something halfway, look when the first life would be over."""
    rng = script.rng
    span = rng.randint(5, 30)
    keys = script.keys(rng.randint(2, 3))
    script.make("timed", rng.randint(3, 5), span=span)
    script.put_all(keys)
    halfway = rng.randint(1, span - 1)
    script.at(halfway)
    for place, key in enumerate(keys):
        word = rng.choice(("put", "read", "find", "put", "find", "none"))
        if place == 0 and word == "none":
            word = "read"
        if word == "put":
            script.do("put", key, script.value())
        elif word != "none":
            script.do(word, key)
    script.at(rng.randint(span + 1, span + halfway + (rng.random() < 0.2)))  # noqa: PLR2004
    return script.ask("lifetime", script.pairs)


def _counting(script: Script) -> Probe:
    rng = script.rng
    span = rng.randint(3, 20)
    weigh = rng.choice(("", "int"))
    keys = script.keys(rng.randint(2, 4))
    died = rng.randint(1, len(keys) - 1)
    script.make("timed", rng.randint(90, 120) if weigh else 6, span=span, weigh=weigh)
    for key in keys[:died]:
        script.do("put", key, rng.randint(2, 9))
    moment = rng.randint(1, span - 1)
    script.at(moment)
    for key in keys[died:]:
        script.do("keep", key, rng.randint(2, 9))
    script.at(rng.randint(span + 1, span + moment - 1) if moment > 1 else span + moment)
    count, load = script.call("count"), script.call("load")
    match rng.randint(0, 5):
        case 0:
            script.do("sweep")
            return script.ask("counting", count, load)
        case 1:
            return script.ask("counting", count, script.pairs)
        case 2:
            return script.ask("counting", script.pairs, load)
        case 3:
            return script.ask("counting", script.guarded("drop", keys[0]), count)
        case 4:
            return script.ask("counting", load, script.call("clear"), count)
        case _:
            return script.ask("counting", count, load)


# -- the memo


_EQUALS = (
    ("1", "1.0", "True"),
    ("0", "0.0", "False"),
    ("2", "2.0"),
    ("7", "7.0"),
    ("10", "10.0"),
    ("-3", "-3.0"),
    ("(1,)", "(1.0,)"),
    ("'a'", "'b'"),
    ("(2, 3)", "(2.0, 3)"),
)


def _arguments(script: Script) -> Probe:
    rng = script.rng
    names = script.names
    kind = rng.choice(UNTIMED)
    store = f"{names[kind]}({rng.randint(6, 9)})"
    groups = rng.sample(_EQUALS[:6], rng.randint(1, 2))
    if rng.random() < 0.25:  # noqa: PLR2004
        groups.append(rng.choice(_EQUALS[6:]))
    texts = [text for group in groups for text in rng.sample(group, 2)]
    rng.shuffle(texts)
    if rng.random() < 0.3:  # noqa: PLR2004
        script.lines.append(
            f"shown = {names.memo}({store})(lambda **named: str(named))"
        )
        word = rng.choice(("x", "of", "to"))
        calls = [f"shown({word}={text})" for text in texts]
    elif rng.random() < 0.5:  # noqa: PLR2004
        script.lines.append(f"shown = {names.memo}({store})(lambda *args: str(args))")
        other = rng.randint(3, 9)
        calls = [f"shown({text}, {other})" for text in texts]
    else:
        script.lines.append(f"shown = {names.memo}({store})(repr)")
        calls = [f"shown({text})" for text in texts]
    if rng.random() < 0.4:  # noqa: PLR2004
        calls.append(f"shown.{names.stats}()")
    return script.ask("arguments", *calls)


def _failures(script: Script) -> Probe:
    rng = script.rng
    names = script.names
    kind = rng.choice(UNTIMED)
    store = f"{names[kind]}({rng.randint(4, 9)})"
    if rng.random() < 0.5:  # noqa: PLR2004
        script.lines.append("calls = []")
        script.lines.append(
            f"divide = {names.memo}({store})(lambda x: calls.append(x) or 60 // x)"
        )
        asked = [0, 0, *rng.choices((0, 2, 3, 4, 5, 6), k=rng.randint(1, 3))]
        rng.shuffle(asked)
        calls = [f"outcome(divide, {x})" for x in asked]
        return script.ask("failures", *calls, "calls")
    script.lines.append(f"whole = {names.memo}({store})(int)")
    bad, good = rng.choice(("x", "1.5", "", "two", "-")), str(rng.randint(10, 99))
    texts = [bad, bad, *rng.choices((bad, good), k=rng.randint(0, 2))]
    rng.shuffle(texts)
    calls = [f"outcome(whole, {text!r})" for text in texts]
    if rng.random() < 0.2:  # noqa: PLR2004
        script.lines += [calls[0], f"whole.{names.reset}()"]
        calls = calls[1:]
    return script.ask("failures", *calls, f"whole.{names.stats}()")


def _memo_joint(script: Script) -> Probe:
    """A memo over a small store: its look-ups are readings, its results may not fit."""
    rng = script.rng
    names = script.names
    match rng.randint(0, 3):
        case 0:
            kind, capacity = rng.choice(("recent", "tally", "queue")), rng.randint(2, 3)
            script.make(kind, capacity)
            script.lines += [f"square = {names.memo}(box)(lambda x: x * x)"]
            asked = [rng.randint(2, 5) for _ in range(rng.randint(5, 9))]
            return script.ask(
                "joint",
                f"[square(x) for x in {asked}]",
                f"square.{names.stats}()",
            )
        case 1:
            script.make("timed", 4, span=10)
            script.lines += ["calls = []", _logging(names, "box")]
            script.lines += [f"double({rng.choice((3, 4))})"]
            for moment in sorted(rng.sample(range(2, 24), 3)):
                script.at(moment)
                script.lines += [f"double({rng.choice((3, 4))})"]
            return script.ask("joint", "calls", f"double.{names.stats}()")
        case 2:
            capacity = rng.randint(4, 9)
            script.make(rng.choice(UNTIMED), capacity, weigh="int")
            script.lines += [
                f"triple = {names.memo}(box, lambda x: f'k{{x}}')(lambda x: 3 * x)"
            ]
            asked = [rng.randint(1, 4) for _ in range(rng.randint(3, 6))]
            return script.ask("joint", f"[triple(x) for x in {asked}]", script.pairs)
        case _:
            kind, capacity = rng.choice(USING[:2]), rng.randint(2, 3)
            script.make(kind, capacity)
            script.lines += [
                f"square = {names.memo}(box, lambda x: x % 10)(lambda x: x * x)"
            ]
            asked = [
                rng.choice((0, 10, 20)) + rng.randint(2, 4)
                for _ in range(rng.randint(4, 7))
            ]
            return script.ask("joint", f"[square(x) for x in {asked}]", script.pairs)


def _logging(names: Names, store: str) -> str:
    return f"double = {names.memo}({store})(lambda x: calls.append(x) or 2 * x)"


# -- scripts of everything, and of nothing special


def _joint(script: Script) -> Probe:
    rng = script.rng
    kind = rng.choice(KINDS)
    weigh = "int" if rng.random() < 0.4 else ""  # noqa: PLR2004
    capacity = rng.randint(8, 14) if weigh else rng.randint(2, 4)
    script.make(kind, capacity, weigh=weigh)
    keys = script.keys(4)
    now = 0
    most = capacity + 1 if weigh else 9
    script.put_small(keys[:2], most // 2)
    for _ in range(rng.randint(3, 7)):
        key = rng.choice(keys)
        word = rng.choice(("put", "put", "put", "find", "find", "has", "keep", "tick"))
        if word == "tick":
            if kind == "timed":
                now += rng.randint(1, 6)
                script.at(now)
        elif word == "put":
            script.do("put", key, rng.randint(1, most - 1))
        elif word == "keep":
            script.do("keep", key, rng.randint(1, most - 1))
        else:
            script.do(word, key)
    tail = rng.choice(("pairs", "evict", "count", "load"))
    if tail == "pairs":
        return script.ask("joint", script.pairs)
    asked = script.guarded("evict") if tail == "evict" else script.call(tail)
    return script.ask("joint", asked, script.pairs)


def _spine(script: Script) -> Probe:
    rng = script.rng
    kind = rng.choice(KINDS)
    keys = script.keys(4)
    held = keys[: rng.randint(2, 3)]
    script.make(kind, rng.randint(4, 7))
    script.put_all(held)
    gone = rng.choice(held)
    first = held[0]
    asked = {
        "take": (script.call("take", gone), script.pairs),
        "default": (script.call("take", keys[3], 7), script.call("take", gone, 7)),
        "absent": (script.guarded("take", keys[3]), script.call("read", first)),
        "drop": (script.call("drop", gone), script.guarded("drop", gone), script.pairs),
        "find": (script.call("find", keys[3], 5), script.call("find", first, 5)),
        "read": (script.guarded("read", keys[3]), script.call("read", first)),
        "keep": (
            script.call("keep", keys[3], 8),
            script.call("keep", first, 8),
            script.pairs,
        ),
        "again": (script.call("put", first, 6), script.call("count"), script.pairs),
        "clear": (
            script.call("load"),
            script.call("clear"),
            script.pairs,
            script.call("count"),
            script.guarded("evict"),
        ),
    }
    return script.ask("spine", *asked[rng.choice(sorted(asked))])
