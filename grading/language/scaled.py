"""Numbers of other languages with a word of scale or sign, in digits: `3万`, `5 Millionen`, `moins 20`."""

import re
from fractions import Fraction
from typing import Final

_SCALES: Final = (
    (Fraction(1, 1000), r"Tausendstel|millièmes?|milésim[oa]s?|millesimi"),
    (Fraction(1, 100), r"Hundertstel|centièmes?|centésim[oa]s?|centesimi"),
    (Fraction(1, 10), r"Zehntel|dixièmes?|décim[oa]s"),
    (Fraction(1, 4), r"Viertel"),
    (Fraction(1, 3), r"Drittel"),
    (Fraction(10), r"dizaines?|decenas?|decine"),
    (Fraction(12), r"Dutzend|douzaines?|docenas?|dozzin[ae]|dúzias?|dozijn"),
    (Fraction(100), r"Hundert|centaines?|centenas?|centenares|centinaia"),
    (Fraction(1000), r"Tausend|milliers?|millares|migliaia|milhares|duizend|тысяч[аи]?|آلاف|ألف"),
    (
        Fraction(10**6),
        r"Millionen|Million|millions|millón|millones|milhão|milhões|milione|milioni|miljoen|миллион(?:а|ов)?|ملايين|مليون",
    ),
    (
        Fraction(10**9),
        r"Milliarden|Milliarde|milliards?|bilhão|bilhões|miliardo|miliardi|miljard|миллиард(?:а|ов)?|مليار(?:ات)?",
    ),
)
"""Words behind a number that no English sentence has with another meaning."""
_ASIAN: Final = {
    "十": Fraction(10),
    "百": Fraction(100),
    "千": Fraction(1000),
    "万": Fraction(10**4),
    "萬": Fraction(10**4),
    "만": Fraction(10**4),
    "億": Fraction(10**8),
    "亿": Fraction(10**8),
    "억": Fraction(10**8),
    "兆": Fraction(10**12),
    "割": Fraction(1, 10),
}
_ZERO_TO_NINE: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_PLACES: Final = {"十": 10, "百": 100, "千": 1000}
_NUMBER: Final = r"(?<![\d.,\w])(?P<number>\d+(?:[.,]\d+)*)"
_LATIN: Final = re.compile(
    rf"{_NUMBER}\s+(?:{'|'.join(f'(?P<s{place}>{words})' for place, (_, words) in enumerate(_SCALES))})(?![\w])"
)
_MYRIAD: Final = re.compile(
    r"(?<![\d.,])(?P<number>\d+(?:[.,]\d+)*)\s?(?P<scale>[十百千万萬만億亿억兆割]+)(?![克米瓦卡帕赫焦伏字进進分之度])"
)
_SHARE: Final = re.compile(
    r"(?P<under>[\d零〇一二三四五六七八九十百千万]{1,12})\s?分\s?[之の]\s?(?P<over>[\d零〇一二三四五六七八九十百千万]{1,12})"
)
"""`三分之二`, `3分の2`"""
_SPELT: Final = re.compile(
    r"(?P<lead>(?:答案|结果|結果)?(?:[是为為]|[:：=]|等于|等於)\s*)(?P<number>[负負]?[零〇一二三四五六七八九十百千]{1,9})(?=\s*(?:[。.，,；;！!]|\Z|\n))"
)
_COUNTED: Final = re.compile(
    r"(?P<lead>(?:(?:总|總|一)?共|恰好?|只|还)?有\s*|は\s*)(?P<number>[二三四五六七八九十两兩]{1,3})(?=\s*(?:[个個种種组組条條对對]|つ|通り))"
)
"""`一共有三个解`"""
_SIGN: Final = re.compile(
    r"(?P<lead>(?:^|[:：=]|\b(?:ist|lautet|beträgt|est|vaut|es|é|è|vale|равен|равно|равна)\s|[是为為はが]|(?:هو|هي)\s)\s*\$?)"
    r"(?:(?:minus|moins|menos|meno|минус|سالب)\s+|[负負]\s?|マイナス\s?)(?=\$?\d)",
    re.IGNORECASE | re.MULTILINE,
)
_GROUPED: Final = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+),(\d+)(?![\d.,]*\d)")
"""`12.345,60`, which is no number of English."""
_MONEY: Final = re.compile(r"(?<![\d.,])(\d{1,3}) (\d{3})(?=\s?(?:€|(?i:euros?|francs?|dollars?|rubel|рублей)\b))")
_PER: Final = re.compile(
    r"(?<=\d)\s+(?:(?P<cent>pour\s+cent|por\s+ciento|por\s+cento|per\s+cento|Prozent|процент(?:а|ов)?)|pour\s+mille|por\s+mil|per\s+mille|Promille)(?!\w)"
)
_ORDINAL: Final = re.compile(
    r"(?<=\b(?:das|der|die|dem|den|des)\s)(\d+)\.(?=\s+[A-ZÄÖÜ][a-zäöüß]+\W*(?:\Z|\n))", re.IGNORECASE
)
_SO: Final = re.compile(
    r"^\s*(?:所以|因此|故|于是|於是|即|得|よって|따라서)\s*[,，]?\s*(?=\$?[A-Za-z]\s*=[^一-鿿가-힣ぁ-ヿ]*$)"
)
_ANY: Final = re.compile(
    r"[^\x00-\x7f]|\d\.\d{3},\d|\d \d{3}\s|\d\s+(?:po[ur]+|per|Pro)|(?:das|der|die|dem|den|des)\s\d+\."
    r"|(?:Tausend|Million|million|Milliard|milliard|Dutzend|dou?zaine|docena|dozzin|dozijn|Hundert|cent(?:aine|ena|inaia)"
    r"|millier|millares|migliaia|milhares|duizend|milion|miljoen|miljard|Viertel|Drittel|Zehntel|dizaine|decena|decine)"
    r"|(?i:minus|moins|menos|meno)\s"
)


def in_plain_digits(text: str) -> str:
    """A text with such numbers written out; as it is where it has none."""
    if _ANY.search(text) is None:
        return text
    text = _GROUPED.sub(lambda found: f"{found[1].replace('.', '')}.{found[2]}", text)
    text = _MONEY.sub(r"\1\2", text)
    text = _PER.sub(lambda found: "%" if found["cent"] else "‰", text)
    text = _ORDINAL.sub(r"\1te", text)
    text = _SIGN.sub(lambda found: f"{found['lead']}-", text)
    text = _LATIN.sub(_times, text)
    if text.isascii():
        return text
    text = _SO.sub("", text)
    text = _SHARE.sub(_divided, text)
    text = _COUNTED.sub(_spelt, _SPELT.sub(_spelt, text))
    return _MYRIAD.sub(_asian, text)


def _value(number: str) -> Fraction | None:
    """Digits with a decimal comma or point, or with groups of three."""
    if re.fullmatch(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+", number):
        return Fraction(re.sub(r"[.,]", "", number))
    if re.fullmatch(r"\d{1,15}(?:[.,]\d{1,9})?", number) is None:
        return None
    return Fraction(number.replace(",", "."))


def _written(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def _times(found: re.Match[str]) -> str:
    scale = next(size for place, (size, _) in enumerate(_SCALES) if found[f"s{place}"])
    value = _value(found["number"])
    return found[0] if value is None else _written(value * scale)


def _asian(found: re.Match[str]) -> str:
    value = _value(found["number"])
    for sign in found["scale"]:
        value = None if value is None else value * _ASIAN[sign]
    return found[0] if value is None else _written(value)


def _divided(found: re.Match[str]) -> str:
    over, under = (_number(found[part]) for part in ("over", "under"))
    return found[0] if not over or not under else f"{over}/{under}"


def _spelt(found: re.Match[str]) -> str:
    negative = found["number"][0] in "负負"
    value = _number(found["number"][1:] if negative else found["number"])
    return found[0] if value is None else f"{found['lead']}{'-' if negative else ''}{value}"


def _number(text: str) -> int | None:
    """A number below ten thousand in Chinese signs, or in digits."""
    if text.isdigit() and text.isascii():
        return int(text)
    total, digit = 0, None
    for sign in text:
        if sign in _ZERO_TO_NINE:
            if digit:
                return None
            digit = _ZERO_TO_NINE[sign]
        elif sign in _PLACES:
            total += (1 if digit is None else digit) * _PLACES[sign]
            digit = None
        else:
            return None
    return total + (digit or 0)
