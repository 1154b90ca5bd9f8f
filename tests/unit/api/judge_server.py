"""A scripted OpenAI-compatible endpoint on a free local port."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """One scripted answer. `content` is the message's text, `raw` replaces the whole body."""

    content: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    finish_reason: str = "stop"
    hang: bool = False
    tokens: int = 100

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        return json.dumps({"choices": [choice], "usage": {"total_tokens": self.tokens}}).encode()


Script = Callable[[dict[str, Any], int], Reply]


@dataclass
class JudgeServer:
    """What was asked, and where to ask."""

    url: str
    requests: list[dict[str, Any]]
    keys: list[str | None]


@contextmanager
def judge_server(script: Script) -> Iterator[JudgeServer]:
    """Serve replies by `script(request body, number of the request)` until the block ends."""
    requests: list[dict[str, Any]] = []
    keys: list[str | None] = []
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            requests.append({"path": self.path, **body})
            keys.append(self.headers.get("authorization"))
            reply = script(body, len(requests))
            if reply.hang:
                ended.wait()
                return
            payload = reply.body()
            self.send_response(reply.status)
            for name, value in {"content-length": str(len(payload)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield JudgeServer(f"http://127.0.0.1:{server.server_address[1]}/v1", requests, keys)
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join(30)
