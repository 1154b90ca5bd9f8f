"""The words by which a response commits to an answer, denies one, bounds one, supposes one or takes one back."""

import re
from typing import Final

_OF = (
    r"(?:\s+(?:to|of|for|in|from)\s+(?:the|this|that|our|your|part|all|these|question)\b[^,;:.()]{0,80}?"
    r"|\s*\(?[A-Z]\)?(?=\s+is)"
    r"|\s+choice|\s+option|\s+we\s+(?:want|seek|need|were\s+looking\s+for|are\s+looking\s+for)|\s+here|\s+then"
    r"|\s+therefore|\s+thus)?"
)
_IS = (
    r"(?:\s+(?:is|are|equals?|becomes|must\s+be|should\s+be|will\s+be|has\s+to\s+be|comes?\s+out\s+(?:to(?:\s+be)?"
    r"|as|at)"
    r"|turns\s+out\s+to\s+be|works\s+out\s+to(?:\s+be)?|comes?\s+to|amounts\s+to)\b|['’]s\b|\s*[:=≈：]|\s+[-–—](?=\s))"
)
_THAT_IS: Final = (
    r"(?:\s*(?:therefore|thus|then|hence|simply|just|indeed|clearly|now|given\s+by|thus\s+given\s+by))?\s*[:：=]?"
)
STRONG: Final = re.compile(
    r"\b(?:answers?|solution|result|final\s+value)" + _OF + _IS + _THAT_IS,
    re.IGNORECASE,
)
"""An English phrase that names the answer."""
_LATIN = r"(?:\s+(?:finale?|correcte?|final|correcta|correta|corretta|richtige|korrekte|endgültige|definitiva))?"
FOREIGN: Final = re.compile(
    r"(?P<de>\b(?:die|das|unsere?|meine?)?\s*(?:(?:endgültige|richtige|korrekte|gesuchte)[snr]?\s+)?(?:antwort"
    r"|lösung|ergebnis|endergebnis|gesamtergebnis)\s*(?:\s(?:ist|lautet|beträgt|heißt)(?:\s+(?:daher|somit"
    r"|also))?\b|[:=]))"
    rf"|(?P<fr>\b(?:la\s+|notre\s+|le\s+)?(?:bonne\s+)?(?:réponse|reponse|résultat|solution){_LATIN}\s*(?:\s(?:est"
    rf"|vaut)(?:\s+donc)?\b|[:=]))"
    rf"|(?P<es>\b(?:la\s+|el\s+)?(?:respuesta|solución|resultado){_LATIN}\s*(?:\s(?:es|sería)(?:\s+(?:entonces"
    rf"|por\s+tanto))?\b|[:=]))"
    rf"|(?P<pt>\b(?:a\s+|o\s+)?(?:resposta|solução|resultado){_LATIN}\s*(?:\s(?:é|e)(?:\s+(?:então|portanto))?\b|[:=]))"
    rf"|(?P<it>\b(?:la\s+|il\s+)?(?:risposta|soluzione|risultato){_LATIN}\s*(?:\s(?:è|e')(?:\s+quindi)?(?!\w)|[:=]))"
    r"|(?P<zh>(?:最终|正确|最后|因此|所以|故)?(?:的)?(?:答案|結果|结果)(?:应该|應該|应|就)?(?:是|为|為|：|:|等于))"
    r"|(?P<ja>(?:最終的な|正しい|求める)?(?:答え|解答|正解|答)(?:は|：|:))"
    r"|(?P<ko>(?:최종\s*)?(?:정답|답)(?:은|는|:|：))"
    r"|(?P<ru>\b(?:итоговый\s+|правильный\s+)?ответ\s*(?:[:=—–-]|равен|есть))"
    r"|(?P<ar>(?:الجواب|الإجابة|الاجابة|الناتج|النتيجة)(?:\s+(?:النهائي|النهائية|الصحيح|الصحيحة))?\s*(?:هو|هي|:|：))"
    r"|(?P<hi>(?:उत्तर|जवाब)\s*(?:है|:|：))",
    re.IGNORECASE,
)
"""The same in other languages; a German, French, Spanish, Portuguese, Italian or Russian number has a decimal comma."""
COMMA_LANGUAGES: Final = frozenset({"de", "fr", "es", "pt", "it", "ru"})
FOREIGN_TAILS: Final = re.compile(
    r"^[\s.。!！,，、]*(?:です|である|だ|となります|となる|でした|입니다|이다|है|هو|है।)?[\s.。!！]*$"
    r"|^[\s]*[,;，、(（]?\s*(?:denn|weil|da|also|nämlich|car|parce|puisque|donc|porque|ya\s+que|pues|pois|perché|poiché"
    r"|因为|因為|由于|なぜなら|ので|потому|так\s+как|لأن)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_FOREIGN_NO = (
    r"倍|平方(?!厘?米|公里|分米|千米|メートル|センチ|cm|km|m)|立方(?!厘?米|分米|メートル|センチ|cm|m)|乗|倒数|逆数|阶乘|階乗|一半|半分|제곱|배수"
    r"|\b(?:carré|moitié|doppelte|hälfte|quadrat|mitad|doble|cuadrado|metade|dobro|quadrado|metà|doppio|quadrato"
    r"|ضعف|نصف|مربع)\b|"
    r"\b(?:nicht|kein(?:e[nrms]?)?|niemals|mindestens|höchstens|wenigstens|mehr\s+als|weniger\s+als|größer\s+als"
    r"|kleiner\s+als"
    r"|sondern|oder|vielleicht|falls|wenn|sonst|n['’]est|ne|pas|jamais|au\s+moins|au\s+plus|plus\s+de|moins\s+de|ou"
    r"|peut-être|sinon|si"
    r"|nunca|al\s+menos|como\s+máximo|a\s+lo\s+sumo|por\s+lo\s+menos|más\s+de|menos\s+de|quizás|não|nunca|pelo\s+menos"
    r"|no\s+máximo|no\s+mínimo|mais\s+de|talvez|non|almeno|al\s+massimo|più\s+di|meno\s+di|forse|не|ни|менее|более"
    r"|если)\b"
    r"|不是|并非|並非|不等于|不为|没有|至少|至多|最多|最少|不超过|超过|大于|小于|不少于|以上|以下|或|如果|若|ではあり|ではな|でな|じゃな|少なくとも|未満|より|または|もし"
    r"|아니|이상|이하|미만|초과|또는|만약|ليس|ليست|لا\s|على\s+الأقل|على\s+الأكثر|أكثر|أقل|أو\s|إذا|नहीं|कम\s+से\s+कम|अधिक"
)
FOREIGN_NO: Final = re.compile(_FOREIGN_NO, re.IGNORECASE)
"""Negations, bounds, alternatives and conditions of the other languages."""
DENIED: Final = re.compile(
    r"\b(?:not|never|cannot|neither|nor|none|nobody|no\s+one|nothing|nowhere|hardly|scarcely|barely|without|except"
    r"|excluding"
    r"|wrong|wrongly|incorrect|incorrectly|false|falsely|mistaken|mistakenly|erroneous|erroneously|untrue|invalid"
    r"|doubt|doubts|doubtful|discard(?:s|ed)?|exclude[sd]?|deny|denies|denied|unlikely|impossible|refuse|reject"
    r"|rejects|rejected|refute[sd]?"
    r"|disagree|absurd"
    r"|anything\s+but|far\s+from|other\s+than|naive(?:ly)?|tempting|trap|fallacy|myth|common(?:ly)?|nonsense"
    r"|ridiculous|contradict\w*|fails?|forget)\b"
    r"|n['’]t\b|\b(?:isnt|dont|doesnt|cant|wont|arent)\b|\bno\s+(?:way|reason|longer|chance)\b",
    re.IGNORECASE,
)
SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|suppose[ds]?|supposing|assume[ds]?|assuming|assumption|imagine|pretend|hypothe\w+|were|would"
    r"|could|might|may|perhaps"
    r"|maybe|possibly|probably|whether|claim(?:s|ed|ing)?|said|says|saying|told|tells|suggest(?:s|ed)?|argue[sd]?"
    r"|thinks|thought|believes?d?"
    r"|guess(?:es|ed)?|friend|someone|somebody|students?|people|many|some|others?|they|he|she|author|textbook|book"
    r"|key|according|allegedly"
    r"|supposedly|apparently|prove|show\s+that|looks?\s+like|seems?|appears?|expect(?:s|ed)?|rumou?r\w*|hint"
    r"|calculator|wish|hope|want\w*"
    r"|try|check|test|verify|ask(?:s|ed)?|wonder|question\s+is|is\s+it|does|do\s+we|when|unclear|uncertain|unsure"
    r"|previous(?:ly)?|earlier|initial(?:ly)?"
    r"|first\s+(?:attempt|guess|thought)|old|former|originally|at\s+first|before|intermediate|partial|half\s+of"
    r"|twice|double|square|reciprocal"
    r"|negative\s+of|inverse|third\s+of|similar|another|different|sample|example|printed|published)\b|\?",
    re.IGNORECASE,
)
"""What makes a supposition of a commitment, a report of another's view, a question, a thing computed from it."""
_FILLER = (
    r"(?:so|thus|hence|therefore|then|now|and|finally|again|ultimately|consequently|accordingly|altogether|overall"
    r"|here|in|conclusion|summary"
    r"|short|total|all|clearly|as|a|result|consequence|it|follows|this|which|that|means?|shows?|implies|gives"
    r"|giving|we|i|conclude|see|find|get|obtain"
    r"|have|know|can|say|think|believe|am|sure|certain|confident|is|our|my|the|an?|to|for|problem|question|of"
    r"|indeed|easily|immediately"
    r"|since|yields?|leads?|makes?|making|let|me|us|state|give|by|above|these|facts?|solution|step|\d{1,2}|where"
    r"|full|on|balance|yes|okay|ok|well|right"
    r"|(?:final|correct|right|best|exact|numerical|numeric|required|desired|requested|simplified|only|complete"
    r"|approximate|resulting)|because\s+of\s+this|hence)"
)
LEAD: Final = re.compile(rf"^\W*(?:{_FILLER}\b[\s,'’]*){{0,25}}$", re.IGNORECASE)
"""Words that may lead a clause to "the answer is"."""
ADVERBIAL: Final = re.compile(
    r"^\W*(?:(?:so|thus|then|and|hence|therefore|finally)\s+)?(?:after|using|by|from|with|for\s+(?:this|the|our)"
    r"|in\s+(?:total|the\s+end|this\s+problem|simplest\s+form|lowest\s+terms)|at|on|upon|combining|substituting"
    r"|adding|solving|simplifying|evaluating"
    r"|putting|plugging|computing|taking|given|rounding|rounded|to\s+\w+\s+(?:significant|decimal))\b",
    re.IGNORECASE,
)
"""What begins a clause that says how the answer came about."""
TAKEN_BACK: Final = re.compile(
    r"\b(?:correction|scratch\s+that|i\s+mean(?:t)?|wait|sorry|oops|whoops|hmm+|on\s+reflection"
    r"|on\s+second\s+thoughts?|no\s+wait|just\s+kidding|kidding"
    r"|let\s+me\s+(?:re\w+|correct|fix|check\s+again|try\s+again)|(?:i|we)\s+(?:made|have\s+made)\s+(?:a"
    r"|an)\s+\w*\s*(?:mistake|error|slip)|my\s+mistake|strike\s+that"
    r"|ignore\s+(?:that|this|the\s+above)|disregard|never\s*mind|or\s+rather|forget\s+(?:that|this|it))\b"
    r"|\b(?:that|this|it|which)\s*(?:['’]s|\s+is|\s+was|\s+seems|\s+cannot\s+be"
    r"|\s+can['’]?t\s+be)\s+(?:obviously\s+|clearly\s+|of\s+course\s+|actually\s+|surely\s+)?"
    r"(?:wrong|incorrect|false|not\s+(?:right|correct|the\s+answer|true|it)|mistaken|a\s+(?:mistake|lie|joke|guess))"
    r"|(?:^|[.!;—–]\s*)no\s*[,.:;!]|\bI\s+(?:don['’]?t|do\s+not)\s+(?:think|believe|agree)\b",
    re.IGNORECASE,
)
"""What takes an answer back after it was given."""
ACTUALLY: Final = re.compile(
    r"(?:^|[.!?;,—–\n]\s*|\s)(?:actually|rather|instead|in\s+fact)\b[,:]?\s*(?P<rest>[^\n]{0,80})", re.IGNORECASE
)
ASIDE: Final = re.compile(
    r"^\W*(?:note|notice|remark|observe|recall|compare|incidentally|by\s+contrast|in\s+contrast|for\s+comparison"
    r"|by\s+the\s+way|as\s+a\s+check|check"
    r"|checking|to\s+check|sanity|verification|verify|we\s+can\s+(?:check|verify)|indeed|alternatively|one\s+might"
    r"|you\s+might|had\s+we|were\s+we|see\b"
    r"|unlike|for\s+(?:example|instance)|e\.g\.|similarly|likewise|in\s+general|generally|a\s+(?:common|naive"
    r"|tempting)|option\s|choice\s)"
    r"|\b(?:differs?\s+from|would\s+be|would\s+have|would\s+give|naive|wrongly|common\s+(?:mistake|error)|tempting"
    r"|compare[ds]?\s+(?:to|with)|as\s+opposed|unlike|instead)\b",
    re.IGNORECASE,
)
"""Sentences beside the argument: remarks, checks, comparisons."""
THEREFORE: Final = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|accordingly|finally|in\s+conclusion|to\s+conclude|conclude"
    r"|we\s+(?:get|obtain|find|arrive\s+at|end\s+up\s+with)"
    r"|altogether|in\s+total|it\s+follows|this\s+gives|which\s+gives|giving|yields?)\b|[∴]"
    r"|所以|因此|故|综上|よって|したがって|따라서|لذا|إذن|donc|also\b|daher|somit|folglich|por\s+(?:lo\s+)?tanto|portanto|quindi"
    r"|таким\s+образом|поэтому",
    re.IGNORECASE,
)

REPORTED: Final = re.compile(
    r"\b(?:if|unless|for\s+(?:even|odd)|in\s+case|when|suppose[ds]?|supposing|assuming|imagine|pretend|were|would"
    r"|claim(?:s|ed|ing)?|said|says|told|tells|friend|someone|somebody"
    r"|students?|people|according|allegedly|supposedly|key|textbook|doubt\w*|wrong\w*|incorrect\w*|false"
    r"|mistaken\w*|erroneous\w*|guess(?:es|ed)?"
    r"|wonder|prove|whether|rumou?r\w*|maybe|perhaps|possibly|nobody|no\s+one|neither|hardly|without|except"
    r"|anything\s+but|far\s+from|other\s+than)\b|\?",
    re.IGNORECASE,
)
"""What an earlier clause of the same sentence must not hold: with it the commitment is supposed, reported or denied."""
APPROXIMATELY: Final = re.compile(
    r"^(?:[\s:：=*≈~]|(?:approximately|approx\.?|about|roughly|around|exactly|precisely|simply|just|given\s+by"
    r"|equal\s+to|therefore|thus|hence|then|indeed|only"
    r"|clearly|a\s+total\s+of|in\s+fact|definitely|certainly|for\s+sure|ca\.|circa|as\s+follows|now|also|always"
    r"|the\s+same\s+as)\b)+",
    re.IGNORECASE,
)
"""Words between a committing phrase and its value that change nothing."""
NAMED: Final = re.compile(
    r"^(?:(?:the|an?|this|that|all|both|our|its|option|choice|letter|value|values|number|numbers|integer|integers"
    r"|pair|pairs|point|points|set|interval|intervals|function|functions"
    r"|matrix|vector|line|plane|curve|expression|fraction|equation|formula|ordered|triple|ratio|angle|polynomial"
    r"|following|unique|single|closed|open|real|rational|form|positive|natural|prime"
    r"|USD|EUR|Rs\.?|US|it|and|be|to\s+be|name|word|answer|statement)\b[\s:]*)*$",
    re.IGNORECASE,
)
"""Words that may stand before a value, as they only say what sort of thing it is."""
CHANGED: Final = re.compile(
    r"\b(?:more|less|fewer|greater|larger|smaller|bigger|higher|lower|exceed\w*|above|below|under|over|least|most"
    r"|minimum|maximum|minimal|maximal|up|bounded|between|within"
    r"|beyond|upwards?|downwards?|best|half|halves|halved|thirds?|quarters?|twice|thrice|doubled?|doubling|tripled?"
    r"|triple|times|(?<!second )(?<!metre )(?<!meter )squared"
    r"|square(?!\s+(?:\w+met|met|kilo|centi|milli|inch|feet|foot|mile|yard|unit|cm|km|mm|m\b))"
    r"|cubed?|factorial|reciprocal|inverse|derivative|integral|factors?"
    r"|multiples?|multiplied|divided|roots?|power|sum|product|quotient|difference|minus|plus|negative|raised|modulo"
    r"|mod|log\w*|opposite|complement|conjugate|successor|predecessor|than|divides?"
    r"|theorem|lemma|exercise|page|part|step|case|cases|table|figure|section|chapter|example|problem|line"
    r"|proposition|corollary"
    r"|maybe|perhaps|possibly|probably|presumably|either|neither|any|some|other|another|else|otherwise|unknown"
    r"|different|similar|likely|unlikely|depending|depends|except|excluding|besides|divides|holds?|works"
    r"|not|never|no|n['’]t|none|wrong|incorrect|false|mistaken|instead|rather|compare[ds]?|unless|if|whether|when"
    r"|might|may|could|would|should|increased|decreased|reduced|added|subtracted|taken|shifted"
    r"|by|from|as|but|however|though|although|yet|almost|nearly|missing|short|shy|off|away|ish|sort|kind|th|st|nd"
    r"|rd)\b|n['’]t\b|\?|\bnot-|-?ish\b",
    re.IGNORECASE,
)
"""Words beside a value with which it is no longer the answer: bounds, operations, comparisons, hedges, denials."""
REASON: Final = re.compile(
    r"^[\s,;:—–-]*(?:\b(?:because|since|as|given\s+that|so|which|where|by|from|due\s+to|using|attained|reached"
    r"|achieved|obtained|occurring|rounded|correct\s+to|to\s+(?:\w+|\d)\s+(?:significant|decimal)"
    r"|giving|making|this|it|that|thus|hence|therefore|in|at|i\.e\.|e\.g\.|being|considering|after|based"
    r"|according\s+to|thanks|independent|regardless|respectively|meaning|namely|see|cf\.|compare"
    r"|corresponding|with|who|i\s+(?:think|believe|am\s+(?:sure|certain))|there|we|the|counting|recall|note|noting"
    r"|and\s+(?:we|this|the\s+proof|that|so|it|hence|therefore|thus)|for\s+(?:a\s+total|the|this|our|short|example"
    r"|instance)|per|on|follow(?:s|ing)|equivalently|or\s+(?:equivalently|about|approximately|roughly)"
    r"|approximately|about|roughly|expressed|measured|written|when\s+(?:rounded|expressed))\b|≈|[∎■□])",
    re.IGNORECASE,
)
"""How a clause of reason, a source or a restatement begins."""
UNSETTLED: Final = re.compile(
    r"\b(?:otherwise|else|unless|but|however|though|although|yet|maybe|perhaps|possibly|probably|might|may"
    r"|not\s+sure|unsure|depending|depends|alternatively|kidding|wait|actually|i\s+mean|correction|nope"
    r"|or\s+(?:maybe|else|rather|perhaps|is\s+it)|i\s+(?:guess|suppose|doubt|hope|don['’]?t)|not\s+really|sorry"
    r"|(?:which|this|that|it)\s+(?:is|was|seems|['’]s)\s+(?:obviously\s+|clearly\s+|of\s+course\s+)?(?:wrong"
    r"|incorrect|false|not\s+(?:the|right|correct|true|so|it)|mistaken|impossible|absurd|nonsense|a\s+(?:lie|joke"
    r"|guess|mistake))"
    r"|(?:is|are|was)\s+(?:wrong|incorrect)|(?:isn|wasn|aren)['’]t\s+(?:right|correct|true|the))\b|\?",
    re.IGNORECASE,
)
"""Words in a clause behind a value that unsettle the value."""
ANOTHER: Final = re.compile(
    r"^[\s,;:—–-]*(?:rather\s+than|instead\s+of|as\s+opposed\s+to|and\s+not|but\s+not|not"
    r"|and\s+nothing\s+else)\b(?!\s+(?:quite|exactly|really|yet|sure))",
    re.IGNORECASE,
)
"""What stands before a value that the answer is not."""
CONDITION: Final = re.compile(
    r"^[\s,;(—–-]*(?:for|if|when|whenever|where|provided|assuming|with|on|only\s+if|in\s+case|as\s+long\s+as|given)\b",
    re.IGNORECASE,
)
"""How a side condition begins."""
SECOND: Final = re.compile(
    r"\b(?:otherwise|else)\b|;|\b(?:while|whereas|but)\b|(?:,|\band\b|\bor\b)[^,;]{0,60}?(?:\d|[\ue000-\ue2ff]"
    r"|\b(?:zero|one|two|three|undefined)\b)[^,;]{0,30}?\b(?:for|if|when|otherwise|else|in|not|with)\b"
    r"|^\W*(?:for|if|when|with)\s+(?:even|odd|case|probability|the\s+(?:opposite|other|reversed|wrong|first|second)"
    r"|an?\s+(?:opposite|negative|minus|reversed|wrong))\b",
    re.IGNORECASE,
)
"""A second value after a side condition."""
