"""Where keys may be kept, and that a store which cannot give them says so."""

import json
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pyrage
import pytest

from api.core import key_stores
from api.core.crypto import SealError, seal, unseal
from api.core.key_stores import FileStore, KeyStore, SecretFileError, key_store
from api.core.keys import Key
from api.core.secrets import LiveSecrets, ServiceSecrets, VaultSecrets
from api.core.settings import Settings
from protection.fingerprints import Fingerprints

SOMEBODY_ELSES: dict[str, str] = {}


class RemoteStore(KeyStore):
    """A key service as somebody else brings it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir

    def read(self, name: str) -> str | None:
        return SOMEBODY_ELSES.get(name)

    def write(self, name: str, text: str) -> None:
        SOMEBODY_ELSES[name] = text


def no_store(data_dir: Path) -> Path:
    """What a plug-in that was written wrongly returns."""
    return data_dir


def test_keys_in_files_encrypted_with_age(tmp_path: Path) -> None:
    identity = tmp_path / "identity"
    identity.write_text(f"# made by age-keygen\n{pyrage.x25519.Identity.generate()}\n")
    settings = Settings(data_dir=tmp_path, key_store="age", age_identity_file=identity)
    made = settings.vault_secrets
    content = (tmp_path / "secrets" / "vault.json.age").read_bytes()
    assert made.vault.encode() not in content
    assert (tmp_path / "secrets" / "vault.json.age").stat().st_mode & 0o77 == 0
    assert Settings(data_dir=tmp_path, key_store="age", age_identity_file=identity).vault_secrets == made
    identity.write_text(str(pyrage.x25519.Identity.generate()))
    with pytest.raises(SecretFileError, match=r"vault\.json\.age cannot be read"):
        _ = Settings(data_dir=tmp_path, key_store="age", age_identity_file=identity).vault_secrets
    identity.write_text("nothing")
    with pytest.raises(SecretFileError, match="holds no identity"):
        key_store("age", tmp_path, identity)
    with pytest.raises(SecretFileError, match="HELDOUT_AGE_IDENTITY_FILE"):
        key_store("age", tmp_path, None)


def test_keys_in_the_environment_are_read_and_never_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data_dir=tmp_path, key_store="environment")
    with pytest.raises(SecretFileError, match="HELDOUT_KEYS_SERVICE lacks keys"):
        _ = settings.secrets
    made = ServiceSecrets.load(FileStore(tmp_path))
    monkeypatch.setenv("HELDOUT_KEYS_SERVICE", (tmp_path / "secrets" / "service.json").read_text())
    assert Settings(data_dir=tmp_path, key_store="environment").secrets == made


def test_a_plug_in_keeps_the_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = EntryPoints(
        [
            EntryPoint("cloud", f"{__name__}:RemoteStore", key_stores.GROUP),
            EntryPoint("wrong", f"{__name__}:no_store", key_stores.GROUP),
        ]
    )
    monkeypatch.setattr(key_stores, "entry_points", lambda **asked: found.select(**asked))
    made = Settings(data_dir=tmp_path, key_store="cloud").vault_secrets
    assert json.loads(SOMEBODY_ELSES["vault"])["vault"] == made.vault
    assert not (tmp_path / "secrets").exists()
    with pytest.raises(SecretFileError, match="'wrong' gives no"):
        key_store("wrong", tmp_path, None)
    with pytest.raises(SecretFileError, match="known are file, age, environment, cloud, wrong"):
        key_store("kms", tmp_path, None)


def test_a_running_process_notices_another_key_and_outlives_a_store_that_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.core.secrets.RELOAD_SECONDS", 0.0)
    monkeypatch.setattr("api.core.secrets.SPREAD_SECONDS", 0.0)
    store = FileStore(tmp_path)
    live = LiveSecrets(VaultSecrets, store)
    sealed = seal(live.get().raw("vault"), b"gold", "here")
    VaultSecrets.load(store).added("vault").save(store)
    assert len(live.get().raw("vault").others) == 1
    VaultSecrets.load(store).used("vault").save(store)
    now = live.get().raw("vault")
    assert unseal(now, sealed, "here") == b"gold"
    with pytest.raises(SealError):
        unseal(bytes(now), sealed, "here")
    (tmp_path / "secrets" / "vault.json").write_text("torn")
    assert live.get().raw("vault") == now


def test_what_was_published_before_stays_marked_as_it_was() -> None:
    from uuid import UUID

    early, late = UUID(int=1_000_000 << 80), UUID(int=3_000_000 << 80)
    ring = Fingerprints(b"new", [(1500.0, b"first"), (2500.0, b"second")])
    assert ring.key_of(early) == b"first"
    assert ring.key_of(UUID(int=2_000_000 << 80)) == b"second"
    assert ring.key_of(late) == b"new"
    assert Key.of(b"a", [b"b"]) == b"a"


def test_a_folder_that_is_there_for_reading_alone_is_a_sentence(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    # Where nothing can be made; a folder in the lock's place does the same to root.
    (tmp_path / "secrets" / ".lock").mkdir(parents=True)
    with pytest.raises(SecretFileError, match="replaced where they come from"), store.lock():
        pass
