"""What of a task is held out, in the forms in which it can turn up elsewhere."""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import attrs

from shipbar.gates.fragments import Fragments, code_tokens, tokens, views
from shipbar.gates.tells import PATH, TEST, Tells, invented_names, modules_of
from shipbar.gates.trial import Files, Trial
from shipbar.grading.tasks import CACHES, SPECIFICATION

LEAST_FILE = 16
"""Bytes from which on a file is known by its digest."""
ELSEWHERE = 32
"""Windows that a file of a base image may share with one held-out file, less one."""
NAMES = 2
"""Names that make a file of a base image speak of the task; one of them is its alone."""
_TEXT = re.compile(rb"[\t\n\r -~]{40,}")
_ORDER = ("grader/reference/", "grader/tests/", "grader/known_bad/")


@attrs.frozen(kw_only=True)
class HeldOut:
    """What no solver may see of one task."""

    specification: bytes
    """What a solver does see."""
    tells: Tells
    """Words that give it away."""
    fragments: Fragments
    """Pieces of it."""
    digests: Mapping[str, str]
    """Whole files of it: what each is, by SHA-256."""
    names: tuple[str, ...]
    """Names that stand in this task alone; the package's is the first."""
    symbols: tuple[str, ...]
    """Public names of the package, which others may have as well."""
    modules: tuple[str, ...]
    """Modules of its upstream."""
    sdist: tuple[str, ...]
    """The upstream's distribution and file name; empty for an invented task."""

    @classmethod
    def of(cls, trial: Trial, upstream: Files) -> "HeldOut":
        """Collect it from a task and the files of its upstream's sdist, none if it has none."""
        pin = trial.task.contract.upstream_sdist
        library = "" if pin is None else f"the upstream's {pin.name}/"
        held = {
            **_own(trial.task.folder),
            **{f"{library}{path}": data for path, data in upstream.items()},
        }
        fragments = Fragments()
        for home, data in held.items():
            if home.endswith(".py"):
                fragments.add(home, code_tokens(data.decode("utf-8", "replace")))
            elif not library or not home.startswith(library):
                # Of the upstream its code alone: licences stand in every image.
                fragments.add(home, tokens(data.decode("utf-8", "replace")))
        digests: dict[str, str] = {}
        for home, data in held.items():
            if len(data) >= LEAST_FILE:
                digests.setdefault(sha256(data).hexdigest(), home)
        return cls(
            specification=(trial.task.folder / SPECIFICATION).read_bytes(),
            tells=Tells(trial),
            fragments=fragments,
            digests=digests,
            names=invented_names(trial),
            symbols=trial.task.contract.public_symbols,
            modules=modules_of(upstream) if upstream else (),
            sdist=() if pin is None else (pin.name, pin.file),
        )

    def in_own(self, data: bytes) -> list[str]:
        """Return what a file that the task itself shows gives away."""
        found = []
        for way, view in views(data):
            text = view.decode("utf-8", "replace")
            said = [*self._whole(view), *self.tells.within(text)]
            if not said:
                its = tokens(text)
                said += [
                    f"a piece of {home}: `{self.fragments.first(its)}`"
                    for home, _ in self.fragments.found(its).most_common(1)
                ]
            found += [f"{it} {way}".strip() for it in said]
        return found

    def in_other(self, data: bytes, words: Mapping[bytes, str]) -> list[str]:
        """Return what a file that was there before the task gives away.

        Args:
            data: its content.
            words: which of `words` may be in it.
        """
        found = []
        for way, view in views(data):
            mine = words if view is data else self.words()
            said = [*self._whole(view), *_said(view, mine)]
            if not said:
                # Of what is no text, the texts in it.
                text = b"\n".join(_TEXT.findall(view)) if b"\0" in view else view
                its = tokens(text.decode("utf-8", "replace"))
                said += [
                    f"{count} pieces of {home}"
                    for home, count in self.fragments.found(its).items()
                    if count >= ELSEWHERE
                ]
            found += [f"{it} {way}".strip() for it in said]
        return found

    def words(self) -> dict[bytes, str]:
        """Return the words that no file may hold that was there before the task."""
        told = {
            phrase.encode(): f"{what} `{phrase}`"
            for phrase, what in self.tells.phrases.items()
            if what != TEST and (what != PATH or "/" in phrase or "test_" in phrase)
        }
        names = {
            **{name.encode(): SYMBOL for name in self.symbols},
            **{name.encode(): NAME for name in self.names},
        }
        inside = {
            f"{name}{sign}".encode(): f"a module of {name}"
            for name in self.names[:1]
            for sign in ("/", "._")
        }
        return {self.tells.canary.encode(): "the canary", **told, **names, **inside}

    def _whole(self, data: bytes) -> Iterator[str]:
        home = self.digests.get(sha256(data).hexdigest())
        if home is not None:
            yield f"the whole of {home}"


NAME, SYMBOL = "a name that stands in this task alone", "a name of its package"


def _said(data: bytes, words: Mapping[bytes, str]) -> list[str]:
    hits = {word: what for word, what in words.items() if word in data}
    names = [word.decode() for word, what in hits.items() if what in (NAME, SYMBOL)]
    found = [what for what in hits.values() if what not in (NAME, SYMBOL)]
    if len(names) >= NAMES and NAME in hits.values():
        found.append(f"names that stand in this task alone, {', '.join(names)}")
    return found


def _own(folder: Path) -> dict[str, bytes]:
    """Return every file of a task but what a solver sees, the telling ones first."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (
            path.is_file()
            and not CACHES & set(path.parts)
            and name.partition("/")[0] == "grader"
        ):
            found[name] = path.read_bytes()
    return dict(sorted(found.items(), key=_rank))


def _rank(item: tuple[str, bytes]) -> tuple[int, str]:
    name = item[0]
    starts = [name.startswith(it) for it in _ORDER]
    return starts.index(True) if any(starts) else len(_ORDER), name
