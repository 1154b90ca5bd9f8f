"""Words of a text as the published search engine sees them: lower-case, without stop words, stemmed (Porter).

Facts: Lucene's analyzer for English. Words are split where Unicode's word boundaries are for the texts of shops.
"""

import re

import snowballstemmer

STOP = frozenset(
    {
        *("a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not"),
        *("of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was"),
        *("will", "with"),
    }
)
LONGEST = 60
_WORD = re.compile(r"\w+(?:(?:['\u2019.](?=\w)|(?<=\d),(?=\d))\w+)*")
_POSSESSIVE = re.compile(r"['\u2019][sS]$")
_PLAIN = re.compile(r"\W")
MOST_KNOWN = 50_000


class Analyzer:
    """Texts to terms. Not for use by two threads at once, since the stemmer is not."""

    def __init__(self) -> None:
        self._stemmer = snowballstemmer.stemmer("porter")
        self._known: dict[str, str] = {}

    def terms(self, text: str) -> list[str]:
        """The terms of a text in order, with repeats: letters, digits and underscores only."""
        words = (_POSSESSIVE.sub("", word) for word in _WORD.findall(text.lower()))
        return [self._stem(word) for word in words if word not in STOP]

    def _stem(self, word: str) -> str:
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[word] = _PLAIN.sub("_", str(self._stemmer.stemWord(word[:LONGEST])))
        return found
