"""Play on real sites in tests: what is needed is installed at the first use, or the test is skipped with the reason."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from api.admission import policies
from envs.base import Action, Observation, Probe, StepResult
from envs.web_sites import install
from envs.web_sites.environment import WebSites
from envs.web_sites.site import site

SEED = 11
SEEN: WeakKeyDictionary[WebSites, Observation] = WeakKeyDictionary()


async def ready(*names: str, seed: int = SEED) -> None:
    """Have the small content of these sites, or skip."""
    for name in names:
        try:
            await install.template(site(name), seed, "small")
        except install.SiteUnavailableError as error:
            pytest.skip(f"the site '{name}' cannot be installed here: {error}")


async def begin(*names: str, seed: int = SEED, session: int = 0, **spec: Any) -> WebSites:
    """An episode on the small content of these sites."""
    await ready(*names, seed=seed)
    world = WebSites()
    assert isinstance(world, WebSites)
    start = {"sites": list(names), "seed": seed, "size": "small", "whole_page": True, "timeout": 300.0}
    SEEN[world] = await world.reset(start | spec, session)
    return world


async def act(world: WebSites, *texts: str) -> StepResult:
    """Take the actions, their places filled in from what is seen; every one of them must succeed."""
    result = StepResult(observation=SEEN[world])
    for text in texts:
        action = policies.resolve(Action(text=text), SEEN[world])
        result = await world.step(action)
        SEEN[world] = result.observation
        assert result.error is None, (text, action.text, result.error, result.observation.text)
    return result


async def probed(world: WebSites, *probes: tuple[str, dict[str, Any]]) -> Sequence[Any]:
    """The values that probes of these kinds and arguments see."""
    named = [Probe(name=f"p{place}", type=kind, arguments=given) for place, (kind, given) in enumerate(probes)]
    seen = await world.probe(named)
    assert not any(one.error for one in seen), seen
    return [one.value for one in seen]
