"""Settings of django-spirit for many sessions in one process."""

from pathlib import Path

from heldout_django.defaults import *  # noqa: F403
from heldout_django.defaults import CACHES, MEDIA_URL, STORAGES

__all__ = ["CACHES", "MEDIA_URL", "STORAGES"]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    *(
        f"spirit.{name}"
        for name in (
            *("core", "admin", "search", "user", "user.admin", "user.auth", "category", "category.admin", "topic"),
            *("topic.admin", "topic.favorite", "topic.moderate", "topic.notification", "topic.private", "topic.unread"),
            *("comment", "comment.bookmark", "comment.flag", "comment.flag.admin", "comment.history", "comment.like"),
            "comment.poll",
        )
    ),
    "djconfig",
    "haystack",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",  # tells the length, so that nothing outside it may change a page
    "app.naming.Naming",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "spirit.user.middleware.TimezoneMiddleware",
    "spirit.user.middleware.LastIPMiddleware",
    "spirit.user.middleware.LastSeenMiddleware",
    "spirit.user.middleware.ActiveUserMiddleware",
    "spirit.core.middleware.PrivateForumMiddleware",
    "djconfig.middleware.DjConfigMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [str(Path(__file__).with_name("templates"))],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.i18n",
                "django.template.context_processors.media",
                "django.template.context_processors.static",
                "django.template.context_processors.tz",
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "djconfig.context_processors.config",
            ]
        },
    }
]
ROOT_URLCONF = "app.spirit_addresses"
AUTHENTICATION_BACKENDS = ["spirit.user.auth.backends.UsernameAuthBackend"]
LOGIN_URL = "spirit:user:auth:login"
LOGIN_REDIRECT_URL = "spirit:user:update"
LOGOUT_REDIRECT_URL = "spirit:index"
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "app.searching.Engine"}}
CACHES = CACHES | {"st_rate_limit": {"BACKEND": "django.core.cache.backends.dummy.DummyCache", "TIMEOUT": None}}
ST_SITE_URL = "http://forum.test"
# Where the clock stands still, a limit a minute would never be lifted.
ST_RATELIMIT_ENABLE = False
ST_DOUBLE_POST_THRESHOLD_MINUTES = 1
ST_UPLOAD_IMAGE_ENABLED = False
ST_UNIQUE_EMAILS = False
