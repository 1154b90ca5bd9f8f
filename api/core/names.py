"""Names that people read on boards: what they may hold, and when two of them look alike.

Refused are characters that are not seen or that turn the direction of the text, and letters that pass for others: a
word of several scripts, or one of another script that reads as plain Latin (mixed-script and whole-script confusables
of Unicode TR 39, whose tables `confusable_homoglyphs` has). A name in any one script is fine.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data

_TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA", "LATIN"}),
    frozenset({"HAN", "BOPOMOFO", "LATIN"}),
    frozenset({"HAN", "HANGUL", "LATIN"}),
)
_OF_ANY_SCRIPT = {"COMMON", "INHERITED"}
_MARKS_ON_A_LETTER = 3
# Letters and a symbol that show as nothing.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_WORD = re.compile(r"[^\W_]+")
# After the look-alikes of one case: what differs in the other case alone, or not at all in many typefaces.
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l"})


def visible_text(text: str) -> str:
    """`text` as it is. Raises ValueError for characters that are not seen or that turn the direction of the text."""
    marks = 0
    for character in text:
        if not _seen(character):
            raise ValueError(
                f"U+{ord(character):04X} cannot be seen, is an unusual space or turns the direction of the text; "
                "leave it out"
            )
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > _MARKS_ON_A_LETTER:
            raise ValueError(f"at most {_MARKS_ON_A_LETTER} combining marks may follow a letter")
    return text


def visible_part(text: str) -> str:
    """`text` without the characters that `visible_text` refuses."""
    return "".join(filter(_seen, text))


def plain_name(text: str) -> str:
    """`text` as it is. Raises ValueError where it is no `visible_text`, or a word of it passes for another."""
    for word in _WORD.findall(visible_text(text)):
        if word.isascii():
            continue
        if unicodedata.normalize("NFKC", word) != unicodedata.normalize("NFC", word):
            raise ValueError("a word has letters in a special form (full-width, mathematical); use the plain letters")
        scripts = unique_aliases(word) - _OF_ANY_SCRIPT
        if len(scripts) > 1 and not any(scripts <= group for group in _TOGETHER):
            raise ValueError("a word mixes the letters of several scripts, which look like one another; use one script")
        foreign = [character for character in word if not _ordinary(character)]
        if foreign and all(_prototype(character).isascii() for character in foreign) and _plain_but(word, foreign):
            raise ValueError("a word of another script reads as Latin letters; write it in Latin letters")
    return text


def folded(text: str) -> str:
    """What of a name counts when two are compared: equal for names that look alike. Empty without letters and digits.

    Case, accents, spaces and punctuation do not count, nor does which of several look-alike characters was used.
    """
    apart = unicodedata.normalize("NFKD", text)
    bare = "".join(character for character in apart if unicodedata.category(character)[0] != "M")
    alike = "".join(map(_prototype, "".join(map(_prototype, bare)).casefold()))
    return "".join(filter(str.isalnum, alike.casefold().translate(_ALIKE))).replace("rn", "m")


def _seen(character: str) -> bool:
    category = unicodedata.category(character)
    if category[0] == "C" or category in ("Zl", "Zp") or character in _BLANK:
        return False
    return character == " " or (category != "Zs" and not "\ufe00" <= character <= "\ufe0f")


def _ordinary(character: str) -> bool:
    """ASCII, and the accented and further Latin letters that languages are written in."""
    return character < "\u0250" or "\u1e00" <= character <= "\u1eff"


def _plain_but(word: str, foreign: list[str]) -> bool:
    return all(character.isascii() or character in foreign for character in word)


def _prototype(character: str) -> str:
    return _prototypes().get(character, character)


def _first(text: str) -> tuple[int, bool, bool, str]:
    return len(text), not text.isascii(), not text.isalnum(), text


@lru_cache(maxsize=1)
def _prototypes() -> Mapping[str, str]:
    """One character for each group of look-alikes, the first by code point: an ASCII one wherever there is one."""
    parents: dict[str, str] = {}

    def root(character: str) -> str:
        while (parent := parents.setdefault(character, character)) != character:
            character = parent
        return character

    for character, alike in confusables_data.items():
        for other in alike:
            first, second = sorted((root(character), root(other["c"])), key=_first)
            parents[second] = first
    return {character: root(character) for character in parents if len(character) == 1}
