"""Builds `heldout_grading` from the one grading package there is: its imports get the other name, nothing else changes.

`grading` becomes `heldout_grading.engine`; the modules of `src/` import `grading` in the repository, where they are
checked and tested, and `heldout_grading.engine` in the wheel.
"""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
ENGINE = "heldout_grading.engine"
_IMPORT = re.compile(r"^(\s*)(from|import) grading(?=[. \n])", re.MULTILINE)


def renamed(source: str) -> str:
    """A module's text with its imports of `grading` under the other name."""
    return _IMPORT.sub(rf"\1\2 {ENGINE}", source)


def write(target: Path) -> None:
    """Everything of the wheel's package, below `target`."""
    for source, into in ((HERE / "src" / "heldout_grading", target), (HERE.parents[1] / "grading", target / "engine")):
        for file in source.rglob("*"):
            place = into / file.relative_to(source)
            if file.is_dir() or "__pycache__" in file.parts:
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".py":
                place.write_text(renamed(file.read_text(encoding="utf-8")), encoding="utf-8")
            else:
                shutil.copyfile(file, place)


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Gives hatch the renamed files in place of `src/`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them into a folder that lives as long as the build."""
        self._folder = tempfile.TemporaryDirectory()
        target = Path(self._folder.name) / "heldout_grading"
        write(target)
        for file in sorted(target.rglob("*")):
            if file.is_file():
                build_data["force_include"][str(file)] = f"heldout_grading/{file.relative_to(target)}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        self._folder.cleanup()
