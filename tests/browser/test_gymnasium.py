"""Gymnasium's own checker on a served benchmark in a browser, made by its registered name."""

import asyncio
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import heldout
import heldout.gym
from api.cli.baselines.throwaway import throwaway, unlimited
from envs import registry
from envs.web_sites import generator
from packs.read import read_pack
from tests.browser.site_play import ready
from tests.support.scratch import scratch

pytestmark = pytest.mark.browser
PACKS = Path(__file__).parents[2] / "benchmarks"


def _made(name: str, address: str, key: str) -> gymnasium.Env[Any, Any]:
    """The environment, which Gymnasium's checker has been through."""
    assert f"heldout/{name}" in heldout.gym.register(partial(heldout.Client, api_key=key, base_url=address))
    env = gymnasium.make(f"heldout/{name}", split="dev", screenshot=True)
    with warnings.catch_warnings():
        # It warns of spaces that are not its own, such as texts of any characters.
        warnings.simplefilter("ignore", UserWarning)
        check_env(env.unwrapped)
    return env


def _form(address: str, key: str) -> None:
    env = _made("demo-forms", address, key)
    first, _ = env.reset(seed=5)
    again, _ = env.reset(seed=5)
    other, _ = env.reset()
    assert first["text"] == again["text"] != other["text"]
    assert first["screenshot"].std() > 0
    assert np.array_equal(first["screenshot"], again["screenshot"])
    env.close()


def _two_sites(address: str, key: str) -> None:
    env = _made("demo-web", address, key)
    seen, _ = env.reset(seed=5)
    assert "Tab 0 (current): All products" in seen["text"]
    seen, *_ = env.step("tab_focus [1]")
    assert "Tab 1 (current): Home" in seen["text"]
    assert seen["screenshot"].std() > 0
    env.close()


async def test_the_checker_finds_nothing(has_chromium: None) -> None:
    async with throwaway(unlimited(read_pack(PACKS / "demo-forms", registry)), place=scratch()) as running:
        await asyncio.to_thread(_form, f"http://127.0.0.1:{running.instance.port}", running.key)


async def test_the_checker_finds_nothing_on_two_sites_in_two_tabs(has_chromium: None) -> None:
    await ready("shop", "tools", seed=generator.SEED, size="full")
    whole, task = read_pack(PACKS / "demo-web", registry), "price-on-a-note-1"
    problems = tuple(problem for problem in whole.problems if problem.id == task)
    pack = replace(whole, problems=problems, references=(whole.reference_by_id[task],))
    async with throwaway(unlimited(pack), place=scratch()) as running:
        await asyncio.to_thread(_two_sites, f"http://127.0.0.1:{running.instance.port}", running.key)
