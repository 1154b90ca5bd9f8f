"""YAML of formats that keep code beside it: tags like `!function` are read as what they name, and nothing is run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MOST_BYTES = 5_000_000


@dataclass(frozen=True)
class Tagged:
    """A value with a tag of its own, such as `!function utils.process`."""

    tag: str
    value: str

    def __str__(self) -> str:
        return f"{self.tag} {self.value}"


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping that a YAML file holds. Raises ValueError with the file's name for anything else."""
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"{path.name} has more than {_MOST_BYTES} bytes")
    try:
        return read_yaml_text(path.read_text(encoding="utf-8"), path.name)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8") from error


def read_yaml_text(text: str, name: str) -> dict[str, Any]:
    """The mapping that YAML holds; `name` is said in errors. Raises ValueError for anything else."""
    try:
        import yaml
    except ModuleNotFoundError as error:
        raise ValueError(f"{name}: YAML needs one more package: pip install pyyaml") from error

    class Loader(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            # An alias repeats what it names, so that a few lines could stand for gigabytes.
            if self.check_event(yaml.AliasEvent):
                raise ValueError(f"{name}: write repeated values out; aliases (*name) are not read")
            return super().compose_node(parent, index)

    def tagged(_: Any, suffix: str, node: Any) -> Tagged:
        return Tagged(f"!{suffix}", str(getattr(node, "value", "")))

    Loader.add_multi_constructor("!", tagged)
    try:
        found = yaml.load(text, Loader=Loader)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"{name} is no YAML: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{name}: there is no mapping at its top")
    return found
