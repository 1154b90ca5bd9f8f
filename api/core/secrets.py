"""Secrets of an instance: three files in the data directory, made at first use, readable by their owner alone.

The web process reads only `service.json`, the host of environments only `host.json` (it opens episodes, never
references); what decrypts references is in `vault.json`, for workers and import.
"""

import json
import os
import secrets
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Self

from filelock import FileLock
from pydantic import BaseModel, ConfigDict


class SecretFileError(Exception):
    """A secrets file cannot be read; the message names the file and what would help, never its content."""


def _key() -> str:
    return b64encode(secrets.token_bytes(32)).decode()


class _SecretFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def load(cls, data_dir: Path) -> Self:
        """Read the file, making it (and any key added by a later version) under a lock."""
        folder = data_dir / "secrets"
        path = folder / cls.file_name()
        # Replaced as a whole when it changes; where it is mounted for reading there can be no lock.
        if stored := cls._read(path):
            known = {name: stored[name] for name in cls.model_fields if stored.get(name)}
            if len(known) == len(cls.model_fields):
                return cls(**known)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(folder / ".lock", mode=0o600):
            stored = cls._read(path)
            values = {name: stored.get(name) or _key() for name in cls.model_fields}
            if values != stored:
                cls._write(path, values)
        return cls(**values)

    @classmethod
    def file_name(cls) -> str:
        return cls.__name__.removesuffix("Secrets").lower() + ".json"

    @staticmethod
    def _read(path: Path) -> dict[str, str]:
        try:
            return dict(json.loads(path.read_text()))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise SecretFileError(f"{path} cannot be read as JSON; restore it from a backup") from error

    @staticmethod
    def _write(path: Path, values: dict[str, str]) -> None:
        partial = path.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            json.dump(values, file)
            file.flush()
            os.fsync(handle)
        partial.replace(path)

    def raw(self, name: str) -> bytes:
        """The key's 32 bytes."""
        return b64decode(getattr(self, name))


class ServiceSecrets(_SecretFile):
    """Keys of the web process (base64 of 32 random bytes each)."""

    pepper: str
    alias: str
    cursor: str
    cookie: str
    fingerprint: str
    review: str
    database_web: str


class VaultSecrets(_SecretFile):
    """Keys that the web process never reads."""

    vault: str
    database_worker: str
    database_admin: str


class HostSecrets(_SecretFile):
    """Keys of the processes that hold environments: what opens episodes and seals evidence, and their password."""

    episode: str
    database_host: str
