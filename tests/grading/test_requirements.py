import pickle
import time
import tracemalloc
from contextlib import suppress

import pytest

from shipbar.errors import IntakeError, RequirementError
from shipbar.grading import intake, requirements
from shipbar.grading.intake import take_in
from shipbar.grading.requirements import check_declared, check_metadata
from tests.grading.packing import TREE, tar_of, write

ADDRESS = "https:" + "//e.org/a"
"""What must be refused, in two parts, so that no file of ours names an address."""


def declare(name, text):
    data = text if isinstance(text, bytes) else text.encode()
    check_declared({**TREE, name: data}, "solution")


def test_a_folder_that_declares_a_dependency_is_refused(tmp_path):
    project = b'[project]\nname = "roman"\ndependencies = ["requests>=2"]\n'
    folder = write(tmp_path / "s", {**TREE, "pyproject.toml": project})
    with pytest.raises(
        RequirementError, match=r"s: pyproject.toml: depends on 'requests"
    ):
        take_in(folder)


def test_an_sdist_that_declares_a_dependency_is_refused(tmp_path):
    records = b"Metadata-Version: 2.4\nName: roman\nRequires-Dist: requests\n"
    path = tmp_path / "roman-1.0.tar"
    path.write_bytes(tar_of({**TREE, "PKG-INFO": records}, "roman-1.0/"))
    with pytest.raises(RequirementError, match="PKG-INFO: depends on 'requests'"):
        take_in(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", 'project.dependencies = ["requests"]'),
        ("pyproject.toml", f'[project]\ndependencies = ["json", "a @ {ADDRESS}"]'),
        ("pyproject.toml", f'[project]\ndependencies = ["json @ {ADDRESS}"]'),
        ("pyproject.toml", '[project]\ndependencies = ["../upstream"]'),
        ("pyproject.toml", "[project]\ndependencies = [\"a; python_version < '3.8'\"]"),
        ("pyproject.toml", "[project]\ndependencies = [\"a; extra != 'x'\"]"),
        ("pyproject.toml", "[project]\ndependencies = [\"a; extra == ''\"]"),
        (
            "pyproject.toml",
            '[project]\ndependencies = [\'a; os_name ~= "\\" and extra == "x"\']',
        ),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = '^3'\nrequests = '*'"),
        ("pyproject.toml", "[tool.poetry.dependencies]\na = {path = '../a'}"),
        ("setup.cfg", "[options]\ninstall_requires = requests"),
        (
            "setup.cfg",
            "[options]\ninstall_requires =\n  json\n\n  # note\n  requests\n",
        ),
        ("setup.cfg", "[OPTIONS]\n[options]\nInstall_Requires: a>=1,<2"),
        ("setup.cfg", "[options]\ninstall_requires = file: requirements.txt"),
        ("setup.cfg", "[options]\r\n  install-requires =\r\n    requests\r\n"),
        ("setup.cfg", "[DEFAULT]\ninstall_requires = requests\n[options]\n"),
        ("PKG-INFO", "Name: x\r\nrequires-dist:\r\n  requests\r\n\r\ntext"),
        ("PKG-INFO", "Requires-Dist: a; extra == 'x' or os_name == 'posix'\n\n"),
        ("PKG-INFO", "Requires-Dist: " + "a" * 5000),
        ("PKG-INFO", "Requires-Dist: a; " + "(" * 500 + "extra == 'x'" + ")" * 500),
        ("PKG-INFO", "\ufeffRequires-Dist: a\n"),
    ],
    ids=range(21),
)
def test_i05_dependencies_are_refused(name, text):
    with pytest.raises(RequirementError, match=f"^solution: {name}: depends on ") as it:
        declare(name, text)
    assert len(str(it.value)) < 300


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project]\nname = 'x'\ndependencies = []"),
        ("pyproject.toml", "\ufeff[project]\r\nname = 'x'\r\n"),
        ("pyproject.toml", "[project]\ndependencies = ['json', 'dataclasses>=0.8']"),
        ("pyproject.toml", "[project]\noptional-dependencies.dev = ['pytest']"),
        ("pyproject.toml", "[build-system]\nrequires = ['hatchling']"),
        ("pyproject.toml", "[dependency-groups]\ndev = ['pytest']"),
        ("pyproject.toml", "[project]\ndynamic = ['dependencies']"),
        ("pyproject.toml", "[tool.poetry.dependencies]\nPython = '^3.11'"),
        ("pyproject.toml", "[tool.poetry.dependencies]\na = {optional = true}"),
        ("pyproject.toml", "[tool.poetry.group.dev.dependencies]\npytest = '*'"),
        ("setup.cfg", "[options]\npackages = find:\n[options.extras_require]\nx = a"),
        ("setup.cfg", "[metadata]\nname = x\nversion = %(oddity\n"),
        ("setup.cfg", "[options]\ninstall_requires ="),
        ("setup.cfg", "[options]\npackages =\n  install_requires = a\n"),
        ("setup.cfg", "[other]\ninstall_requires = a\nno section, no key"),
        ("PKG-INFO", "Name: x\nRequires-Dist: a; extra == 'dev'\n\nRequires-Dist: b"),
        (
            "PKG-INFO",
            'Requires-Dist: a; (os_name == "nt" or os_name ~= "x") and extra == "Dev"',
        ),
        ("PKG-INFO", "Requires-Dist: a; extra == 'x' or 'y' == extra"),
        ("requirements.txt", "requests"),
        ("setup.py", "setup(install_requires=['requests'])"),
        ("docs/pyproject.toml", "[project]\ndependencies = ['requests']"),
    ],
    ids=range(21),
)
def test_what_is_no_dependency_passes(name, text):
    declare(name, text)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("pyproject.toml", "[project]\nname = \n", "not valid TOML.*line 2"),
        ("pyproject.toml", b"[project]\nname = '\xff'", "toml:2: not UTF-8"),
        ("pyproject.toml", "a = " + "[" * 20_000, "not valid TOML"),
        ("pyproject.toml", "a = " + "9" * 5000, "not valid TOML"),
        ("pyproject.toml", "project = 1", "project is a table"),
        ("pyproject.toml", "[project]\ndependencies = 'a'", "is a list of strings"),
        ("pyproject.toml", "[project]\ndependencies = [1]", "is a list of strings"),
        ("pyproject.toml", "tool.poetry = []", "tool.poetry is a table"),
        ("pyproject.toml", "#" * 200_000, "longer than 131072 bytes"),
        ("pyproject.toml", "\n" + ".a" * 101, "toml:2: more than 100 dots"),
        ("PKG-INFO", "X: y\n" * 30_000, "headers longer than 131072"),
    ],
    ids=range(11),
)
def test_project_files_that_cannot_be_read(name, text, why):
    with pytest.raises(IntakeError, match=why) as caught:
        declare(name, text)
    assert not isinstance(caught.value, RequirementError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "\n".join(f"a{n}" + ".a" * 100 + "=1" for n in range(600))),
        ("pyproject.toml", "\n".join("['" + "a" * 200 + f"{n}']" for n in range(600))),
        ("setup.cfg", "[a]\n" + ("b" + " " * 1990 + "c\n") * 60),
        ("PKG-INFO", "Requires-Dist: a; extra=='x'\n" * 4500),
    ],
    ids=["keys", "tables", "spaces", "fields"],
)
def test_hostile_project_files_cost_little(name, text):
    tracemalloc.start()
    began = time.process_time()
    with suppress(IntakeError):
        declare(name, text)
    took, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took < 20  # under tracing, on a busy machine; unbounded it is minutes
    assert peak < 100 * 1024 * 1024


def test_what_a_build_declares_is_refused():
    records = b"Metadata-Version: 2.4\nRequires-Dist: requests\n"
    with pytest.raises(RequirementError, match=r"roman-1.dist-info/METADATA: depends"):
        check_metadata({**TREE, "roman-1.dist-info/METADATA": records})


def test_a_build_without_dependencies_passes():
    check_metadata(
        {
            "roman-1.dist-info/METADATA": b"Name: roman\nRequires-Dist: a; extra == 'x'\n",
            "roman/METADATA": b"Requires-Dist: requests\n",
            "roman/x.dist-info/METADATA": b"Requires-Dist: requests\n",
        }
    )


def test_intake_knows_every_declaring_file():
    assert intake._DECLARING == requirements.DECLARING


def test_a_submission_goes_to_other_processes(tmp_path):
    taken = take_in(write(tmp_path / "s", TREE))
    assert pickle.loads(pickle.dumps(taken)) == taken
