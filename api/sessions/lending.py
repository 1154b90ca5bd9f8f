"""Lending a channel to the host of its session, which answers the steps of a quick participant itself.

For as long as the key need not be looked up again, and for as many steps as are counted already. Who thinks for a while
between two steps would gain nothing.
"""

import asyncio
import secrets
from uuid import UUID

from starlette.websockets import WebSocket

from api.accounts.principal import Principal
from api.core import traces
from api.core.channel_protocol import EXTENSION, ChannelProtocol
from api.core.ratelimit import counted_ahead
from api.hosting.client import HostClient
from api.hosting.protocol import Lent, Returned
from api.sessions.cache import StepCache

# An action that comes so soon after the reply before it: more of the kind will come.
QUICK_SECONDS = 0.1
_SHORTEST_SECONDS = 0.2
_STEPS_COUNTED, _STEPS_UNCOUNTED = 10, 100_000
_FRUITLESS = 3
_steps_ahead = counted_ahead("steps", _STEPS_COUNTED, _STEPS_UNCOUNTED)


class Lender:
    """Lends one channel, again and again. `loan` names the loan that is running."""

    def __init__(self, socket: WebSocket, session: UUID, public: str, principal: Principal) -> None:
        self._socket = socket
        self._session, self._public, self._principal = session, public, principal
        self._fruitless = 0
        self.loan: str | None = None

    @property
    def _client(self) -> HostClient:
        client = self._socket.app.state.host_client
        assert isinstance(client, HostClient)
        return client

    async def lend(self) -> None:
        """Lend the channel and wait until it is back, if that can be done now. Raises LostLoanError."""
        connection = self._socket.scope.get("extensions", {}).get(EXTENSION)
        if not isinstance(connection, ChannelProtocol) or self._fruitless >= _FRUITLESS or traces.enabled():
            return
        if not connection.begin_lending():
            return
        returned = None
        try:
            # The last reply goes out in this turn of the loop.
            await asyncio.sleep(0)
            returned = await self._lend(connection)
        finally:
            self.loan = None
            connection.end_lending(returned.rest if returned else b"")

    async def _lend(self, connection: ChannelProtocol) -> Returned | None:
        descriptor = connection.descriptor
        lent = await self._terms() if descriptor is not None else None
        if lent is None or descriptor is None:
            return None
        self.loan = lent.loan
        returned = await self._client.lend(self._session, lent, descriptor)
        self._fruitless = 0 if returned and returned.steps else self._fruitless + 1
        return returned

    async def recall(self) -> None:
        """Have the channel back soon."""
        if self.loan is not None:
            await self._client.recall(self._session, self.loan)

    async def _terms(self) -> Lent | None:
        cache: StepCache = self._socket.app.state.step_cache
        session = cache.session(self._public, self._principal)
        seconds = cache.seconds_left(self._socket.headers["Authorization"])
        if session is None or seconds < _SHORTEST_SECONDS:
            return None
        steps = await _steps_ahead(self._socket)
        if not steps:
            return None
        loan = secrets.token_hex(16)
        return Lent(loan, self._public, session.step_limit, session.deadline, steps, seconds)
