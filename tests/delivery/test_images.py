import io

import attrs
import pytest

from shipbar.bundles import paths, reading
from shipbar.delivery import leaks
from shipbar.delivery.deliver import deliver
from shipbar.delivery.order import Order, fit
from shipbar.delivery.proofs import collect
from shipbar.errors import UserError
from shipbar.oci.bases import open_base
from shipbar.oci.layout import Layout
from shipbar.oci.making import write_base
from shipbar.oci.tars import Entry, write_tar
from tests.cli import tiny
from tests.delivery import making

ORDER = Order(client="north-lab", tranche="first", withhold=True)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    path = tmp_path_factory.mktemp("base") / "base"
    entries = [
        Entry(path="usr/bin/python3.11", content=b"#!/bin/true\n", mode=0o755),
        Entry(path="etc/os-release", content=b"ID=none\n"),
    ]
    write_base(path, entries, command=["/bin/true"], made_by="a test")
    return path


def _with_images(base, *kinds):
    return attrs.evolve(ORDER, images=kinds, base=open_base(str(base)))


def test_both_bundles_hold_their_own_images_and_no_closed_grader_s(house, base):
    order = _with_images(base, "solver", "grader")
    deliver(order, house.tasks, house.root / "out", house.maker())
    solver, grader = making.opened(house)
    assert [*reading.damages(solver), *reading.damages(grader)] == []
    told = {it.task_id: it.image for it in reading.solver_lines(solver)}
    layout = Layout.open(solver.root / paths.IMAGES)
    assert layout.problems() == []
    assert {
        it.task: (it.name, it.config_digest, it.manifest_digest) for it in layout.images
    } == {task: attrs.astuple(image) for task, image in told.items() if image}
    graders = {it.task_id: it.image for it in reading.grader_lines(grader)}
    assert graders["helda"] is None
    assert {it.task for it in Layout.open(grader.root / paths.IMAGES).images} == {
        "brevok",
        "tally",
    }
    assert "Image-Base" in (solver.root / paths.REUSE).read_text()


def test_images_are_the_same_bytes_again(built, base, tmp_path):
    houses = [making.copied(built, tmp_path / word) for word in ("one", "two")]
    for house in houses:
        deliver(
            _with_images(base, "solver"), house.tasks, house.root / "out", house.maker()
        )
    one, two = (tiny.snapshot(it.root / "out") for it in houses)
    assert one == two


def test_a_base_without_a_python_to_grade_with_leaves_nothing(house, tmp_path):
    write_base(
        tmp_path / "bare",
        [Entry(path="etc/os-release", content=b"ID=none\n")],
        command=["/bin/true"],
        made_by="a test",
    )
    order = _with_images(tmp_path / "bare", "grader")
    with pytest.raises(UserError, match="no python3"):
        deliver(order, house.tasks, house.root / "out", house.maker())
    assert not (house.root / "out").exists()


def _held(house):
    items = fit(
        ORDER,
        house.tasks,
        making.GATES,
        lambda digests: collect(
            [house.receipts], digests, [house.own.signer.public_key]
        ),
    )
    return leaks.held_of(items)


@pytest.mark.parametrize("hidden", ["layer", "below the specification", "label"])
def test_a_closed_grader_in_an_image_is_found(house, base, tmp_path, hidden):
    """An image that somebody else built, with the suite of an evaluation task in it."""
    from shipbar.oci.recipes import recipe
    from shipbar.oci.writer import Writer

    suite = (house.root / "tasks/helda/grader/tests/test_helda.py").read_bytes()
    task = house.root / "tasks/tally"
    root = tmp_path / "out"
    (root / "first-solver").mkdir(parents=True)
    with Writer(root / "first-solver" / paths.IMAGES) as out:
        started = out.base(open_base(str(base)))
        plan = recipe("solver", started, out.store).plan(out.store, task)
        if hidden == "label":
            label = {"note": f"shipbar-canary-{10:032x}"}
            plan = attrs.evolve(plan, labels=label)
        else:
            inner = io.BytesIO()
            write_tar([Entry(path="x", content=suite)], inner)
            data = suite if hidden == "layer" else inner.getvalue()
            more = out.layer([Entry(path="work/.x", content=data)], made_by="a test")
            plan = attrs.evolve(plan, layers=(more, *plan.layers))
        out.add(plan)
        out.finish()
    with pytest.raises(UserError, match="solver-tally") as caught:
        leaks.check(root, _held(house))
    assert "helda" in str(caught.value)


def test_an_honest_image_is_passed(house, base, tmp_path):
    order = _with_images(base, "solver")
    deliver(order, house.tasks, house.root / "out", house.maker())
    leaks.check(house.root / "out", _held(house))
