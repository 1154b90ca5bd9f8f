"""The proxy of infra/proxy on this machine, before web processes on ports of their own."""

from pathlib import Path

CONFIGURATION = Path(__file__).parents[2] / "infra" / "proxy" / "nginx.conf"


def local_proxy(folder: Path, backends: list[int], port: int, plain: int) -> str:
    """The shipped configuration with local addresses: TLS at `port`, `plain` sends there; certificates in `folder`."""
    servers = " ".join(f"server 127.0.0.1:{number} max_fails=1 fail_timeout=2s;" for number in backends)
    text = CONFIGURATION.read_text()
    for shipped, here in (
        ("server serve:8080 resolve max_fails=1 fail_timeout=2s;", servers),
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
