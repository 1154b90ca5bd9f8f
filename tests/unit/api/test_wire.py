"""Frames between the API and its hosts: whole however they arrive, and none that is too large."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from api.hosting.frames import Frames, encode


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


def made(heard: list[bytes]) -> tuple[Frames, Any]:
    frames = Frames(lambda _frames, body: heard.append(body), lambda _frames: None)
    line = Line()
    frames.connection_made(line)  # type: ignore[arg-type]
    return frames, line


@given(st.lists(st.text(), max_size=5), st.lists(st.integers(1, 9), min_size=1))
def test_frames_are_whole_however_they_arrive(texts: list[str], cuts: list[int]) -> None:
    async def told() -> None:
        heard: list[bytes] = []
        frames, _ = made(heard)
        stream, at = b"".join(encode({"text": text}) for text in texts), 0
        while at < len(stream):
            length = cuts[at % len(cuts)]
            frames.data_received(stream[at : at + length])
            at += length
        assert heard == [encode({"text": text})[4:] for text in texts]

    asyncio.run(told())


async def test_what_is_sent_in_one_turn_is_written_at_once() -> None:
    frames, line = made([])
    frames.send({"a": 1})
    frames.send({"b": 2})
    assert line.written == []
    await asyncio.sleep(0)
    assert line.written == [encode({"a": 1}) + encode({"b": 2})]
    frames.send({"c": 3})
    frames.close()
    assert (line.written[1:], line.closing) == ([encode({"c": 3})], True)


async def test_a_frame_that_is_too_large_ends_the_connection() -> None:
    heard: list[bytes] = []
    frames, line = made(heard)
    frames.largest = 10
    frames.data_received((11).to_bytes(4, "big"))
    assert line.closing
    frames.data_received(b"x" * 11)
    assert heard == []
