"""Gymnasium's own checker on a served benchmark in a browser, made by its registered name."""

import asyncio
import warnings
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import heldout
import heldout.gym
from api.cli.baselines.throwaway import throwaway, unlimited
from envs import registry
from packs.read import read_pack

pytestmark = pytest.mark.browser
PACK = Path(__file__).parents[2] / "benchmarks" / "demo-forms"


def _checked(address: str, key: str) -> None:
    assert "heldout/demo-forms" in heldout.gym.register(partial(heldout.Client, api_key=key, base_url=address))
    env = gymnasium.make("heldout/demo-forms", split="dev", screenshot=True)
    with warnings.catch_warnings():
        # It warns of spaces that are not its own, such as texts of any characters.
        warnings.simplefilter("ignore", UserWarning)
        check_env(env.unwrapped)
    first, _ = env.reset(seed=5)
    again, _ = env.reset(seed=5)
    other, _ = env.reset()
    assert first["text"] == again["text"] != other["text"]
    assert first["screenshot"].std() > 0
    assert np.array_equal(first["screenshot"], again["screenshot"])
    env.close()


async def test_the_checker_finds_nothing(has_chromium: None) -> None:
    async with throwaway(unlimited(read_pack(PACK, registry))) as running:
        await asyncio.to_thread(_checked, f"http://127.0.0.1:{running.instance.port}", running.key)
