"""A mail server that listens and keeps what it is given."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.external_postgres import free_port


@dataclass
class Mailbox:
    """Letters in the order of their coming. `answers`: what the server says instead of 250, in turn."""

    port: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    users: list[tuple[bytes, bytes]] = field(default_factory=list)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take a letter, or say what comes instead."""
        if self.answers:
            return self.answers.pop(0)
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        assert envelope.rcpt_tos == [message["To"]]
        self.letters.append(message)
        return "250 OK"

    def allow(self, _server: SMTP, _session: Session, _envelope: Envelope, _way: str, given: object) -> AuthResult:
        """Let in whoever has the password."""
        assert isinstance(given, LoginPassword)
        self.users.append((given.login, given.password))
        # Unhandled: the server says 535 itself.
        return AuthResult(success=given.password == b"right", handled=False)


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    """A server on a free port of this machine, without encryption."""
    box = Mailbox()
    port = free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port, authenticator=box.allow, auth_require_tls=False)
    controller.start()
    try:
        box.port = port
        yield box
    finally:
        controller.stop()
