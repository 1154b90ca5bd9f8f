"""Distributions installed into a folder as an installer leaves them there, without a network or a build."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

EXAMPLE = Path(__file__).parent / "example_plugin"


def install_project(project: Path, site: Path) -> None:
    """The packages of a project, and the metadata that its pyproject.toml declares, into the folder `site`."""
    declared = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    for package in project.iterdir():
        if (package / "__init__.py").is_file():
            shutil.copytree(package, site / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    install_metadata(site, declared["name"], declared["version"], declared["entry-points"])


def install_metadata(site: Path, name: str, version: str, entry_points: Mapping[str, Mapping[str, str]]) -> None:
    """The metadata of a distribution alone: entry points by group and name."""
    folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = (
        f"[{group}]\n" + "".join(f"{point} = {value}\n" for point, value in points.items())
        for group, points in entry_points.items()
    )
    (folder / "entry_points.txt").write_text("\n".join(groups))
