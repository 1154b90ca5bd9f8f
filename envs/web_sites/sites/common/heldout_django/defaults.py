"""Settings that every Django site here starts from: `from heldout_django.defaults import *`.

Tables are made from the models (`migrate --run-syncdb`), which takes a second where a long history of migrations takes
a minute. No cookie carries a date: the site's clock stands still and the browser's network stack does not know it.
"""

import os
from typing import Any


class NoMigrations:
    """Says of each application that it has no migrations."""

    def __contains__(self, _label: str) -> bool:
        return True

    def __getitem__(self, _label: str) -> None:
        return None


SECRET_KEY = os.environ.get("HELDOUT_SITE_SECRET", "")
DEBUG = False
ALLOWED_HOSTS = ["*"]  # the gateway lets only the session's own host names through
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
USE_I18N = True
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
SITE_ID = 1
DATABASES: dict[str, Any] = {
    "default": {
        "ENGINE": "heldout_django.sqlite",
        "NAME": "session.sqlite3",
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # A file that lives as long as a session needs no safety against a power cut.
            "init_command": "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY;",
        },
    }
}
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "KEY_FUNCTION": "heldout_django.keys.by_session",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}
STORAGES = {
    "default": {"BACKEND": "heldout_django.storage.SessionStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MEDIA_URL = "/media/"
MEDIA_ROOT = "unused"
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
# Styles and scripts are the same for every session and seed ("public"), and stay as they are while the process runs.
WHITENOISE_MAX_AGE = 31_536_000
MIGRATION_MODULES = NoMigrations()
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
CSRF_COOKIE_AGE = None
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
# Nobody ever logs in with a password here; a slow hash would only make templates slow.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "ERROR"},
}
