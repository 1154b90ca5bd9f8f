"""The frames that are read and written by hand are those of the library; all others are left to it."""

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from api.core.plain_frame import framed, text_of

LENGTHS = (0, 1, 125, 126, 127, 65_535, 65_536, 100_000)


def _client() -> ClientProtocol:
    return ClientProtocol(parse_uri("ws://a/"), state=State.OPEN, max_size=None)


def _sent(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_text_of_a_client_is_read(length: int) -> None:
    text = "é".encode() * (length // 2) + b"x" * (length % 2)
    client = _client()
    client.send_text(text)
    assert text_of(b"".join(client.data_to_send())) == text


@pytest.mark.parametrize("length", LENGTHS)
def test_a_text_is_written_as_the_library_writes_it(length: int) -> None:
    text = b"x" * length
    server = ServerProtocol(state=State.OPEN)
    server.send_text(text)
    assert framed(text) == b"".join(server.data_to_send())


def test_all_else_is_left_alone() -> None:
    whole = _sent(Opcode.TEXT, b"words" * 40)
    for other in (
        b"",
        *(whole[:cut] for cut in range(len(whole))),
        whole + b"\x81",
        whole + whole,
        Frame(Opcode.TEXT, b"words").serialize(mask=False),
        _sent(Opcode.TEXT, b"words", fin=False),
        _sent(Opcode.CONT, b"words"),
        _sent(Opcode.BINARY, b"words"),
        _sent(Opcode.PING, b"words"),
        _sent(Opcode.CLOSE, b"\x03\xe8"),
        bytes((whole[0] | 0x40,)) + whole[1:],
    ):
        assert text_of(other) is None, other
