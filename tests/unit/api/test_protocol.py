"""Frames between the API and its hosts: whole however they arrive, and none that is too large."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from api.hosting.protocol import FrameProtocol, Hello, encode


class Line:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closing = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True


def made(heard: list[bytes]) -> tuple[FrameProtocol, Any]:
    protocol = FrameProtocol(lambda _protocol, body: heard.append(body), lambda _protocol: None)
    line = Line()
    protocol.connection_made(line)  # type: ignore[arg-type]
    return protocol, line


@given(st.lists(st.text(), max_size=5), st.lists(st.integers(1, 9), min_size=1))
def test_protocol_are_whole_however_they_arrive(texts: list[str], cuts: list[int]) -> None:
    async def told() -> None:
        heard: list[bytes] = []
        protocol, _ = made(heard)
        stream, at = b"".join(encode(Hello(text)) for text in texts), 0
        while at < len(stream):
            length = cuts[at % len(cuts)]
            protocol.data_received(stream[at : at + length])
            at += length
        assert heard == [encode(Hello(text))[4:] for text in texts]

    asyncio.run(told())


async def test_what_is_sent_in_one_turn_is_written_at_once() -> None:
    protocol, line = made([])
    protocol.send(Hello("a"))
    protocol.send(Hello("b"))
    assert line.written == []
    await asyncio.sleep(0)
    assert line.written == [encode(Hello("a")) + encode(Hello("b"))]
    protocol.send(Hello("c"))
    protocol.close()
    assert (line.written[1:], line.closing) == ([encode(Hello("c"))], True)


async def test_a_frame_that_is_too_large_ends_the_connection() -> None:
    heard: list[bytes] = []
    protocol, line = made(heard)
    protocol.largest = 10
    protocol.data_received((11).to_bytes(4, "big"))
    assert line.closing
    protocol.data_received(b"x" * 11)
    assert heard == []
