"""Holds the images of a solver to what G4 asks of them."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from shipbar.gates.heldout import HeldOut
from shipbar.gates.layers import Entry, Image, Layer, Store

_INSTALLED = re.compile(r"(?:^|/)(?:site|dist)-packages/([^/]+)")
_RUNS = 0o7111
"""Permission bits that a text has no use for."""
_OTHERS_WRITE = 0o002


def problems_of(store: Store, held: HeldOut) -> list[str]:
    """Return what is wrong with a file or folder of images, and with each image in it."""
    found = [*store.problems]
    found += [f"{path} belongs to no image" for path in store.loose]
    for path, text in store.documents.items():
        found += _of_words(path, text, held, labels=True)
    for image in store.images:
        found += [f"image {image.name}: {why}" for why in _of_image(image, held)]
    return list(dict.fromkeys(found))


def figures_of(store: Store, held: HeldOut) -> list[dict[str, int]]:
    """Return what was looked at: for each image its layers, entries and whiteouts."""
    return [
        {
            "layers": len(image.layers),
            "entries": sum(len(layer.entries) for layer in image.layers),
            "whiteouts": sum(
                entry.kind == "whiteout"
                for layer in image.layers
                for entry in layer.entries
            ),
            "of_the_task": sum(_shows(layer, held) > 0 for layer in image.layers),
        }
        for image in store.images
    ]


def _shows(layer: Layer, held: HeldOut) -> int:
    """How many times a layer holds the specification."""
    return sum(entry.data == held.specification for entry in layer.entries)


def _of_image(image: Image, held: HeldOut) -> Iterator[str]:
    own = [number for number, it in enumerate(image.layers) if _shows(it, held)]
    times = sum(_shows(image.layers[number], held) for number in own)
    if times != 1:
        yield f"holds the specification {times} times, expected once"
    elif all(it.data != held.specification for _, it in image.merged().values()):
        yield "a later layer hides the specification"
    for number, layer in enumerate(image.layers):
        problems = _of_own(layer, held) if number in own else _of_other(layer, held)
        yield from (f"layer {number}: {why}" for why in problems)
    for where, text in _texts(image.config, ""):
        label = ".Labels" in where
        yield from _of_words(where, text, held, labels=label)
    yield from _of_times(image, own)


# -- layers ----------------------------------------------------------------------------


def _of_own(layer: Layer, held: HeldOut) -> Iterator[str]:
    """The layer that holds the specification: that, the folders above it, and no trace."""
    spec = next(it.path for it in layer.entries if it.data == held.specification)
    for entry in layer.entries:
        above = entry.kind == "folder" and spec.startswith(f"{entry.path}/")
        if entry.path != spec and not above:
            told = held.in_own(entry.data) + held.tells.within(entry.path)
            more = f"; it holds {', '.join(told)}" if told else ""
            yield f"{entry.path}: a {entry.kind} beside the specification{more}"
        yield from (f"{entry.path}: {why}" for why in _traces(entry))
    if len({(it.time, it.owner) for it in layer.entries}) > 1:
        yield "its entries differ in time or owner; expected one fixed time, one owner"
    yield from _hidden(layer, held)


def _traces(entry: Entry) -> Iterator[str]:
    if entry.kind == "file" and entry.mode & _RUNS:
        yield f"mode {entry.mode:04o}; a text is neither run nor given rights"
    if entry.mode & _OTHERS_WRITE:
        yield f"mode {entry.mode:04o}; anybody may write it"
    if set(entry.owner[2:]) - {"", "root"}:
        yield f"owned by {entry.owner[2]}:{entry.owner[3]}; expected numbers alone"
    if entry.time != int(entry.time):
        yield f"time {entry.time}; expected whole seconds, as nobody's clock gives them"
    if entry.extras:
        yield f"has extended attributes: {', '.join(sorted(entry.extras))}"


def _of_other(layer: Layer, held: HeldOut) -> Iterator[str]:
    """A layer that was there before the task, or came after."""
    words = {word: what for word, what in held.words().items() if word in layer.raw}
    for entry in layer.entries:
        for said in (entry.path, entry.target):
            yield from (
                f"{entry.path}: its name tells {why}" for why in _of_name(said, held)
            )
        for key, value in entry.extras.items():
            yield from (
                f"{entry.path}: {key} holds {why}"
                for why in held.in_other(value.encode("utf-8", "replace"), words)
            )
        yield from (
            f"{entry.path}: holds {why}" for why in held.in_other(entry.data, words)
        )
    yield from _hidden(layer, held)


def _of_name(path: str, held: HeldOut) -> Iterator[str]:
    parts = set(re.split(r"[/.]", path))
    yield from (f"`{name}`" for name in held.names if name in parts)
    yield from held.tells.within(path)
    for installed in _INSTALLED.findall(path):
        slug = re.split(r"[-.]", installed)[0].lower().replace("_", "-")
        if {installed, installed.removesuffix(".py")} & set(held.modules) or (
            held.sdist and slug == re.sub(r"[._-]+", "-", held.sdist[0]).lower()
        ):
            yield f"the upstream, installed: {installed}"
    yield from (f"the upstream's {it}" for it in held.sdist[1:] if it in path)


def _hidden(layer: Layer, held: HeldOut) -> Iterator[str]:
    """What stands in a layer's bytes, and in none of its entries."""
    if layer.trailing:
        yield "has bytes behind its end"
    for word, what in held.words().items():
        if word in layer.raw and not any(_mentions(it, word) for it in layer.entries):
            yield f"its bytes hold {what} between entries"


def _mentions(entry: Entry, word: bytes) -> bool:
    told = (entry.path, entry.target, *entry.owner[2:], *entry.extras.values())
    return word in entry.data or any(word.decode() in text for text in told)


# -- what is said about an image ----------------------------------------------------------


def _texts(value: Any, where: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  # JSON
    """Yield every text of a JSON value with its place, keys included."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield f"{where}.{key}".strip("."), str(key)
            yield from _texts(inner, f"{where}.{key}".strip("."))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, f"{where}[{number}]")
    elif isinstance(value, str):
        yield where, value


def _of_words(where: str, text: str, held: HeldOut, *, labels: bool) -> Iterator[str]:
    """What is said outside the file system: the task's id may be, in a label its canary too."""
    text = held.tells.public(text)
    if labels:
        text = text.replace(held.tells.canary, "")
    told = held.in_own(text.encode("utf-8", "replace"))
    told += [f"the upstream's {word}" for word in held.sdist if word in text]
    told += [
        f"`{name}`, which stands in this task alone"
        for name in held.names
        if name in text
    ]
    yield from (f"{where} tells {it}" for it in told)


def _of_times(image: Image, own: list[int]) -> Iterator[str]:
    """An image is made at the time that its task's layer says, which is nobody's clock."""
    history = [
        it for it in image.config.get("history", []) if not it.get("empty_layer")
    ]
    if history and len(history) != len(image.layers):
        yield f"its history tells of {len(history)} layers, there are {len(image.layers)}"
        return
    fixed = {it.time for number in own for it in image.layers[number].entries}
    said = {"created": image.config.get("created")}
    said |= {
        f"history[{number}].created": history[number].get("created")
        for number in own
        if history
    }
    for where, text in said.items():
        if text is not None and _seconds(text) not in fixed:
            yield f"{where} is {text}, which is not the time of the task's layer; an image carries one fixed time"


def _seconds(text: str) -> float | None:
    try:
        return datetime.fromisoformat(re.sub(r"\.(\d{6})\d*", r".\1", text)).timestamp()
    except ValueError:
        return None
