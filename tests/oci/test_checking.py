"""What a check finds: images that are whole, and yet not what a recipe makes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from shipbar import oci
from shipbar.errors import UserError
from shipbar.oci import Entry, Plan, Writer
from shipbar.oci.recipes import settings_of, solver_entries
from shipbar.oci.tars import tar
from shipbar.oci.values import LAYER, compact
from shipbar.oci.writer import Layer
from tests.oci.places import BASE, flip, small_base

Change = Callable[[Writer, Plan], Plan]


def test_images_that_were_just_built_are_in_order(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    layout = oci.build(tasks, tmp_path / "out", base)
    assert oci.check(layout) == []
    assert oci.check(layout, against=tasks, base=base) == []


def made(tmp_path: Path, base: oci.Base, task: Path, change: Change) -> oci.Layout:
    """Write a solver's image with something changed about its plan; its digests fit."""
    with Writer(tmp_path / "changed") as out:
        out.base(base)
        layer = out.layer(solver_entries(task), made_by="shipbar: specification")
        plan = Plan(
            kind="solver",
            task="strips",
            base=base,
            layers=(layer,),
            settings=settings_of("solver", ""),
        )
        out.add(change(out, plan))
        return out.finish()


def with_more(out: Writer, plan: Plan, entries: list[Entry]) -> Layer:
    spec = Entry(path="work/SPEC.md", content=b"# spec")
    return out.layer([spec, *entries], made_by="shipbar: specification")


def evolved(it: Any, **facts: object) -> Any:
    return attrs.evolve(it, **facts)


def raw(out: Writer, data: bytes) -> Layer:
    return Layer(
        descriptor=out.store.put([data], LAYER), made_by="shipbar: specification"
    )


SUITE = Entry(path="work/tests/test_strips.py", content=b"assert False")
AT = "/" + "/".join(["work", "SPEC.md"])
SPEC_ONLY = tar([Entry(path="work/SPEC.md", content=b"# spec")])
CHANGES: dict[str, tuple[Change, str]] = {
    "a file beside the specification": (
        lambda out, plan: evolved(plan, layers=(with_more(out, plan, [SUITE]),)),
        "its layer has the file work/tests/test_strips.py; expected " + AT + " and nothing else",
    ),
    "a layer below": (
        lambda out, plan: evolved(
            plan, layers=(out.layer([SUITE], made_by="more"), *plan.layers)
        ),
        "expected 1 layers above the base, got 2",
    ),
    "no specification": (
        lambda out, plan: evolved(plan, layers=(out.layer([SUITE], made_by="more"),)),
        f"its layer has no {AT}",
    ),
    "anybody may write it": (
        lambda out, plan: evolved(
            plan,
            layers=(
                out.layer(
                    [Entry(path="work/SPEC.md", content=b"# spec", mode=0o666)], made_by=""
                ),
            ),
        ),
        "layer 1 is not in the one form that we write",
    ),
    "a link for the specification": (
        lambda out, plan: evolved(
            plan,
            layers=(
                out.layer(
                    [Entry(path="work/SPEC.md", kind="link", target="/etc/spec")], made_by=""
                ),
            ),
        ),
        "its layer has the link work/SPEC.md",
    ),
    "bytes behind the end": (
        lambda out, plan: evolved(plan, layers=(raw(out, SPEC_ONLY + b"x" * 512),)),
        "layer 1 is not in the one form that we write",
    ),
    "bytes between entries": (
        lambda out, plan: evolved(
            plan, layers=(raw(out, SPEC_ONLY[:1100] + b"suite" + SPEC_ONLY[1105:]),)
        ),
        "layer 1 is not in the one form that we write",
    ),
    "a label of a grader's": (
        lambda out, plan: evolved(plan, own_labels={"dev.shipbar.task-digest": "sha256:1"}),
        "label dev.shipbar.task-digest is none of a solver's image",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "told"), CHANGES.values(), ids=CHANGES.keys())
def test_what_no_recipe_makes_is_found_in_the_image_alone(
    tmp_path: Path, base: oci.Base, tasks: list[Path], change: Change, told: str
):
    layout = made(tmp_path, base, tasks[0], change)
    assert layout.problems() == []
    assert any(told in it for it in oci.check(layout))


SAID: dict[str, tuple[Change, str]] = {
    "environment": (
        lambda out, plan: evolved(plan, settings={**plan.settings, "Env": ["SEED=7"]}),
        "says Env ['SEED=7'], its base ['PATH=",
    ),
    "command": (
        lambda out, plan: evolved(plan, settings={**plan.settings, "Cmd": ["x"]}),
        "says Cmd ['x'], its base ['/usr/bin/python3']",
    ),
    "place": (
        lambda out, plan: evolved(plan, settings={"WorkingDir": "/srv"}),
        "what is said of it differs",
    ),
    "history": (
        lambda out, plan: evolved(
            plan, layers=(evolved(plan.layers[0], made_by="see grader/reference"),)
        ),
        "what is said of it differs",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "told"), SAID.values(), ids=SAID.keys())
def test_what_is_said_is_held_against_the_base_and_the_task(
    tmp_path: Path, base: oci.Base, tasks: list[Path], change: Change, told: str
):
    layout = made(tmp_path, base, tasks[0], change)
    assert any(told in it for it in oci.check(layout, against=tasks[:1], base=base))


def test_labels_of_the_callers_are_taken_as_they_are(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    labels = {str(tasks[0]): {"org.example.canary": "c-1"}}
    layout = oci.build(tasks[:1], tmp_path / "out", base, labels=labels)
    assert oci.check(layout, against=tasks[:1], base=base) == []


def test_a_task_that_was_changed_since_is_found(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    layout = oci.build(tasks, tmp_path / "out", base)
    with (tasks[0] / "solver/SPEC.md").open("a") as file:
        file.write("one more rule\n")
    problems = oci.check(layout, against=tasks)
    assert [it.partition(":")[0] for it in problems] == [
        "grader-strips",
        "solver-strips",
    ]
    assert "layer 2, what is said" not in problems[0]
    assert "layer 2 differs" in problems[0]
    assert "layer 1 differs" in problems[1]


def test_a_change_of_the_graders_side_leaves_the_solvers_image(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    layout = oci.build(tasks, tmp_path / "out", base)
    (tasks[0] / "grader" / "notes.md").write_text("more")
    problems = oci.check(layout, against=tasks)
    assert [it.partition(":")[0] for it in problems] == ["grader-strips"]


def test_a_task_without_an_image_is_told(layout: oci.Layout, tasks: list[Path]):
    (tasks[0] / "task.toml").write_text(
        (tasks[0] / "task.toml").read_text().replace('"strips"', '"stripes"', 1)
    )
    assert oci.check(layout, against=tasks[:1]) == [
        "stripes: has no image here; there are images of ribbons, strips"
    ]


def test_another_base_is_told(layout: oci.Layout, tmp_path: Path):
    more = Entry(path="etc/more", content=b"more")
    other = small_base(tmp_path / "other", [*BASE, more])
    problems = oci.check(layout, base=other)
    assert len([it for it in problems if "says that it stands on" in it]) == 2
    assert len([it for it in problems if "lower layers are not those" in it]) == 2


def test_a_damaged_layout_is_told_as_damaged_and_no_further(
    layout: oci.Layout, tasks: list[Path]
):
    flip(layout.layer_file(layout.images[0], 1), 600)
    [problem] = oci.check(layout, against=tasks)
    assert "its content is" in problem


@pytest.mark.parametrize("name", ["oci-layout", "index.json", "manifest.json"])
def test_a_list_of_images_that_is_not_ours_is_told(layout: oci.Layout, name: str):
    place = layout.path / name
    place.write_bytes(place.read_bytes() + b"\n")
    [problem] = oci.check(oci.Layout.open(layout.path))
    assert problem.startswith(f"{name}: is not the list that we write")


@pytest.mark.parametrize("said", ["io.containerd.image.name", "note"])
def test_an_image_that_is_listed_by_another_name_or_with_more_is_told(
    layout: oci.Layout, said: str
):
    place = layout.path / "index.json"
    index = json.loads(place.read_bytes())
    index["manifests"][0]["annotations"][said] = "something else"
    place.write_bytes(compact(index))
    [problem] = oci.check(oci.Layout.open(layout.path))
    assert problem.startswith("index.json: is not the list that we write")


def test_images_of_others_are_told_apart(base: oci.Base):
    problems = oci.check(oci.Layout.open(base.path))
    assert problems == [
        "base: is no image of ours: it has no label that says which kind it is, solver or grader"
    ]


def test_a_version_that_made_it_is_told(
    base: oci.Base, tasks: list[Path], tmp_path: Path, monkeypatch
):
    monkeypatch.setattr("shipbar.oci.recipes.version", lambda: "0.0.9")
    layout = oci.build(tasks[:1], tmp_path / "out", base, kinds=["grader"])
    monkeypatch.undo()
    [problem] = oci.check(layout, against=tasks[:1])
    assert "it was made by Shipbar 0.0.9, this is" in problem


def test_a_task_that_is_none_is_refused(layout: oci.Layout, tmp_path: Path):
    with pytest.raises(UserError, match="is no task"):
        oci.check(layout, against=[tmp_path])


def test_an_image_tells_what_it_stands_on(layout: oci.Layout, base: oci.Base):
    said = json.loads((layout.path / "index.json").read_text())
    assert len(said["manifests"]) == 2
    for it in layout.images:
        assert (
            it.annotations["org.opencontainers.image.base.digest"]
            == base.manifest_digest
        )
        assert it.base_layers == 1
