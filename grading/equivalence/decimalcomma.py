"""Golds with a decimal comma (`2,5 m`, `0,75`), where the question, the unit or the answer tells that it is one."""

import re
from typing import Final

from grading.language.responses.clauses import is_foreign
from grading.language.unitnames import is_unit

_NUMBER: Final = re.compile(
    r"(?<![\d.,(\[{\]|])(?P<whole>\d{1,3}(?:\.\d{3})+|\d+),(?P<places>\d+)(?![\d,])(?!\s*[)\]}\[;])"
)
_SET_APART: Final = re.compile(r"(?:\s|\\[,;: ]|~|\\(?:text|mathrm)\b|\$|[%‰€°]|\\%)")
_DRESS: Final = re.compile(r"\\(?:text|mathrm|[,;: ])|[{}$~]")
_COMMA: Final = re.compile(r"\d(?:,|\{,\})\d")
_THOUSANDS: Final = re.compile(r"\d\.\d{3}(?!\d)")
_BRACED: Final = re.compile(r"\d\{,\}\d")
_IN_ENGLISH: Final = re.compile(
    r"\b(?:what|which|how|when|find|solve|give|compute|calculate|evaluate|determine|simplify|the|for|if|and|with)\b",
    re.IGNORECASE,
)
_ABROAD: Final = re.compile(
    r"\b(?:berechn\w+|bestimm\w+|ermittel\w+|wie\s+(?:viel\w*|groß|lang|hoch|schwer|schnell|alt)|was\s+ist|combien|calcule[rz]?|calcular"
    r"|calcola\w*|oblicz\w*|ile|hitung\w*|berapa|beräkna|beregn|vypočítej\w*|kolik|bereken|hoe\s?\w+|kaç|hesapla\w*)\b|[а-яё]{3}",
    re.IGNORECASE,
)
"""How questions of languages begin that write a decimal comma."""
_SEVERAL: Final = re.compile(
    r"\b(?:lösungen|nullstellen|werte|alle[ns]?|paare?|punkte?|koordinaten|intervall\w*|vektor\w*|lösungsmenge|solutions|racines|valeurs|tou(?:te)?s"
    r"|couples?|points?|coordonnées|vecteurs?|ensemble|soluciones|raíces|valores|tod[oa]s|pares?|puntos?|coordenadas|vector\w*|conjunto"
    r"|soluzioni|radici|valori|tutt[ei]|coppi[ae]|punt[oi]|coordinate|vettor\w+|insieme|soluções|raízes|pontos?|vetor\w*|все|решения|корн(?:и|ей)"
    r"|значения|точк\w+|координат\w*|oplossingen|wortels|nulpunten|waarden|[a-z]\s+(?:und|et|e|y|en|и)\s+[a-z])\b"
    r"|(?<![/\w])[a-z]\s?(?:²|\^\{?[2-9])",
    re.IGNORECASE,
)
"""What asks for several values, or is an equation that may have two."""


def _is_abroad(question: str) -> bool:
    """Whether a question is of a language that writes a decimal comma."""
    return (is_foreign(question) or _ABROAD.search(question) is not None) and not _IN_ENGLISH.search(question)


def writes_comma(question: str, gold: str, given: str) -> bool:
    """Whether a comma of an answer may be a decimal one by its question; its gold's point parts no thousands."""
    return _COMMA.search(given) is not None and _THOUSANDS.search(gold) is None and _is_abroad(question)


def _is_unit(tail: str) -> bool:
    """Whether nothing but a unit stands behind a number, set apart from it as a unit is."""
    unit = _DRESS.sub(" ", tail).strip(" .")
    return _SET_APART.match(tail) is not None and bool(unit) and is_unit(unit)


def with_point(gold: str, given: str, question: str) -> str:
    """A gold with a decimal point for its comma; as it stands where it may be a list of two values."""
    found = _NUMBER.search(gold) if gold.count(",") - gold.count("\\,") == 1 else None
    if found is None:
        return gold
    measured = _is_unit(gold[found.end() :])
    if len(found["places"]) == len("000") and found["whole"] != "0" and "." not in found["whole"]:
        return gold  # Thousands may be meant.
    told = _is_abroad(question) and (measured or not _SEVERAL.search(question))
    if not told and not (measured and not question) and not _BRACED.search(given):
        return gold
    return f"{gold[: found.start()]}{found['whole'].replace('.', '')}.{found['places']}{gold[found.end() :]}"
