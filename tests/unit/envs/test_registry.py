"""Environments are found by their entry points, imported late, and what is wrong with one is said by its name."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from envs import engine, registry
from envs.base import SpecError
from envs.definition import EnvironmentDefinition
from envs.echo.environment import Echo
from envs.echo.spec import EchoSpec
from tests.support.installing import install_metadata

Install = Callable[..., None]
OURS = [
    "card_game",
    "database",
    "echo",
    "household",
    "knowledge_graph",
    "lateral_thinking",
    "openenv",
    "operating_system",
    "web_browsing",
    "web_forms",
    "web_shopping",
    "web_shopping_site",
    "web_sites",
]
LATE = ("playwright", "pymysql", "pyoxigraph", "tantivy", "docker", "envs.browser.chromium", "envs.echo.environment")
WORLD = """
from envs.definition import EnvironmentDefinition
from envs.echo.environment import Echo
from envs.echo.spec import EchoSpec
ENVIRONMENT = EnvironmentDefinition(name="parrot", spec=EchoSpec, create=Echo)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a distribution of one module for one test: its name, its source, and its environment with its object."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "loaded", {})

    def install(distribution: str, source: str, environment: str, target: str = "ENVIRONMENT") -> None:
        module = distribution.replace("-", "_")
        monkeypatch.delitem(sys.modules, module, raising=False)
        (tmp_path / f"{module}.py").write_text(source)
        install_metadata(tmp_path, distribution, "1.0", {registry.GROUP: {environment: f"{module}:{target}"}})
        registry.entry_points_by_name.cache_clear()

    yield install
    registry.entry_points_by_name.cache_clear()


def test_ours_are_found_and_each_forbids_unknown_fields() -> None:
    assert registry.names() == OURS
    for name in OURS:
        definition = registry.find(name)
        assert definition.name == name
        assert definition.probes


def test_a_definition_imports_no_browser_and_no_driver() -> None:
    code = (
        "import sys; from envs import registry; "
        "[registry.find(name) for name in registry.names()]; "
        f"print([late for late in {LATE!r} if late in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_another_distribution_adds_one(install: Install) -> None:
    install("parrot-world", WORLD, "parrot")
    assert registry.names() == sorted([*OURS, "parrot"])
    assert isinstance(registry.create("parrot"), Echo)


def test_an_unknown_one_is_told_with_those_that_are_known() -> None:
    with pytest.raises(
        registry.UnknownEnvironmentError, match="unknown environment 'databse'; known: card_game, database, echo"
    ):
        registry.create("databse")
    assert issubclass(registry.UnknownEnvironmentError, SpecError)


def test_two_distributions_with_one_name_are_told_and_neither_is_taken(install: Install) -> None:
    install("parrot-world", WORLD, "parrot")
    install("other-parrots", WORLD, "parrot")
    with pytest.raises(registry.PluginError, match=r"'parrot' is declared by other-parrots 1\.0 and parrot-world 1\.0"):
        registry.create("parrot")
    assert isinstance(registry.create("echo"), Echo)


def test_nobody_can_take_the_name_of_one_of_ours(install: Install) -> None:
    install("parrot-world", WORLD.replace('"parrot"', '"echo"'), "echo")
    with pytest.raises(registry.PluginError, match=r"heldout-server .* and parrot-world 1\.0; uninstall all but one"):
        registry.create("echo")


@pytest.mark.parametrize(
    ("source", "point", "words"),
    [
        ("import nothing_of_this_name", "ENVIRONMENT", "cannot be loaded: ModuleNotFoundError: .*nothing_of_this_name"),
        ("raise RuntimeError('no luck')", "ENVIRONMENT", "cannot be loaded: RuntimeError: no luck"),
        (WORLD, "ENVIROMENT", "cannot be loaded: AttributeError"),
        (WORLD, "EchoSpec", "is no EnvironmentDefinition"),
        (WORLD.replace('"parrot"', '"budgie"'), "ENVIRONMENT", "named 'budgie'"),
    ],
)
def test_a_broken_one_is_told_when_it_is_asked_for(install: Install, source: str, point: str, words: str) -> None:
    install("parrot-world", source, "parrot", point)
    assert "parrot" in registry.names()
    assert isinstance(registry.create("echo"), Echo)
    with pytest.raises(registry.PluginError, match=rf"'parrot' of parrot-world 1\.0 \(.*{words}"):
        registry.create("parrot")


def test_models_that_let_unknown_fields_pass_are_refused() -> None:
    class Lax(BaseModel):
        steps: int = 1

    with pytest.raises(ValueError, match="Lax of the environment 'lax' needs extra='forbid'"):
        EnvironmentDefinition(name="lax", spec=Lax, create=Echo)
    with pytest.raises(ValueError, match="Lax"):
        EnvironmentDefinition(name="lax", spec=EchoSpec, probes={"log": Lax}, create=Echo)


def test_the_image_that_a_release_records_is_a_named_one() -> None:
    for name, spec in (("operating_system", {"problem": "p"}), ("database", {"problem": "p", "tables": [TABLE]})):
        assert registry.image(name, spec) is None
        assert registry.image(name, spec | {"image": "host"}) is None
        assert registry.image(name, spec | {"image": "owners/machine:2"}) == "owners/machine:2"
    assert registry.image("operating_system", {"problem": "p", "image": "ubuntu"}) is None
    assert registry.image("echo", {}) is None


TABLE = {"name": "t", "columns": ["a"]}


async def test_closing_ends_what_was_created_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    def world(name: str) -> EnvironmentDefinition[EchoSpec]:
        async def close() -> None:
            closed.append(name)

        return EnvironmentDefinition(name=name, spec=EchoSpec, create=Echo, close=close)

    monkeypatch.setattr(registry, "loaded", {name: world(name) for name in ("played", "unplayed")})
    registry.create("played")
    await registry.close()
    assert closed == ["played"]
    assert engine.made() is None
