"""A Redis of a test's own, on a socket."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NoRedisError

DEADLINE = 60.0


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Its address, once it answers; a skip where it is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed: make test-packages")
    socket = folder / "r.sock"
    options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no", "--dir", str(folder)]
    process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + DEADLINE
        while True:
            try:
                Redis(unix_socket_path=str(socket)).ping()
                break
            except NoRedisError:
                assert time.monotonic() < deadline, "redis-server does not answer"
        yield f"redis+unix://{socket}"
    finally:
        process.kill()
        process.wait()
