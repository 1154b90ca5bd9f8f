"""Where an instance's keys are kept: files, files encrypted with age, the environment, or what a plug-in knows.

A plug-in is an entry point in the group `heldout.key_stores`, under the name that `HELDOUT_KEY_STORE` gives: a callable
that takes the data directory and returns a `KeyStore`.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path

from filelock import FileLock

GROUP = "heldout.key_stores"


class SecretFileError(Exception):
    """Keys cannot be read or written; the message names where and what would help, never their content."""


class KeyStore(ABC):
    """Keeps texts (JSON) by name: `service`, `vault`, `host`. Its methods raise SecretFileError."""

    @abstractmethod
    def read(self, name: str) -> str | None:
        """What is kept under a name; None: nothing yet."""

    @abstractmethod
    def write(self, name: str, text: str) -> None:
        """Put a text in the place of the one before, whole or not at all."""

    def stamp(self, name: str) -> object:  # noqa: ARG002 - what a store says that knows nothing better
        """Something cheap that is another when the text may have changed. A store without it is read once."""
        return None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Nobody else writes meanwhile."""
        yield

    def where(self, name: str) -> str:
        """What people know it as."""
        return f"the keys '{name}'"


class FileStore(KeyStore):
    """JSON files in the data directory's `secrets/`, which only the service's user may read."""

    suffix = ".json"

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "secrets"

    def where(self, name: str) -> str:
        return str(self._path(name))

    def read(self, name: str) -> str | None:
        try:
            return self._opened(self._path(name).read_bytes()).decode()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise SecretFileError(f"{self.where(name)} cannot be read; restore it from a backup") from error

    def write(self, name: str, text: str) -> None:
        path = self._path(name)
        partial = path.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(self._closed(text.encode()))
            file.flush()
            os.fsync(handle)
        partial.replace(path)

    def stamp(self, name: str) -> object:
        try:
            found = self._path(name).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino

    @contextmanager
    def lock(self) -> Iterator[None]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise SecretFileError(f"{self._folder} cannot be made: {error.strerror} (HELDOUT_DATA_DIR)") from error
        lock = FileLock(self._folder / ".lock", mode=0o600)
        try:
            lock.acquire()
        except OSError as error:
            raise SecretFileError(
                f"{self._folder} cannot be written: {error.strerror}; keys that are mounted for reading are replaced "
                "where they come from"
            ) from error
        try:
            yield
        finally:
            lock.release()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{self.suffix}"

    def _opened(self, kept: bytes) -> bytes:
        return kept

    def _closed(self, plain: bytes) -> bytes:
        return plain


class AgeStore(FileStore):
    """The same files encrypted with age: a copy of them is worth nothing without the identity, which lies elsewhere."""

    suffix = ".json.age"

    def __init__(self, data_dir: Path, identity_file: Path | None) -> None:
        super().__init__(data_dir)
        try:
            import pyrage
        except ImportError as error:
            raise SecretFileError("HELDOUT_KEY_STORE=age needs the extra 'age': uv sync --extra age") from error
        if identity_file is None:
            raise SecretFileError("HELDOUT_KEY_STORE=age needs HELDOUT_AGE_IDENTITY_FILE: age-keygen -o FILE")
        self._age = pyrage
        try:
            lines = identity_file.read_text(encoding="utf-8").splitlines()
            said = next(line.strip() for line in lines if line.startswith("AGE-SECRET-KEY-"))
            self._identity = pyrage.x25519.Identity.from_str(said)
        except (OSError, ValueError, StopIteration, pyrage.IdentityError) as error:
            raise SecretFileError(f"{identity_file} (HELDOUT_AGE_IDENTITY_FILE) holds no identity of age") from error

    def _opened(self, kept: bytes) -> bytes:
        try:
            return bytes(self._age.decrypt(kept, [self._identity]))
        except self._age.DecryptError as error:
            raise ValueError("another identity") from error

    def _closed(self, plain: bytes) -> bytes:
        return bytes(self._age.encrypt(plain, [self._identity.to_public()]))


class EnvironmentStore(KeyStore):
    """HELDOUT_KEYS_SERVICE, HELDOUT_KEYS_VAULT, HELDOUT_KEYS_HOST: what the files would hold. It cannot be written."""

    def where(self, name: str) -> str:
        return f"HELDOUT_KEYS_{name.upper()}"

    def read(self, name: str) -> str | None:
        return os.environ.get(self.where(name))

    def write(self, name: str, text: str) -> None:  # noqa: ARG002 - it is refused whatever it is
        raise SecretFileError(
            f"{self.where(name)} lacks keys, or has to change: make or change them with HELDOUT_KEY_STORE=file in an "
            "empty folder (`heldout-server config keys`) and set the variable to what the file holds"
        )


def key_store(kind: str, data_dir: Path, identity_file: Path | None) -> KeyStore:
    """The store that HELDOUT_KEY_STORE names. Raises SecretFileError."""
    if kind == "file":
        return FileStore(data_dir)
    if kind == "age":
        return AgeStore(data_dir, identity_file)
    if kind == "environment":
        return EnvironmentStore()
    found = list(entry_points(group=GROUP, name=kind))
    if not found:
        known = ", ".join(["file", "age", "environment", *sorted(entry_points(group=GROUP).names)])
        raise SecretFileError(f"HELDOUT_KEY_STORE: there is no '{kind}'; known are {known}")
    store = found[0].load()(data_dir)
    if not isinstance(store, KeyStore):
        raise SecretFileError(f"HELDOUT_KEY_STORE: '{kind}' gives no api.core.key_stores.KeyStore")
    return store
