"""SQL of judges' replies by the digest of all that was asked: sealed, for they quote answers and rubrics. Blocking."""

from collections.abc import Callable

from api.core.blocking import BlockingDatabase
from api.core.crypto import seal, unseal
from grading.tools import JudgeReply

_GET = "select sealed from vault.judge_reply where digest = %(digest)s"
# Two workers may ask the same at the same moment: the reply that came first stays.
_PUT = """insert into vault.judge_reply (digest, sealed, created_at) values (%(digest)s, %(sealed)s, now())
on conflict (digest) do nothing returning digest"""


class JudgeReplyRepository:
    """Seals on the way in, opens on the way out. Its methods raise one of `api.core.blocking.UNREACHABLE`."""

    def __init__(self, database: BlockingDatabase, key: Callable[[], bytes]) -> None:
        self._database = database
        self._key = key

    def get(self, digest: str) -> JudgeReply | None:
        """The reply, if there is one. Raises SealError and pydantic.ValidationError for a changed row."""
        row = self._database.row(_GET, {"digest": digest})
        if row is None:
            return None
        (sealed,) = row
        assert isinstance(sealed, bytes)
        return JudgeReply.model_validate_json(unseal(self._key(), sealed, reply_binding(digest)))

    def put(self, reply: JudgeReply) -> None:
        """Keep a reply, unless there is one."""
        sealed = seal(self._key(), reply.model_dump_json().encode(), reply_binding(reply.digest))
        self._database.row(_PUT, {"digest": reply.digest, "sealed": sealed})


def reply_binding(digest: str) -> str:
    """What it is bound to."""
    return f"vault.judge_reply:{digest}:1"
