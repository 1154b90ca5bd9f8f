"""Keys of Django's cache, apart for each session (`CACHES["default"]["KEY_FUNCTION"]`)."""

import tenancy


def by_session(key: str, prefix: str, version: int) -> str:
    """A key that no other session has."""
    return f"{tenancy.folder().name}:{prefix}:{version}:{key}"
