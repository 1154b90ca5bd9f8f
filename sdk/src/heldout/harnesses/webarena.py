"""WebArena's own agent loop on episodes of the service (`heldout[gymnasium]`, in the environment of its checkout).

    cd CHECKOUT; python -m heldout.harnesses.webarena BENCHMARK --split test -- --agent_type prompt ...

Its `run.py`, agents and prompts are used as they are, with the arguments after `--`; the browser and the verdict are
the service's. A run is one submission. An episode without a verdict (a hidden split tells none) makes the average that
the loop prints `nan`, and never counts as failed: the submission's score is the one that holds.
"""

import argparse
import importlib
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from heldout.client import Client
from heldout.models import Observation
from heldout.sessions import EpisodePlayer

SITES = ("REDDIT", "SHOPPING", "SHOPPING_ADMIN", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE")
NUMBERED = re.compile(r"\t*\[(\d+)\] (.*)")
# WebArena's numbers of its actions.
WITHOUT_ARGUMENTS = {0: "noop", 10: "new_tab", 11: "go_back", 12: "go_forward", 14: "tab_close"}
SCROLL, PRESS, CLICK, TYPE, HOVER, FOCUS, GOTO, STOP = 1, 2, 6, 7, 8, 9, 13, 17
Call = dict[str, Any]


def call(action: dict[str, Any], keys: Sequence[str]) -> Call | str:
    """One of WebArena's actions as a call of a tool; its second action set stays the text that it is. `keys` are the
    characters by their numbers."""
    kind = int(action["action_type"])
    if action.get("pw_code"):
        return str(action["pw_code"])
    element = {"element": str(action.get("element_id", ""))}
    text = "".join(keys[number] for number in action.get("text", ()))
    calls: dict[int, Call] = {
        SCROLL: {"name": "scroll", "arguments": {"direction": action.get("direction")}},
        PRESS: {"name": "press", "arguments": {"keys": action.get("key_comb")}},
        CLICK: {"name": "click", "arguments": element},
        TYPE: {"name": "type", "arguments": element | {"text": text.removesuffix("\n"), "enter": text.endswith("\n")}},
        HOVER: {"name": "hover", "arguments": element},
        FOCUS: {"name": "tab_focus", "arguments": {"index": action.get("page_number")}},
        GOTO: {"name": "goto", "arguments": {"url": action.get("url")}},
        STOP: {"name": "stop", "arguments": {"answer": action.get("answer", "")}},
    }
    return calls.get(kind) or {"name": WITHOUT_ARGUMENTS.get(kind, "noop"), "arguments": {}}


@dataclass
class Page:
    """What the loop asks of a page."""

    url: str = ""


@dataclass
class Environment(EpisodePlayer):
    """`ScriptBrowserEnv` as far as the loop uses it; one session after another, within one submission."""

    client: Client
    submission: str
    keys: Sequence[str]
    page: Page = field(default_factory=Page)
    timeout: float = 600.0

    def open(self, config: Path) -> None:
        """Open the episode that a configuration file names, and write into the file what it asks."""
        self.close()
        task = json.loads(config.read_text(encoding="utf-8"))
        self.session = self.client.open_session(task["problem"], submission=self.submission)
        config.write_text(json.dumps(task | {"intent": self.session.instruction}), encoding="utf-8")

    def reset(self, *, options: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is shown at first. The episode was opened when the loop began to log it."""
        del options
        return self._shown(self._opened().observation, "")

    def step(self, action: dict[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Act; the reward is whether the action could be done, as there."""
        session = self._opened()
        result = session.step(call(action, self.keys))
        observation, info = self._shown(result.observation, result.error or "")
        return observation, float(not result.error), session.over, False, info

    def evaluated(self, _config: str) -> Callable[..., float]:
        """`evaluator_router`: end the episode with the last action's answer; its score, `nan` where none is told.

        Raises TimeoutError, which the loop logs and leaves out, where the verdict takes more than `timeout` seconds.
        """

        def score(trajectory: list[Any], **_: Any) -> float:
            session = self._opened()
            if not session.over:
                session.step(call(trajectory[-1], self.keys))
            verdict = session.judged(self.timeout)
            return verdict.score if verdict and verdict.score is not None else math.nan

        return score

    def get_page_client(self, _page: Page) -> None:
        """The loop hands it to its evaluators; the service's need none."""

    def save_trace(self, _path: Path) -> None:
        """Traces are the service's."""

    def _shown(self, observed: Observation, error: str) -> tuple[dict[str, Any], dict[str, Any]]:
        self.page.url = str(observed.data.get("url") or "")
        lines = (found for line in observed.text.splitlines() if (found := NUMBERED.fullmatch(line)))
        nodes = {found[1]: {"text": f"[{found[1]}] {found[2]}"} for found in lines}
        metadata = {"text": {"obs_nodes_info": nodes}, "image": {"obs_nodes_info": {}}}
        info = {"page": Page(self.page.url), "fail_error": error, "observation_metadata": metadata}
        return {"text": observed.text, "image": np.zeros((1, 1, 3), np.uint8)}, info


def run(client: Client, benchmark: str, split: str, arguments: Sequence[str]) -> str:
    """Play a split with the loop in the folder where this runs; the id of the submission, graded."""
    for name in SITES:
        os.environ.setdefault(name, f"http://{name.lower()}.invalid")
    sys.path.insert(0, str(Path.cwd()))
    sys.argv = ["run.py", *arguments]
    loop: Any = importlib.import_module("run")
    args = loop.config()
    args.render, args.render_screenshot, args.save_trace_enabled = False, False, False
    loop.prepare(args)
    made = client.submit({}, model=args.model, split=split, benchmark=benchmark, finalize=False)
    environment = Environment(client, made.id, importlib.import_module("browser_env.actions")._id2key)
    logged = loop.RenderHelper

    def begun(config: str, *rest: str) -> Any:
        # The first thing that the loop does with a task; it reads what the task asks after it.
        environment.open(Path(config))
        return logged(config, *rest)

    loop.RenderHelper, loop.ScriptBrowserEnv = begun, lambda **_: environment
    loop.evaluator_router = environment.evaluated
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, episode in enumerate(client.episodes(split, benchmark=benchmark)):
            task = {"task_id": number, "problem": episode.id, "storage_state": None}
            files.append(Path(folder) / f"{number}.json")
            files[-1].write_text(json.dumps(task), encoding="utf-8")
        loop.test(args, loop.construct_agent(args), [str(file) for file in files])
    return made.finalize().wait().id


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m heldout.harnesses.webarena", description=__doc__)
    parser.add_argument("benchmark")
    parser.add_argument("--split", default="test")
    parser.add_argument("arguments", nargs="*", help="of run.py, after --")
    given = parser.parse_args()
    with Client(benchmark=given.benchmark) as client:
        print(run(client, given.benchmark, given.split, given.arguments))


if __name__ == "__main__":
    main()
