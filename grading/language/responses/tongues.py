"""Words of other languages around an answer: what leads to it, what denies, bounds, doubts or supposes it."""

import re
from typing import Final

_LEADS: Final = (
    r"also|daher|somit|folglich|damit|deshalb|nun|dann|schließlich|und|ist|die|das|der|unsere?|meine?|insgesamt|zusammen"
    r"|donc|ainsi|alors|par|conséquent|finalement|et|la|le|notre|ma|enfin|bonne|en|conclusion|conclusión|résumé"
    r"|por|lo|tanto|entonces|luego|así|finalmente|y|el|nuestra|mi|resumen|eso|consiguiente"
    r"|dus|dan|daarom|en|het|de|ons|mijn|samengevat|conclusie"
    r"|portanto|logo|então|assim|isso|e|a|o|nossa|minha|conclusão|fim"
    r"|quindi|dunque|pertanto|perciò|allora|infine|la|il|nostra|mia|conclusione"
    r"|итак|следовательно|значит|поэтому|таким|образом|получаем|и|наш|мой|окончательный|итого|тогда"
    r"|إذن|اذن|إذًا|إذاً|لذلك|لذا|وبالتالي|بالتالي|فإن|و|ف|ومنه|وعليه|अतः|इसलिए|तो|सही"
)
_LEAD: Final = re.compile(rf"^[\W\d_]*(?:(?>(?:{_LEADS})\b)[\W_]*+)*$", re.IGNORECASE)
_ASIAN_LEAD: Final = re.compile(
    r"^[\W\d_]*(?:所以|因此|故|综上(?:所述)?|綜上(?:所述)?|于是|於是|则|則|那么|最终|最終|最后|最後|正确|正確|的|我们的|我的|本题|本題|该题|此题|可知|可得|得|得到|由此|即"
    r"|よって|従って|したがって|ゆえに|故に|すなわち|つまり|以上より|最終的な|最終的に|正しい|求める|この問題の|問題の"
    r"|따라서|그러므로|그래서|즉|결국|최종|올바른|문제의|이므로|[\s,，、:：])*$"
)
SUPPOSED: Final = re.compile(
    r"\b(?:angenommen|nehmen\s+wir|wenn|falls|sei|vermut\w*|behaupt\w*|sagt|sagen|meint|glaubt|glauben|vielleicht|würde|wäre"
    r"|supposons|supposez|dit|disent|pense|pensent|prétend|croi\w+|peut-être|serait|imagin\w+"
    r"|supongamos|supón|suponga|dice|dicen|cree|creen|piensa\w*|afirma\w*|quizás?|tal\s+vez|sería"
    r"|suponha\w*|supondo|disse|dizem|diz|acha\w*|talvez|seria"
    r"|supponiamo|supponendo|dicono|crede|credono|pensa|pensano|forse|sarebbe"
    r"|stel|veronderstel\w*|zegt|zeggen|denkt|denken|beweert"
    r"|предпол\w*|допустим|пусть|если|говор\w+|сказал\w*|считает|думает|якобы)\b"
    r"|(?:^|[,;.]\s*)(?:se|si)\b|假设|假設|假如|假定|如果|若|倘若|设|有人|朋友|同学|老师|他|她|据说|认为|以为|声称|可能|也许|是否|难道|仮に|もし|仮定|友達|誰か|という人|だと言|と思|가정|만약|친구|누군가"
    r"|لنفترض|نفترض|افترض|إذا\s+كان|لو|هل|قال|يقول|يزعم|ربما|अगर|यदि|मान\s+लो|शायद",
    re.IGNORECASE,
)
CONDITIONAL: Final = re.compile(
    r"假设|假設|假如|假定|如果|倘若|仮に|もし|만약|가정|لنفترض|نفترض|إذا\s+كان|अगर|यदि|有人|据说"
)
_SAID: Final = re.compile(r"だとする|と言|という|吗|嗎|ですか|でしょうか|입니까|일까|[?？؟]")
_BOUNDS: Final = (
    r"weniger|mehr\s+als|höchstens|mindestens|wenigstens|nicht|kein(?:e[nrms]?)?|knapp|beinahe"
    r"|meer\s+dan|minstens|hoogstens|maximaal|minimaal|niet|geen|bijna"
    r"|au\s+(?:moins|plus)|moins|presque|jamais|menos|más|mais|pelo\s+menos|no\s+(?:máximo|mínimo)|a\s+lo\s+sumo"
    r"|al\s+menos|como\s+(?:máximo|mucho|mínimo)|casi|quase|nunca|não|meno|più|almeno|al\s+(?:massimo|minimo)"
)
"""Bounds and denials that are words of no English sentence."""
DENIED_NUMBER: Final = re.compile(
    r"^\W*(?:pas|nicht|jamais|nunca|niet|nie|keine?(?:sfalls)?|aucun|не)\s+(?:plus\s+)?[-−$]?\d"
    r"|\b(?:plus|moins|mehr|weniger|más|menos|più|meno|meer|minder|больше|меньше)\s+(?:que|als|di|do\s+que|dan|чем)\s+[-−$]?\d",
    re.IGNORECASE,
)
"""A number that a word right before it denies or bounds, in a language of which nothing else may be known."""
NO: Final = re.compile(
    r"の次|の直前|的下一|的前一|的后一|\b(?:zahl|nombre|número|numero|getal)\s+(?:nach|vor|après|avant|después\s+de|antes\s+de|depois\s+de|dopo|prima\s+di|na|voor)\b|倍|平方(?!厘?米|公里|分米|千米|メートル|センチ|cm|km|m)|立方(?!厘?米|分米|メートル|センチ|cm|m)|乗|倒数|逆数|相反数|负|負|阶乘|階乗|一半|半分|제곱|배|절반"
    r"|\b(?:carré|moitié|doppelte|doppelt|hälfte|quadrat|mitad|doble|cuadrado|metade|dobro|quadrado|metà|doppio|quadrato"
    r"|wurzel|kehrwert|vielfaches|racine|inverse|opposé|multiple|raíz|inverso|opuesto|múltiplo|raiz|oposto|radice|opposto"
    r"|multiplo|triple|tiers|dépass\w+|excèd\w+|exced\w+|supera|überschr\w+|übersteig\w+|unterschr\w+|overschrijdt|ultrapassa|tiende|derde|kwart|zehntel|viertel|dixième|décimo|decimo|quinto|drittel|tercio|terço|terzo|половин\w*|корень|минус|квадрат|удвоенн\w*|ضعف|نصف|(?<!سم\s)(?<!متر\s)(?<!كم\s)مربع|جذر|سالب)\b|"
    r"\b(?:" + _BOUNDS + r"|de\s+ninguna\s+manera|en\s+absoluto|de\s+modo\s+algum|in\s+nessun\s+caso|en\s+aucun\s+cas"
    r"|keineswegs|niemals|nie|keinesfalls|alles\s+andere"
    r"|zu\s+(?:viele?|wenige?)|de\s+(?:trop|más)|di\s+troppo|a\s+mais|größer|kleiner|über|unter|maximal|minimal|fast|sondern|oder|entweder|vielleicht"
    r"|möglicherweise|wohl|könnte|wäre|würde|falls|wenn|sonst|falsch\w*|außer"
    r"|n['’]est|ne|pas|tout\s+sauf|plus\s+(?:de|grande?|petite?)|supérieure?"
    r"|inférieure?|différente?|fausse|mauvaise|ou|soit|peut-être|pourrait|serait|parfois|sinon|si|sauf"
    r"|nooit|minder\s+dan|groter|misschien|waarschijnlijk"
    r"|behalve|tenzij|anders|fout|onjuist|dubbele|kwadraat|wortel|helft"
    r"|jamás|cualquier\w*|por\s+lo\s+menos|mayor"
    r"|menor|superior|inferior|distint[ao]|diferente|incorrect[ao]|fals[ao]|quizás?|tal\s+vez|podría|sería|a\s+veces"
    r"|excepto|maior|errad[ao]|talvez|poderia|seria|exceto"
    r"|non|mai|maggiore|minore|quasi|divers[ao]|sbagliat[ao]|forse|potrebbe"
    r"|sarebbe|tranne|не|ни|менее|более|больше|меньше|минимум|максимум|около|почти|возможно|может|наверное|вероятно|или"
    r"|если|точно\s+не)\b"
    r"|不是|并非|並非|不等于|不为|没有|绝不|并不|错误|以外|之外|(?:^|[是为])非|非\s?\d|至少|至多|最多|最少|不超过|超过|大于|小于|高于|低于|介于|不少于|不到|不足|不及|多于|少于|以上|以下|或|如果|若|否则"
    r"|可能|也许|大概|或许|恐怕|几乎|接近|第\s?\d|比\s?\S{1,8}[大小多少高低长短]"
    r"|ではあり|ではな|でな|じゃな|少なくとも|最大で|最小で|未満|より|または|もし|かもしれ|たぶん|おそらく|ほぼ|間違|か\d"
    r"|수\s*없|아니|아닙|아닌|오답|이상|이하|미만|초과|보다|적어도|최대|최소|또는|만약|아마|거의"
    r"|不(?:需要?|会|能|用|要|花|必|应|應|会|會)|ません|(?<!しか)ない(?=[。.!！]|\s*$|です)|지\s?(?:않|못|마)"
    r"|错|誤り|正しくな|不正确|不正確|不成立|不可能|ありえな|あり得な|限らな|超え|越え|なら(?!び|ば)|틀렸|틀린|불가능"
    r"|\b(?:неверно|неправильно|исключен[оа]?|невозможно|scheidet|ausgeschlossen|unmöglich|könnten|früher|damals|einst|weit\s+weg|\w*wurzel"
    r"|exclu[es]?|impossible|faux|descartad[oa]s?|imposible|impossível|escluso|impossibile|sbagliato|llega|llegan|uitgesloten|onmogelijk)\b"
    r"|مستحيل|\b(?:das|der|die|dem|den)\s+\d+\.\s+(?=[A-ZÄÖÜ])"
    r"|ليس|ليست|لا\s|غير|على\s+الأقل|على\s+الأكثر|أكثر|أكبر|أقل|أصغر|أو\s|إذا|ربما|الخاطئ|خطأ|नहीं|कम\s+से\s+कम|अधिक|या\s|शायद",
    re.IGNORECASE,
)
"""Denials, bounds, operations, alternatives, doubts and conditions."""
JUDGED: Final = re.compile(
    r"(?<=[\d\ue000-\ue2ff])\s+(?:"
    r"(?:ist|sind|wäre|est|serait|es|son|sería|é|são|seria|è|sono|zijn)\s+(?:nicht|kein\w*|falsch\w*|ausgeschlossen|unmöglich|faux"
    r"|fausse|incorrecte?s?|exclu[es]?|impossible|falso|incorrect[oa]|descartad[oa]|imposible|errado|impossível|sbagliato|escluso|impossibile|niet)"
    r"|nicht|stimmt|scheidet|scheiden|passt|passen|geht\s+nicht|oder|n['’]est|ne\s+(?:convient|marche|va|fonctionne)|ou\s+(?:plus|moins)"
    r"|queda|quedan|no\s+(?:es|son|vale|cumple|puede|sirve)|o\s+(?:más|menos|mais|più|meno)|não|non\s+(?:è|sono|va|vale)"
    r"|(?:is\s+)?(?:niet|fout|onjuist|uitgesloten|onmogelijk)|of\s+meer)\b",
    re.IGNORECASE,
)
"""A denial, a judgement or a bound directly behind a value, in another language."""
DOUBT: Final = re.compile(
    r"возможно|вероятно|наверное|может\s+быть|可能|也许|或许|大概|たぶん|おそらく|아마|ربما|शायद", re.IGNORECASE
)
_IF: Final = re.compile(
    r"^\W*(?:[Ss]i|[Ss]e|[Ww]enn|[Ff]alls|[Ee]сли|[Ее]сли|[Aa]ls)\s+\S+\s*(?:=|[<>≤≥]|(?:es|est|è|é|ist|sont|son|sono|são|sea|fuera|gilt|gerade|чётно|четно)\b)"
)
BOUNDED: Final = re.compile(
    r"\b(?:" + _BOUNDS + r"|minder|plus\s+(?:de|que)|au\s+(?:maximum|minimum)|aucune?"
    r"|(?:fast|über|unter|bijna|ruim|nog\s+geen|bis\s+zu|maximal|minimal|quasi|mai)(?=\s+[\d|]))\b",
    re.IGNORECASE,
)
"""What needs no verb to change a value (`Weniger als 18 Paare.`)."""
TURNED_DOWN: Final = re.compile(
    r"\b(?:irrtum|fehler|trugschluss|unsinn|quatsch|erreur|tort|faute|error|equivocaci[oó]n|engaño|errore|sbaglio|erro|engano|fout"
    r"|vergissing|ninguna?|manera|nessun[oa]?|nenhuma?|aucune?|keineswegs|seite|page|página|pagina|bladzijde|schritt|étape|paso"
    r"|passo|stap)\b|^\W*(?:dass|que|che|dat)\b",
    re.IGNORECASE,
)
"""Errors, denials and numbers of pages in other languages, and sentences that begin with a subordinate clause."""
SPANISH_NO: Final = re.compile(
    r"\b(?:el|los|las|del|hay|es|son|una|y|al)\b.*\bno\s+(?=[a-záéíóúñ])|\bno\s+[a-záéíóúñ]+.*\b(?:el|los|las|del|hay|es|son|una|y|al)\b",
    re.IGNORECASE,
)
"""A denial in Spanish; in Portuguese the word is a preposition."""
GIVEN_THINGS: Final = re.compile(
    r"\b(?:die|der|den|dem|des|les|los|las|le|la|el|gli|i|os|as|o|de|het|diese|ces|estos|questi)\s*$",
    re.IGNORECASE,
)
"""Articles of other languages before a number: a given thing."""
_MEASURES: Final = re.compile(
    r"\b(?:(?:est|sont|vaut|es|son|é|è|sono)(?:\s+(?:donc|alors|ainsi|bien|exactement|environ|entonces|portanto|então|quindi|dunque))*"
    r"|(?:une?|una|uma?)\s+(?!(?:som|sum|produ|prodo|diff|quo|mult|fact|fatt|divis|pui|pot|rai|rac|rad)[a-zà-ÿ]*\s)[a-zà-ÿ]{4,}(?:\s+(?:totale?|moyenne?|media|médi[ao]|finale?))?)"
    r"\s+(?:de|di)\s*$",
    re.IGNORECASE,
)
"""`est donc de`, `un périmètre de` before a quantity."""
MAY_LEAD: Final = re.compile(
    r"^(?:(?:also|daher|somit|genau|exakt|ungefähr|etwa|rund|circa|gleich|insgesamt|donc|exactement|environ|égale?|exactamente"
    r"|aproximadamente|unos|cerca|igual|exatamente|esattamente|uguale|quindi|entonces|então|portanto|ist|lautet|beträgt|est|des?|di|ровно"
    r"|примерно|равен|равна|равно|هو|هي|تساوي|يساوي|حوالي|है|लगभग|约为?|約|大约|正好|恰好|等于|是|为|为：|ちょうど|およそ|정확히|약|la|el|le|il|das|die|der"
    r"|ca|sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt|pi|arctan|arcsin|arccos|max|min|frac|infinity)\b\W*|[^\W\d_]\W+|[约約是为]\s*)*$",
    re.IGNORECASE,
)
"""Words between a phrase of another language and its value that change nothing, and names of functions."""


_REASONS: Final = re.compile(
    r"\b(?:weil|da(?=\s+\w+\s+\w+)|obwohl|obgleich|car|puisque|parce\s+que|bien\s+que|comme|porque|ya\s+que|dado\s+que|aunque|puesto\s+que|pois"
    r"|visto\s+que|como|embora|perché|poiché|siccome|sebbene|dato\s+che|omdat|aangezien|hoewel|так\s+как|поскольку|хотя)\b[^,;:.]*(?:[,;:]|$)",
    re.IGNORECASE,
)
"""Clauses of reason and concession: what they deny is not the main clause's."""
_UNREAL: Final = re.compile(
    r"\b(?:gäbe|hätten?|wären|bekäme\w*|ergäbe|habría\w*|haya\w*|hubiera\w*|serían|tendría\w*|aurai(?:t|ent)|seraient|avrebbero|avrebbe|sarebbero|fossero"
    r"|haveria|houvesse\w*|existam|teria\w*|seriam|zouden?|gelooft|geloven|croi(?:t|ent|s)|imagine\w*|creen|creían?|todos|alle|jeder|tout\s+le\s+monde"
    r"|tutti|iedereen|faux|cierto|verdad|verdade|vero|klopt|stimmt|supongamos|supón\w*|nehmen\s+wir|supposons|supponiamo|suponhamos|был[иао]?\s+бы|бы"
    r"|nadie|ninguém|niemand|personne|kaum)\b|(?:^|[\s,;:])no\s+(?:es|son|hay|ha|existe\w*|tiene\w*|se|puede\w*|obten\w*)\b",
    re.IGNORECASE,
)
"""Verbs of what is not so, people who believe it, and judgements on what a subordinate clause says."""


def denied(statement: str) -> re.Match[str] | None:
    """What denies, bounds, supposes or reports a statement of another language, reasons and concessions aside."""
    main = _REASONS.sub(" ", statement)
    return NO.search(main) or SUPPOSED.search(main) or _UNREAL.search(main)


def unsettled(text: str) -> str | None:
    """What in another language denies, doubts or conditions the value that a text says."""
    found = JUDGED.search(text) or DOUBT.search(text) or _IF.match(text)
    return found[0].strip() if found is not None else None


def uncommitted(lead: str) -> str | None:
    """Why a phrase of another language commits to nothing after what leads to it; None where it does."""
    parts = re.split(r"([,;:.!()—–，；：。！、،؛]\s*)", lead)
    clause, earlier = parts[-1], "".join(parts[:-1])
    if SUPPOSED.search(earlier) or re.search(r"\b(?:if|suppose|says?|said|claims?)\b", earlier, re.IGNORECASE):
        return "a supposition or a report, not a commitment"
    if _LEAD.match(clause) or _ASIAN_LEAD.match(clause):
        return None
    return "what leads to the phrase is not understood as a commitment"


def of_given_things(lead: str) -> re.Match[str] | None:
    """The article of a given thing before a number."""
    return None if _MEASURES.search(lead) else GIVEN_THINGS.search(lead)


def asked_or_supposed(text: str) -> bool:
    """Whether a sentence asks, reports or supposes what it says."""
    return _SAID.search(text) is not None
