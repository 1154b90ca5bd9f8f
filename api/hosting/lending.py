"""Handing a socket to a host of the same machine: its descriptor (SCM_RIGHTS) in a message to a Unix socket.

The Unix socket is in the abstract namespace, which ends with the network namespace: to a host elsewhere nothing can be
handed over, and who tries is told so at once.
"""

import array
import socket
from typing import Any, cast
from uuid import UUID


def lending_address(host: UUID) -> bytes:
    """Where a host takes sockets."""
    return b"\0heldout-host-" + host.hex.encode()


def lend_socket(host: UUID, token: str, loan: str, descriptor: int) -> None:
    """Hand a socket over, at once. Raises OSError: nobody takes it there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sending:
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))
        sending.sendmsg([f"{token}{loan}".encode()], [rights], 0, cast(Any, lending_address(host)))
