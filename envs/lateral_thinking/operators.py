"""The operator's host: the facts of a puzzle, or the judge model of the service's settings, with recordings on disk."""

import json
import os
import tempfile
from collections.abc import Iterator, MutableMapping
from pathlib import Path

from envs.base import InfrastructureError
from envs.cache import cache
from envs.lateral_thinking.endpoint import ChatEndpoint
from envs.lateral_thinking.hosts import FactHost, Host
from envs.lateral_thinking.model import ModelHost
from envs.lateral_thinking.spec import LateralThinkingSpec


def host(spec: LateralThinkingSpec) -> Host:
    """The host that the specification asks for. A model is the one of HELDOUT_JUDGE_URL, HELDOUT_JUDGE_MODEL and
    HELDOUT_JUDGE_KEY_FILE, and what it answers is kept in `folder`. Raises InfrastructureError where there is none."""
    if spec.host == "facts":
        return FactHost(spec)
    url, model, key_file = (os.environ.get(f"HELDOUT_JUDGE_{name}") for name in ("URL", "MODEL", "KEY_FILE"))
    if not url or not model:
        raise InfrastructureError("the puzzle wants a model as host: set HELDOUT_JUDGE_URL and HELDOUT_JUDGE_MODEL")
    try:
        key = Path(key_file).read_text().strip() if key_file else ""
    except OSError as error:
        raise InfrastructureError(f"HELDOUT_JUDGE_KEY_FILE cannot be read: {error.strerror}") from error
    return ModelHost(spec, ChatEndpoint(url, model, key), Recording(folder()))


def folder() -> Path:
    """Where replies are kept: HELDOUT_RECORDINGS, or `lateral-thinking` in HELDOUT_CACHE or the user's cache folder."""
    if named := os.environ.get("HELDOUT_RECORDINGS"):
        return Path(named).absolute()
    return cache() / "lateral-thinking"


class Recording(MutableMapping[str, str]):
    """Replies by digest, each a file that only this user reads (they say what the truth is). A reply that was recorded
    stays, whoever writes it again, so that processes that share the folder see one course."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __getitem__(self, digest: str) -> str:
        try:
            found: str = json.loads(self._file(digest).read_text("utf-8"))
        except FileNotFoundError:
            raise KeyError(digest) from None
        return found

    def __setitem__(self, digest: str, reply: str) -> None:
        file = self._file(digest)
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        written, name = tempfile.mkstemp(dir=file.parent, prefix=".")
        with os.fdopen(written, "w", encoding="utf-8") as stream:
            json.dump(reply, stream)
        try:
            os.link(name, file)
        except FileExistsError:
            pass
        finally:
            Path(name).unlink()

    def __delitem__(self, digest: str) -> None:
        try:
            self._file(digest).unlink()
        except FileNotFoundError:
            raise KeyError(digest) from None

    def __iter__(self) -> Iterator[str]:
        return (path.name for path in self._place.glob("??/[!.]*"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _file(self, digest: str) -> Path:
        return self._place / digest[:2] / digest
