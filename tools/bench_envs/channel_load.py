"""Steps echo sessions over WebSockets, one connection a session, and prints the milliseconds of every step as JSON.

`channel_load.py heldout PORT STEPS` reads the key and the sessions' ids as JSON from standard input;
`channel_load.py openenv PORT STEPS` reads how many sessions. One client for both, in a process of its own that needs
nothing but Python. It shares the processors with the servers, so it does as little as a client can: frames are made
before the clock runs, sockets are read as the kernel says that they can be, and replies are looked into at the end.
"""

import base64
import gc
import json
import os
import select
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

_TEXT, _PING, _PONG = 0x81, 0x89, 0x8A
_SHORT, _LONGER = 126, 127
_READ = 1 << 16


@dataclass(eq=False)
class _Player:
    """One session: its messages in order, when each was sent, and what came back."""

    line: socket.socket
    messages: list[bytes]
    begun: float = 0.0
    milliseconds: list[float] = field(default_factory=list)
    replies: list[bytes] = field(default_factory=list)
    read: bytes = b""

    def send(self) -> bool:
        """Send the next frame; false where none is left."""
        number = len(self.replies)
        if number == len(self.messages):
            return False
        self.begun = time.perf_counter()
        self.line.send(self.messages[number])
        return True

    def take(self) -> bool:
        """Read what has come, and go on; false once all is played."""
        heard = self.line.recv(_READ)
        if not heard:
            raise RuntimeError(f"hung up after {len(self.replies)} steps")
        frame = _server_frame(self.read + heard)
        if frame is None:
            self.read += heard
            return True
        kind, text, self.read = frame
        if kind == _PING:
            self.line.send(_client_frame(_PONG, text))
            return True
        if kind != _TEXT:
            raise RuntimeError(f"a frame of another kind: {kind:#x} {text!r}")
        self.milliseconds.append((time.perf_counter() - self.begun) * 1000)
        self.replies.append(text)
        return self.send()


def _server_frame(data: bytes) -> tuple[int, bytes, bytes] | None:
    """Kind, content and what follows of a server's frame; None while it is not whole."""
    if len(data) < 2:
        return None
    length, begin = data[1], 2
    if length == _SHORT:
        length, begin = int.from_bytes(data[2:4], "big"), 4
    elif length == _LONGER:
        length, begin = int.from_bytes(data[2:10], "big"), 10
    if len(data) < begin + length:
        return None
    return data[0], data[begin : begin + length], data[begin + length :]


def _client_frame(kind: int, text: bytes) -> bytes:
    mask = os.urandom(4)
    if len(text) >= _SHORT:
        raise ValueError("what is said here is short")
    return bytes((kind, 0x80 | len(text))) + mask + bytes(one ^ mask[at % 4] for at, one in enumerate(text))


def _connect(port: int, path: str, headers: dict[str, str]) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=120)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    asked = {
        "Host": f"127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Version": "13",
    } | headers
    line.sendall(
        f"GET {path} HTTP/1.1\r\n".encode() + "".join(f"{k}: {v}\r\n" for k, v in asked.items()).encode() + b"\r\n"
    )
    told = b""
    while b"\r\n\r\n" not in told:
        # Byte by byte, so that nothing of the first frame is read.
        told += line.recv(1)
    if b" 101 " not in told.split(b"\r\n")[0]:
        raise RuntimeError(f"no channel: {told!r}")
    return line


def _heldout(port: int, steps: int, key: str, session: str) -> _Player:
    line = _connect(port, f"/v1/sessions/{session}/steps", {"Authorization": f"Bearer {key}"})
    return _Player(line, _frames(steps, lambda n: {"number": n, "action": {"text": f"word {n}"}}))


def _openenv(port: int, steps: int) -> _Player:
    line = _connect(port, "/ws", {})
    line.sendall(_client_frame(_TEXT, json.dumps({"type": "reset", "data": {}}).encode()))
    told = b""
    while _server_frame(told) is None:
        told += line.recv(_READ)
    return _Player(line, _frames(steps, lambda n: {"type": "step", "data": {"text": f"word {n}"}}))


def _frames(steps: int, words: Callable[[int], dict[str, Any]]) -> list[bytes]:
    return [_client_frame(_TEXT, json.dumps(words(number)).encode()) for number in range(1, steps + 1)]


def _play(players: list[_Player]) -> None:
    """All of them at once, each as fast as it is answered."""
    watched = select.epoll()
    by_number = {}
    for player in players:
        by_number[player.line.fileno()] = player
        watched.register(player.line, select.EPOLLIN)
        player.send()
    left = len(players)
    while left:
        for number, _ in watched.poll():
            left -= not by_number[number].take()


def _check(side: str, players: list[_Player]) -> None:
    for player in players:
        for number, reply in enumerate(player.replies, 1):
            heard = json.loads(reply)
            told = heard["observation"]["data"] if side == "heldout" else heard["data"]["observation"]
            if told["number"] != number:
                raise RuntimeError(f"a wrong reply: {heard}")


def main(side: str, port: int, steps: int) -> None:
    """Connect all, then step all at once: seconds and CPU count from there."""
    asked = json.loads(sys.stdin.readline())
    if side == "heldout":
        players = [_heldout(port, steps, asked["key"], session) for session in asked["sessions"]]
    else:
        players = [_openenv(port, steps) for _ in range(asked["sessions"])]
    gc.freeze()
    gc.disable()
    # Whoever measures reads the servers' CPU time between these two lines, and again after the third.
    print("ready", flush=True)
    sys.stdin.readline()
    begun, used = time.perf_counter(), time.process_time()
    _play(players)
    seconds, spent = time.perf_counter() - begun, time.process_time() - used
    print(json.dumps({"seconds": seconds, "client_cpu": spent}), flush=True)
    # Nobody hangs up while the servers' time is read: what a server does then is no step.
    sys.stdin.readline()
    _check(side, players)
    print(json.dumps([one for player in players for one in player.milliseconds]))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
