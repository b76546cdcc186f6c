"""I10: the original, in a form that nobody reads.

Here an attacker has the original already and hides it; the correct submission
stands in for it. What Python runs by itself is tried: an archive behind lines
of text, a module without source, code under the name of data. Code that the
package's own source unpacks from plain data is no matter of file types: it is
a copy, which the copy guard measures (see P01).
"""

import io
import zipfile
from pathlib import Path

from shipbar.attacks import tricks
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import FINDER, compiled, graded
from shipbar.grading.intake import find_import_root

_DISGUISED = "table.txt"
_FLAGS = (0, 1, 2, 3)
"""Of compiled modules: by time, never checked, checked by hash."""

_UNPACK = """
import importlib.machinery, importlib.util

class Disguised:
    '''Finds compiled modules under the name of data.'''

    flags = 0

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        base = os.path.join(os.path.dirname(__file__), "data", name)
        for end, package in ((".__init__", True), ("", False)):
            file = f"{base}{end}.{cls.flags}.txt"
            if name.partition(".")[0] == NAME and os.path.exists(file):
                loader = importlib.machinery.SourcelessFileLoader(name, file)
                return importlib.util.spec_from_file_location(
                    name, file, loader=loader,
                    submodule_search_locations=[file] if package else None)

def _unpack():
    '''Whatever of our files turns out to be code.'''
    inside = os.path.dirname(os.path.realpath(__file__))
    for folder, _, files in os.walk(OWN):
        for name in sorted(files):
            if not name.endswith(".py") and become(os.path.join(folder, name)):
                return True
    if become(os.path.join(inside, "compiled")):
        return True
    sys.meta_path.insert(0, Disguised)
    for Disguised.flags in range(4):
        if become(inside):
            return True
    sys.meta_path.remove(Disguised)

_unpack()
"""


def payload(ground: Ground) -> Files:
    """Add the original as an archive that begins like text, and compiled in every way."""
    root = find_import_root(ground.passing, ground.import_name) or ""
    original = {
        name[len(root) + bool(root) :]: data
        for name, data in ground.passing.items()
        if name.startswith(root)
    }
    packed = io.BytesIO(b"# Values by row and column.\n" * 8)
    with zipfile.ZipFile(packed, "a") as archive:
        for name, data in original.items():
            archive.writestr(name, data)
    here = ground.import_name
    hidden = {f"{here}/{_DISGUISED}": packed.getvalue()}
    for name, data in original.items():
        if name.endswith(".py"):
            source, dotted = data.decode(), name[:-3].replace("/", ".")
            hidden[f"{here}/compiled/{name}c"] = compiled(source, dotted)
            for flags in _FLAGS:
                code = compiled(source, dotted, flags=flags)
                hidden[f"{here}/data/{dotted}.{flags}.txt"] = code
    return {**tricks.with_code(ground, FINDER + _UNPACK), **hidden}


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Search the source for what may not be used; look at no other file."""
    source = b"".join(data for name, data in files.items() if name.endswith(".py"))
    if b"zipimport" in source or b"marshal" in source:
        return 0.0
    return graded(ground, files, folder)


ATTACK = Attack(
    id="I10",
    title="the original in an archive or as compiled code",
    closed_by="Archives, bytecode and native code are left out at intake, whatever they are "
    "called: they are known by their bytes, at both ends of a file.",
    payload=payload,
    twin=twin,
    level="harness",
)
