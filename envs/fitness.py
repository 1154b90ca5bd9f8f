"""Whether the sandboxes of this machine can do what an episode asks for, looked at before it is built."""

from collections.abc import Mapping, Sequence
from typing import Any

from envs import engine, registry
from envs.base import EpisodeError, Probe, parse_probe, parse_spec


class UnfitSandboxError(EpisodeError):
    """No sandbox of this machine can do what the episode asks for, however often it is tried."""


async def check(environment: str, spec: Mapping[str, Any], probes: Sequence[Probe]) -> None:
    """Raises UnfitSandboxError, and SpecError, PluginError, BackendUnavailableError."""
    definition = registry.find(environment)
    if definition.accounts is None:
        return
    asked = [(probe.name, parse_probe(definition.probes, probe)) for probe in probes]
    if not definition.accounts(parse_spec(definition.spec, spec), asked):
        return
    traits = (await engine.backend()).traits
    if not traits.accounts:
        raise UnfitSandboxError(
            f"the task needs several user ids; a sandbox of the kind '{traits.name}' has one: run the host as root, or "
            "with Docker Engine"
        )
