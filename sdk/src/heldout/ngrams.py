"""The published n-gram filter of a benchmark: find its hidden text in a training corpus without holding that text.

    filter = sdk.ngram_filter("demo-arb")
    for hit in filter.hits(document):
        print(hit.start, hit.end, document[hit.start : hit.end])

A Bloom filter (Bloom 1970) over salted hashes of 13-grams of words, the length of Brown et al. 2020. The grams that
are kept do not overlap: where they do, whoever holds a filter can read the text out of it, extending a known gram by
one word at a time over a vocabulary; here the next gram is thirteen words that must all be guessed at once.
"""

import base64
import binascii
import hashlib
import math
import re
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

WORDS = 13
FALSE_POSITIVES = 1e-6
FORMAT = 1
LARGEST_BITS = 2**33
_WORD = re.compile(r"\d+(?:[.,/]\d+)*|[^\W\d_]+")


@dataclass(frozen=True)
class Hit:
    """Text that occurs in the filter: characters `start` to `end` (exclusive) of the text that was asked about."""

    start: int
    end: int


def words_of(text: str) -> list[tuple[str, int, int]]:
    """The words of a text as the filter sees them, each with its first character and the one after its last.

    Case, compatibility forms and the values of numbers make no difference, so that neither formatting nor the
    constants of a template hide a copy.
    """
    return [(_fold(match.group()), match.start(), match.end()) for match in _WORD.finditer(text)]


def _fold(word: str) -> str:
    return "0" if word[0].isdigit() else unicodedata.normalize("NFKC", word).casefold()


class NgramFilter:
    """A set of n-grams that can be asked, and told only to whoever knows the gram already.

    `words` is n; an n-gram that is not in the set is found with probability `false_positives`.
    """

    def __init__(self, content: bytes, *, salt: bytes, hashes: int, words: int = WORDS, grams: int = 0) -> None:
        self._content = content
        self._salt = salt
        self._hashes = hashes
        self._bits = len(content) * 8
        self.words = words
        self.grams = grams

    @classmethod
    def build(
        cls, grams: Iterable[Sequence[str]], *, salt: bytes | None = None, false_positives: float = FALSE_POSITIVES
    ) -> Self:
        """A filter of these grams, each a sequence of `words` folded words. Raises ValueError for unequal lengths."""
        kept = list(grams)
        lengths = {len(gram) for gram in kept} or {WORDS}
        if len(lengths) > 1:
            raise ValueError(f"all grams of a filter have the same number of words, not {sorted(lengths)}")
        bits = max(64, math.ceil(-max(1, len(kept)) * math.log(false_positives) / math.log(2) ** 2))
        content = bytearray(math.ceil(bits / 8))
        hashes = max(1, round(-math.log2(false_positives)))
        made = cls(b"", salt=salt or secrets.token_bytes(16), hashes=hashes, words=lengths.pop(), grams=len(kept))
        made._bits = len(content) * 8
        for gram in kept:
            for place in made._places(gram):
                content[place >> 3] |= 1 << (place & 7)
        made._content = bytes(content)
        return made

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """A filter as the service publishes it. Raises ValueError where it is none, or of an unknown format."""
        if document.get("format") != FORMAT:
            raise ValueError(
                f"this filter has format {document.get('format')!r}; this client reads {FORMAT}: upgrade it"
            )
        try:
            content = base64.b64decode(document["content"], validate=True)
            salt = bytes.fromhex(document["salt"])
            hashes, words, grams = (int(document[name]) for name in ("hashes", "words", "grams"))
        except (KeyError, TypeError, ValueError, binascii.Error) as error:
            raise ValueError("this is no n-gram filter: content, salt, hashes, words or grams is wrong") from error
        if not content or len(content) * 8 > LARGEST_BITS or not 1 <= hashes <= 64 or not 1 <= words <= 100:
            raise ValueError("this is no n-gram filter: its size, hashes or words are out of bounds")
        return cls(content, salt=salt, hashes=hashes, words=words, grams=grams)

    def to_json(self) -> dict[str, Any]:
        """The filter as plain JSON."""
        return {
            "format": FORMAT,
            "words": self.words,
            "grams": self.grams,
            "hashes": self._hashes,
            "salt": self._salt.hex(),
            "content": base64.b64encode(self._content).decode(),
        }

    def __contains__(self, gram: Sequence[str]) -> bool:
        return len(gram) == self.words and all(
            self._content[place >> 3] & (1 << (place & 7)) for place in self._places(gram)
        )

    def hits(self, text: str) -> list[Hit]:
        """Every place of a text whose words are in the filter; time is linear in the text."""
        found = words_of(text)
        names = [word for word, _, _ in found]
        return [
            Hit(found[start][1], found[start + self.words - 1][2])
            for start in range(len(found) - self.words + 1)
            if names[start : start + self.words] in self
        ]

    def _places(self, gram: Sequence[str]) -> Iterator[int]:
        # Independent hashes: with two that are combined, filters of a few hundred grams find too much.
        digest = hashlib.shake_128(self._salt + " ".join(gram).encode()).digest(8 * self._hashes)
        return (int.from_bytes(digest[at : at + 8], "big") % self._bits for at in range(0, len(digest), 8))
