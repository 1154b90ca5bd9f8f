"""Boolean algebra as circuits are written, `A'B + \\overline{C}`, in the signs of logic."""

import re
from typing import Final

_DRESS: Final = re.compile(
    r"\\(?:text|mathrm|mathbf|operatorname)\s*\{\s*([A-Za-z ]+?)\s*\}"
    r"|\\(?:left|right|[,;:! ]|q?quad)(?![A-Za-z])|[$*`](?=[$*`])|[$`]"
)
_NAMED: Final = re.compile(r"^\s*[A-Za-z](?:_\w|_\{\w+\})?\s*(?:\(\s*[A-Za-z](?:\s*,\s*[A-Za-z])*\s*\))?\s*=\s*")
_BARRED: Final = re.compile(
    r"\\(?:overline|bar)\s*\{((?:[^{}]|\{\w{1,2}\}){1,80})\}|\\(?:overline|bar)\s+([A-Za-z](?:_\d)?)"
)
_OVER_LETTER: Final = re.compile("([A-Za-z])[\u0304\u0305]")
_PRIMED: Final = re.compile(r"([A-Za-z](?:_?\d)?)\s*(?:['’′]|\^\{?\\prime\}?|\^\{?c\}?)")
_GROUP_PRIMED: Final = re.compile(r"\)\s*['’′]")
_SIGNS: Final = (
    (re.compile(r"\bNOT\b|\\(?:neg|lnot)(?![A-Za-z])|[~∼!]"), "¬"),
    (re.compile(r"\b(?:AND|and)\b|\\(?:cdot|land|wedge|times)(?![A-Za-z])|[·⋅∙•*&.×]"), "∧"),
    (re.compile(r"\bXOR\b|\\oplus(?![A-Za-z])"), "⊕"),
    (re.compile(r"\bXNOR\b|\\odot(?![A-Za-z])|⊙"), "↔"),
    (re.compile(r"\b(?:OR|or)\b|\\(?:lor|vee)(?![A-Za-z])|\+|\|{1,2}"), "∨"),
)
_UNIVERSAL: Final = re.compile(r"([A-Za-z](?:_\d)?)\s+(NAND|NOR)\s+([A-Za-z](?:_\d)?)")
_INDEXED: Final = re.compile(r"(?<![A-Za-z\\])([A-Za-z])(?:_?(\d)|_\{(\d)\})")
_BESIDE: Final = re.compile("(?<=[A-Za-z)\uf000-\uf8ff])\\s*(?=[A-Za-z(¬\uf000-\uf8ff])")
_WHOLE: Final = re.compile("[A-Za-z01()¬∧∨⊕↔\\s\uf000-\uf8ff]+")
_ASKED: Final = re.compile(
    r"(?i:\bboolean|\blogic(?:al)?\s+(?:circuit|gate|expression|function|network|diagram)|\bkarnaugh|\bk-?map|\btruth\s+table)|\b(?:gates?|De\s?Morgan\w*|N?AND|X?N?OR|NOT)\b"
)
"""What speaks of circuits: words in capitals are connectives."""
_OF_LOGIC: Final = re.compile(
    r"[¬∧∨⊕⊙]|\\(?:neg|lnot|land|lor|wedge|vee|oplus|odot)(?![A-Za-z])|\b(?:X?NOR|NAND|XOR|AND|OR|NOT)\b"
)
_FORMULAS: Final = re.compile(r"(?<=\$)[^$]{1,120}(?=\$)|(?<=\\\().{1,120}?(?=\\\))")
_BOLD: Final = re.compile(r"\*\*([^*]{1,120})\*\*")
_BEHIND: Final = re.compile(r"(?:=|:|\bis)\s+(?P<said>[^=:]{1,120}?)\.?\s*$")
_UNSURE: Final = re.compile(r"\b(?:not|n['’]t|never|instead|rather|wrong|but|if|unless|maybe)\b|\?")
_LONGEST: Final = 160


def may_be(text: str) -> bool:
    """Whether a gold can be an expression of Boolean algebra."""
    return len(text) <= _LONGEST and in_logic(text) is not None


def is_spoken_of(question: str, gold: str, given: str) -> bool:
    """Whether a question, a gold or an answer shows that sums and products are those of Boolean algebra."""
    return _ASKED.search(question) is not None or any(_OF_LOGIC.search(each) for each in (gold, given))


def in_logic(text: str) -> str | None:
    """An expression of Boolean algebra in the signs of logic; None of any other text."""
    if len(text) > _LONGEST:
        return None
    bare = _DRESS.sub(lambda found: f" {found[1]} " if found[1] else " ", text.strip().rstrip("."))
    while (named := _NAMED.match(bare)) is not None:
        bare = bare[named.end() :]
    bare = _INDEXED.sub(lambda name: f"{name[1]}_{name[2] or name[3]}", bare.rpartition("=")[2])
    bare = _UNIVERSAL.sub(lambda pair: f"NOT ({pair[1]} {'AND' if pair[2] == 'NAND' else 'OR'} {pair[3]})", bare)
    for _ in range(6):
        bare, count = _BARRED.subn(lambda bar: f"¬({bar[1] or bar[2]})", bare)
        if not count:
            break
    bare = _group_primes(_PRIMED.sub(r"¬\1", _OVER_LETTER.sub(r"¬\1", bare)))
    for words, sign in _SIGNS:
        bare = words.sub(f" {sign} ", bare)
    bare = _BESIDE.sub(" ∧ ", re.sub(r"[{\[]", "(", re.sub(r"[}\]]", ")", _one_sign(bare))))
    sound = _WHOLE.fullmatch(bare) is not None and re.search(r"[¬∧∨⊕↔]", bare) is not None
    return bare if sound and re.search(r"[A-Za-z]{2}", bare) is None else None


def stated(text: str) -> str | None:
    """The only expression that an answer states, alone, as a formula, or behind a name, in the signs of logic."""
    whole = in_logic(text)
    if whole is not None or len(text) > _LONGEST or _UNSURE.search(text):
        return whole
    inside = _FORMULAS.findall(text) or _BOLD.findall(text)
    behind = _BEHIND.search(text)
    said = inside[0] if len(inside) == 1 else behind["said"] if behind is not None and not inside else None
    return in_logic(said) if said is not None else None


def _one_sign(text: str) -> str:
    """Letters with an index as one sign each, of those that no text has."""
    return re.sub(r"([A-Za-z])_(\d)", lambda name: chr(0xF000 + ord(name[1]) * 10 + int(name[2])), text)


def _group_primes(text: str) -> str:
    """`(A + B)'` as the negation of the group."""
    while (prime := _GROUP_PRIMED.search(text)) is not None:
        depth, place = 0, prime.start()
        while place >= 0:
            depth += (text[place] == ")") - (text[place] == "(")
            if not depth:
                break
            place -= 1
        if place < 0:
            return text
        text = f"{text[:place]}¬{text[place : prime.start() + 1]}{text[prime.end() :]}"
    return text
