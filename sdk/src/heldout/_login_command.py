"""`heldout login` and `heldout logout`."""

import socket
from typing import Annotated

import typer
from rich.console import Console

from heldout import _credentials
from heldout._config import Config
from heldout._device import SCOPES
from heldout.client import Client
from heldout.errors import AuthenticationError
from heldout.models import DeviceCode

out = Console()
err = Console(stderr=True)


def _show(code: DeviceCode) -> None:
    out.print("Open this page in a browser where you are signed in:")
    out.print(f"  {code.verification_uri_complete}", highlight=False, markup=False, soft_wrap=True)
    out.print("and see that it shows this code:")
    out.print(f"  [bold]{code.user_code}[/bold]", highlight=False)
    err.print("waiting for your approval; Ctrl-C ends")


def login(
    scope: Annotated[list[str] | None, typer.Option(help="may be given several times; default: to take part")] = None,
) -> None:
    """Get a key by approving a code in the browser, and keep it for this service."""
    config = Config.of()
    # The key will travel as the answer: the same rule as for one that is sent.
    Config(config.base_url, "to come", None).check()
    with Client() as client:
        name = f"heldout on {socket.gethostname()}"[:100]
        try:
            done = client.login(_show, scopes=scope or SCOPES, name=name)
        except TimeoutError:
            advice = "heldout login shows another code"
            raise AuthenticationError("nobody approved the code in time", code="expired_token", advice=advice) from None
    path = _credentials.store(config.base_url, done.access_token)
    out.print(f"logged in for {done.organisation}; the key is in {path}", highlight=False, soft_wrap=True)


def logout() -> None:
    """Revoke the kept key of this service and forget it."""
    config = Config.of()
    key = _credentials.stored_key(config.base_url)
    if key is None:
        out.print(f"no key is kept for {config.base_url}", highlight=False, soft_wrap=True)
        return
    try:
        with Client(api_key=key) as client:
            client.revoke_key()
    except AuthenticationError:
        err.print("the key was not valid any more")
    _credentials.forget(config.base_url)
    out.print("logged out", highlight=False)
