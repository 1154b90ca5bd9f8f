"""Letters that are sent: over SMTP, again later where the server cannot be reached or says so."""

import asyncio
import smtplib
import ssl
from base64 import b64decode
from email.message import EmailMessage
from email.utils import formatdate
from uuid import UUID

import structlog

from api.core.settings import Settings
from api.mail.letters import Letter
from api.mail.outbox import opened
from api.worker.state import Worker

log = structlog.get_logger(__name__)
_SECONDS = 30.0


async def send_letter(worker: Worker, letter_id: UUID, sealed: str) -> None:
    """Send a queued letter; what the server refuses for good is noted and not tried again. Raises OSError otherwise."""
    settings = worker.settings
    if not settings.smtp_host:
        return
    letter = opened(settings.vault_secrets.raw("vault"), letter_id, b64decode(sealed))
    try:
        await asyncio.to_thread(_send, settings, _message(settings, letter_id, letter))
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        if any(code < 500 for code in codes):
            raise
        log.warning("mail.refused", letter=str(letter_id), codes=codes)
    except smtplib.SMTPResponseException as error:
        if error.smtp_code < 500 or isinstance(error, smtplib.SMTPAuthenticationError):
            raise
        log.warning("mail.refused", letter=str(letter_id), codes=[error.smtp_code])


def _message(settings: Settings, letter_id: UUID, letter: Letter) -> EmailMessage:
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = letter.to
    message["Subject"] = letter.subject
    message["Date"] = formatdate()
    # The same for every try: servers and readers drop what comes twice.
    message["Message-ID"] = f"<{letter_id}@{settings.mail_from.rpartition('@')[2].rstrip('>')}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    return message


def _send(settings: Settings, message: EmailMessage) -> None:
    context = ssl.create_default_context()
    with _connected(settings, context) as server:
        if settings.smtp_security == "starttls":
            server.starttls(context=context)
        if settings.smtp_user:
            assert settings.smtp_password_file is not None
            server.login(settings.smtp_user, settings.smtp_password_file.read_text(encoding="utf-8").strip())
        server.send_message(message)


def _connected(settings: Settings, context: ssl.SSLContext) -> smtplib.SMTP:
    if settings.smtp_security == "tls":
        return smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=_SECONDS, context=context)
    return smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=_SECONDS)
