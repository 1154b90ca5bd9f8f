"""An answer that is given before a request's body has come reaches the client that is still sending it."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from api.core import slow_clients

# Whatever this machine is doing: without the clocks none of these connections is ever closed.
PATIENCE = 60.0
SECONDS = 1.0
BODY = 8 * 1024 * 1024
ANSWER = b"HTTP/1.1 401 Unauthorized\r\n"
Serve = Callable[[float], Any]


async def app(_scope: Any, _receive: Any, send: Any) -> None:
    """Refuses whatever comes without a look at its body."""
    await send({"type": "http.response.start", "status": 401, "headers": [(b"content-length", b"7")]})
    await send({"type": "http.response.body", "body": b"refused"})


_SERVER = """
import sys, uvicorn
from api.core import serving, slow_clients
from api.processes import SERVING
from tests.integration.test_early_answers import SECONDS, app
slow_clients.LINGER_SECONDS = float(sys.argv[3])
settings = SERVING | {"timeout_keep_alive": SECONDS, "loop": sys.argv[2]}
serving.run(uvicorn.Config(app, fd=int(sys.argv[1]), lifespan="off", log_level="error", **settings))
"""


@pytest.fixture(params=["asyncio", "uvloop"])
def serve(request: pytest.FixtureRequest) -> Serve:
    """Starts a web process that drops a body for so many seconds; its port."""

    @contextmanager
    def run(linger: float) -> Iterator[int]:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            command = [sys.executable, "-c", _SERVER, str(listening.fileno()), request.param, str(linger)]
            with subprocess.Popen(command, pass_fds=[listening.fileno()]) as process:
                try:
                    yield listening.getsockname()[1]
                finally:
                    process.kill()

    return run


def _connected(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port))
    made.settimeout(PATIENCE)
    return made


def _head(*more: bytes, length: int = BODY) -> bytes:
    lines = [b"POST / HTTP/1.1", b"Host: a", b"Content-Length: %d" % length, *more]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _answer(connection: socket.socket) -> bytes:
    said = b""
    while not said.endswith(b"refused") and (more := connection.recv(4096)):
        said += more
    return said


def _rest(connection: socket.socket) -> bytes:
    said = b""
    while more := connection.recv(4096):
        said += more
    return said


def _sent_until_refused(connection: socket.socket, piece: bytes, pause: float = 0) -> int:
    """Sends piece after piece until the connection is gone; how many bytes that were."""
    sent, until = 0, time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            sent += connection.send(piece)
        except ConnectionError:
            return sent
        time.sleep(pause)
    raise AssertionError(f"{sent} bytes were taken, and more would be")


def test_an_answer_that_ends_the_connection_is_read_after_the_whole_body(serve: Serve) -> None:
    with serve(PATIENCE) as port:
        for _ in range(20):
            with _connected(port) as connection:
                connection.sendall(_head(b"Connection: close"))
                for _ in range(BODY // 65536):
                    connection.sendall(b" " * 65536)
                said = _rest(connection)
                assert said.startswith(ANSWER)
                assert said.endswith(b"refused")


def test_a_request_that_cannot_be_read_has_its_400_read_after_all_of_it(serve: Serve) -> None:
    with serve(PATIENCE) as port:
        for begin in (b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: ", b"GET / HTTP/1.1\r\nno header\r\n\r\n"):
            with _connected(port) as connection:
                connection.sendall(begin + b"x" * BODY)
                assert _rest(connection).startswith(b"HTTP/1.1 400 ")


def test_the_next_request_of_a_connection_is_answered(serve: Serve) -> None:
    with serve(PATIENCE) as port, _connected(port) as connection:
        for _ in range(3):
            connection.sendall(_head())
            assert _answer(connection).startswith(ANSWER)
            connection.sendall(b" " * BODY)
        time.sleep(SECONDS * 2)
        # The body has come and no other request: idle, with the end of an idle connection.
        assert _rest(connection) == b""


@pytest.mark.parametrize("more", [(), (b"Connection: close",)])
def test_what_goes_on_coming_is_read_for_a_time(serve: Serve, more: tuple[bytes, ...]) -> None:
    with serve(SECONDS) as port, _connected(port) as connection:
        connection.sendall(_head(*more))
        assert _answer(connection).startswith(ANSWER)
        assert _sent_until_refused(connection, b" ", 0.05)


@pytest.mark.parametrize("more", [(), (b"Connection: close",)])
def test_and_only_so_much_of_it(serve: Serve, more: tuple[bytes, ...]) -> None:
    with serve(PATIENCE) as port, _connected(port) as connection:
        connection.sendall(_head(*more, length=8 * slow_clients.LINGER_BYTES))
        assert _answer(connection).startswith(ANSWER)
        assert _sent_until_refused(connection, b" " * (1024 * 1024)) >= slow_clients.LINGER_BYTES
