"""Units as other languages write them behind a number, in symbols: `2,5 Stunden`, `80公里/小时`, `秒速20メートル`.

One table for each script. A decimal comma before such a unit becomes a point.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from grading.language import abroad
from grading.language.wordless import is_wordless


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_PREFIXES: Final = {
    "kilo": "k", "chilo": "k", "quilo": "k", "zenti": "c", "centi": "c", "milli": "m", "mili": "m", "mikro": "mu",
    "micro": "mu", "nano": "n", "mega": "M", "giga": "G", "hekto": "h", "hecto": "h", "etto": "h", "dezi": "d",
    "deci": "d", "кило": "k", "санти": "c", "милли": "m", "микро": "mu", "нано": "n", "мега": "M", "гига": "G",
    "деци": "d",
}  # fmt: skip
_NAMES: Final = (
    ("m", r"meters?|metern|metres?|metros?|metri|метр(?:а|ов|ах|у)?"),
    ("g", r"gramm|grammes?|gramos?|gramm[io]|gramas?|gram|грамм(?:а|ов)?"),
    ("kg", r"kilos?|quilos?|chil[io]|кило"),
    ("L", r"liters?|litern|litres?|litros?|litr[io]|литр(?:а|ов)?"),
    ("N", r"newtons?|ньютон(?:а|ов)?"),
    ("J", r"joules?|julios?|джоул(?:ь|я|ей)"),
    ("W", r"watts?|vatios?|ватт(?:а|ов)?"),
    ("V", r"volts?|voltios?|вольт(?:а|ов)?"),
    ("A", r"amperes?|amperios?|ампер(?:а|ов)?"),
    ("ohm", r"ohms?|ohmios?|ом(?:а|ов)?"),
    ("Hz", r"hertz|hert?zios?|hercios?|герц(?:а)?"),
    ("Pa", r"pascals?|pascales|паскал(?:ь|я|ей)"),
    ("mol", r"mole?s?|moli|moles|mols|mol|моль|моля|молей"),
    ("t", r"tonnen|toneladas?|tonnellat[ea]|тонн(?:а|ы|у)?"),
    ("s", r"sekunden?|sek|secondes?|segundos?|second[io]|seconden|секунд(?:а|ы|у)?|сек"),
    ("min", r"minuten?|minutos?|minut[io]|minuut|минут(?:а|ы|у)?"),
    ("h", r"stunden?|std|heures?|horas?|or[ae]|uur|uren|час(?:а|ов)?"),
    ("days", r"tagen?|tage|tag|jours?|dias?|giorn[io]|dagen|dag|день|дн(?:я|ей)|суток"),
    ("weeks", r"wochen?|semaines?|semanas?|settiman[ea]|weken|недел(?:я|и|ь|ю)"),
    ("months", r"monaten?|monate?|mois|meses|mes|mes[ei]|maanden?|месяц(?:а|ев)?"),
    ("years", r"jahren?|jahre?|ans|annees?|anos?|ann[io]|jaar|jaren|лет|год(?:а|у)?"),
    ("degrees", r"grad|degres?|grados?|grad[io]|graus?|graden|градус(?:а|ов)?"),
    ("euros", r"euros?|евро"),
    ("dollars", r"dolares|dollari|долларов|доллара?"),
    ("rubles", r"rubel|roubles?|rublos?|rubl[io]|рубл(?:ь|я|ей)"),
    ("km/h", r"stundenkilometern?"),
)  # fmt: skip
_SCALED: Final = frozenset(("m", "g", "L", "N", "J", "W", "V", "A", "ohm", "Hz", "Pa", "mol"))
_AMBIGUOUS: Final = frozenset(_words("grad ore ora ans mes tag dag anno gram mois metro etto std sek"))
"""Words that stand before an English noun with another meaning (`5 grad students`)."""
_SQUARES: Final = {"quadrat": "²", "kubik": "³"}
_ENGLISH: Final = re.compile(
    r"(?:kilo|centi|milli|micro|nano|mega|giga|deci|hecto)?(?:met(?:er|re)s?|lit(?:er|re)s?|gram|gramme?s|newtons?|joules?|watts?|volts?"
    r"|amperes?|ohms?|hertz|pascals?|moles?|mol)|seconds?|euros?|kilos?",
    re.IGNORECASE,
)
"""Words of English too, which are read as they stand."""
_RUSSIAN: Final = dict(
    zip(
        _words(
            "км м дм см мм мкм нм кг г мг т с ч мин мс л мл Н кН мН Дж кДж МДж Вт кВт МВт В кВ мВ А мА Ом кОм"
            " Гц кГц МГц Па кПа МПа Кл Ф Тл К моль эВ сут га"
        ),
        _words(
            "km m dm cm mm mum nm kg g mg t s h min ms L mL N kN mN J kJ MJ W kW MW V kV mV A mA ohm kohm"
            " Hz kHz MHz Pa kPa MPa C F T K mol eV days ha"
        ),
        strict=True,
    )
)
_NUMBER: Final = r"(?<![\d.,])(?P<number>\d+(?:[.,]\d+)*)(?P<gap>\$?[*_]{0,2}(?:\s|\\[,;: ]|~)*)"
_WORD: Final = r"[^\W\d_]{1,24}"
_SPELT: Final = re.compile(
    _NUMBER
    + rf"(?P<before>(?:vierkante|kubieke|квадратн(?:ых|ый|ого)|кубическ(?:их|ий|ого)|кв\.|куб\.)\s*)?(?P<unit>{_WORD})"
    r"(?P<power>[²³]|\^[23]|\s+(?:carr[ée]s?|cuadrad[oa]s?|quadrad[oa]s?|quadrat[io]|quadri|cubes?|c[úu]bic[oa]s?|cubi|kwadraat)\b)?"
    r"(?:(?P<per>\s*/\s*|\s+(?:pro|par|por|per|al|allo|alla|в|на|à\s+l['’]|a)\s+(?:l['’])?|\s+(?:all|à\s+l)['’])"
    rf"(?P<under>{_WORD})\.?(?P<square>²|\^2)?)?(?:\s+(?P<scale>Celsius|Fahrenheit|centígrados|centigradi|Цельсия))?"
)
_SYMBOL_ENDS: Final = re.compile(r"\.?\s*(?:[,;:!?)*_$/]|\.(?!\s?[едп]\b)|\Z)|\s*\n|\.?\s+(?:[A-ZА-Я—–-]|и\b)")
"""Behind a symbol of one letter, which might be a preposition (`5 с половиной`)."""
_SIGNS: Final = (
    ("km", "公里|千米|キロメートル|킬로미터|किलोमीटर|किमी|كيلومتر|كم(?![\u0600-\u06ff])"),
    ("m", "公尺|米(?!饭|粉)|メートル|미터|मीटर|متر(?!ا)|م(?![\u0600-\u06ff])"),
    ("cm", "厘米|公分|センチメートル|センチ|센티미터|센치미터|सेमी|سم(?![\u0600-\u06ff])"),
    ("mm", "毫米|ミリメートル|밀리미터"),
    ("dm", "分米"),
    ("mum", "微米|マイクロメートル"),
    ("nm", "纳米|奈米|ナノメートル|나노미터"),
    ("kg", "千克|公斤|キログラム|킬로그램|किलोग्राम|किग्रा|كجم|كغم?|كيلوغرام"),
    ("g", "克(?!拉|服)|公克|グラム|그램|ग्राम|غرام|جرام"),
    ("mg", "毫克|ミリグラム|밀리그램"),
    ("t", "吨|噸|公噸|トン|톤"),
    ("s", "秒(?:钟|鐘|間)?|초(?!과|속|등)|सेकंड|सेकेंड|ثانية|ثوان[ٍي]?|ث(?![\u0600-\u06ff])"),
    ("ms", "毫秒|ミリ秒|밀리초"),
    ("min", "分[钟鐘間]|मिनट|دقيقة|دقائق"),
    ("h", "个?小时|個?小時|時間|시간|घंटे|घंटा|घंटों|ساعة|ساعات"),
    ("days", "天(?!空|然|平|才)|日間|日间|दिन|أيام"),
    ("weeks", "个?星期(?![一二三四五六日天])|個?星期(?![一二三四五六日天])|週間|周(?!年|长|期|岁|目)"),
    ("months", "个月|個月|か月|ヶ月|カ月|개월"),
    ("years", "年間|年间|年(?!级|級|代|生|度|月|\\s?\\d)|년(?!생|대|도|\\s?\\d)"),
    ("L", "公?升|リットル|리터|लीटर|لتر"),
    ("mL", "毫升|ミリリットル|밀리리터"),
    ("N", "牛顿|牛(?!奶|肉|头|只)|ニュートン|뉴턴|نيوتن"),
    ("kN", "千牛"),
    ("J", "焦耳|焦(?!距|点|點)|ジュール|جول"),
    ("kJ", "千焦耳?|キロジュール|킬로줄"),
    ("W", "瓦特|瓦(?!片|时|時)|ワット|와트|واط"),
    ("kW", "千瓦(?!时|時|[·・]?[时時])|キロワット(?!時)|킬로와트(?!시)"),
    ("kWh", "千瓦[·・]?[时時]|キロワット時|킬로와트시"),
    ("V", "伏特|伏(?!笔)|ボルト|볼트|فولت"),
    ("A", "安培|安(?!全|排|装|裝)|アンペア|암페어|أمبير"),
    ("mA", "毫安培?"),
    ("ohm", "欧姆|歐姆|欧(?!元|洲)|オーム|옴|أوم"),
    ("Hz", "赫兹|赫茲|赫|ヘルツ|헤르츠"),
    ("Pa", "帕斯卡|帕|パスカル|파스칼"),
    ("kPa", "千帕"),
    ("mol", "摩尔|摩爾|莫耳|モル|몰"),
    ("eV", "电子伏特?|電子伏特?|電子ボルト"),
    ("°C", "摄氏度|攝氏度|℃"),
    ("yuan", "人民币|元(?!素|一次|二次|次)"),
    ("yen", "日元|円(?!周|形|の面積)|엔(?!진)"),
    ("won", "원(?!소|형|주|점)"),
    ("dollars", "美元|ドル|달러|دولار"),
    ("euros", "欧元|歐元|ユーロ|유로"),
    ("rupees", "卢比|रुपये|रुपए"),
)
_TIMES: Final = {
    "小时": "h", "小時": "h", "时": "h", "時": "h", "시간": "h", "시": "h", "秒": "s", "秒钟": "s", "초": "s",
    "分钟": "min", "分鐘": "min", "分": "min", "분": "min", "天": "day", "日": "day", "س": "h", "ث": "s",
}  # fmt: skip
_SIGN: Final = "|".join(f"(?P<u{place}>{spelt})" for place, (_, spelt) in enumerate(_SIGNS))
_TIME: Final = "|".join(sorted(_TIMES, key=len, reverse=True))
_SIGN_POWERS: Final = {"平方": "²", "제곱": "²", "立方": "³", "세제곱": "³", None: ""}
_POWERS: Final = r"(?P<power>平方|立方|제곱|세제곱)?"
_SYMBOL: Final = r"(?P<latin>[kcmµ]?[mgLlVAWNJΩ](?![\w²³/^])|km|kg|kJ|kW|(?<=\d)キロ)"
_RATE: Final = re.compile(
    rf"(?:(?P<each>[每毎])(?P<of>{_TIME})|(?P<rate>[时時秒分시초분])[速속])"
    r"(?P<verb>[\s:：]*(?:(?:为|為|是|は|が|约|約|大约|达|行驶|行駛|行走|走|跑|行|移动|移動|前进|前進|流出|流入|产生|消耗)\s*)*)"
    rf"(?P<number>\d+(?:[.,]\d+)*)(?P<gap>\$?[*_]{{0,2}}\s*){_POWERS}(?:{_SIGN}|{_SYMBOL})(?!\s*[/每毎])"
)
_WRITTEN: Final = re.compile(
    rf"(?<!第)(?<!第\s)(?<![\d.,])(?P<number>\d+(?:[.,]\d+)*)(?P<gap>\$?[*_]{{0,2}}(?:\s|\\[,;: ]|~)*)"
    rf"{_POWERS}(?:{_SIGN})(?:\s*[/每毎]\s*(?P<under>{_TIME}|平方米|平方公尺|立方米|立方公尺|立方厘米))?"
)
_UNDER: Final = {"平方米": "m²", "平方公尺": "m²", "立方米": "m³", "立方公尺": "m³", "立方厘米": "cm³"}
_MIXED: Final = re.compile(rf"(?<=\d)(?P<over>\s?(?:k?m|km|kg|[mg]|L))\s*[/每毎]\s*(?P<under>{_TIME})(?![\w])")
_MINUTES: Final = re.compile(
    r"(?<![時时시\d])(?<![時时시]\s)(?P<number>\d+(?:\.\d+)?)(?P<gap>[*_]{0,2}\s?)(?:分(?![のに之点點米])|분(?!의|수|포|모))"
)
_COPULA: Final = re.compile(
    r"(?<=[\d%)}$A-Za-z°²³])[ *]?(?:です|でした|である|だ|になります|となります|입니다|이다|이에요|예요|हैं|है)"
    r"(?=[。.!！*]*\s*(?:\Z|\n))"
)
"""`80 kmです`"""
_REAIS: Final = re.compile(r"(?<![\w$\\])R\\?\$\s?(?=\d)")
"""`R$ 220`, Brazil's money."""
_PRICE: Final = re.compile(
    r"(?P<before>(?:[€£¥]|\\reais)\s?\d+),(?=\d\d(?![\d.,]*\d))"
    r"|(?<![\d.,])(?P<behind>\d+),(?=\d\d\s?(?:€|EUR\b|[Ee]uros?\b))"
)
_SPELT_NUMBER: Final = re.compile(
    rf"\b(?:(?P<count>{abroad.COUNT})|eine[nr]?|une?|una|uno|uma?|een)\s+(?=(?P<unit>[^\W\d_]{{3,24}})\b)",
    re.IGNORECASE,
)
_ANY: Final = re.compile(r"[€$]|\d\$?[*_]{0,2}(?:\s|\\[,;: ]|~)*(?:[^\W\d_]{2}|[^\x00-\x7f])|[每毎速속]")
_JAPANESE: Final = re.compile("[\u3040-\u30ff\uac00-\ud7af]|(?<=\\d)(?:時間|円)")
_JOINED: Final = re.compile(
    r"(?<=\d\sh)\s+(?:und|et|y|e|en|и)\s+(?=\d+(?:[.,]\d+)?\s(?:h|min|s|minutes|secondes)\b)"
    r"|(?<=\d\smin)\s+(?:und|et|y|e|en|и)\s+(?=\d+(?:[.,]\d+)?\s(?:s|secondes)\b)"
)
"""`2 h und 30 min`"""
_FUNCTION_WORDS: Final = re.compile(
    r"\b(?:the|are|that|has|have|with|and|this|gives|was|is|of|in\s+total)\b", re.IGNORECASE
)
_ABROAD: Final = re.compile(
    r"\b(?:der|das|ist|beträgt|von|la|el|les|est|une|del?|di|il|uma|em|het|een)\b|[à-öø-ÿ]", re.IGNORECASE
)
_SHORT: Final = 80
_YEAR: Final = re.compile(r"[12]\d{3}")


def with_units(text: str) -> str:
    """A text with such units in symbols; as it is where it has none."""
    if _ANY.search(text) is None and (len(text) > _SHORT or is_wordless(text)):
        return text
    text = _PRICE.sub(r"\g<before>\g<behind>.", _REAIS.sub(r"\\reais ", text))
    if not _FUNCTION_WORDS.search(text):
        text = text if re.search(r"\d", text) else _SPELT_NUMBER.sub(_in_digits, text)
        text = _SPELT.sub(_spelt, text)
        text = _JOINED.sub(" ", text)
    if text.isascii():
        return text
    japanese = _JAPANESE.search(text) is not None
    text = _WRITTEN.sub(_signs, _MIXED.sub(_per_time, _RATE.sub(_rate, text)))
    text = _MINUTES.sub(r"\g<number>\g<gap> min", text) if japanese else text
    return _COPULA.sub("", text)


def _plain(word: str) -> str:
    """A word without accents and case."""
    return "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))


def symbol_abroad(name: str) -> str | None:
    """The symbol of a unit's name that means nothing else in English."""
    return None if name.lower() in _AMBIGUOUS else named_abroad(name)


@lru_cache(maxsize=1024)
def named_abroad(word: str) -> str | None:
    """The symbol of a unit's name in German, French, Spanish, Italian, Portuguese, Dutch or Russian."""
    if word in _RUSSIAN:
        return _RUSSIAN[word]
    plain = _plain(word) if not word.isascii() or len(word) > 2 else ""
    square = next((sign for begin, sign in _SQUARES.items() if plain.startswith(begin)), "")
    plain = re.sub("^(?:quadrat|kubik)", "", plain) if square else plain
    for symbol, spelt in _NAMES:
        if re.fullmatch(spelt, plain):
            return symbol + square
    begin = next((prefix for prefix in _PREFIXES if plain.startswith(prefix)), None)
    if begin is None:
        return None
    rest = plain[len(begin) :]
    inner = next((symbol for symbol, spelt in _NAMES if symbol in _SCALED and re.fullmatch(spelt, rest)), None)
    return f"{_PREFIXES[begin]}{inner}{square}" if inner is not None else None


def _spelt(found: re.Match[str]) -> str:
    """`2,5 Stunden` as `2.5 h`, `20 metros por segundo` as `20 m/s`."""
    word, under = found["unit"], found["under"]
    unit = _unit_of(found, word)
    below = named_abroad(under) if under else None
    if under and below is None:
        below = under if found["per"].strip() == "/" and unit is not None else None
    if unit is None and below is not None and re.fullmatch(r"[kcm]?m|k?g|L|l|km²|m²|m³|k?J|k?W", word):
        unit = word if below != under else None
    if unit is None or (_ENGLISH.fullmatch(word) and not (below or found["power"] or "," in found["number"])):
        return found[0]
    number = re.sub(r"^(\d+),(\d{1,2}|\d{4,})$", r"\1.\2", found["number"])
    power = _power(found)
    end = found.end("under") if below else (found.end("power") if found["power"] else found.end("unit"))
    rest = found[0][end - found.start() :]
    if found["scale"]:
        unit, rest = ("°F" if found["scale"].startswith("F") else "°C"), ""
        below = None
    if below:
        rest = ""
    square = "²" if found["square"] and below else ""
    return f"{number}{found['gap'] or ' '}{unit}{power}{f'/{_singular(below)}{square}' if below else ''}{rest}"


def _in_digits(found: re.Match[str]) -> str:
    """`eine Stunde` as `1 Stunde`."""
    if symbol_abroad(found["unit"]) is None:
        return found[0]
    return f"{abroad.VALUES[found['count'].lower()] if found['count'] else 1} "


def _unit_of(found: re.Match[str], word: str) -> str | None:
    """The unit of a word behind a number; None where it is none there."""
    unit = named_abroad(word)
    if unit is None or (not found["gap"].strip("$*_") and len(word) < 2 and word.isascii()):
        return None
    if word in _RUSSIAN and len(word) == 1 and not _SYMBOL_ENDS.match(found.string, found.end("unit")):
        return None if not (found["per"] or found["power"]) else unit
    if word.lower() in _AMBIGUOUS and re.match(r"\s+[a-z]", found.string[found.end("unit") :]) and not found["scale"]:
        return unit if found["per"] or found["power"] or _ABROAD.search(found.string) else None
    if word in ("г", "год", "году", "года") and _YEAR.fullmatch(found["number"]):
        return None
    return unit


def _power(found: re.Match[str]) -> str:
    said = _plain(f"{found['before'] or ''}{found['power'] or ''}")
    if not said.strip():
        return ""
    return "³" if re.search("kub|cub|куб|3|³", said) else "²"


def _singular(unit: str) -> str:
    return unit[:-1] if unit in ("days", "weeks", "months", "years") else unit


def _symbol(found: re.Match[str]) -> str:
    place = next((place for place in range(len(_SIGNS)) if found[f"u{place}"]), None)
    symbol = _SIGNS[place][0] if place is not None else found["latin"].replace("キロ", "km")
    return symbol + _SIGN_POWERS[found["power"]]


def _gap(found: re.Match[str]) -> str:
    return found["gap"] if found["gap"].strip("$*_") else f"{found['gap']} "


def _rate(found: re.Match[str]) -> str:
    """`每小时80公里`, `秒速20メートル` as `80 km/h`, `20 m/s`."""
    time = _TIMES[found["of"] or found["rate"]]
    return f"{found['verb']}{found['number']}{_gap(found)}{_symbol(found)}/{time}"


def _per_time(found: re.Match[str]) -> str:
    return f"{found['over']}/{_TIMES[found['under']]}"


def _signs(found: re.Match[str]) -> str:
    """`80公里/小时` as `80 km/h`; a number of four figures before the word for years is one of them."""
    symbol, under = _symbol(found), found["under"]
    if symbol == "years" and _YEAR.fullmatch(found["number"]):
        return found["number"]
    return f"{found['number']}{_gap(found)}{symbol}{f'/{_TIMES.get(under) or _UNDER[under]}' if under else ''}"
