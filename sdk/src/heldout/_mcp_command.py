"""`heldout mcp`: an episode for any MCP client."""

import sys
from typing import Annotated

import typer

from heldout.client import Client


def mcp(
    session: Annotated[str, typer.Argument(help="an open session (ses_...), or an episode to be opened (prb_...)")],
) -> None:
    """Serve an episode's tools as a Model Context Protocol server on standard input and output.

    An episode that this command opened is cancelled when the client hangs up before its end; a session goes on.
    """
    try:
        import anyio

        from heldout.harnesses.mcp import EpisodeServer
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in {"anyio", "mcp", "mcp_types"}:
            raise
        sys.exit("this command needs more packages: pip install 'heldout[mcp]'")
    with Client() as client:
        if session.startswith("ses_"):
            anyio.run(EpisodeServer(client.session(session)).run)
            return
        with client.open_session(session) as opened:
            anyio.run(EpisodeServer(opened).run)
