"""Containers for tests: archives, their upload and runs, and what hostile ones try."""

import hashlib
import io
import json
import re
import subprocess
import tarfile
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from tests.support.service import Caller, Service

AGENT = Path(__file__).parents[2] / "examples/container/agent.py"
KEY = "sk-of-the-participant"
_NUMBER = re.compile(r"in (?:dev|test)-(\d+)\?")


def right(body: dict[str, Any]) -> dict[str, Any]:
    """Knows the answers of `choice_pack`."""
    found = _NUMBER.search(str(body["messages"][-1]["content"]))
    return {"role": "assistant", "content": f"ANSWER: {'ABCD'[int(found[1]) % 4]}" if found else "ready"}


CHANGES: dict[str, Any] = {
    "endpoint_networks": (ip_network("127.0.0.0/8"),),
    "container_seconds": 60,
    "container_memory_mb": 256,
    "container_end_seconds": 3,
}
"""Settings of a service that runs containers."""


def bundle(files: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(text.encode()), 0o755
            archive.addfile(info, io.BytesIO(text.encode()))
    return made.getvalue()


async def uploaded(caller: Caller, content: bytes, name: str = "agent.tar.gz") -> str:
    head = {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    begun = (await caller.post("/v1/containers", json=head)).raise_for_status().json()
    size = begun["part_bytes"]
    for number in begun["missing"]:
        part = content[number * size : (number + 1) * size]
        where = f"/v1/containers/{begun['id']}/parts/{number}"
        kind = {"content-type": "application/octet-stream"}
        (await caller.call("PUT", where, content=part, headers=kind)).raise_for_status()
    return str(begun["id"])


async def begun(caller: Caller, container: str, command: str, split: str = "test", **more: Any) -> dict[str, Any]:
    body = {
        "benchmark": "quiz",
        "split": split,
        "model": {"name": "boxed"},
        "container": {"id": container, "command": ["bash", "-c", command]},
        "requests_per_minute": 600,
    }
    response = await caller.post("/v1/endpoint-runs", json=body | more)
    assert response.status_code == 202, response.text
    return dict(response.json())


async def ended(service: Service, caller: Caller, run: dict[str, Any]) -> dict[str, Any]:
    await service.work()
    return dict((await caller.get(f"/v1/endpoint-runs/{run['id']}")).raise_for_status().json())


async def run_of(service: Service, caller: Caller, program: str, split: str = "dev", **more: Any) -> dict[str, Any]:
    """What became of a Python program in a bundle."""
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text(), "main.py": program}))
    return await ended(service, caller, await begun(caller, container, "python3 main.py", split, **more))


def image(said: str, more: Mapping[str, bytes] | None = None) -> bytes:
    """What `docker save` writes of an image that has bash, what it is linked with, and nothing else."""
    linked = subprocess.run(["ldd", "/usr/bin/bash"], capture_output=True, text=True, check=True).stdout
    files = {Path("/usr/bin/bash"), *(Path(found) for found in re.findall(r"(/\S+) \(0x", linked))}
    layer, made = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        for name in ("bin", "lib", "lib64"):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            tar.addfile(link)
        for file in files:
            content = file.read_bytes()
            inside = f"usr{file}" if not file.is_relative_to("/usr") else str(file)
            info = tarfile.TarInfo(inside.lstrip("/"))
            info.size, info.mode, info.uid = len(content), 0o4755, 4242
            tar.addfile(info, io.BytesIO(content))
        for name, content in (more or {}).items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    config = {
        "config": {"Env": [f"SAID={said}"], "Cmd": ["bash", "-c", "echo $SAID $PWD; exit 9"], "WorkingDir": "/usr"}
    }
    manifest = [{"Config": "c.json", "Layers": ["layer.tar"]}]
    with tarfile.open(fileobj=made, mode="w") as tar:
        parts = {"manifest.json": json.dumps(manifest).encode(), "c.json": json.dumps(config).encode()}
        for name, content in (parts | {"layer.tar": layer.getvalue()}).items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return made.getvalue()


HOSTILE = """
import os, socket, sys
from agent import Service
service = Service("service")
told = {}
def tried(name, work):
    try:
        told[name] = f"open: {work()!r}"
    except BaseException as error:
        told[name] = f"refused: {type(error).__name__}"
def connect(*where):
    with socket.create_connection(where, 2): pass
tried("internet", lambda: connect("192.0.2.2", 80))
tried("metadata", lambda: connect("169.254.169.254", 80))
tried("loopback", lambda: connect("127.0.0.1", int(os.environ["PORT"])))
tried("name", lambda: socket.getaddrinfo("example.org", 80))
def query():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b"x", ("8.8.8.8", 53))
tried("dns", query)
tried("keys", lambda: open("/run/heldout/sandbox/x").read())
tried("environment", lambda: {k: v for k, v in os.environ.items() if "KEY" in k} or 1 / 0)
tried("other sockets", lambda: [n for n in os.listdir("/run/heldout") if n not in ("README", "service.sock")] or 1 / 0)
tried("routes", lambda: service.ask("GET", "/v1/me"))
tried("escape", lambda: Service("service").ask("GET", "/v1/benchmarks/quiz/assets/1.0.0/../../../../etc/passwd"))
tried("endpoint", lambda: Service("service").ask("POST", "/v1/chat/completions", {"messages": []}))
print(told)
assert all(word.startswith("refused") for word in told.values()), told
for problem in Service("service").ask("GET", "/v1/problems")["items"]:
    Service("service").ask("POST", "/v1/answers", {"problem": problem["id"], "answer": "ANSWER: A"})
"""


LOADS = {
    "fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: break\nos._exit(3)",
    "memory": "held = [bytearray(1 << 24) for _ in range(64)]",
    "disk": "open('/tmp/full', 'wb').write(b'x' * (400 << 20))",
    "flood": "import sys\nfor _ in range(200): sys.stdout.write('x' * 100_000)",
}
