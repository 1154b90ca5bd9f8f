"""The proxy of infra/proxy on this machine, before web processes on ports of their own."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2

from tests.support.external_postgres import certificate, free_port

CONFIGURATION = Path(__file__).parents[2] / "infra" / "proxy" / "nginx.conf"


def local_proxy(folder: Path, backends: list[int], port: int, plain: int) -> str:
    """The shipped configuration with local addresses: TLS at `port`, `plain` sends there; certificates in `folder`."""
    servers = " ".join(f"server 127.0.0.1:{number} max_fails=0;" for number in backends)
    text = CONFIGURATION.read_text()
    for shipped, here in (
        ("server web:8080 resolve max_fails=0;", servers),
        ("    resolver 127.0.0.11 valid=5s;\n", ""),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("listen 80", f"listen 127.0.0.1:{plain}"),
        ("/etc/heldout-tls/tls.crt", str(folder / "server.crt")),
        ("/etc/heldout-tls/tls.key", str(folder / "server.key")),
        ("worker_processes auto", f"daemon off; error_log {folder}/error.log; worker_processes 1"),
        ("events {", f"pid {folder}/nginx.pid;\nevents {{"),
    ):
        assert text.count(shipped) == 1, shipped
        text = text.replace(shipped, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return text.replace("http {", "http {\n" + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds), 1)


@asynccontextmanager
async def proxied(backends: list[int], folder: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the proxy before `backends` (ports), which is asked once whether it is there."""
    folder.chmod(0o755)
    crt, port = certificate(folder), free_port()
    (folder / "nginx.conf").write_text(local_proxy(folder, backends, port, free_port()))
    process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")])
    context = ssl.create_default_context(cafile=str(crt))
    address = f"https://localhost:{port}"
    try:
        async with httpx2.AsyncClient(base_url=address, verify=context, timeout=120) as client:
            async with asyncio.timeout(60):
                while True:
                    try:
                        await client.get("/healthz")
                        break
                    except httpx2.ConnectError:
                        assert process.poll() is None, (folder / "error.log").read_text()
                        await asyncio.sleep(0.05)
            yield client
    except BaseException:
        # What the proxy met, beside what its client saw.
        print((folder / "error.log").read_text())
        raise
    finally:
        process.terminate()
        process.wait()
