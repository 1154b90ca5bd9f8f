"""Canaries: strings that have no business in a model, with siblings that were never published.

For each benchmark, release and channel N strings are drawn alike and one is used. A model that never saw the used one
has no reason to know it better than its siblings, so its rank among them is uniform: p = rank / N, exactly.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

SIBLINGS = 100
CHANNELS = ("data", "docs", "page", "api")
_LENGTH = 32
REPLACEMENT = "[removed]"
_OURS = re.compile(r"HELDOUT-CANARY(?:-[0-9a-f]{8}){4}", re.IGNORECASE)


@dataclass(frozen=True)
class Canary:
    """The N siblings of one channel, in an order that tells nothing, and which of them is in use (secret)."""

    benchmark: str
    release: str
    channel: str
    siblings: tuple[str, ...]
    used: int

    @property
    def text(self) -> str:
        return self.siblings[self.used]


@lru_cache(maxsize=256)
def draw(secret: bytes, benchmark: str, release: str, channel: str, count: int = SIBLINGS) -> Canary:
    """The canary of a channel, always the same for the same secret."""
    if channel not in CHANNELS:
        raise ValueError(f"'{channel}' is no channel; known: {', '.join(CHANNELS)}")
    if count < 2:
        raise ValueError("a canary needs at least one sibling that is held back")
    names = [f"{benchmark}\n{release}\n{channel}\n{number}" for number in range(count)]
    siblings = tuple(write(hmac.digest(secret, b"canary\n" + name.encode(), hashlib.sha256)) for name in names)
    chooser = hmac.digest(secret, f"canary-used\n{benchmark}\n{release}\n{channel}".encode(), hashlib.sha256)
    return Canary(benchmark, release, channel, siblings, int.from_bytes(chooser[:8], "big") % count)


def write(digest: bytes) -> str:
    """A canary as it is printed: `HELDOUT-CANARY-` and a digest in groups of eight."""
    text = digest.hex()[:_LENGTH]
    return "HELDOUT-CANARY-" + "-".join(text[start : start + 8] for start in range(0, _LENGTH, 8))


def rank_p(scores: Sequence[float], used: int) -> float:
    """Exact p-value from a score for each sibling (higher: the model knows it better); ties count against the alarm."""
    rank = sum(score >= scores[used] for score in scores)
    return rank / len(scores)


def completion_score(canary: str, completion: str, prompt_length: int) -> float:
    """How many characters of the canary's rest a completion gives, in order from the start."""
    rest = canary[prompt_length:]
    given = completion.strip().strip("`\"'")
    given = given.removeprefix(canary[:prompt_length])
    count = 0
    for right, said in zip(rest, given, strict=False):
        if right.casefold() != said.casefold():
            break
        count += 1
    return float(count)


def strip(text: str, known: Iterable[str]) -> str:
    """The text without canaries, for what an agent is shown in an episode."""
    for canary in sorted({canary for canary in known if canary}, key=len, reverse=True):
        text = re.sub(re.escape(canary), REPLACEMENT, text, flags=re.IGNORECASE)
    return _OURS.sub(REPLACEMENT, text)


def found_in(text: str, canaries: Iterable[Canary]) -> Mapping[str, str]:
    """Which channels' used canaries occur in a text: channel by canary."""
    plain = text.casefold()
    return {canary.text: canary.channel for canary in canaries if canary.text.casefold() in plain}
