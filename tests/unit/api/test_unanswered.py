"""A host that lives and never answers is waited for so long and no longer: on a clock that jumps over idle time."""

import asyncio
import selectors
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from api.admission.player import CALL_SECONDS
from api.hosting.connection import Connection, SilentError, UnansweredError, longest
from api.hosting.protocol import Call, FrameProtocol, Reply

_MOMENT = 0.05
_call = msgspec.json.Decoder(Call)


class _Jumping(selectors.DefaultSelector):
    """Where nothing is ready the clock is at the next timer at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0 if timeout == 0 else _MOMENT)
        if not ready and timeout:
            self.now += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run(main: Coroutine[Any, Any, Any]) -> None:
    """Run on the clock that jumps."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(main)


async def asked(answer_after: float | None, call: Call, *, dead: bool = False) -> tuple[Reply | None, float]:
    """What a living host replies that answers after so many seconds (None: never), and how long that took."""
    loop = asyncio.get_running_loop()

    def heard(protocol: FrameProtocol, body: bytes) -> None:
        with suppress(msgspec.ValidationError):
            reply = Reply(_call.decode(body).id)
            if answer_after is not None:
                loop.call_later(answer_after, protocol.send, reply)

    async def alive() -> bool:
        return not dead

    server = await loop.create_server(lambda: FrameProtocol(heard, lambda _: None), "127.0.0.1", 0)
    connection = Connection(alive, watch_seconds=5.0 if dead else 300.0)
    await connection.connect(f"127.0.0.1:{server.sockets[0].getsockname()[1]}", "token")
    begun, reply = loop.time(), None
    try:
        with suppress(UnansweredError):
            reply = await connection.request(call)
    finally:
        connection.close()
        server.close()
    return reply, loop.time() - begun


@pytest.mark.parametrize("call", [Call("step", uuid4(), number=7), Call("play", uuid4(), actions=[{"text": "a"}] * 40)])
def test_nobody_waits_for_ever(call: Call) -> None:
    async def told() -> None:
        reply, seconds = await asked(None, call)
        assert reply is None
        assert seconds == pytest.approx(longest(call), abs=1.0)

    run(told())


def test_a_dead_host_is_said_to_be_one() -> None:
    with pytest.raises(SilentError, match="no reply for 5 s, and no sign of life for 30 s"):
        run(asked(None, Call("step", uuid4(), number=7), dead=True))


def test_the_slowest_that_a_world_may_be_is_waited_for() -> None:
    async def told() -> None:
        reply, seconds = await asked(2 * CALL_SECONDS - 5, Call("step", uuid4(), number=1))
        assert reply is not None
        assert seconds >= 2 * CALL_SECONDS - 10

    run(told())
