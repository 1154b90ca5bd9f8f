"""lm-evaluation-harness, datasets and OpenEnv as released, against a real service (`make test-harnesses`)."""

import asyncio
import dataclasses
import json
import os
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import heldout
from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from packs.pack import Pack
from tests.support.models import scripted_model
from tests.support.scratch import scratch
from tests.support.service import choice_pack
from tests.support.sessions import echo_pack

PROGRAMS = os.environ.get("HELDOUT_HARNESSES", "")
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(not PROGRAMS, reason="the harnesses are large: `make test-harnesses` installs and runs them"),
]

DATASETS = """
import sys
from heldout import Invalid
from heldout.harnesses.datasets import load

rows = load("quiz", "dev")
assert rows.column_names[0] == "id" and len(rows) == 2, rows
assert "NOT FOR TRAINING" in rows.info.description and rows[0]["canary"] in rows.info.description
assert all("HELDOUT" in row["canary"].upper() for row in rows), rows[0]["canary"]
assert rows.info.license and "1.0.0" in rows.info.description
assert rows[0]["statement"] in rows[0]["prompt"] and [c["label"] for c in rows[0]["choices"]][:2] == ["A", "B"]
kept = rows.filter(lambda row: row["gold"] == "B").to_list()
assert 0 < len(kept) < 2, rows["gold"]
rows.save_to_disk("saved")
try:
    load("quiz", "test")
except Invalid as error:
    print(error.detail, error.advice)
else:
    sys.exit("a hidden split became a data set")
"""

OPENENV = """
import asyncio, re, sys
from openenv.core import GenericEnvClient
from heldout.harnesses.openenv import EpisodeAction, EpisodeClient

async def main():
    async with EpisodeClient(base_url=sys.argv[1]) as env:
        first = (await env.reset()).observation
        number = re.search(r"-(\\d+)", first.instruction)[1]
        said = await env.step(EpisodeAction(text="hello"))
        assert not said.done and said.reward is None, said
        state = await env.state()
        assert state.step_count == 1 and state.session.startswith("ses_"), state
        ended = await env.step(EpisodeAction(text=f"finish[{number}]"))
        assert (ended.done, ended.reward, ended.observation.finish_reason) == (True, 1.0, "completed"), ended
        again = await env.reset(episode_id=state.episode_id)
        assert again.observation.instruction == first.instruction
    async with GenericEnvClient(base_url=sys.argv[1]) as env:
        one = await env.reset(seed=7)
        two = await env.reset(seed=7)
        assert one.observation["instruction"] == two.observation["instruction"]
        ended = await env.step({"text": "finish[99999]"})
        assert ended.done and ended.reward == 0.0, ended
    print("played")

asyncio.run(main())
"""

TABLE = """
import json, sys
from lm_eval.utils import make_table
print(make_table(json.load(open(sys.argv[1]))))
"""


@asynccontextmanager
async def serving(pack: Pack) -> AsyncIterator[tuple[Throwaway, dict[str, str]]]:
    """A service of its own, and the settings of a participant."""
    async with throwaway(unlimited(pack), place=scratch()) as running:
        address = f"http://127.0.0.1:{running.instance.port}"
        yield running, {"HELDOUT_BASE_URL": address, "HELDOUT_API_KEY": running.key}


async def ran(folder: Path, variables: dict[str, str], *command: str) -> str:
    """What a program of the harnesses wrote; it has to end well."""
    process = await asyncio.create_subprocess_exec(
        f"{PROGRAMS}/{command[0]}",
        *command[1:],
        cwd=folder,
        env=os.environ | OFFLINE | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said = (await process.communicate())[0].decode()
    assert process.returncode == 0, said
    return said


async def test_a_group_of_lm_eval_is_graded_by_the_service(tmp_path: Path) -> None:
    async with serving(choice_pack()) as (running, variables), scripted_model() as endpoint:
        module = "heldout.harnesses.lm_eval"
        said = await ran(tmp_path, variables, "python", "-m", module, "--model", "tuned@3", "--split", "dev")
        assert "1 tasks in the group heldout" in said
        arguments = f"model=m,base_url={endpoint}/chat/completions,num_concurrent=2"
        command = ["run", "--tasks", "heldout", "--include_path", "tasks", "--model", "local-chat-completions"]
        command += ["--model_args", arguments, "--apply_chat_template", "--output_path", "out", "--log_samples"]
        await ran(tmp_path, variables | {"OPENAI_API_KEY": "x"}, "lm_eval", *command)
        (log,) = (tmp_path / "out").rglob("results_*.json")
        results = json.loads(log.read_text())["results"]["heldout_quiz_dev"]
        table = await ran(tmp_path, {}, "python", "-c", TABLE, str(log))
        async with heldout.AsyncClient(
            api_key=running.key, base_url=variables["HELDOUT_BASE_URL"], benchmark="quiz"
        ) as client:
            (made,) = await client.submissions().all()
    told = {name: results[f"{name},none"] for name in ("score", "low", "high", "coverage")}
    assert made.interval
    assert told == {"score": 0.5, "low": made.interval.low, "high": made.interval.high, "coverage": 1.0}
    assert (made.state, made.score, made.model.name, made.model.version) == ("graded", 0.5, "tuned", "3")
    assert "heldout_quiz_dev" in table
    (samples,) = (tmp_path / "out").rglob("samples_*.jsonl")
    assert "gold" not in samples.read_text()


async def test_an_open_split_is_a_data_set_and_a_hidden_one_is_none(tmp_path: Path) -> None:
    async with serving(choice_pack()) as (_, variables):
        said = await ran(tmp_path, variables, "python", "-c", DATASETS)
    assert "the golds of 'test' are hidden" in said
    assert "open splits of 'quiz': dev" in said
    assert (tmp_path / "saved" / "dataset_info.json").exists()


async def test_episodes_are_played_by_clients_of_openenv(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with serving(echo_pack()) as (_, variables):
        arguments = ["-m", "heldout.harnesses.openenv", "--benchmark", "parrot", "--split", "dev", "--port", str(port)]
        server = await asyncio.create_subprocess_exec(f"{PROGRAMS}/python", *arguments, env=os.environ | variables)
        try:
            await _listens(port)
            assert "played" in await ran(tmp_path, {}, "python", "-c", OPENENV, f"http://127.0.0.1:{port}")
        finally:
            server.terminate()
            await server.wait()


GUESSING = """
import sys
import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

class Guess(Action):
    number: int

class Hint(Observation):
    hint: str = ""

class Guessing(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed=None, episode_id=None, most=13, **more):
        self._number, self._state = seed % most + 1, State(episode_id=episode_id, step_count=0)
        return Hint(hint=f"a number from 1 to {most}")

    def step(self, action, timeout_s=None, **more):
        self._state.step_count += 1
        if action.number == self._number:
            return Hint(hint="right", done=True, reward=1.0)
        return Hint(hint="higher" if action.number < self._number else "lower", reward=-0.1)

    @property
    def state(self):
        return self._state

app = create_fastapi_app(Guessing, Guess, Hint, max_concurrent_envs=8)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
"""


def _guessing() -> Pack:
    """Two of OpenEnv's episodes, graded by their reward."""
    episode = {
        "environment": "openenv",
        "spec": {"server": "guessing", "reset": {"most": 7}, "instruction": "Guess."},
        "steps": 10,
        "seconds": 300,
        "probes": [{"name": "reward", "kind": "reward"}, {"name": "state", "kind": "state"}],
    }
    pack = echo_pack("guessing", count=2)
    lines = [
        line.model_copy(
            update={
                "reference": {"kind": "reward", "worst": -1},
                "gold": "a reward of 1",
                "episode": type(line).model_validate(line.model_dump() | {"episode": episode}).episode,
            }
        )
        for line in pack.references
    ]
    return dataclasses.replace(pack, references=tuple(lines))


async def test_an_environment_of_openenv_is_a_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = await asyncio.create_subprocess_exec(f"{PROGRAMS}/python", "-c", GUESSING, str(port), cwd=tmp_path)
    monkeypatch.setenv("HELDOUT_OPENENV", f"guessing=http://127.0.0.1:{port}")
    try:
        await _listens(port)
        async with serving(_guessing()) as (_, variables):
            scores = await asyncio.to_thread(_guessed, variables)
    finally:
        server.terminate()
        await server.wait()
    found, missed = scores
    assert found is not None
    assert found >= 0.9, "at most two wrong guesses by the hints"
    assert missed == pytest.approx(0.45), "one wrong guess, and no more"


def _guessed(variables: dict[str, str]) -> list[float | None]:
    address, key = variables["HELDOUT_BASE_URL"], variables["HELDOUT_API_KEY"]
    scores = []
    with heldout.Client(api_key=key, base_url=address, benchmark="guessing") as client:
        for careful, episode in zip((True, False), client.episodes("dev"), strict=True):
            with client.open_session(episode.id) as session:
                assert "integer" in json.dumps(session.tools[0].parameters)
                assert "a number from 1 to 7" in session.observation.text
                assert session.step("seven").error
                assert session.step({"name": "act", "arguments": {"number": "seven"}}).error
                low, high = 1, 7
                while careful and not session.over:
                    number = (low + high) // 2
                    seen = session.step({"name": "act", "arguments": {"number": number}}).observation.text
                    low, high = (number + 1, high) if "higher" in seen else (low, number - 1)
                if not careful:
                    assert not session.step(json.dumps({"number": 99})).finish_reason
                    session.finish()
                verdict = session.judged()
                assert verdict
                scores.append(verdict.score)
    return scores


async def _listens(port: int) -> None:
    async with asyncio.timeout(120):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return
