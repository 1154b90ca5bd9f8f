"""Equations of reactions, oxidation numbers and the order of shells: what chemists write that is no mathematics."""

import re
from fractions import Fraction
from typing import Final

from grading.language.formulae import plain_ion, species

_ARROW: Final = re.compile(
    r"<=+>|<-+>|-+>|=+>|→|⟶|⇌|↔|\\(?:longrightarrow|rightarrow|to|rightleftharpoons|leftrightarrow|longleftrightarrow)(?![A-Za-z])|="
)
_PLUS: Final = re.compile(r"(?<=[\s})\]])\+(?=[\s\\{])|\s\+\s|\+(?=[A-Z\d])")
_CE: Final = re.compile(r"\\(?:ce|mathrm|text|mathsf)\s*\{(.*)\}", re.DOTALL)
_COEFFICIENT: Final = re.compile(
    r"(?:\\[td]?frac\s*\{?(\d)\}?\s*\{?(\d)\}?|(\d{1,3})(?:/(\d{1,2}))?)?\s*(.+)", re.DOTALL
)
_STATE: Final = re.compile(r"\s*\((?:aq|s|l|g)\)\s*$")
_ROMAN: Final = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8}
_OXIDATION: Final = re.compile(r"([+-]?)\s*([IV]{1,4}|\d)\s*([+-]?)")
_CORES: Final = {
    "He": "1s2",
    "Ne": "1s22s22p6",
    "Ar": "1s22s22p63s23p6",
    "Kr": "1s22s22p63s23p63d104s24p6",
    "Xe": "1s22s22p63s23p63d104s24p64d105s25p6",
    "Rn": "1s22s22p63s23p63d104s24p64d104f145s25p65d106s26p6",
}
_FULL: Final = {"s": 2, "p": 6, "d": 10, "f": 14}
_MAX: Final = 200

Side = tuple[tuple[str, Fraction], ...]


def reaction(text: str) -> tuple[Side, Side] | None:
    """Both sides of `2H2 + O2 -> 2H2O`, each sorted, states of matter left out; None of anything else."""
    if len(text) > _MAX:
        return None
    whole = _CE.fullmatch(text.strip(" $."))
    text = whole[1] if whole is not None and text.count("{") == text.count("}") else text.strip(" $.")
    parts = _ARROW.split(text)
    if len(parts) != 2:
        return None
    left, right = (_side(part) for part in parts)
    return (left, right) if left is not None and right is not None else None


def _side(text: str) -> Side | None:
    found: dict[str, Fraction] = {}
    for part in _PLUS.split(f" {text.strip()} "):
        match = _COEFFICIENT.fullmatch(_STATE.sub("", part.strip()))
        bare = _STATE.sub("", match[5]) if match is not None else ""
        spelt = plain_ion(bare) or species(bare)
        if match is None or spelt is None:
            return None
        over, under = match[1] or match[3] or "1", match[2] or match[4] or "1"
        if under == "0":
            return None
        found[spelt] = found.get(spelt, Fraction(0)) + Fraction(int(over), int(under))
    return tuple(sorted(found.items()))


def oxidation(text: str) -> tuple[int, bool] | None:
    """An oxidation number (`+6`, `+VI`, `III`, `2-`) and whether its sign is written; None of anything else."""
    bare = re.sub(r"\\(?:mathrm|text|mathbf)|[{}$\s]", "", text).replace("−", "-").rstrip(".")
    found = _OXIDATION.fullmatch(bare)
    if found is None or (found[1] and found[3]):
        return None
    size = _ROMAN.get(found[2]) if not found[2].isdigit() else int(found[2])
    sign = found[1] or found[3]
    return None if size is None else (-size if sign == "-" else size, bool(sign))


def electrons(shells: str) -> dict[str, int] | None:
    """Electrons by shell of a configuration (`[Ar]3d54s1`), the noble gas written out; None where it cannot be one."""
    core = re.match(r"\[([A-Z][a-z])\]", shells)
    if core is not None and core[1] not in _CORES:
        return None
    written = (_cut(_CORES[core[1]]) or []) if core is not None else []
    rest = shells[core.end() :] if core is not None else shells
    cut = _cut(rest)
    if cut is None:
        return None
    found: dict[str, int] = {}
    for shell, count in (*written, *cut):
        if shell in found:
            return None
        found[shell] = int(count)
    return found


def _cut(text: str) -> list[tuple[str, str]] | None:
    """`2p63s2` cut into shells: a number of two digits only where the shell holds so many."""
    found: list[tuple[str, str]] = []
    while text:
        match = re.match(r"([1-8])([spdf])(\d{1,2})", text)
        if match is None:
            return None
        count = match[3]
        following = text[match.end() : match.end() + 1]
        if len(count) == 2 and (int(count) > _FULL[match[2]] or (following and following in _FULL)):
            count = count[:1]
        if not 0 < int(count) <= _FULL[match[2]]:
            return None
        found.append((match[1] + match[2], count))
        text = text[match.start(3) + len(count) :]
    return found
