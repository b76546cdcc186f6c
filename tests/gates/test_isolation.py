"""Isolation: everything that a solver's tree or image could give away."""

import base64
import gzip
import io
import marshal
import os
import tarfile
import zipfile

import pytest

from shipbar.gates import Status, isolation
from shipbar.gates.fragments import WINDOW, Fragments, code_tokens, tokens, views
from tests.gates import mutated, solver_images
from tests.gates.solver_images import BASE, layer, member

GATE = isolation.GATE
SPEC = "solver/SPEC.md"


@pytest.fixture
def task(bases, tmp_path):
    """A copy of the example that a test may change."""
    import shutil

    return shutil.copytree(bases["check-character-36"], tmp_path / "task")


@pytest.fixture
def examined(task, trial_of):
    """Examine the task after a change that loading it does not see."""

    def examine(change=lambda folder: None, images=()):
        trial = trial_of(task, images=tuple(images))
        change(task)
        return GATE.examine(trial)

    return examine


def said(found):
    assert found.status is Status.FAILED, (found.status, found.why)
    return "\n".join(found.problems)


# -- the tree ----------------------------------------------------------------------------


def put(path, text):
    def change(folder):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")

    return change


TREES = {
    "a file": (put("solver/notes.txt", "x"), "solver/notes.txt: a file beside"),
    "a hidden file": (put("solver/.hidden", "x"), "solver/.hidden: a file beside"),
    "an empty folder": (
        lambda folder: (folder / "solver/docs").mkdir(),
        "solver/docs: a folder beside the specification",
    ),
    "a link to the suite": (
        lambda folder: (folder / "solver/more").symlink_to("../grader/tests"),
        "solver/more: a symbolic link beside the specification; it tells where it leads, ../grader/tests",
    ),
    "a pipe": (
        lambda folder: os.mkfifo(folder / "solver/pipe"),
        "solver/pipe: a special file beside the specification",
    ),
    "a hard link": (
        lambda folder: os.link(folder / SPEC, folder / "grader/SPEC.md"),
        f"{SPEC}: is 2 names of one file",
    ),
    "a program": (
        lambda folder: (folder / SPEC).chmod(0o755),
        f"{SPEC}: mode 0755; a text is neither run",
    ),
    "for anybody": (
        lambda folder: (folder / SPEC).chmod(0o666),
        f"{SPEC}: mode 0666; anybody may write it",
    ),
    "a time": (
        lambda folder: os.utime(folder / SPEC, (0, 2**33)),
        f"{SPEC}: its time is one that no clock has given",
    ),
    "a whole held-out file": (
        lambda folder: (folder / "solver/a.txt").write_bytes(
            (folder / "grader/reference/tavrick/_marks.py").read_bytes()
        ),
        "the whole of grader/",
    ),
}


@pytest.mark.parametrize("tree", TREES)
def test_a_tree_with_anything_but_the_specification_is_stopped(examined, tree):
    change, says = TREES[tree]
    assert says in said(examined(change))


def test_a_specification_that_is_a_link_is_stopped(examined):
    def change(folder):
        (folder / SPEC).rename(folder / "SPEC.md")
        (folder / SPEC).symlink_to("../SPEC.md")

    assert f"{SPEC}: a symbolic link" in said(examined(change))


def test_an_attribute_is_stopped(examined):
    def change(folder):
        try:
            os.setxattr(folder / SPEC, "user.note", b"seen")
        except OSError:
            pytest.skip("this file system keeps no attributes")

    assert f"{SPEC}: has the extended attribute user.note" in said(examined(change))


# -- the specification ---------------------------------------------------------------------


def test_a_specification_that_is_no_text_is_stopped(examined):
    found = examined(lambda folder: (folder / SPEC).write_bytes(b"\xff\xfe"))
    assert "is not UTF-8" in said(found)


def rewritten(folder, old, new):
    text = (folder / SPEC).read_text("utf-8")
    assert old in text
    (folder / SPEC).write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("`test_sums.py` asks", "the path of a held-out part `test_sums.py`"),
        ("As test_less_002 has it", "the name of a hidden test `test_less_002`"),
        ("Not as flip-back-fold", "the name of a known-bad `flip-back-fold`"),
        ("family: small-numbers", "the name of its family `small-numbers`"),
        ("from small_numbers", "the name of its family `small_numbers`"),
        ("| order | raises-it |", "a rule and its value `order | raises-it`"),
        ('{"order": "raises-it"}', "a rule and its value"),
        ("as tinysums does", "says what the upstream says: `tinysums`"),
        ("as tiny-sums does", "says what the upstream says: `tiny-sums`"),
        ("it is fourfold", "says what the upstream says: `fourfold`"),
        ("so dranok(1) is 2", "gives a hidden case away with its answer: test_less_001"),
        ("as summish does", "says what the upstream says: `summish`"),
    ],
)  # fmt: skip
def test_what_only_the_maker_knows_is_stopped(tmp_path, trial_of, line, says):
    folder = small(tmp_path)
    rewritten(folder, "gives twice", f"{line}; it gives twice")
    assert says in said(GATE.examine(trial(tmp_path, trial_of, folder)))


def small(tmp_path):
    """The small mutated task, with a record."""
    folder = mutated.write(tmp_path / "task", tmp_path / "cache")
    (folder / "grader/variant.json").write_text(
        '{"family": "small-numbers", "rules": {"order": "raises-it"},'
        ' "names": {"package": "zument"}, "denied": ["summish"]}'
    )
    return folder


def trial(tmp_path, trial_of, folder, **facts):
    made = trial_of(folder, **facts)
    made.cache = tmp_path / "cache"
    return made


@pytest.mark.parametrize(
    "line",
    [
        "It is more or fewer, in that order",  # a rule's id is a word
        "A number of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16",
        "dranok(1) of something else is 7",  # the input with another answer
        "dranok(9) is 10",  # another input
    ],
)
def test_what_any_specification_may_say_passes(tmp_path, trial_of, line):
    folder = small(tmp_path)
    rewritten(folder, "gives twice", f"{line}; it gives twice")
    found = GATE.examine(trial(tmp_path, trial_of, folder))
    assert (found.problems, found.cell) == ((), "0 leaks")


def test_an_upstream_that_is_not_fetched_makes_it_not_run(tmp_path, trial_of):
    made = trial(tmp_path, trial_of, small(tmp_path))
    made.cache = tmp_path / "elsewhere"
    found = GATE.examine(made)
    assert found.status is Status.NOT_RUN
    assert "shipbar upstream fetch tiny-sums" in found.why


# -- fragments ---------------------------------------------------------------------------

CODE = '''
def weigh(parcel, rates):
    """Say in words what it does."""
    # Not this.
    heavy = [item for item in parcel if item.grams > rates.limit]
    return sum(rates.price * item.grams for item in heavy) or rates.least
'''


def test_a_fragment_is_found_however_it_is_laid_out():
    held = Fragments()
    held.add("weigh.py", code_tokens(CODE))
    retold = 'x = 1\nheavy=[item\n  for item in parcel\n if item.grams>rates.limit]\nreturn sum(rates.price*\nitem.grams for item in "heavy")'
    assert held.found(tokens(retold))["weigh.py"] > 0
    assert "parcel" in held.first(tokens(retold))
    assert not held.found(tokens("heavy = [item for item in parcel if item.grams]"))


def test_words_about_code_and_rows_of_numbers_are_no_fragments():
    held = Fragments()
    held.add("weigh.py", code_tokens(CODE))
    held.add("table.py", tokens("TABLE = [" + ", ".join(map(str, range(99))) + "]"))
    assert not held.found(tokens("Say in words what it does. Not this." * 9))
    assert not held.found(tokens(", ".join(map(str, range(99)))))


def test_source_that_is_none_is_read_as_text():
    broken = "def weigh(:\n  '''" + " ".join(f"word{n}" for n in range(WINDOW))
    assert code_tokens(broken) == tokens(broken)


def zipped(data):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr("inner", data)
    return raw.getvalue()


PACKINGS = {
    "gzip": gzip.compress,
    "zip": zipped,
    "tar": lambda data: layer({"inner": data}),
    "base64": base64.b64encode,
    "base64 in lines": base64.encodebytes,
    "base64 for addresses": base64.urlsafe_b64encode,
    "hexadecimal": lambda data: data.hex().encode(),
    "gzip in base64": lambda data: base64.b64encode(gzip.compress(data)),
    "tar in gzip": lambda data: gzip.compress(layer({"inner": data})),
}


@pytest.mark.parametrize("packing", PACKINGS)
def test_packing_is_undone(packing):
    data = CODE.encode()
    assert any(data in view for _, view in views(PACKINGS[packing](data)))


@pytest.mark.parametrize(
    "data", [b"PK\3\4broken", b"\x1f\x8bbroken", b"BZhbroken", b"x" * 99]
)
def test_what_is_no_packing_after_all_is_only_itself(data):
    assert next(iter(views(data))) == ("", data)
    assert all(data is view or way for way, view in views(data))


# -- images ------------------------------------------------------------------------------


@pytest.fixture
def spec(task):
    return (task / SPEC).read_bytes()


@pytest.fixture
def image(examined, tmp_path, spec):
    """Examine the task with one image of those layers; the last is the task's."""

    def examine(*layers, write=solver_images.oci, **more):
        layers = layers or (layer(BASE), layer({"work/SPEC.md": spec}))
        path = write(tmp_path / "image", layers, **more)
        return examined(images=[path])

    return examine


def test_an_image_with_the_specification_alone_passes(image):
    found = image()
    assert (found.problems, found.why) == ((), "")
    assert found.figures["images"] == [
        {"layers": 2, "entries": 7, "whiteouts": 0, "of_the_task": 1}
    ]


def as_tar(folder, layers, **more):
    return solver_images.tarred(solver_images.oci(folder, layers, **more))


def as_compressed(folder, layers, **more):
    return solver_images.oci(folder, layers, packed=True, **more)


@pytest.mark.parametrize("write", [as_tar, as_compressed, solver_images.saved])
def test_every_way_to_write_an_image_is_read(image, write, spec):
    assert image(write=write).problems == ()


@pytest.mark.parametrize("write", [as_tar, as_compressed, solver_images.saved])
def test_and_looked_into(image, write, spec):
    extra = layer({"work/SPEC.md": spec, "work/hint.txt": b"x"})
    found = image(layer(BASE), extra, write=write)
    assert "work/hint.txt: a file beside the specification" in said(found)


def reference_of(task):
    return (task / "grader/reference/tavrick/_marks.py").read_bytes()


HIDDEN = {
    "a file": lambda data: layer({"opt/a.py": data}),
    "as no text": lambda data: layer({"opt/a.bin": b"\0\0" + data}),
    "bytecode of it": lambda data: layer(
        {"opt/a.pyc": marshal.dumps(compile(data, "tavrick/_marks.py", "exec"))}
    ),
    "in a tar": lambda data: layer({"opt/a.tar": layer({"a": data})}),
    "gzipped": lambda data: layer({"opt/a.gz": gzip.compress(data)}),
    "behind the end": lambda data: layer(BASE) + data,
    "in an attribute": lambda data: layer(
        {"opt/a": member("opt/a", pax_headers={"SCHILY.xattr.user.a": data.decode()})}
    ),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_what_is_held_out_is_found_in_any_layer(image, task, spec, how):
    base = HIDDEN[how](reference_of(task))
    found = image(base, layer({"work/SPEC.md": spec}))
    assert "layer 0: " in said(found)


def test_what_a_later_layer_removes_is_still_there(image, task, spec):
    base = layer({"opt/grader/a.py": reference_of(task)})
    gone = layer({"opt/.wh.grader": b""})
    found = image(base, gone, layer({"work/SPEC.md": spec}))
    assert "layer 0: opt/grader/a.py: holds the whole of" in said(found)
    assert found.figures["images"][0]["whiteouts"] == 1


def test_a_few_windows_in_common_with_a_library_are_no_leak(image, task, spec):
    part = b"    states = _run(len(payload), backwards, _BACKWARD)\n    return first + _closing_symbol(states[-1], _BACKWARD)\n"
    assert part in reference_of(task)
    found = image(layer({**BASE, "usr/lib/a.py": part}), layer({"work/SPEC.md": spec}))
    assert found.problems == ()


LAYERS = {
    "another file": (
        lambda spec: layer({"work/SPEC.md": spec, "work/.cache": b"x"}),
        "work/.cache: a file beside the specification",
    ),
    "a whiteout": (
        lambda spec: layer({"work/SPEC.md": spec, "work/.wh.tests": b""}),
        "work/.wh.tests: a whiteout beside the specification",
    ),
    "a link": (
        lambda spec: layer(
            {"work/SPEC.md": spec, "a": member("a", type=tarfile.SYMTYPE, linkname="/b")}
        ),
        "a: a link beside the specification",
    ),
    "a device": (
        lambda spec: layer({"work/SPEC.md": spec, "a": member("a", type=tarfile.CHRTYPE)}),
        "a: a special file beside the specification",
    ),
    "twice": (
        lambda spec: layer({"work/SPEC.md": spec, "SPEC.md": spec}),
        "holds the specification 2 times",
    ),
    "another specification": (
        lambda spec: layer({"work/SPEC.md": spec + b"\n"}),
        "holds the specification 0 times",
    ),
    "a program": (
        lambda spec: layer({"work/SPEC.md": spec}, mode=0o755),
        "mode 0755; a text is neither run",
    ),
    "somebody's": (
        lambda spec: layer({"work/SPEC.md": spec}, uname="ada"),
        "owned by ada:; expected numbers alone",
    ),
    "by the clock": (
        lambda spec: layer({"work/SPEC.md": spec}, mtime=1_700_000_000.25),
        "time 1700000000.25; expected whole seconds",
    ),
    "times that differ": (
        lambda spec: layer({"work/SPEC.md": spec, "work": member("work", type=tarfile.DIRTYPE, mtime=5)}),
        "its entries differ in time or owner",
    ),
    "an attribute": (
        lambda spec: layer({"work/SPEC.md": spec}, pax_headers={"SCHILY.xattr.user.a": "b"}),
        "has extended attributes: SCHILY.xattr.user.a",
    ),
}  # fmt: skip


@pytest.mark.parametrize("which", LAYERS)
def test_the_layer_of_the_task_holds_the_specification_and_no_trace(image, spec, which):
    make, says = LAYERS[which]
    own = make(spec)
    if which in ("a program", "by the clock", "an attribute", "somebody's"):
        assert own != layer({"work/SPEC.md": spec})
    assert says in said(image(layer(BASE), own))


def test_a_specification_that_a_later_layer_hides_is_stopped(image, spec):
    found = image(layer({"work/SPEC.md": spec}), layer({"work/.wh.SPEC.md": b""}))
    assert "a later layer hides the specification" in said(found)


@pytest.mark.parametrize("where", solver_images.SAID)
def test_what_is_said_about_an_image_tells_nothing(image, where):
    assert image(**solver_images.SAID[where]).status is Status.FAILED


def test_a_label_may_have_the_task_s_id_and_its_canary(image):
    labels = {
        "task": "check-character-36",
        "canary": "shipbar-canary-c12d1e9c-6338-479e-8077-ec80bc5434e4",
    }
    assert image(config={"Labels": labels}).problems == ()


def test_the_upstream_is_in_no_layer(tmp_path, trial_of):
    folder = small(tmp_path)
    spec = (folder / SPEC).read_bytes()
    for path in (
        "usr/lib/python3/dist-packages/tinysums.py",
        "usr/lib/python3/site-packages/tiny_sums-1.2.dist-info/METADATA",
        "root/tiny_sums-1.2.tar.gz",
    ):
        at = tmp_path / path.rpartition("/")[2]
        layers = [layer({path: b"x"}), layer({"work/SPEC.md": spec})]
        images = (solver_images.oci(at, layers),)
        found = GATE.examine(trial(tmp_path, trial_of, folder, images=images))
        assert "its name tells the upstream" in said(found), path


def test_a_blob_that_no_image_names_is_stopped(examined, tmp_path, spec):
    path = solver_images.oci(tmp_path / "image", [layer({"work/SPEC.md": spec})])
    (path / "notes.txt").write_text("x")
    assert "notes.txt belongs to no image" in said(examined(images=[path]))


def test_a_blob_that_was_changed_is_stopped(examined, tmp_path, spec):
    path = solver_images.oci(tmp_path / "image", [layer({"work/SPEC.md": spec})])
    [blob] = [it for it in (path / "blobs/sha256").iterdir() if spec in it.read_bytes()]
    blob.write_bytes(blob.read_bytes() + bytes(512))
    found = said(examined(images=[path]))
    assert "does not have the digest in its name" in found


@pytest.mark.parametrize(
    ("write", "why"),
    [
        (lambda path: path.mkdir(), "expected an OCI layout"),
        (lambda path: path.write_bytes(b"no tar"), "ReadError"),
        (lambda path: path.write_bytes(layer({"a": b"b"})), "expected an OCI layout"),
        (lambda path: path.write_bytes(layer({"index.json": b"[]"})), "TypeError"),
        (
            lambda path: path.write_bytes(
                layer({"index.json": b'{"manifests": [{"digest": "sha256:0"}]}'})
            ),
            "'blobs/sha256/0', which is not there",
        ),
        (
            lambda path: solver_images.oci(path, [b"\x28\xb5\x2f\xfd" + bytes(99)]),
            "zstd",
        ),
    ],
    ids=["empty", "noise", "no image", "no index", "a hole", "zstd"],
)
def test_what_cannot_be_read_is_not_run(examined, tmp_path, write, why):
    write(tmp_path / "image")
    found = examined(images=[tmp_path / "image"])
    assert (found.status, found.problems) == (Status.NOT_RUN, ())
    assert why in found.why


def test_an_image_is_part_of_what_the_outcome_depends_on(task, trial_of, tmp_path):
    layout = solver_images.oci(tmp_path / "image", [layer(BASE)])
    trial = trial_of(task, images=(layout,))
    before = GATE.depends(trial)
    (layout / "index.json").write_text("{}")
    assert GATE.depends(trial) != before
