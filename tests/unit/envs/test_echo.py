"""The echo environment."""

import pytest

from envs.base import Action, FinishReason, Observation, Probe, SpecError, StepResult, ToolCall
from envs.registry import create


async def test_it_repeats_and_ends() -> None:
    echo = create("echo")
    first = await echo.reset({"greeting": "hello"}, seed=3)
    assert (first.text, [tool.name for tool in first.tools]) == ("hello", ["say", "finish"])
    assert (await echo.step(Action(text="one"))).observation.text == "one"
    last = await echo.step(Action(tool=ToolCall(name="finish", arguments={"answer": "42"})))
    assert (last.finish, last.answer) == (FinishReason.COMPLETED, "42")
    log, unknown = await echo.probe([Probe(name="a", type="log"), Probe(name="b", type="file")])
    assert log.value == {"actions": ["one", "finish[42]"], "seed": 3}
    assert unknown.fault
    await echo.close()


async def test_it_ends_by_itself_and_refuses_what_it_does_not_know() -> None:
    echo = create("echo")
    await echo.reset({"steps": 1}, seed=0)
    assert (await echo.step(Action(text="one"))).finish is FinishReason.TASK_LIMIT
    assert (await echo.step(Action(tool=ToolCall(name="fly")))).finish is FinishReason.INVALID_ACTION
    with pytest.raises(SpecError):
        await create("echo").reset({"greating": "typo"}, seed=0)


def test_a_reward_is_shown_among_the_data_and_is_finite() -> None:
    seen = Observation(text="a trick", data={"cards": 3})
    assert StepResult(observation=seen).shown() == seen
    assert StepResult(observation=seen, reward=0.5).shown().data == {"cards": 3, "reward": 0.5}
    with pytest.raises(ValueError, match="finite"):
        StepResult(observation=seen, reward=float("nan"))


def test_a_probe_is_written_with_kind_in_json() -> None:
    probe = Probe.model_validate({"name": "a", "kind": "log"})
    assert probe == Probe(name="a", type="log")
    assert probe.model_dump() == {"name": "a", "kind": "log", "arguments": {}}
