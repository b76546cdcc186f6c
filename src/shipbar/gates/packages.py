"""A task's reference as the gates change it: what is imported, by paths that stay the same."""

from pathlib import Path

from shipbar.errors import UserError
from shipbar.gates.base import CannotRunError
from shipbar.grading.install import Install, Installed, install
from shipbar.grading.intake import take_in
from shipbar.grading.tasks import Task
from shipbar.ports import Sandbox


def installed_reference(task: Task, sandbox: Sandbox, work: Path) -> Installed:
    """Install a task's reference as a grade would.

    Raises:
        CannotRunError: it cannot be installed, or is not importable.
        SandboxError: the sandbox in which to build did not start.
    """
    path = task.folder / task.contract.reference_install
    try:
        package = install(take_in(path), task.contract, Install.AUTO, sandbox, work)
    except UserError as why:
        raise CannotRunError(f"{path} cannot be installed: {why}") from why
    if package.root is None:
        raise CannotRunError(
            f"{path} holds no package {task.contract.import_name}: run the gate `reference` first"
        )
    return package


def modules_of(package: Installed, import_name: str) -> dict[str, bytes]:
    """Return the files of an installed package that are imported, by their paths in it."""
    base = f"{package.root}/" if package.root else ""
    name = base + import_name.replace(".", "/")
    return {
        path: data
        for path, data in package.files.items()
        if path == f"{name}.py" or path.startswith(f"{name}/")
    }
