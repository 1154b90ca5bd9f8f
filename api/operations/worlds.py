"""`config check`: the files and folders that live environments are given by variables. What is not set is left out."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from api.operations.check import Check


def examine() -> Iterator[Check]:
    """A check for each variable that is set."""
    for variable, check in _CHECKS.items():
        if named := os.environ.get(variable):
            yield check(Path(named))


def _browser(file: Path) -> Check:
    name, remedy = (
        "browser",
        "HELDOUT_CHROMIUM is the path of Chromium's executable file; unset: the machine's is taken",
    )
    if not file.is_file():
        return Check(name, f"{file.absolute()} is {'no file' if file.exists() else 'not there'}", remedy)
    if not os.access(file, os.X_OK):
        return Check(name, f"{file.absolute()} is no file that this user may execute", remedy)
    return Check(name, f"{file.absolute()}")


def _images(folder: Path) -> Check:
    name = "images"
    if fault := _folder_fault(folder):
        return Check(name, fault, "HELDOUT_IMAGES is the folder into which `make images` built; unset: .heldout/images")
    names = sorted(root.parent.name for root in folder.glob("*/rootfs"))
    return Check(name, f"{folder.absolute()} holds {', '.join(names) or 'none yet: make images'}")


def _form_libraries(folder: Path) -> Check:
    """Pages are served without a library that is not there, and look and act otherwise."""
    from envs.web_forms.libraries import RULES

    name = "form libraries"
    remedy = "HELDOUT_FORM_LIBRARIES is the folder node_modules that `make form-libraries` makes in infra/forms"
    if fault := _folder_fault(folder):
        return Check(name, fault, remedy)
    files = {file.format(kind="js") for _, file in RULES}
    missing = sorted(file for file in files if not (folder / file).is_file())
    if missing:
        return Check(name, f"{folder.absolute()} lacks {len(missing)} of {len(files)} files: {missing[0]}, ...", remedy)
    return Check(name, f"{folder.absolute()}")


def _external_sites(file: Path) -> Check:
    from envs.base import SpecError
    from envs.web_sites.external.spec import read

    try:
        return Check("external sites", ", ".join(read(file)))
    except SpecError as error:
        return Check("external sites", str(error), "HELDOUT_SITES_FILE is a TOML file of [sites.NAME], docs/sites.md")


def _folder_fault(folder: Path) -> str:
    if not folder.is_dir():
        return f"{folder.absolute()} is {'no folder' if folder.exists() else 'not there'}"
    return "" if os.access(folder, os.R_OK | os.X_OK) else f"{folder.absolute()} is no folder that this user may read"


_CHECKS: dict[str, Callable[[Path], Check]] = {
    "HELDOUT_CHROMIUM": _browser,
    "HELDOUT_IMAGES": _images,
    "HELDOUT_FORM_LIBRARIES": _form_libraries,
    "HELDOUT_SITES_FILE": _external_sites,
}
