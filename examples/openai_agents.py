"""An agent of the OpenAI Agents SDK on episodes: the world's tools are its tools; it stops when the episode is over.

Needs `heldout` and `openai-agents`; the settings are those of react.py: python openai_agents.py live-os
"""

import asyncio
import json
import os
import sys
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    FunctionToolResult,
    OpenAIChatCompletionsModel,
    RunContextWrapper,
    Runner,
    ToolsToFinalOutputResult,
    set_tracing_disabled,
)
from agents.exceptions import MaxTurnsExceeded
from openai import AsyncOpenAI

import heldout as sdk
from heldout.evaluation import Reply, Task

set_tracing_disabled(True)


def tools(session: sdk.Session) -> list[FunctionTool]:
    """Each tool of the world as a tool of the agent: calling it is a step of the episode."""

    def made(tool: sdk.Tool) -> FunctionTool:
        async def call(_: Any, arguments: str) -> str:
            action = {"name": tool.name, "arguments": json.loads(arguments or "{}")}
            return (await asyncio.to_thread(session.step, action)).observation.text

        return FunctionTool(tool.name, tool.description, tool.parameters, call, strict_json_schema=False)

    return [made(tool) for tool in session.tools]


def play(task: Task) -> Reply:
    """One episode by the SDK's own loop."""
    session = task.session
    assert session

    def stop(_: RunContextWrapper[Any], results: list[FunctionToolResult]) -> ToolsToFinalOutputResult:
        return ToolsToFinalOutputResult(is_final_output=session.over, final_output=str(results[-1].output))

    async def run() -> int:
        # A client belongs to one event loop, and each episode has a loop of its own.
        async with AsyncOpenAI(base_url=os.environ["MODEL_URL"], api_key=os.environ.get("MODEL_KEY", "none")) as client:
            model = OpenAIChatCompletionsModel(os.environ.get("MODEL", "m"), client)
            agent = Agent(name="agent", tools=list(tools(session)), model=model, tool_use_behavior=stop)
            result = await Runner.run(agent, task.prompt, max_turns=50)
            return result.context_wrapper.usage.total_tokens

    try:
        tokens = asyncio.run(run())
    except MaxTurnsExceeded:
        return Reply(session.answer)
    return Reply(session.answer, sdk.Usage(tokens=tokens))


if __name__ == "__main__":
    outcome = sdk.evaluate(
        play, model="openai-agents@1", benchmark=sys.argv[1], split="dev", out="results", progress=True
    )
    submission = outcome.submission
    print(submission.state, submission.score, dict(outcome.finish_reasons), dict(outcome.errors))
