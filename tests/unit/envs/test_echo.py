"""The echo environment."""

import pytest

from envs.base import Action, FinishReason, Probe, SpecError, ToolCall
from envs.registry import create


async def test_it_repeats_and_ends() -> None:
    echo = create("echo")
    first = await echo.reset({"greeting": "hello"}, seed=3)
    assert (first.text, [tool.name for tool in first.tools]) == ("hello", ["say", "finish"])
    assert (await echo.step(Action(text="one"))).observation.text == "one"
    last = await echo.step(Action(tool=ToolCall(name="finish", arguments={"answer": "42"})))
    assert (last.finish, last.answer) == (FinishReason.COMPLETED, "42")
    log, unknown = await echo.probe([Probe(name="a", kind="log"), Probe(name="b", kind="file")])
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
