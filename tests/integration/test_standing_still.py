"""A web process that stood still answers what had come meanwhile, however many of its clocks are past by then."""

import asyncio
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from api import processes
from heldout import Client
from tests.support.listening import port_of, serving

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
SECONDS = 1.0
Begin = Callable[[int], socket.socket]


async def app(_scope: Any, _receive: Any, send: Any) -> None:
    """Answers."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"8")]})
    await send({"type": "http.response.body", "body": b"answered"})


def _connected(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port))
    made.settimeout(60)
    return made


def _answer(connection: socket.socket) -> bytes:
    said = b""
    while not said.endswith(b"answered") and (more := connection.recv(4096)):
        said += more
    return said


def _begun(port: int) -> socket.socket:
    """A connection with the first half of a request."""
    made = _connected(port)
    made.sendall(REQUEST[:10])
    return made


def _kept(port: int) -> socket.socket:
    """A connection that had an answer."""
    made = _connected(port)
    made.sendall(REQUEST)
    assert _answer(made)
    return made


_SERVER = """
import sys, uvicorn
from api.core import serving, slow_clients
from api.processes import SERVING
from tests.integration.test_standing_still import SECONDS, app
slow_clients.HEADER_SECONDS = SECONDS
settings = SERVING | {"timeout_keep_alive": SECONDS, "loop": sys.argv[2]}
serving.run(uvicorn.Config(app, fd=int(sys.argv[1]), lifespan="off", log_level="warning", **settings))
"""


@pytest.fixture(params=["asyncio", "uvloop"])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A web process and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        command = [sys.executable, "-c", _SERVER, str(listening.fileno()), request.param]
        with subprocess.Popen(command, pass_fds=[listening.fileno()]) as process:
            _kept(listening.getsockname()[1]).close()
            yield process, listening.getsockname()[1]
            process.terminate()


@pytest.mark.parametrize(("begin", "rest"), [(_connected, REQUEST), (_begun, REQUEST[10:]), (_kept, REQUEST)])
def test_what_had_come_is_answered(server: tuple[subprocess.Popen[bytes], int], begin: Begin, rest: bytes) -> None:
    process, port = server
    with _stopped_with(process, port, begin) as connection:
        connection.sendall(rest)
        time.sleep(SECONDS * 2)
        process.send_signal(signal.SIGCONT)
        assert _answer(connection).startswith(b"HTTP/1.1 200")


def _stopped_with(process: subprocess.Popen[bytes], port: int, begin: Begin) -> socket.socket:
    """A connection that is open, its clock running, now that the process stands still."""
    while True:
        connection = begin(port)
        time.sleep(SECONDS / 5)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        if not select.select([connection], [], [], 0)[0]:
            return connection
        # So busy a machine that the time was up already.
        process.send_signal(signal.SIGCONT)
        connection.close()


async def test_an_idle_connection_has_an_end_of_its_own() -> None:
    async with serving(app, timeout_keep_alive=SECONDS) as server:
        with await asyncio.to_thread(_kept, port_of(server)) as connection:
            assert await asyncio.to_thread(connection.recv, 4096) == b""


def test_it_is_kept_for_longer_than_a_client_keeps_it() -> None:
    # nginx, as an example of a proxy, keeps one for a minute (keepalive_timeout of an upstream).
    assert max(60, httpx2.Limits().keepalive_expiry or 0) < processes.KEEP_ALIVE_SECONDS


def test_the_package_sends_again_what_a_closed_connection_lost() -> None:
    """The server closes a connection with the second request unread, as one does that was about to when it came."""
    asked: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        for answers in (1, 9):
            connection, _ = listening.accept()
            with connection:
                while answers and (request := connection.recv(1 << 16)):
                    asked.append(request)
                    body = b'{"items": [], "next": null}'
                    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(
                        body
                    )
                    connection.sendall(head + body)
                    answers -= 1
                if not answers:
                    asked.append(connection.recv(1 << 16))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        with Client(
            api_key="k", base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", sleep=lambda _: None
        ) as one:
            assert list(one.benchmarks()) == list(one.benchmarks()) == []
        thread.join()
    assert len(asked) == 3
    assert asked[1] == asked[2]
