"""Number words of German, French, Spanish, Italian, Portuguese and Dutch, from two on: `one` is their article."""

import re
from typing import Final

_CARDINALS: Final = (
    (2, "zwei deux dos due dois duas twee"),
    (3, "drei trois tres tre três drie"),
    (4, "vier quatre cuatro quattro quatro"),
    (5, "fünf cinq cinco cinque vijf"),
    (6, "sechs six seis sei zes"),
    (7, "sieben sept siete sette sete zeven"),
    (8, "acht huit ocho otto oito"),
    (9, "neun neuf nueve nove negen"),
    (10, "zehn dix diez dieci dez tien"),
    (11, "elf onze once undici"),
    (12, "zwölf douze doce dodici doze twaalf"),
    (13, "dreizehn treize trece tredici treze dertien"),
    (14, "vierzehn quatorze catorce quattordici catorze veertien"),
    (15, "fünfzehn quinze quince quindici vijftien"),
    (16, "sechzehn seize dieciséis sedici dezesseis zestien"),
    (17, "siebzehn dix-sept diecisiete diciassette dezessete zeventien"),
    (18, "achtzehn dix-huit dieciocho diciotto dezoito achttien"),
    (19, "neunzehn dix-neuf diecinueve diciannove dezenove negentien"),
    (20, "zwanzig vingt veinte venti vinte twintig"),
    (30, "dreißig trente treinta trenta trinta dertig"),
    (40, "vierzig quarante cuarenta quaranta quarenta veertig"),
    (50, "fünfzig cinquante cincuenta cinquanta cinquenta vijftig"),
    (60, "sechzig soixante sesenta sessanta sessenta zestig"),
    (100, "hundert einhundert cent cien cento cem honderd"),
    (1000, "tausend eintausend mille mil duizend"),
)
_PARTS: Final = (
    (2, "hälfte|moitié|mitad|metà|metade|helft"),
    (3, "drittel|tiers|tercios?|terz[oi]|terços?"),
    (4, "viertel|quarts?|cuartos?|quart[oi]|quartos?|kwart"),
    (5, "fünftel|cinquièmes?|quintos?|quint[oi]|vijfde"),
    (6, "sechstel|sixièmes?|sextos?|sest[oi]"),
    (8, "achtel|huitièmes?|octavos?|ottav[oi]|oitavos?"),
    (10, "zehntel|dixièmes?|décimos?|decim[oi]"),
)
VALUES: Final = {word: value for value, words in _CARDINALS for word in words.split()}
_ONE: Final = r"(?:eine?|die|une?|la|le|uno?|una|um|uma|a|een|de)"
COUNT: Final = "|".join(sorted(map(re.escape, VALUES), key=len, reverse=True))
_FRACTION: Final = re.compile(
    rf"\b(?:(?P<count>{COUNT})|{_ONE})\s+(?:{'|'.join(f'(?P<p{size}>{words})' for size, words in _PARTS)})\b",
    re.IGNORECASE,
)
_CARDINAL: Final = re.compile(rf"\b(?:{COUNT})\b", re.IGNORECASE)


def in_digits(text: str) -> str:
    """A sentence of one of these languages with its number words in digits, fractions as `1/6`."""

    def fraction(found: re.Match[str]) -> str:
        size = next(size for size, _ in _PARTS if found[f"p{size}"])
        return f"{VALUES[found['count'].lower()] if found['count'] else 1}/{size}"

    return _CARDINAL.sub(lambda found: str(VALUES[found[0].lower()]), _FRACTION.sub(fraction, text))
