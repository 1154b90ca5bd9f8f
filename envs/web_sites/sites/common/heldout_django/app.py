"""The three functions of a Django site's `site_app.py`, for its settings module."""

import mimetypes
import os
import random
from collections.abc import Callable, Iterable
from typing import Any

import tenancy


def application(settings: str) -> Callable[..., Any]:
    """The WSGI application, with uploads and pictures served from the session's media folder."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings)
    from django.conf import settings as chosen
    from django.core.wsgi import get_wsgi_application

    return with_media(get_wsgi_application(), chosen.MEDIA_URL)


def with_media(inner: Callable[..., Any], prefix: str) -> Callable[..., Any]:
    """The application, with the session's files under the address `prefix`."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        address = str(environ.get("PATH_INFO", ""))
        file = tenancy.media(address.removeprefix(prefix)) if address.startswith(prefix) else None
        if file is None:
            served: Iterable[bytes] = inner(environ, start)
            return served
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        # What people upload is shown as a picture or not at all.
        safe = kind if kind.startswith("image/") and kind != "image/svg+xml" else "application/octet-stream"
        headers = [("Content-Type", safe), ("X-Content-Type-Options", "nosniff")]
        if tenancy.is_template_file(file):
            headers.append(("Cache-Control", "private, max-age=31536000"))
        start("200 OK", headers)
        return [file.read_bytes()]

    return answer


def tables() -> None:
    """Make every table in the template's database."""
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)


def seeded(seed: int) -> random.Random:
    """A source of chance for a template; the module-wide one is seeded too, as applications draw from it."""
    random.seed(f"site:{seed}")
    return random.Random(f"content:{seed}")


def tidy() -> None:
    """Leave one compact file without a trace of how it was made."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    connection.close()
    connection.ensure_connection()
    connection.connection.execute("VACUUM")
    connection.close()


def signed_in(username: str) -> dict[str, str]:
    """The cookies of a person who is signed in; the session is written to the session's own database."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import connections

    try:
        user = get_user_model().objects.get(username=username)
        store = SessionStore()
        store[SESSION_KEY] = str(user.pk)
        store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        store[HASH_SESSION_KEY] = user.get_session_auth_hash()
        store.create()
        return {settings.SESSION_COOKIE_NAME: store.session_key}
    finally:
        connections.close_all()
