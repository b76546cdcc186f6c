"""Checks a layout: its blobs, the form of its layers, and what a rebuild gives.

What is proven, and by what:

- *whole*: every blob has its digest and size, nothing lies there that no image names;
- *listed*: the lists of images, which no digest covers, name each image as we do and say
  nothing else;
- *canonical*: each layer of ours is what our writer would write, so that its digest is
  over paths, contents and rights, and nothing hides between entries;
- *a solver's image* has one layer of ours, with the specification and the folder above
  it; its config is what the recipe says, so no word and no file has been added;
- *rebuilt*: from the task, each image comes out with the same two ids. That holds for
  all of ours; what is said by the base (its environment) is held against the base, if
  one is given, and else taken as it is.
"""

import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from shipbar.errors import ShipbarError
from shipbar.grading.tasks import read_contract
from shipbar.oci.bases import Base, lower_part
from shipbar.oci.layout import Layout, documents_of_ours
from shipbar.oci.recipes import KINDS, SPEC, UPSTREAM, Recipe, settings_of
from shipbar.oci.recipes import recipe as recipe_of
from shipbar.oci.tars import canonical, entries_in, read_content
from shipbar.oci.values import BASE_DIGEST, OURS, VERSION, Image, version
from shipbar.oci.writer import Store


def check(
    layout: Layout,
    *,
    against: Sequence[str | Path] = (),
    base: Base | None = None,
) -> list[str]:
    """Return what is wrong with a layout of ours; nothing if all is as it should be.

    Args:
        layout: what to check, in a folder.
        against: tasks whose images it must hold; each is built again and compared.
        base: what the images must stand on; None takes what they say.

    Raises:
        UserError: a folder of ``against`` is no task, or the layout is a tar.
    """
    found = layout.problems()
    if found:
        return found  # what is read from damaged blobs says nothing more
    found += _listed(layout)
    for image in layout.images:
        found += [f"{image.name}: {why}" for why in _of_image(layout, image, base)]
    tasks = {read_contract(Path(it)).task_id: Path(it) for it in against}
    found += _rebuilt(layout, tasks, base)
    return found


def _listed(layout: Layout) -> Iterator[str]:
    """Hold the lists of images to what we write of these images."""
    if any(it.kind not in KINDS for it in layout.images):
        return  # images of others, which are told as such
    for name, data in documents_of_ours(layout.images).items():
        if name in layout.blobs and layout.blobs.read(name) != data:
            yield f"{name}: is not the list that we write of these images; build them again, or get the layout again"


def _of_image(layout: Layout, image: Image, base: Base | None) -> Iterator[str]:
    if image.kind not in KINDS:
        yield f"is no image of ours: it has no label that says which kind it is, {' or '.join(KINDS)}"
        return
    ours = range(image.base_layers, len(image.layers))
    expected = 1 if image.kind == "solver" else 2
    if len(ours) != expected:
        yield f"expected {expected} layers above the base, got {len(ours)}"
    for number in ours:
        if not canonical(layout.layer_file(image, number), ours=True):
            yield f"layer {number} is not in the one form that we write; build the image again"
    if image.kind == "solver" and len(ours) == expected:
        yield from _of_solver(layout, image)
    if base is not None:
        yield from _of_base(layout, image, base)


def _of_solver(layout: Layout, image: Image) -> Iterator[str]:
    """The one layer of ours holds the specification and nothing else."""
    entries = list(entries_in(layout.layer_file(image, image.base_layers)))
    wanted = {SPEC.lstrip("/"): "file", str(Path(SPEC.lstrip("/")).parent): "folder"}
    there = {it.path: it.kind for it in entries}
    for path in sorted(there.items() - wanted.items()):
        yield f"its layer has the {path[1]} {path[0]}; expected {SPEC} and nothing else"
    if SPEC.lstrip("/") not in there:
        yield f"its layer has no {SPEC}"
    extra = sorted(
        key for key in image.labels if key.startswith(OURS) and key not in _SOLVER_SAYS
    )
    yield from (f"label {key} is none of a solver's image" for key in extra)


_SOLVER_SAYS = (f"{OURS}kind", f"{OURS}task")


def _of_base(layout: Layout, image: Image, base: Base) -> Iterator[str]:
    digest = image.annotations.get(BASE_DIGEST)
    if digest != base.manifest_digest:
        yield f"says that it stands on {digest}, expected {base.manifest_digest}"
    lower = [it.digest for it in image.layers[: image.base_layers]]
    if lower != [it.digest for it in base.layers]:
        yield f"its lower layers are not those of the base {base.manifest_digest}"
    taken = settings_of(image.kind, "")
    said = lower_part(layout, image, taken).config["config"]
    theirs = {
        key: value
        for key, value in (base.config.get("config") or {}).items()
        if key not in {*taken, "Labels"}
    }
    for key in sorted(said.keys() | theirs.keys()):
        if said.get(key) != theirs.get(key):
            yield f"says {key} {said.get(key)!r:.80}, its base {theirs.get(key)!r:.80}"


# -- built again -----------------------------------------------------------------------


def _rebuilt(
    layout: Layout, tasks: Mapping[str, Path], base: Base | None
) -> Iterator[str]:
    if not tasks:
        return
    there = {image.task for image in layout.images}
    for task in sorted(tasks.keys() - there):
        yield f"{task}: has no image here; there are images of {', '.join(sorted(there))}"
    with tempfile.TemporaryDirectory(prefix="shipbar-rebuilt-") as scratch:
        store = Store(folder=Path(scratch) / "layout")
        (store.folder / "blobs" / "sha256").mkdir(parents=True)
        recipes: dict[tuple[str, str], Recipe] = {}
        for image in layout.images:
            if image.kind in KINDS and image.task in tasks:
                try:
                    again = _again(
                        layout, image, tasks[image.task], base, store, recipes
                    )
                except ShipbarError as cause:
                    yield f"{image.name}: cannot be built again: {cause}"
                    continue
                yield from _differences(image, again)


def _again(  # one image, and what several share
    layout: Layout,
    image: Image,
    task: Path,
    base: Base | None,
    store: Store,
    recipes: dict[tuple[str, str], Recipe],
) -> Image:
    """Build an image again, from its task and what it stands on."""
    key = (image.kind, image.annotations.get(BASE_DIGEST, ""))
    lower = base or lower_part(layout, image, settings_of(image.kind, ""))
    if key not in recipes:
        recipes[key] = recipe_of(image.kind, lower, store)
    more = {
        name: value for name, value in image.labels.items() if not name.startswith(OURS)
    }
    ready = attrs.evolve(recipes[key], base=lower)
    sdist = _sdist_in(layout, image, task)
    return store.image(ready.plan(store, task, more, sdist=sdist))


def _sdist_in(layout: Layout, image: Image, task: Path) -> bytes | None:
    """Return the pinned upstream from the image itself, if it holds that very file."""
    pin = read_contract(task).upstream_sdist
    if pin is None or image.kind != "grader":
        return None
    top = layout.layer_file(image, len(image.layers) - 1)
    for entry in entries_in(top):
        if entry.path == f"{UPSTREAM}/{pin.file}":
            data = read_content(entry.content)
            return data if hashlib.sha256(data).hexdigest() == pin.sha256 else None
    return None


def _differences(image: Image, again: Image) -> Iterator[str]:
    if (image.config_digest, image.manifest_digest) == (
        again.config_digest,
        again.manifest_digest,
    ):
        return
    numbers = [
        number
        for number, (one, other) in enumerate(
            zip(image.layers, again.layers, strict=False)
        )
        if one.digest != other.digest
    ]
    what = f"layer {', '.join(map(str, numbers))}" if numbers else "what is said of it"
    this = version()
    made = image.labels.get(VERSION, this)
    why = f"; it was made by Shipbar {made}, this is {this}" * (made != this)
    yield (
        f"{image.name}: built again from the task it is config {again.config_digest}, manifest {again.manifest_digest}; "
        f"{what} differs{why}"
    )
