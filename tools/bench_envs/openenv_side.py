"""openenv-core's server of the comparison; runs in an environment of its own that has openenv-core and nothing of ours.

`openenv_side.py PORT` serves the echo environment with openenv-core's own server, which speaks WebSocket.
"""

import sys


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

        def reset(self, seed: int | None = None, episode_id: str | None = None, **_: object) -> Heard:
            self._state = State(episode_id=episode_id or "", step_count=0)
            return Heard(text="Say something.")

        def step(self, action: Say, timeout_s: float | None = None, **_: object) -> Heard:
            self._state.step_count += 1
            return Heard(text=action.text, number=self._state.step_count, done=False, reward=0.0)

        @property
        def state(self) -> State:
            return self._state

    app = create_fastapi_app(Echo, Say, Heard, max_concurrent_envs=256)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
