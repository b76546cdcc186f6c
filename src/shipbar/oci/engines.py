"""Hands a layout to Docker or Podman, and holds what the engine took to what was given.

An engine shows an image's config digest as its id, or its manifest digest; either
must be the one in the layout. What it says is read back from it, not from its answer
to the loading.
"""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

import attrs

from shipbar.errors import SeamError, UnknownNameError, UserError
from shipbar.oci.layout import Layout
from shipbar.oci.values import Image

ENGINES = ("docker", "podman")
ANSWER_S = 60.0
"""Seconds within which an engine has answered a question."""
REMEDY = {
    "docker": "start its daemon, join the group docker, or name a socket of your own in DOCKER_HOST",
    "podman": "see whether `podman info` works for this user",
}
UNKNOWN = ("no such image", "image not known")
"""How engines say that they have no image of a name."""
AT_ONCE = 100
"""Images that are asked for in one question."""


@attrs.frozen(kw_only=True)
class Engine:
    """How an engine's client is called."""

    name: str
    """`docker` or `podman`."""
    options: tuple[str, ...] = ()
    """Words for the client itself, before its command."""
    env: Mapping[str, str] = attrs.field(factory=dict)
    """What the client sees: PATH, DOCKER_HOST and so on."""

    def command(self, *words: str) -> list[str]:
        """Return a command of the client's.

        Raises:
            UnknownNameError: we do not know that engine.
            SeamError: it has no client on the PATH.
        """
        if self.name not in ENGINES:
            raise UnknownNameError("engine", self.name, ENGINES)
        program = shutil.which(self.name, path=self.env.get("PATH"))
        if program is None:
            raise SeamError(
                f"no {self.name} on the PATH; install it, or load with another engine: {', '.join(ENGINES)}"
            )
        return [program, *self.options, *words]

    def ask(self, *words: str) -> "subprocess.CompletedProcess[bytes]":
        """Run a command of the client's to its end.

        Raises:
            SeamError: there is no client, or no answer in time.
        """
        try:
            return subprocess.run(  # noqa: S603  # the engine's client, our own words
                self.command(*words),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                env=dict(self.env),
                timeout=ANSWER_S,
            )
        except subprocess.TimeoutExpired as cause:
            raise SeamError(
                f"{self.name}: no answer to `{words[0]}` in {ANSWER_S:.0f} s; see whether its daemon is well"
            ) from cause


@attrs.frozen(kw_only=True)
class Loaded:
    """An image as an engine has it."""

    image: Image
    """The image of the layout."""
    id: str
    """What the engine calls it, `sha256:…`."""
    was_there: bool
    """Whether the engine had it before."""


def load(
    layout: Layout, engine: Engine, names: Sequence[str] = ()
) -> tuple[Loaded, ...]:
    """Load images of a layout into an engine, and compare the ids that it reports.

    What the engine has under the same name and id is not handed over again.

    Args:
        layout: where they are.
        engine: whose store they go to.
        names: which; none is all of them.

    Raises:
        UserError: the layout is damaged, has no such image, or one without a name.
        UnknownNameError: we do not know that engine.
        SeamError: there is no engine, it refused, or reports another id.
    """
    engine.command()  # an unknown one is told before anything is read
    images = [layout.image(it) for it in names] if names else [*layout.images]
    if nameless := [it for it in images if not it.reference]:
        raise UserError(
            f"{layout.path}: {nameless[0].name or nameless[0].config_digest} is no image of a task, and has no name for an engine"
        )
    layout.verify()
    before = _ids(engine, images)
    missing = [it for it in images if before.get(it.reference) not in _both(it)]
    if missing:
        _hand_over(layout, engine, missing)
    after = _ids(engine, images)
    wrong = [it for it in images if after.get(it.reference) not in _both(it)]
    if wrong:
        it = wrong[0]
        raise SeamError(
            f"{engine.name}: {it.reference} was loaded, and the engine reports {after.get(it.reference, 'no such image')}; "
            f"expected its config {it.config_digest} or its manifest {it.manifest_digest}. Do not use it: remove it there and load again"
        )
    return tuple(
        Loaded(image=it, id=after[it.reference], was_there=it not in missing)
        for it in images
    )


def _both(image: Image) -> tuple[str, str]:
    return image.config_digest, image.manifest_digest


def _ids(engine: Engine, images: Sequence[Image]) -> dict[str, str]:
    """Return the ids that the engine has under the images' names; none where it has none."""
    found: dict[str, str] = {}
    for start in range(0, len(images), AT_ONCE):
        names = [it.reference for it in images[start : start + AT_ONCE]]
        told = engine.ask("image", "inspect", *names)
        said = told.stderr.decode("utf-8", "replace").strip()
        if told.returncode and not any(it in said.lower() for it in UNKNOWN):
            raise SeamError(
                f"{engine.name}: cannot ask for images: {said}; {REMEDY[engine.name]}"
            )
        # With one of them missing, an engine may tell of none.
        each = [told] if not told.returncode else _one_by_one(engine, names)
        for answer in each:
            found |= _named(answer.stdout, names)
    return found


def _one_by_one(
    engine: Engine, names: Sequence[str]
) -> "list[subprocess.CompletedProcess[bytes]]":
    return [engine.ask("image", "inspect", it) for it in names]


def _named(answer: bytes, names: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    with suppress(ValueError):
        for item in json.loads(answer or b"[]"):
            digest = str(item["Id"])
            whole = digest if digest.startswith("sha256:") else f"sha256:{digest}"
            for tag in item.get("RepoTags") or item.get("NamesHistory") or ():
                if tag in names:
                    found[tag] = whole
    return found


def _hand_over(layout: Layout, engine: Engine, images: Sequence[Image]) -> None:
    """Send an archive through the client's standard input."""
    with subprocess.Popen(  # noqa: S603  # the engine's client, our own words
        engine.command("load"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=dict(engine.env),
    ) as popen:
        if popen.stdin is None or popen.stderr is None:
            raise SeamError("a load is started with pipes")
        try:
            _send(layout, images, popen.stdin)
        except BrokenPipeError:
            pass  # the client says why below
        except BaseException:
            popen.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                popen.stdin.close()
        told = popen.stderr.read().decode("utf-8", "replace").strip()
    if popen.returncode:
        raise SeamError(
            f"{engine.name}: cannot load {layout.path}: {told or f'exit code {popen.returncode}'}"
        )


def _send(layout: Layout, images: Sequence[Image], out: IO[bytes]) -> None:
    if layout.path.is_dir():
        layout.write_archive(out, images)
        return
    with layout.path.open("rb") as file:
        shutil.copyfileobj(file, out)
