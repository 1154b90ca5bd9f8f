"""The examples as they stand: each an agent of its own on an episode of live-os, played with a scripted model."""

import asyncio
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from api.cli.baselines.throwaway import throwaway, unlimited
from envs import registry
from packs.pack import Pack
from packs.read import read_pack
from tests.support.models import scripted_model
from tests.support.scratch import scratch

ROOT = Path(__file__).parents[2]
PROGRAMS = os.environ.get("HELDOUT_HARNESSES", "")
EPISODE = "live-os-0000"
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.sandbox,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed (infra/setup.sh)"),
]
installed = pytest.mark.skipif(not PROGRAMS, reason="their frameworks are large: `make test-harnesses` installs them")


def one_episode() -> Pack:
    """A question about files: count the lines that hold a word."""
    pack = read_pack(ROOT / "benchmarks" / "live-os", registry)
    problems = tuple(problem for problem in pack.problems if problem.id == EPISODE)
    references = tuple(line for line in pack.references if line.id == EPISODE)
    return dataclasses.replace(pack, problems=problems, references=references)


def solver(body: dict[str, Any]) -> dict[str, Any]:
    """Counts with grep, then answers with what it saw; by whichever tools it is given, or in words."""
    said = [_text(message) for message in body["messages"]]
    last = str(said[-1])
    seen = re.search(r"^\s*(\d+)\s*$", last, re.MULTILINE) if len(said) > 2 else None
    asked = re.search(r"In the folder (\S+) and everything.*hold '(\w+)'", "\n".join(said), re.DOTALL)
    assert asked
    count = f"grep -rhw --include=*.csv {asked[2]} {asked[1]} | wc -l"
    names = [tool["function"]["name"] for tool in body.get("tools", [])]
    if "bash" in names:
        done = f"echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo {seen[1]}" if seen else count
        return _call(len(said), "bash", command=done)
    if names:
        answer = {"name": "answer_action", "answer": seen[1]} if seen else {"name": "bash_action", "script": count}
        return _call(len(said), **answer)
    text = (
        f"Think: counted.\n\nAct: answer({seen[1]})" if seen else f"Think: I count.\n\nAct: bash\n```bash\n{count}\n```"
    )
    return {"role": "assistant", "content": text}


def _text(message: dict[str, Any]) -> str:
    said = message.get("content") or ""
    return said if isinstance(said, str) else "\n".join(str(part.get("text", "")) for part in said)


def _call(number: int, name: str, **arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
    }


def test_the_loop_is_as_short_as_it_says() -> None:
    assert len((ROOT / "examples" / "react.py").read_text().splitlines()) <= 40


@pytest.mark.parametrize(
    "example",
    [
        "react.py",
        pytest.param("openai_agents.py", marks=installed),
        pytest.param("mini_swe_agent.py", marks=installed),
    ],
)
async def test_an_example_solves_its_episode(tmp_path: Path, example: str) -> None:
    python = sys.executable if example == "react.py" else f"{PROGRAMS}/python"
    async with throwaway(unlimited(one_episode()), place=scratch()) as running, scripted_model(solver) as endpoint:
        variables = {"HELDOUT_BASE_URL": f"http://127.0.0.1:{running.instance.port}", "HELDOUT_API_KEY": running.key}
        variables |= {"MODEL_URL": endpoint, "MODEL_KEY": "sk-scripted", "MSWEA_GLOBAL_CONFIG_DIR": str(tmp_path)}
        process = await asyncio.create_subprocess_exec(
            python,
            str(ROOT / "examples" / example),
            "live-os",
            cwd=tmp_path,
            env=os.environ | variables,
            stdout=subprocess.PIPE,
        )
        said = (await process.communicate())[0].decode()
    assert process.returncode == 0
    assert said.splitlines()[-1] == "graded 1.0 {'completed': 1} {}"
    (record,) = (tmp_path / "results").glob("*/live-os-dev/run.jsonl")
    done = json.loads(record.read_text().splitlines()[-1])
    assert done["usage"]["tokens"] == 20, "two replies of ten tokens"
