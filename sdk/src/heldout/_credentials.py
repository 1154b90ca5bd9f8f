"""Keys that `heldout login` got, by the service's address, in one file that its owner alone may read."""

import json
import os
import stat
import tempfile
from pathlib import Path

from heldout.errors import AuthenticationError


def location() -> Path:
    """`credentials.json` below HELDOUT_CONFIG_DIR, else below `heldout` in the user's configuration folder."""
    named = os.environ.get("HELDOUT_CONFIG_DIR")
    if named:
        return Path(named) / "credentials.json"
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "heldout" / "credentials.json"


def stored_key(base_url: str) -> str | None:
    """The key for this very address. Raises AuthenticationError when others may read the file."""
    return _read().get(base_url)


def store(base_url: str, key: str) -> Path:
    """Keep a key; the file is replaced in one step and never readable by others."""
    path = location()
    keys = _read() | {base_url: key}
    return _write(path, keys)


def forget(base_url: str) -> str | None:
    """Drop the key of an address; returns it."""
    keys = _read()
    key = keys.pop(base_url, None)
    if key is not None:
        _write(location(), keys)
    return key


def _read() -> dict[str, str]:
    path = location()
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        detail = f"others may read {path}"
        raise AuthenticationError(detail, code="open_credentials", advice=f"chmod 600 {path}")
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise AuthenticationError(f"{path} is no JSON", code="bad_credentials", advice="delete it and log in again")
    return {str(url): key for url, key in found.items() if isinstance(key, str)}


def _write(path: Path, keys: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # mkstemp makes the file with mode 0600, whatever the umask.
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=".credentials-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(keys, file, indent=1)
        os.replace(partial, path)  # noqa: PTH105 - replaces in one step
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    return path
