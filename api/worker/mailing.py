"""Letters that are sent: over SMTP, again later where the server cannot be reached or says so."""

import asyncio
import smtplib
from base64 import b64decode
from email.message import EmailMessage
from email.utils import formatdate
from uuid import UUID

import structlog

from api.core.settings import Settings
from api.mail.letters import Letter
from api.mail.outbox import opened
from api.mail.smtp import connected
from api.worker.state import Worker

log = structlog.get_logger(__name__)


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
    with connected(settings) as server:
        server.send_message(message)
