"""openenv-core's side of the comparison; runs in an environment of its own that has openenv-core and nothing of ours.

`serve PORT` serves the echo environment with its own server; `load PORT SESSIONS STEPS` steps it over its own
WebSocket protocol, one connection a session, and prints the milliseconds of every step as JSON.
"""

import asyncio
import json
import sys
import time


def serve(port: int) -> None:
    """An environment that repeats what it is told."""
    import uvicorn
    from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

    class Say(Action):
        text: str

    class Heard(Observation):
        text: str = ""
        number: int = 0

    class Echo(Environment):
        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self) -> None:
            super().__init__()
            self._state = State(episode_id="", step_count=0)

        def reset(self, seed=None, episode_id=None, **kwargs):
            self._state = State(episode_id=episode_id or "", step_count=0)
            return Heard(text="Say something.")

        def step(self, action, timeout_s=None, **kwargs):
            self._state.step_count += 1
            return Heard(text=action.text, number=self._state.step_count, done=False, reward=0.0)

        @property
        def state(self):
            return self._state

    app = create_fastapi_app(Echo, Say, Heard, max_concurrent_envs=256)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


async def load(port: int, sessions: int, steps: int) -> list[float]:
    """Milliseconds of every step."""
    from websockets.asyncio.client import connect

    times: list[float] = []

    async def play() -> None:
        async with connect(f"ws://127.0.0.1:{port}/ws", open_timeout=120) as line:
            await line.send(json.dumps({"type": "reset", "data": {}}))
            await line.recv()
            for number in range(1, steps + 1):
                begun = time.perf_counter()
                await line.send(json.dumps({"type": "step", "data": {"text": f"word {number}"}}))
                told = json.loads(await line.recv())
                times.append((time.perf_counter() - begun) * 1000)
                if told["type"] != "observation" or told["data"]["observation"]["number"] != number:
                    raise RuntimeError(f"a wrong reply: {told}")

    await asyncio.gather(*(play() for _ in range(sessions)))
    return times


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]))
    else:
        begun = time.perf_counter()
        found = asyncio.run(load(*map(int, sys.argv[2:5])))
        print(json.dumps({"milliseconds": found, "seconds": time.perf_counter() - begun}))
