"""Which words of a product's title name things: a finder without a model, the same on every machine.

WebShop's reward takes the nouns and proper nouns that spaCy's large English model finds. In titles nearly every word is
one of them; what the model leaves out are numbers, function words, verb forms and adjectives. This finder leaves out
numbers, a list of function words and of common adjectives, and words by the endings of adjectives and participles.
"""

import re

_WORD = re.compile(r"[^\W_]+(?:[.'\u2019][^\W_]+)*")
_FUNCTION = frozenset(
    {
        *("a", "an", "the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their", "it"),
        *(
            "i",
            "you",
            "he",
            "she",
            "we",
            "they",
            "who",
            "which",
            "what",
            "whose",
            "all",
            "any",
            "both",
            "each",
            "every",
        ),
        *("some", "no", "not", "more", "most", "other", "such", "only", "own", "same", "so", "than", "too", "very"),
        *("and", "or", "but", "nor", "if", "as", "because", "while", "when", "where", "how", "about", "above", "after"),
        *(
            "against",
            "at",
            "before",
            "behind",
            "below",
            "between",
            "by",
            "down",
            "during",
            "for",
            "from",
            "in",
            "inside",
        ),
        *(
            "into",
            "near",
            "of",
            "off",
            "on",
            "onto",
            "out",
            "outside",
            "over",
            "per",
            "since",
            "through",
            "to",
            "under",
        ),
        *(
            "until",
            "up",
            "via",
            "w",
            "with",
            "within",
            "without",
            "is",
            "are",
            "be",
            "been",
            "was",
            "were",
            "has",
            "have",
        ),
        *("had", "do", "does", "can", "could", "may", "will", "would", "should", "must", "let", "get", "make", "made"),
        *(
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "also",
            "just",
            "here",
            "there",
        ),
    }
)
_ADJECTIVES = frozenset(
    {
        *("big", "small", "large", "tiny", "long", "short", "tall", "high", "low", "wide", "narrow", "thin", "thick"),
        *("new", "old", "great", "good", "better", "best", "perfect", "nice", "cute", "cool", "hot", "warm", "cold"),
        *("soft", "hard", "heavy", "strong", "fresh", "pure", "real", "clear", "easy", "quick", "fast", "slow", "dry"),
        *(
            "wet",
            "clean",
            "smooth",
            "fine",
            "rich",
            "full",
            "empty",
            "open",
            "deep",
            "bright",
            "dark",
            "light",
            "loose",
        ),
        *(
            "natural",
            "organic",
            "original",
            "professional",
            "multi",
            "casual",
            "modern",
            "classic",
            "portable",
            "extra",
        ),
        *("premium", "universal", "compatible", "elegant", "vintage", "slim", "round", "square", "flat", "double"),
        *("single", "dual", "free", "non"),
    }
)
_ENDINGS = re.compile(r".{3,}(?:able|ible|ful|ous|ative|istic|proof|[^eb]ed)$")
_NOUNS_ALL_THE_SAME = frozenset({"vegetable", "vegetables", "handful", "spoonful", "hundred"})


def nouns(title: str) -> list[str]:
    """The nouns of a title in lower case, in order, with repeats; hyphens and slashes part words."""
    found = (word.lower() for word in _WORD.findall(title))
    return [word for word in found if _is_noun(word)]


def _is_noun(word: str) -> bool:
    if len(word) < 2 or any(character.isdigit() for character in word):
        return False
    if word in _NOUNS_ALL_THE_SAME:
        return True
    return word not in _FUNCTION and word not in _ADJECTIVES and not _ENDINGS.fullmatch(word)
