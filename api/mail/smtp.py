"""The way to the operator's mail server."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from api.core.settings import Settings

SECONDS = 30.0


@contextmanager
def connected(settings: Settings, seconds: float = SECONDS) -> Iterator[smtplib.SMTP]:
    """The mail server that the settings name, encrypted and logged in as they ask. Raises OSError."""
    context = ssl.create_default_context()
    with _reached(settings, context, seconds) as server:
        if settings.smtp_security == "starttls":
            server.starttls(context=context)
        if settings.smtp_user:
            assert settings.smtp_password_file is not None
            server.login(settings.smtp_user, settings.smtp_password_file.read_text(encoding="utf-8").strip())
        yield server


def _reached(settings: Settings, context: ssl.SSLContext, seconds: float) -> smtplib.SMTP:
    if settings.smtp_security == "tls":
        return smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=seconds, context=context)
    return smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=seconds)
