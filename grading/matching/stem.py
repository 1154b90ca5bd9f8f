"""Porter's stemmer (Program 14, 1980) in the variant that ROUGE's common implementation uses.

That variant (NLTK's) leaves words of one or two letters alone, knows a few irregular words, and differs in the steps
marked below. Loading the libraries would cost each grading process two seconds.
"""

from collections.abc import Callable
from functools import lru_cache

Condition = Callable[[str], bool]
Rule = tuple[str, str, Condition | None]

_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_STEP_2 = (
    "ational ate",
    "tional tion",
    "enci ence",
    "anci ance",
    "izer ize",
    "bli ble",
    "alli al",
    "entli ent",
    "eli e",
    "ousli ous",
    "ization ize",
    "ation ate",
    "ator ate",
    "alism al",
    "iveness ive",
    "fulness ful",
    "ousness ous",
    "aliti al",
    "iviti ive",
    "biliti ble",
    "fulli ful",
)
_STEP_3 = ("icate ic", "ative", "alize al", "iciti ic", "ical ic", "ful", "ness")
_STEP_4 = ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent")
_STEP_4_REST = ("ou", "ism", "ate", "iti", "ous", "ive", "ize")


def _kinds(word: str) -> str:
    """The word as c and v; y is a vowel after a consonant."""
    kinds = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def _measure(stem: str) -> int:
    return _kinds(stem).count("vc")


def _some(stem: str) -> bool:
    return _measure(stem) > 0


def _more(stem: str) -> bool:
    return _measure(stem) > 1


def _short(word: str) -> bool:
    kinds = _kinds(word)
    # The variant takes a whole word such as "at" for short, too.
    return (kinds[-3:] == "cvc" and word[-1] not in "wxy") or kinds == "vc"


def _replaced(word: str, rules: list[Rule]) -> str:
    """The first rule whose ending fits decides, even when its condition fails."""
    for ending, new, condition in rules:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            return stem + new if condition is None or condition(stem) else word
    return word


def _rules(lines: tuple[str, ...], condition: Condition) -> list[Rule]:
    return [(line.partition(" ")[0], line.partition(" ")[2], condition) for line in lines]


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _replaced(word, [("sses", "ss", None), ("ies", "i", None), ("ss", "ss", None), ("s", "", None)])


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _some(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and "v" in _kinds(stem):
            return _repaired(stem)
    return word


def _repaired(stem: str) -> str:
    """What is left of a past or a gerund, as a word again."""
    for ending in ("at", "bl", "iz"):
        if stem.endswith(ending):
            return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and _kinds(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _short(stem) else stem


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 and _kinds(word[:-1])[-1] == "c" else word


def _step_2(word: str) -> str:
    if word.endswith("alli") and _some(word[:-4]):
        return _step_2(word[:-2])
    rules = _rules(_STEP_2, _some)
    return _replaced(word, [*rules, ("logi", "log", lambda stem: _some(stem + "l"))])


def _step_4(word: str) -> str:
    ion: Rule = ("ion", "", lambda stem: _more(stem) and stem[-1] in "st")
    return _replaced(word, [*_rules(_STEP_4, _more), ion, *_rules(_STEP_4_REST, _more)])


def _final_e(word: str) -> str:
    stem = word[:-1]
    if word.endswith("e") and (_more(stem) or (_measure(stem) == 1 and not _short(stem))):
        return stem
    return word


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a word in lower case."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _final_y(_past(_plural(word)))
    word = _step_4(_replaced(_step_2(word), _rules(_STEP_3, _some)))
    word = _final_e(word)
    return word[:-1] if word.endswith("ll") and _more(word[:-1]) else word
