"""The words by which a response commits to an answer, denies one, bounds one, supposes one or takes one back."""

import re
from typing import Final

_OF = (
    r"(?:\s+(?:to|of|for|in|from)\s+(?!the\s+(?:first|second|third|other|previous|next|similar|easier|different|wrong|original|warm-?up|sample|example|practice|toy|simpler)\b)(?:the|this|that|our|your|part|all|these|question)\b[^,;:.()]{0,80}?"
    r"|\s+in\s+[\ue000-\ue2ff](?=\s+are\s)|\s*\(?[A-Z]\)?(?=\s+is)"
    r"|\s+in\s+(?:(?!the\b|terms\b|my\b|his\b|her\b|their\b)[a-z]+[\s-]){1,2}(?:notation|form|terms|units|coordinates)(?=\s+(?:is|are)\b)"
    r"|\s+choice|\s+option|\s+we\s+(?:want|seek|need|(?:were|are)\s+(?:looking\s+for|after))|\s+here|\s+then"
    r"|\s+therefore|\s+thus)?"
)
_IS = (
    r"(?:\s+(?:is|are|equals?|becomes|must\s+be|should\s+be|will\s+be|has\s+to\s+be|comes?\s+out\s+(?:to(?:\s+be)?"
    r"|as|at)"
    r"|(?:have|has|takes?|is\s+of|are\s+of)\s+the\s+form|turns\s+out\s+to\s+be|works\s+out\s+to(?:\s+be)?|comes?\s+to|amounts\s+to)\b|['’]s\b|\s*[:=≈：]|\s+[-–—](?=\s))"
)
_THAT_IS: Final = (
    r"(?:\s*(?:therefore|thus|then|hence|simply|just|indeed|clearly|now"
    r"|given\s+by(?!\s*(?:\(\d+\)|(?:eq|equation|formula|theorem|lemma)\b))|thus\s+given\s+by))?\s*[:：=]?"
)
STRONG: Final = re.compile(
    r"\b(?:answers?|solutions?(?:\s+set)?|result|final\s+value"
    r"|(?:correct|right|true|actual)\s+(?:value|number|count|total|figure|sum|city|name|word|year|term))"
    + _OF
    + _IS
    + _THAT_IS,
    re.IGNORECASE,
)
"""An English phrase that names the answer."""
_LATIN = r"(?:\s+(?:finale?|correcte?|final|correcta|correta|corretta|richtige|korrekte|endgültige|definitiva))?"
FOREIGN: Final = re.compile(
    r"(?P<de>\b(?:ist|lautet|beträgt)\s+(?:die|das|unsere?)\s+(?:(?:endgültige|richtige|korrekte|gesuchte)[snr]?\s+)?(?:antwort|lösung|ergebnis"
    r"|endergebnis)\b|\b(?:die|das|unsere?|meine?)?\s*(?:(?:endgültige|richtige|korrekte|gesuchte)[snr]?\s+)?(?:antwort"
    r"|lösung|ergebnis|endergebnis|gesamtergebnis)\s*(?:\s(?:ist|lautet|beträgt|heißt)(?:\s+(?:daher|somit"
    r"|also))?\b|[:=]))"
    rf"|(?P<fr>\b(?:la\s+|notre\s+|le\s+)?(?:bonne\s+)?(?:réponse|reponse|résultat|solution){_LATIN}\s*(?:\s(?:est"
    rf"|vaut)(?:\s+donc)?\b|[:=]))"
    rf"|(?P<es>\b(?:la\s+|el\s+)?(?:respuesta|solución|resultado){_LATIN}\s*(?:\s(?:es|sería)(?:\s+(?:entonces"
    rf"|por\s+tanto))?\b|[:=]))"
    rf"|(?P<pt>\b(?:a\s+|o\s+)?(?:resposta|solução|resultado){_LATIN}\s*(?:\s(?:é|e)(?:\s+(?:então|portanto))?\b|[:=]))"
    rf"|(?P<it>\b(?:la\s+|il\s+)?(?:risposta|soluzione|risultato){_LATIN}\s*(?:\s(?:è|e')(?:\s+quindi)?(?!\w)|[:=]))"
    r"|(?P<nl>\b(?:het|ons|mijn)\s+(?:juiste\s+|correcte\s+)?(?:eind)?(?:antwoord|resultaat)\s+(?:is|luidt)(?:\s+dus)?\b"
    r"|\b(?:eind)?antwoord\s*[:=])"
    r"|(?P<zh>(?:最终|正确|最后|因此|所以|故)?(?:的)?(?:答案|結果|结果)(?:应该|應該|应|就)?(?:是|为|為|选|選|：|:|等于))"
    r"|(?P<ja>(?:最終的な|正しい|求める)?(?:答え|解答|正解|答)(?:は|：|:))"
    r"|(?P<ko>(?:최종\s*)?(?:정답|답)(?:은|는|:|：))"
    r"|(?P<ru>\b(?:итоговый\s+|правильный\s+)?ответ\s*(?:[:=—–-]|равен|есть))"
    r"|(?P<ar>(?:الجواب|الإجابة|الاجابة|الناتج|النتيجة)(?:\s+(?:النهائي|النهائية|الصحيح|الصحيحة))?\s*(?:هو|هي|:|：))"
    r"|(?P<hi>(?:उत्तर|जवाब)\s*(?:है|:|：))",
    re.IGNORECASE,
)
"""The same in other languages; a German, French, Spanish, Portuguese, Italian or Russian number has a decimal comma."""
COMMA_LANGUAGES: Final = frozenset({"de", "fr", "es", "pt", "it", "ru", "nl"})
FOREIGN_TAILS: Final = re.compile(
    r"^[\s.。!！,，、]*(?:です|である|だ|となります|となる|でした|입니다|이다|है|هو|है।)?[\s.。!！]*$"
    r"|^[\s]*[,;，、(（]?\s*(?:denn|weil|da|also|nämlich|car|parce|puisque|donc|porque|ya\s+que|pues|pois|perché|poiché"
    r"|因为|因為|由于|なぜなら|ので|потому|так\s+как|لأن)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
DENIED: Final = re.compile(
    r"\b(?:not|never|cannot|neither|nor|none|nobody|no\s+one|nothing|nowhere|hardly|scarcely|barely|rarely|seldom|without|except"
    r"|excluding"
    r"|wrong|wrongly|incorrect|incorrectly|false|falsely|mistaken|mistakenly|erroneous|erroneously|untrue|invalid"
    r"|doubt|doubts|doubtful|discard(?:s|ed)?|exclude[sd]?|deny|denies|denied|unlikely|impossible|refuse|reject"
    r"|rejects|rejected|refute[sd]?"
    r"|disagree|absurd"
    r"|anything\s+but|far\s+from|other\s+than|naive(?:ly)?|tempting|trap|fallacy|myth|commonly|common\s+(?:wrong|incorrect|mistaken|answer|mistake|error|guess|belief|misconception)|nonsense"
    r"|ridiculous|contradict\w*|disprove[sd]?|fails?|forget|spurious|extraneous|forbidden|decoy|bogus|bad|unequal|prohibited"
    r"|not\s+allowed|eliminate[sd]?)\b"
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
    r"(?:there\s+are|every|each|exactly|precisely|just|so|thus|hence|therefore|then|now|and|finally|again|ultimately|consequently|accordingly|altogether|overall"
    r"|here|in|conclusion|summary"
    r"|short|total|all|clearly|as|a|result|consequence|it|follows|this|which|that|means?|shows?|implies|gives"
    r"|giving|we|i|conclude|see|find|get|obtain"
    r"|have|know|can|say|think|believe|am|m|(?:fairly|quite|pretty|very|absolutely|completely|reasonably)\s+(?:sure|certain|confident)|sure|certain|confident|is|our|my|the|an?|to|for|problem|question|of"
    r"|turns|out|happens|(?:equation|system|polynomial|inequality|congruence)\s+has\s+(?:(?:exactly|only|the|one|two|three|four|five|distinct|real|complex|integer|positive)\b\s*)+|indeed|easily|immediately"
    r"|since|yields?|leads?|makes?|making|let|me|us|state|give|by|above|these|facts?|solution|step|\d{1,2}|where"
    r"|full|on|balance|yes|okay|ok|well|right"
    r"|(?:final|correct|right|best|exact|numerical|numeric|required|desired|requested|simplified|only|complete"
    r"|approximate|resulting|particular|explicit|steady-state|corresponding|unique|general|set|real|positive|smallest|largest|non-?trivial|non-?zero|rational|complex|principal|true|two|three|four|shown|proved|proven|seen|established|saw|realized|realised|noticed|corrected|most|appropriate|accurate|likely|better|integer|closed|form)|because\s+of\s+this|hence)"
)
LEAD: Final = re.compile(rf"^\W*(?:(?>{_FILLER}\b)[\s,'’]*+){{0,25}}$", re.IGNORECASE)
"""Words that may lead a clause to "the answer is"."""
ADVERBIAL: Final = re.compile(
    r"^\W*(?:(?:so|thus|then|and|hence|therefore|finally)\s+)?(?:after|thinking|having|looking|considering|weighing|using|by|from|with|for\s+(?:this|the|our)"
    r"|in\s+(?:\w+[\s-]){1,2}(?:notation|form|terms|units|coordinates),?\s+the|in\s+(?:total|the\s+end|this\s+problem|simplest\s+form|lowest\s+terms)|at|on|upon|combining|substituting"
    r"|adding|solving|simplifying|evaluating"
    r"|putting|plugging|computing|taking|given|rounding|rounded|to\s+\w+\s+(?:significant|decimal))\b",
    re.IGNORECASE,
)
"""What begins a clause that says how the answer came about."""
ASIDE: Final = re.compile(
    r"^\W*(?:note|notice|remark|observe|recall|compare|incidentally|by\s+contrast|in\s+contrast|for\s+comparison"
    r"|by\s+the\s+way|as\s+a\s+check|check"
    r"|checking|to\s+check|sanity|verification|verify|we\s+can\s+(?:check|verify)|indeed|alternatively|one\s+might"
    r"|you\s+might|had\s+we|were\s+we|see\b"
    r"|unlike|for\s+(?:example|instance)|e\.g\.|similarly|likewise|(?:in\s+general|generally)(?!,?\s+(?:then|therefore|thus|hence)\b)|(?:[a-z-]+\s+){0,3}checks?\s*:|a\s+(?:common|naive"
    r"|tempting)|option\s|choice\s)"
    r"|\b(?:reminiscent\s+of|similar\s+to\s+(?:the|a)\s+(?:standard|well-known|known|usual|classical|familiar)|analogous\s+to|resembles?|reminds?\s+(?:us|me|one)\s+of"
    r"|differs?\s+from|would\s+be|would\s+have|would\s+give|naive|wrongly|common\s+(?:mistake|error)|tempting"
    r"|compare[ds]?\s+(?:to|with)|as\s+opposed|unlike|instead)\b",
    re.IGNORECASE,
)
"""Sentences beside the argument: remarks, checks, comparisons."""
THEREFORE: Final = re.compile(
    r"\bwe\s+have\s+(?:thus\s+|now\s+|therefore\s+)?(?:shown|proved|proven|found|established)\s+that"
    r"|\b(?:therefore|thus|hence|so|consequently|accordingly|finally|in\s+conclusion|to\s+conclude|conclude"
    r"|we\s+(?:get|obtain|find|arrive\s+at|end\s+up\s+with)"
    r"|altogether|in\s+total|it\s+follows|this\s+gives|which\s+gives|giving|yields?)\b|[∴]"
    r"|所以|因此|故|综上|よって|したがって|따라서|لذا|إذن|donc|also\b|logo\b|assim\b|então\b|luego\b|entonces\b|dunque\b|allora\b|daher|somit|folglich|por\s+(?:lo\s+)?tanto|portanto|quindi"
    r"|таким\s+образом|поэтому",
    re.IGNORECASE,
)

REPORTED: Final = re.compile(
    r"\b(?:you(?:\s+(?:have|['’]ve))?\s+(?:got|said|wrote|answered|claimed?|obtained)|your\s+(?:answer|result|value)|if|unless|for\s+(?:even|odd)|in\s+case|when|suppose[ds]?|supposing|assuming|imagine|pretend|were|would"
    r"|claim(?:s|ed|ing)?|said|says|(?<!all\s)told|tells|friend|someone|somebody"
    r"|(?:most|many|some|several|other|few)\s+(?:\w+\s+)?(?:students|people)"
    r"|(?:students?|people)\s+(?:\w+\s+){0,2}?(?:say|think|believe|answer|claim|get|got|write|wrote|find|found|guess|forget|assume"
    r"|make|choose|chose|expect|suggest|agree|put|obtain|state|would|might|will|arrive)\w*"
    r"|according|allegedly|supposedly|key|textbook|doubt\w*|wrong\w*|incorrect\w*|false"
    r"|mistaken\w*|erroneous\w*|guess(?:es|ed)?"
    r"|wonder|prove|whether|rumou?r\w*|maybe|perhaps|possibly|nobody|no\s+one|neither|hardly|without|except"
    r"|anything\s+but|far\s+from|other\s+than|up\s+to\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:sign|constant|factor|scal\w+|conjugat\w+|ordering|permutation)|whenever|depending|provided|as\s+long\s+as|hypothesis|supposition"
    r"|assumptions?\s+(?:is|that)|thinks?\s+(?=[A-Za-z]+\s*[=\ue000-\ue2ff])|suppose\w*|quot(?:e|es|ed(?!\s+(?:in\s+(?:the|this|our)|above|here)\b)|ing|ation|ations))\b|\?",
    re.IGNORECASE,
)
"""What an earlier clause of the same sentence must not hold: with it the commitment is supposed, reported or denied."""
SOURCE: Final = re.compile(
    r"\b(?:according\s+to|as\s+(?:stated|given|shown|described)\s+in)\s+(?:the|this|our|these)\s+(?:\w+\s+){0,2}?(?:passage|text|table"
    r"|figure|graph|diagram|chart|problem|question|statement|statute|rule|rules|definition|theorem|lemma|law|formula|equation"
    r"|article|above|data|calculation|computation|result|results|analysis|principle)\b|\bwithout\s+loss\s+of\s+generality\b",
    re.IGNORECASE,
)
"""Sources whose word is the response's own: the text and the rules of the question."""
ELSEWHERE: Final = re.compile(
    r"^\W*(?:(?:so|and|but|then|thus|hence|now)\b\W*)?(?:"
    r"(?:for|in|to|under|on|with|by|at|as|of)\s+(?:(?:an?|the|his|her|my|their|some|one|any)\s+)?(?:[\w'’-]+\s+){0,2}?(?:opinion|view|eyes|dream"
    r"|universe|world|mistake|error|assumption|supposition|hypothesis|premise|comparison|edition|book|probability"
    r"|minimum|maximum|most|least|best|worst|upper\s+bound|lower\s+bound|bound|estimate|first\s+(?:sight|glance|look)"
    r"|face\s+of\s+it|people|others)\b"
    r"|(?:for|in|to|of|on)\s+(?:(?:an?|the|some|any)\s+)?(?:other(?!\s+words)|another|different|similar|previous|next|preceding|earlier|old|easier"
    r"|simpler|harder|original|wrong|modified|analogous|related|first|second|third|one|example|sample|warm-?up|practice|toy)\b(?!\s+step)[^,]{0,40}(?:,|\bthe\b|\bit\b|\bwe\b)"
    r"|(?:to|for)\s+(?:some|many|most)\s*,|with\s+the\s+(?:other|wrong|opposite)\s+sign\b|(?:for|to)\s+(?-i:(?!Step|Part|Problem|Question|Case|Example)[A-Z][a-z]+)\s*,"
    r"|(?:naively|superficially|theoretically|hypothetically|apparently|allegedly|supposedly|reportedly|presumably|sometimes"
    r"|usually|often|occasionally|initially|originally|previously|formerly|forgetting|omitting|miscounting|misreading"
    r"|hint|example|conjecture|hypothesis|guess|claim|question|rumou?r|legend|say|let\s+us\s+(?:say|suppose|pretend|imagine|assume"
    r"|guess|hope)|let['’]s\s+(?:say|pretend|suppose|imagine|assume)|depending|whenever|provided|unless)\b"
    r"|counting\s+wrongly|using\s+(?:the|a)\s+wrong)",
    re.IGNORECASE,
)
"""How a sentence begins that speaks of another problem, of a bound, or in someone's name."""
APPROXIMATELY: Final = re.compile(
    r"^(?:[\s:：=*≈…]|~(?!~)|(?:identically|constantly|approximately|approx\.?|about|roughly|around|exactly|precisely|simply|just|given\s+by(?!\s*(?:\(\d+\)|eq|formula|theorem|lemma))"
    r"|equal\s+to|therefore|thus|hence|then|indeed|only"
    r"|clearly|a\s+total\s+of|in\s+fact|definitely|certainly|for\s+sure|ca\.|circa|as\s+follows|of\s+the\s+form|now|also|always"
    r"|the\s+same\s+as|none\s+other\s+than|once\s+(?:again|more)|again)\b)+",
    re.IGNORECASE,
)
"""Words between a committing phrase and its value that change nothing."""
NAMED: Final = re.compile(
    r"^(?:(?:the|an?|this|that|all|both|our|its|option|choice|letter|value|values|number|numbers|integer|integers"
    r"|pair|pairs|point|points|set|interval|intervals|function|functions"
    r"|matrix|vector|line|plane|curve|circle|hyperbola|parabola|ellipse|sphere|family|region|polynomial|union|sequence|expression|fraction|equation|formula|ordered|triple|ratio|angle|polynomial"
    r"|following|unique|single|closed|open|real|rational|form|positive|natural|prime"
    r"|USD|EUR|Rs\.?|US|it|and|be|to\s+be|name|word|year|answer|statement)\b[\s:]*)*$",
    re.IGNORECASE,
)
"""Words that may stand before a value, as they only say what sort of thing it is."""
CHANGED: Final = re.compile(
    r"\b(?:more|less|fewer|greater|larger|smaller|bigger|higher|lower|latest|earliest|exceed\w*|above|below|under|over|least|most"
    r"|minimum|maximum|minimal|maximal|up|bounded|between|within"
    r"|beyond|upwards?|downwards?|best|half|halves|halved|thirds?|quarters?|twice|thrice|doubled?|doubling|tripled?"
    r"|triple|times|(?<!second )(?<!metre )(?<!meter )squared|negated|inverted|incremented"
    r"|decremented|reversed|flipped|backwards?|upside\s+down|inside\s+out|mirrored|before\s+(?:(?:the\s+|any\s+)?(?:correct|adjust|revis|fix|edit|repair|chang)\w*|[a-z]{3,}ing)|imaginary|fold|(?<=\d\s)score|dozens?|couples?|tenths?|hundredths?"
    r"|thousandths?|halfs|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tops|together|alongside|along\s+with|digits?\s+long|does|do|did|has|have|had|can|cannot|will"
    r"|gives?|yields?|leads?|implies|occurs?|arises?|appears?|sometimes|often|usually|followed|preceded"
    r"|square(?!\s+(?:\w+met|met|kilo|centi|milli|inch|feet|foot|mile|yard|unit|cm|km|mm|m\b))"
    r"|cubed?|factorial|reciprocal|inverse|derivative|integral|factors?"
    r"|multiples?|multiplied|divided|roots?|power|sum|product|quotient|difference|minus|plus|negative|raised|modulo"
    r"|mod|log\w*|opposite|complement|conjugate|successor|predecessor|than|divides?"
    r"|theorem|lemma|exercise|page|part|step|case|cases|table|figure|section|chapter|example|problem|line(?!-)"
    r"|proposition|corollary"
    r"|maybe|perhaps|possibly|probably|presumably|either|neither|any|some|other|another|else|otherwise|unknown"
    r"|different|similar|likely|unlikely|depending|depends|except|excluding|besides|divides|holds?|works"
    r"|not|never|no|n['’]t|none|outside(?=\s+(?:the|this|that|of|its|an?)\b)|wrong|incorrect|false|mistaken|instead|rather|compare[ds]?|unless|if|whether|when"
    r"|might|may|could|would|should|increased|decreased|reduced|added|subtracted|taken|shifted"
    r"|too\s+(?:many|much|few|little|small|large|big|high|low)|by|from|as|but|however|though|although|yet|almost|nearly|missing|short|shy|off|away|ish|sort|kind|th|st|nd"
    r"|rd)\b|n['’]t\b|\?|\bnot-|-?ish\b",
    re.IGNORECASE,
)
"""Words beside a value with which it is no longer the answer: bounds, operations, comparisons, hedges, denials."""
REASON: Final = re.compile(
    r"^[\s,;:—–-]*(?:\b(?:of\s+course|because|denn|weil|nämlich|car|puisque|parce\s+que|porque|ya\s+que|pues|pois|perché|poiché|want|omdat|since|as(?!\s+(?:well|much|many)\b)|given\s+that|so|which|where|by(?!\s+(?:mistake|accident|error|coincidence|chance|guess\w*|luck)\b)|from|due\s+to|using|attained|reached"
    r"|achieved|obtained|occurring|rounded|correct\s+to|to\s+(?:\w+|\d)[\s-]+(?:significant|decimal|order)"
    r"|giving|making|completing|concluding|finishing|proving|this|it|that|thus|hence|therefore|in|at|being|considering|based"
    r"|after\s+(?!(?:doubl|halv|multipl|divid|add|subtract|squar|negat|revers|invert|flip|tripl|scal|appl)\w*)|using"
    r"|according\s+to|thanks|independent|regardless|no\s+matter|whatever\s+\S+\s+is|pointing|directed|acting|respectively|meaning|namely|see|cf\.|compare"
    r"|corresponding|comparable|compatible|consistent\s+with|typical|characteristic|with(?!\s+(?:\w+\s+){0,3}?(?:signs?|zeros?|minus|opposite|digits?|exponent|factor|probability|error|mistake)\b)|who|i\s+(?:think|believe|am\s+(?:sure|certain))|there|we|the|counting|recall|note|noting"
    r"|and\s+(?:we|this|the\s+proof|that|so|it|hence|therefore|thus)|for\s+(?:a\s+total|the|this|our|short|example"
    r"|instance)|per|on|follow(?:s|ing)|equivalently|or\s+(?:equivalently|about|approximately|roughly)"
    r"|approximately|about|roughly|(?:exactly|just|precisely)\s+as|expressed|measured|written|to\s+(?:choose|arrange|select|pick|do|finish|complete"
    r"|fill|drain|empty|reach|travel|get|make|cover|cross|seat|place|distribute|colou?r|form|order|pay|build|write|read|run|walk|drive|go|return|meet)|when\s+(?:rounded|expressed)|each|every|as\s+(?!well\b|much\b|many\b)\w+)\b|≈|[∎■□]|i\.\s?e\.|e\.\s?g\.|cf\.|viz\.)",
    re.IGNORECASE,
)
"""How a clause of reason, a source or a restatement begins."""
UNSETTLED: Final = re.compile(
    r"\b(?:so\s+far|for\s+now|at\s+least\s+(?:for|if|when|in)|at\s+this\s+(?:point|stage)|to\s+begin\s+with|as\s+yet|(?:which|that|this|it|and)\s+(?:also\s+|again\s+)?(?:fails?"
    r"|does(?:\s+not|n['’]t)\s+(?:work|fit|hold|count|help))|otherwise|else|unless|but|however|though|although|yet|maybe|perhaps|possibly|probably|might|may"
    r"|pending|tentative\w*|provisional\w*|unverified|unconfirmed|not\s+sure|unsure|depending|depends|alternatively|kidding|wait|actually|i\s+mean|correction|nope"
    r"|or\s+(?:maybe|else|rather|perhaps|is\s+it)|i\s+(?:guess|suppose|doubt|hope|don['’]?t)|not\s+really|sorry"
    r"|(?:which|this|that|it)\s+(?:is|was|seems|['’]s)\s+(?:obviously\s+|clearly\s+|of\s+course\s+)?(?:wrong"
    r"|incorrect|false|not\s+(?:the|right|correct|true|so|it)|mistaken|impossible|absurd|nonsense|a\s+(?:lie|joke"
    r"|guess|mistake))"
    r"|(?:which|that|this|it)\s+(?:is|equals|makes)\s+(?:only\s+|just\s+|exactly\s+)?(?:half|twice|double|triple|thrice|an?\s+\w+|one\s+\w+|two\s+\w+|the\s+\w+)"
    r"\s+(?:of\s+)?(?:the\s+(?:\w+\s+)?(?:answer|result|value)\b(?!\s+of)|what\s+(?:we|is|was|you|one)\b)"
    r"|(?:which|this|that|it)\s+(?:is|was)\s+(?:(?:far|much|slightly|clearly|obviously|a\s+bit)\s+)?(?:too\s+\w+|(?:close|near|next)\s+to\s+the\s+(?:\w+\s+)?(?:answer|result)"
    r"|(?:less|more|smaller|larger|greater|higher|lower)\s+than\s+(?:it\s+should|allowed|required|needed|the\s+(?:\w+\s+)?(?:answer|result))"
    r"|(?:the\s+)?(?:negative|half|double|square|inverse|opposite|reciprocal)\s+of\s+(?:the\s+)?(?:\w+\s+)?(?:answer|result|what))"
    r"|(?:times|twice|half)\s+as\s+(?:many|much)(?=\W*$)|(?:we|one|you|it|i)\s+(?:cannot|can\s+not|can['’]t)\s+(?:solve|determine|decide|say|tell|know|find|answer)|(?:has|makes?)\s+no\s+(?:meaning|sense)|agrees\s+with\s+(?:nothing|neither|no)"
    r"|(?:is|are|was)\s+(?:wrong|incorrect)|(?:isn|wasn|aren)['’]t\s+(?:right|correct|true|the))\b|\?"
    r"|(?:^\W*|[,;(—–]\s*)(?:but\s+|and\s+|with\s+|though\s+)?(?:(?:each|every|all)\b(?:\s+(?:of\s+)?(?!is\b|are\b|was\b)\w+){0,2}\s+)?(?:counted\s+)?(?:twice|thrice|doubly|(?:two|three|four|several)\s+times)\b"
    r"|\bbut\s+(?:each|every|all)\b[^,;.]{0,40}\b(?:twice|thrice|doubly|times)\b",
    re.IGNORECASE,
)
"""Words in a clause behind a value that unsettle the value."""
ANOTHER: Final = re.compile(
    r"^[\s,;:—–-]*(?:rather\s+than|instead\s+of|as\s+opposed\s+to|and\s+not|but\s+not|not"
    r"|and\s+nothing\s+else)\b(?=\W*[\w\ue000-\ue2ff])(?!\s+(?:quite|exactly|really|yet|sure|what|(?:the\s+|a\s+|an\s+)?(?:answer|solution|correct|right|true|possible"
    r"|valid|it|so|allowed)))",
    re.IGNORECASE,
)
"""What stands before a value that the answer is not."""
CONDITION: Final = re.compile(
    r"^[\s,;(—–-]*(?:for|if|when|whenever|wherever|where|provided|assuming|presuming|granted\s+that|subject\s+to|contingent\s+(?:up)?on|conditional\s+on|with|on|only\s+if|in\s+case|as\s+long\s+as|given"
    r"|(?:should|had|were)(?=\s+(?:the|an?|it|this|that|we|they)\b))\b",
    re.IGNORECASE,
)
"""How a side condition begins."""
SECOND: Final = re.compile(
    r"\b(?:otherwise|else)\b|;|\b(?:while|whereas|but)\b|(?:,|\band\b|\bor\b)[^,;]{0,60}?(?:\d|[\ue000-\ue2ff]"
    r"|\b(?:zero|one|two|three|undefined)\b)[^,;]{0,30}?\b(?:for|if|when|otherwise|else|in|not|with)\b"
    r"|^\W*with\s+(?:\w+\s+){0,3}?(?:signs?|zeros?|minus|opposite|digits?|exponent|factor|error|mistake)\b|^\W*(?:for|if|when|with)\s+(?:even|odd|case|probability|the\s+(?:opposite|other|reversed|wrong|first|second)"
    r"|an?\s+(?:opposite|negative|minus|reversed|wrong))\b",
    re.IGNORECASE,
)
"""A second value after a side condition."""
NOT_STATED: Final = re.compile(
    r"^\W*(?:(?:now|first|next|then|and|so)\W+)?(?:let(?:\s+us|['’]s)?|consider|choose|pick|try|plug|substitute|insert|suppose"
    r"|(?:set|put|take)(?=\W*$|\s+(?:[\ue000-\ue2ff]|[A-Za-z]\w?\s*=))|assume|assuming|supposing|say|imagine|recall|remember|given|where|prove"
    r"|show|verify|check|explain|find|determine|ask|want|to\s+(?:prove|show|verify|check|see)"
    r"|(?:we|i)\s+(?:want|wish|would\s+like|hope|aim|try|tried|(?:need|have|must)\s+(?:to\s+)?(?:prove|show|verify|check|see))"
    r"|(?:we|i|you|one)(?:['’]d|\s+would)\s+(?:\w+\s+)?(?:need|have|want|like|love)\s+to|it\s+is\s+given|we\s+are\s+(?:given|told|asked|to)|start(?:ing)?\s+with|for\s+instance|for\s+example)\b(?!\s*[=:])"
    r"|^\W*(?:to\s+(?:prove|show)|claim|conjecture|hypothesis|guess|example|hint|question|given|assumption|lemma|theorem|exercise"
    r"|problem|goal|todo|task|note|nota\s+bene|recall)(?:\s+\d+)?\s*[:.]",
    re.IGNORECASE,
)
"""How a clause begins that sets a value, asks for one or cites one."""
DOUBTED: Final = re.compile(
    r"\b(?:you(?:\s+(?:have|['’]ve))?\s+(?:got|said|wrote|answered|claimed?|obtained)|thinks?|believes?|guess(?:es|ed)?|suspects?|conjectures?|wonders?|hopes?|wants?|wish(?:es)?|tr(?:y|ies|ied)|heard|read(?!\s+off)|used\s+to"
    r"|thought|supposed\s+to|said|say|says|claims?|claimed|contradicts?|disproves?|refutes?|denies|excludes?|prevents?|forbids?|violates?"
    r"|might|(?<!that\s)(?<!which\s)could|would|should\s+have|perhaps|maybe|(?:first|initial|rough|crude|next|early|preliminary)\s+(?:candidate|estimate|approximation|value|bound|answer|result)"
    r"|(?:second|third)\s+most|careless\w*|sloppy|hasty|hastily|unwary|inattentive|novices?|misguided|popular"
    r"|first\s+(?:got|had|obtained|sight|glance|thought|attempt|guess)|at\s+first|initially|originally|naively"
    r"|forgetting|omitting|(?:upper|lower)\s+(?:bound|estimate|limit)|(?:a|one|the|some|many|most|my|another)\s+students?\s+(?!who\b|is\b|has\b|gets\b|receives\b|needs\b)\w+|colleague|(?:class|team|room)mates?|(?:reported|believed|considered|expected|known)\s+to|seems?|looks\s+(?:like|right|plausible|good)|(?:quick|rough|envelope|crude)\s+estimates?|estimates?\s+(?:puts?|suggests?)|bounds?|so\s+far|(?:up\s+to|until)\s+(?:here|now)|for\s+now|is\s+an?\s+(?:\w+\s+)?(?:chance|possibility)\s+that"
    r"|(?:book|computer|calculator|teacher|professor|author|manual|neighbou?r|machine|program|model|friend)\s+(?:gives?|gave|says?|said|shows?"
    r"|showed|claims?|states?|got|gets?|has|reports?|answers?|finds?|found|thinks?)|know\s+that|knows?\s+that|given\s+that"
    r"|recall\s+that|told"
    r"|(?:lucky|favou?rite|random)\s+(?:number|digit|choice|pick)|(?:dice?|coin)\s+(?:sa(?:ys|id)|decide[sd]?))\b|\bmay\s+(?!(?:now\s+)?(?:conclude|deduce|write|infer))",
    re.IGNORECASE,
)
"""What before a verb makes of a statement a report, a doubt, a bound or the value of something else."""
OPERATED: Final = re.compile(
    r"\b(?:opposite|complementary|converse|contrary)\s+(?:event|outcome|probability|case|statement)\b.*$"
    r"|\b(?:squared|cubed|doubled|halved|negated|tripled|(?:times|plus|minus|mod(?:ulo)?)\s+\w+|over\s+(?:\d+|two|three|four|five|six|ten)|\d+\s*[a-z])\s*$",
    re.IGNORECASE,
)
"""What before a verb makes the value that of something computed from its subject."""
NOT_BUT: Final = re.compile(
    r"\bnot\s+(?:[\ue000-\ue2ff]|[-−]?\d[\d.,/]*)\s*[,;]?\s*(?:but(?:\s+rather)?|it\s+is|rather)\s+(?=[\ue000-\ue2ff]|[-−]?\d)"
    r"|\b(?:nicht|niet|не)\s+(?:[\ue000-\ue2ff]|[-−]?\d[\d.,/]*)\s*[,;]?\s*(?:sondern|maar|а)\s+(?=[\ue000-\ue2ff]|[-−]?\d)",
    re.IGNORECASE,
)
"""`not 6 but 5`: what is turned down before the value."""
NOT_BUT_VERB: Final = re.compile(
    r"\b(?:n['’](?P<fr>est)\s+pas|no\s+(?P<es>es|son)|não\s+(?P<pt>é|são)|non\s+(?P<it>è|sono))\s+(?:[\ue000-\ue2ff]|[-−]?\d[\d.,/]*)\s*[,;]?\s*"
    r"(?:mais|sino|mas|ma|bensì)\s+(?=[\ue000-\ue2ff]|[-−]?\d)",
    re.IGNORECASE,
)
"""The same where the denial stands about the verb: `n'est pas 6 mais 5`."""
NOTHING_ELSE: Final = re.compile(
    r"[,;]?\s*\b(?:and\s+)?(?:there\s+are\s+no\s+(?:others?|more|further\s+\w+)|no\s+(?:larger|smaller|greater|better|bigger|lower|higher)\s+"
    r"(?:\w+\s+)?(?:is|are)\s+(?:possible|attainable|achievable)|nothing\s+(?:else|more)|no\s+others?(?:\s+(?:value|number|answer|one)s?)?|no\s+more(?:,|\s+and)?\s+no\s+less"
    r"|that['’]s\s+(?:it|all|final)|that\s+is\s+(?:all|final))\s*(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""An assurance behind a value."""
HANGING: Final = re.compile(
    r"^\W*(?:since|because|at(?!\s.*\s(?:the|this|its|it|we)\s+[a-z]+\s+[a-z]+)|as|where|when|whenever|if|unless|whether)\b[^,]*$",
    re.IGNORECASE,
)
"""A clause of reason, place or condition, which alone states nothing."""
MIXTURE: Final = re.compile(
    r"\s*(?:(?:slightly|strongly|weakly|very|fairly|mildly|highly|therefore|thus|still|now)\s+)*(?:acidic|basic"
    r"|alkaline|neutral|saturated|unsaturated|dilute[d]?|concentrated|buffered"
    r"|colou?rless|clear|heated|cooled|stirred|cold|hot|mixed|combined|blended|poured|prepared|added)\b",
    re.IGNORECASE,
)
"""What is said of a solution in a beaker."""
