"""uvicorn's WebSocket connection, which can be read and answered by another process for a while."""

from typing import cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from api.core.plain_frame import text_of

EXTENSION = "heldout.connection"
"""Where an application finds its connection, in the scope's `extensions`."""


class ChannelProtocol(WebSocketsSansIOProtocol):
    """A connection whose plain messages are read without the library, and whose socket can be lent."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:
            # The application's task has not begun yet.
            cast(dict[str, object], scope["extensions"])[EXTENSION] = self

    def data_received(self, data: bytes) -> None:
        text = text_of(data) if self._between_frames else None
        if text is None:
            super().data_received(data)
            return
        self.curr_msg_data_type, self.frames = "text", [text]
        self.send_receive_event_to_app()

    @property
    def _between_frames(self) -> bool:
        return self.handshake_complete and not (self.frames or self.conn.reader.buffer or self.close_sent)

    def begin_lending(self) -> bool:
        """Read and write nothing more; false, and nothing done, where something is under way."""
        if not (self._between_frames and self.queue.empty() and self.pending_ping_payload is None):
            return False
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        self.stop_keepalive()
        return True

    @property
    def descriptor(self) -> int | None:
        """The socket's, once what was written is out; None before, and where the connection ends."""
        if self.transport.is_closing() or self.transport.get_write_buffer_size():
            return None
        return int(self.transport.get_extra_info("socket").fileno())

    def end_lending(self, rest: bytes) -> None:
        """Go on; `rest` was read by the other process and not answered."""
        if self.transport.is_closing():
            return
        self.start_keepalive()
        if rest:
            self.data_received(rest)
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
