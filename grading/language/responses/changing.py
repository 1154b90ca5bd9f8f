"""The closed classes of words that change what a plain sentence says of its value; every other word may stand there.

Nouns, verbs and adjectives of a sentence are open: whatever they are, a sentence with one value says that value, unless
a word of these classes denies, bounds, doubts, supposes, reports, asks, cites, sets or works on it.
"""

import re
from typing import Final

_NUMBERED: Final = (
    r"theorem|lemma|proposition|corollary|step|case|equation|eq\.?|formula|figure|fig\.?|table|page|part|section"
    r"|chapter|exercise|problem|question|example|method|approach|attempt|item|line|row|column|reference|base"
    r"|mod(?:ulo)?|number|no\.|index|version|level|edition|rule|law|remark|(?:before|prior\s+to)\s+(?:doubl|halv"
    r"|divid|multipl|add|subtract|squar|negat|invert|correct|round|scal|reduc)\w+|footnote|clause|article"
)
_PART_OF: Final = (
    r"(?<!an\s)absolute\s+values?|modulus|floor|ceiling|negation|additive\s+inverse|digit\s+sum|half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?"
    r"|twelfths?|squares?|cubes?|squared|cubed|doubled?|twice|thrice|triple|multiples?|factors?|divisors?"
    r"|reciprocal|inverse|negative|opposite|complement|conjugate|roots?|powers?|logarithm|log|sine|cosine|tangent"
    r"|exponential|derivative|integral|gradient|fraction|percentage|per\s+cent|percent|digits?|sum|product"
    r"|difference|quotient|ratio|remainder|image|preimage|union|intersection|most|majority|rest|one|none|all|some"
    r"|any|each|both|many|few|several|either|neither|instead|out|members?|elements?|minimum|maximum|lack|excess"
    r"|shortage|neighbou?rhood|vicinity|choice|guess|estimate|bound|span|range|function|terms|case"
    r"|successor|predecessor|version|way|hope|chance|possibility|candidates?|dozens?|couples?|pairs?"
    r"|amount\s+in\s+excess"
)
_WORKED: Final = (
    r"consider\w*|us(?:e|es|ed|ing)|appl(?:y|ies|ied|ying)|tr(?:y|ies|ied|ying)|test(?:s|ed|ing)?|check(?:s|ed"
    r"|ing)?|examin\w+|exclud\w+|discard\w*|reject\w*|rul(?:e|es|ed|ing)\s+out|eliminat\w+|skip\w*|ignor\w+"
    r"|omit\w*|remov\w+|forg[eo]t\w*|miss(?:es|ed|ing)?|divid\w+|multipl\w+|add(?:s|ed|ing)?|subtract\w*|doubl(?:e"
    r"|es|ed|ing)|halv\w+|squar(?:e|es|ed|ing)|negat\w+|plug\w*(?:\s+in)?|substitut\w+|insert\w*|set(?:s|ting)?"
    r"|let|tak(?:e|ing)|put(?:s|ting)?|pick(?:ing)?|choos(?:e|ing)|denot\w+|defin(?:e|es|ed|ing)|call(?:ed|ing)?"
    r"|label\w*|assum\w+|suppos\w+|kn(?:ow|ows|own|ew|owing)|remember\w*|recall\w*|given|told|want\w*|wish\w*|like"
    r"|compar\w+|contradict\w*|violat\w+|den(?:y|ies|ied)|refut\w+|disprov\w+|avoid\w*|divides?|exceed\w*"
    r"|surpass\w*|undershoot\w*|overshoot\w*|bound(?:s|ed)?|see|saw|look(?:s|ed|ing)?|cit(?:e|es|ed|ing)|depend\w*"
    r"|differ\w*|stud(?:y|ies|ied)|includ\w+|involv\w+|mention\w*|list(?:s|ed|ing)?|guess\w*|estimat\w+"
    r"|cross(?:es|ed)?\s+out|le(?:aves?|aving|ft)\s+out|striv\w+|aim\w*|need\s+to|hav(?:e|ing)\s+to|fac(?:e|es|ed|ing)|tackl\w+|handl\w+"
    r"|proceed\w*|continu\w+|return\w*\s+to|turn(?:s|ed|ing)?\s+to|switch\w*|doubt\w*|replac\w+|swap\w*"
    r"|lack\w*"
)
_NOT_A_VERB = (
    r"(?!(?:is|are|was|were|be|to|gives?|gave|makes?|made|equals?|yields?|gets?|got|comes?|came|leaves?|left|means?)\b)"
    r"[a-z-]+"
)
_TIMES_A_THING = (
    r"(?:twice|half|double|triple|thrice|(?:third|quarter)\s+of)\s+(?:of\s+)?(?:(?:an?|the|its)\s+)?"
    rf"(?:{_NOT_A_VERB}\s+){{0,2}}{_NOT_A_VERB}"
)
"""`twice the bond order`, directly before a number"""
BEFORE: Final = re.compile(
    rf"\b(?:than|(?:proportional|related|similar|comparable|analogous|perpendicular|parallel|orthogonal|normal|tangent|conjugate|opposite|adjacent|inferior|superior|antipodal|congruent|(?:relatively|mutually)\s+prime|coprime)\s+to"
    r"|(?:shares?|agrees?|compares?|contrasts?|commutes?|rhymes?|overlaps?|begins?|starts?)\s+(?:[a-z]+\s+){0,4}with"
    rf"|such\s+as|for\s+(?:instance|example),?|I\s+copied|the\s+(?:low|mid|high|upper|early|late)|that\s+(?:follows|precedes|comes\s+(?:after|before))|log|lg|ln|sin|cos|tan|exp|sqrt|digits?"
    rf"|between|among|amongst|except|but|besides|without|versus|vs\.?"
    rf"|(?<!grows\s)(?<!scales\s)(?<!behaves\s)(?<!decays\s)like|unlike|from|into|until|till|unto|per|every|each"
    rf"|another|first|last|next|other|remaining|previous|following|the|this|that|these|those|all|both|its|his|her"
    rf"|their|my|our|whose|outside|inside|behind|beside|opposite|below|above|under|(?<!hands\s)(?<!hand\s)(?<!handed\s)over|beyond|past|within|near|nearly|almost|virtually"
    rf"|barely|hardly|scarcely|practically|approaching|close\s+to|next\s+to|prior\s+to|relative\s+to"
    rf"|compared\s+(?:to|with)|respect\s+to|due\s+to|thanks\s+to|bounded\s+by|limited\s+to|ha(?:s|ve|d)\s+been|capped\s+at|short\s+of"
    rf"|far\s+from(?:\s+being)?|shy\s+of|(?:up|down)wards?\s+of|(?:north|south)\s+of|in\s+excess\s+of|nowhere\s+near|away\s+from|ahead\s+of|towards?|against"
    r"|more|less|fewer|greater|at\s+(?:most|least|best|worst)|up\s+to|upto|as\s+(?!well\b)[a-z]+\s+as|(?:divided|multiplied|scaled|differs?|off|increased|reduced|shifted|divisible|divide|multiply"
    rf"|dividing|multiplying|exceeded)\s+by|times|plus|minus|twice|thrice|double|triple|half|third|modulo|mod"
    rf"|to\s+the(?:\s+power)?|(?:twice|half|double|triple|thrice|times)\s+(?:an?|the)\s+(?:[a-z-]+\s+){{0,3}}[a-z-]+(?=\s+of\s)|{_TIMES_A_THING}|(?:end(?:s|ed|ing)?)\s+in|power|prove|proves?|or|nor|and|if|whether|when|not|never|no"
    rf"|(?:{_WORKED})|(?:{_PART_OF})\s+(?:of|to|as)|(?:{_WORKED})\s+(?:with|by|to|in|at|on|of|for|into|over)"
    rf"|(?:multiples?|powers?|factors?|divisors?)\s+(?:of\s+)?|(?:a|the)\s+(?:minimum|maximum|bound|limit)\s+of"
    rf"|(?:even|odd|prime|composite|some|certain|most|few)\s+(?:(?:positive|negative|natural|whole)\s+)?(?:integers?|numbers?|values?)|there\s+(?:would|could|might))(?:\s+(?:of|about|roughly|approximately|exactly|precisely|around|only|just|a"
    rf"|an|or\s+equal\s+to))*[\s(\[]*$|[<>≤≥≠]\s*$",
    re.IGNORECASE,
)
"""What directly before a value takes it for a bound, a part of an operation, a number of a list or a given thing."""
AROUND: Final = re.compile(
    r"\b(?:not|never|cannot|can['’]?t|neither|nor|none|nobody|no\s+one|nothing|nowhere|hardly|scarcely|barely"
    r"|without|except|excluding|wrong\w*|incorrect\w*|false\w*|mistake\w*|mistaken\w*|erroneous\w*|error|untrue"
    r"|invalid|doubt\w*|unlikely|impossible|absurd|naive(?:ly)?|tempting|trap|fallacy|myth|nonsense|fail(?:s|ed"
    r"|ing)?|spurious|extraneous|forbidden|decoy|bogus|contradict\w*|too|insufficient\w*|unless|suppos\w+|assum\w+"
    r"|imagin\w+|pretend\w*|hypothe\w+|hypothetical\w*|were|would|could|might|may|should(?=\s+(?:have|probably|perhaps|not|never|possibly)\b)|perhaps|maybe|possibly"
    r"|probably|presumably|barring|loosely\s+speaking|in\s+a\s+manner\s+of\s+speaking|not\s+that\s+(?:I|we|anyone)|(?<!equally\s)likely|(?<=equally\s)likely(?!\s+[a-z]+s\b)|apparently|allegedly|supposedly|reportedly|seem(?:s|ed)?|appears?|looks?|whether"
    r"|claim(?:s|ed|ing)?|said|says?|saying|(?<!all\s)told|tells?|suggest\w*|argu(?:e|es|ed)|think(?:s|ing)?|thought"
    r"|believ\w+|guess\w*|conjectur\w*|suspect\w*|hop(?:e|es|ed|ing)|wish\w*|want\w*|wonder\w*|according"
    r"|careless\w*|sloppy|hasty|hastily|unwary|inattentive|novices?|beginners?|misguided|popular|(?:second|third)\s+most"
    r"|rumou?r\w*|start(?:s|ed|ing)?(?!\s+[a-z]+ing\b)|beg[aiu]n\w*|initially|initial\s+(?:guess|estimate|answer|thought"
    r"|value(?!\s+problem)|attempt|number|count|amount)|originally|original\s+(?:guess|answer|number|count|price)"
    r"|previous(?:ly)?|former(?:ly)?|earlier|at\s+first|first\s+(?:guess|thought|attempt|try|estimate|glance"
    r"|sight)|used\s+to|so\s+far|for\s+now|up\s+to\s+(?:here|now)|as\s+yet|intermediate|provisional\w*"
    r"|tentative\w*|pending|unverified|preliminary|still(?=\s+(?:needs?|ha(?:s|ve)\s+to|must|to|wants?|missing|open|unknown)\b)|yet|depend\w*|otherwise|else|either|almost|nearly|no"
    r"|somewhere|rarely|seldom|exceed\w*|bound(?:s|ed)?|at\s+(?:most|least|best|worst|minimum|maximum)|upper|lower\s+bound|less"
    r"|fewer|than|multiple|ever|sometimes|often|usually|occasionally|in\s+case|provided|as\s+long\s+as|only\s+if"
    r"|if|when(?:ever)?|for\s+(?:even|odd|positive|negative)|remains\s+to|to\s+be\s+(?:shown|proved|proven|checked"
    r"|verified|found(?!\s+(?:at|in|on|near|within)\b)|determined|added|subtracted|multiplied|divided)|(?:before|prior\s+to)(?!\s+(?:coming"
    r"|stopping|hitting|reaching|falling|it\s+(?:stops|hits|comes|lands)))|alternative(?:ly)?|hint|example"
    r"|exercise|edit|correction|typo|wait|oops|sorry|actually|instead|rather|difference|differs?|roundoff|guessing"
    r"|estimate[ds]?|diverge\w*\s+(?!to\b)|(?:chance|possibility|likelihood)\s+that|(?:reported|believed"
    r"|considered|expected|known)\s+to\s+be|half\s+(?:of\s+)?the\s+time|most\s+of\s+the\s+time|only\s+(?:for|half"
    r"|if|when)|up\s+to\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:signs?|factors?|constants?|multiples?|scal\w+|errors?"
    r"|terms?|corrections?)|no\s+longer|(?:right|just|directly|immediately)\s+after|but\s+(?:one|two|three|a\s+few)|undefined|disagree\w*|(?<!\bof\sthe\s)given(?!\s+by)|ought|anyone|writ(?:e|es|ing|ten)|wrote|(?:i"
    r"|one|he|she)\s+expect\w*|reject\w*|exclud\w*|discard\w*|remov(?:ed|es)|eliminat\w*|omit\w*|ignor\w+|skip\w*"
    r"|lea(?:ves?|ving|ft)\s+out|los(?:e|es|t|ing)|wasted|missing|unused|dropped(?!\s+(?:to|by|from)\b)|ruled\s+out|crossed\s+out|forgot\w*|neglected|sub(?:set"
    r"|group|space|ring|field|sequence)s?|superset|contained|containing|complement|(?:opposite|complementary)\s+(?:event|outcome|probability)|outside|at\s+the\s+(?:latest"
    r"|earliest|outside)|(?:old|outdated|other|another|different|second|wrong|opposite|reversed?"
    r"|flipped)\s+(?:\w+\s+)?(?:answer|value|result|sign|case|problem|question|edition|version)|(?:class|team"
    r"|room)mates?|textbooks?|answer\s+keys?|calculators?|author)\b|n['’]t\b|\?|\bor\b",
    re.IGNORECASE,
)
"""Words that anywhere in the clause deny, doubt, suppose, report, put off or bound what it says."""
BEHIND: Final = re.compile(
    r"^\W*(?:(?:\w+\s+){0,2}(?:too\s+(?:many|much|few|little|small|large|big|low|high)|less|fewer|short|shy|off"
    r"|away\s+from|from\s+(?:the\s+)?(?:correct|true|right|answer|value|target|result))\b|more\b(?!\s+(?!to\b)[a-z])"
    r"|(?:more|greater|larger|smaller|lower|higher|bigger)(?:\s+\w+){0,2}\s+than\b|(?:above|below|under|over|beneath)\s+(?:the|its|that|this|an?)\s+(?:\w+\s+){0,2}?(?:temperature|value|average|mean|median|price|cost|amount|number|rate|speed|threshold|limit|answer|result|norm|total|score|(?:boiling|freezing|melting|flash|set)[\s-]?point)\b|(?:and|or)\s+(?:more|above|over"
    r"|up|below|under|fewer|less|so|thereabouts)\b|max(?:imum)?\b\W*$|min(?:imum)?\b\W*$|tops\b|times\b|fold\b"
    r"|plus\b|minus\b|squared\b|cubed\b|factorial\b|to\s+the\b|choose\b|over\s+\d|mod(?:ulo)?\b|divided\b"
    r"|multiplied\b|raised\b|base\s+(?:\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen)|dozens?\b|hundreds?\b|thousands?\b|millions?\b|billions?\b|and\s+a\s+(?:half|quarter"
    r"|third)|st\b|nd\b|rd\b|th\b|ish\b|in\s+(?:excess|base|magnitude\s+only)\b|(?:below|above|under|over|beneath|beyond|past)\s+(?:(?:the|its|their|his|her|that|this|normal|what|where)\s+)(?:[\w-]+\s+){0,2}?(?:temperature|(?:boiling|freezing|melting)\s+point|value|mean|average|median|(?<!sea\s)level|price|cost|threshold|limit|normal|minimum|maximum|standard|one|answer|result|is|was)\b|orders?\s+of\s+magnitude\b|digits?\b|on\s+top\s+of\b"
    r"|(?:[a-z]+\s+)?(?:backwards?|upside(?:\s+down)?|inside\s+out|in\s+reverse)\b|modulus\b|of\s+which\b|among\b|for\s+(?:each|every)\s+(?:one\s+)?of\b|by\s+\d|remain(?:s|ing)?\s+to\b)"
    r"|^\s*[-!^*/+=<>≤≥±×·]",
    re.IGNORECASE,
)
"""What directly behind a value and its noun makes another value of it."""
NEEDED: Final = re.compile(
    r"(?<=\b)(?P<needs>(?:needs?|ha(?:s|ve)|ought)\s+to|must|should)\s+(?:be\s+)?(?:add|use|take|pour\s+in|dissolve|weigh\s+out|buy|order|inject|supply)\s*$",
    re.IGNORECASE,
)
"""Before an amount with its unit: what has to be added is the amount (`we need to add 450 mL of it`)."""
IMPERATIVE: Final = re.compile(
    r"^\W*(?:use|take|add|subtract|multiply|divide|apply|plug|set|let|note|notice|consider|substitute|replace|put(?!\s+together\s+(?:they|the|it|we|this|these)\b)"
    r"|choose|pick|try|check|verify|repeat|count|write|recall|remember|look|see|compare|double|halve|square|round"
    r"|find|determine|compute|calculate|evaluate|simplify|solve|show|prove|give|state|explain|draw|sketch|plot|sum"
    r"|start|begin|suppose|assume|denote|define|call|say|imagine|combine|expand|factor|differentiate|integrate"
    r"|follow|move|move\s+on|go|continue|proceed|ask|test|observe|step|case|part|method|approach|example|given"
    r"|where|here|hint|remark|warning|question|problem|input|data|known|attempt|option|choice|claim|lemma|theorem"
    r"|proposition|definition|source|difficulty|confidence|points?|time|chapter|section|exercise|figure|table|page"
    r"|refer\s+to|consult|turn\s+to|cf|cp|todo|goal|aim|task|estimate|guess|initial\w*|left|that\s+(?=[a-z]+\s+(?:is|are|was)\b))\b",
    re.IGNORECASE,
)
"""How a sentence begins that orders, heads or cites, and states nothing."""
GERUND: Final = re.compile(
    r"^\W*(?!(?:string|spring|ring|king|thing|wing|nothing|everything|anything|something|evening|morning|ceiling"
    r"|building|swing|sibling|wiring)\b)[a-z]{2,}ing\b",
    re.IGNORECASE,
)
"""A sentence that begins with what is done and has no comma: what follows belongs to the doing."""
TURNED_DOWN: Final = re.compile(
    r"\b(?:thrown|throw|drop\w*|ruled|out|away|extraneous|violat\w+|broken|breaks?)\b", re.IGNORECASE
)
"""Words of a lead with which what is named behind it is what was turned down."""
COMES_TO: Final = re.compile(
    r"\b(?:gives?|yields?|makes?|leaves?|produces?|brings?|takes?|costs?|needs?|requires?|leads|comes|amounts|adds|works|results|ends|is|are|has)"
    r"(?:\s+(?:up|out|down|us|you|him|her|them|one|me|it|in|to|at|with|as)){0,3}\s+$",
    re.IGNORECASE,
)
"""Before a value the verb of a gerund that is the subject: `adding these up gives us`."""
REPORTERS: Final = re.compile(
    r"\b(?:some|many|most|several|other|others|people|everyone|somebody|someone|they|one\s+student|students?|the\s+class|half\s+of\s+(?:the|them|all)\s*(?:\w+)?"
    r"|my\s+(?:friend|brother|sister|teacher|colleague|tutor))\s+(?:\w+\s+)?(?:get|got|find|found|obtain\w*"
    r"|answer\w*|arrive\w*|write|wrote|put|choose|chose|compute\w*|calculate\w*)\b|\b(?:everyone|everybody|anybody)\s+(?:gets|finds|obtains|writes)\b"
    r"|\b(?:some|many|several|various|certain|other|a\s+few)\s+(?:[a-z]+\s+){0,2}?(?:sources|web\s?sites|sites|books|textbooks|authors|papers|forums|users|tables|references|sheets|posts|articles)"
    r"\s+(?:\w+\s+)?(?:quote|print|list|state|claim|report|have|say|cite|mention|show|put|offer|give|contain)\b"
    r"|\bone\s+(?:often\s+|sometimes\s+)?(?:hears|reads)\b|\b(?:wrote|posted|replied|commented|tweeted|insisted|exclaimed|shouted|remarked|asserted|scribbled|reads?)\s*[:,]\s*[\"“„«']"
    r"|\bkeeps?\s+(?:on\s+)?(?:repeating|saying|shouting|claiming|insisting)\b|\bkept\s+(?:on\s+)?(?:repeating|saying|shouting|claiming|insisting)\b"
    r"|^\W*[\"“][^\"“”]{1,20}[\"”]\s+(?:is|was)\s+what\b|\bin\s+(?:his|her|their)\s+(?:diary|notebook|memoirs?|letters?)\b",
    re.IGNORECASE,
)
"""Others who found a value."""
SUFFICES: Final = re.compile(
    r"^\W*(?:(?:is|are|was|were|has\s+been|have\s+been)\s+(?:(?:therefore|thus|indeed|then|clearly|hence|in\s+fact"
    r"|also)\s+)*(?:(?:the|our)\s+(?!(?:first|second|third|last|next|other|wrong|initial|old"
    r"|number\s+of\s+the|(?:derivative|integral|antiderivative|inverse|reciprocal|square|cube|root|factor|divisor|multiple|half|double|complement|gradient|negative|opposite"
    r"|index|denominator|numerator|logarithm|exponent|conjugate)\s+of)\b)\w+|(?:left|needed|required|possible|enough|sufficient|optimal|minimal|maximal"
    r"|admissible|acceptable|valid|best\s+possible|what\s+(?:we|you|is|remains))\b|(?!(?:ex|un|in|re(?:jected"
    r"|moved)|eliminat|discard|add|subtract|divid|multipl|squar|doubl|round|follow|bas|need|call|us(?=ed)"
    r"|rul(?=ed)|fail|assum|suppos)\w*)\w+ed\b)|remains?|survives?|works?|suffices?|belongs?\s+to|qualif(?:y|ies)|lies?\s+in|checks?\s+out|(?:satisf(?:y"
    r"|ies)|solves?)\s+(?!only)|fits|does\s+the\s+(?:job|trick)|will\s+do)\b",
    re.IGNORECASE,
)
"""What may be said of a bare value that begins a sentence, so that it is what the sentence says."""
OF_ANOTHER: Final = re.compile(
    r"^\W*(?:(?:a|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\s+(?:more|fewer|less)\s+(?:is|are|equals?|gives?|makes?)\b|(?:(?:twice|half|double|triple|thrice|two\s+times|three\s+times)\s+(?:of\s+)?(?:the|this|that|its|our|it|her|his|their"
    r"|[a-z])(?:\s+\w+){0,2}|its\s+(?:(?:only|next|left|right|nearest|closest|immediate)\s+)*(?:square|cube|double|half|triple|reciprocal|inverse|negative|opposite|neighbou?r|successor|predecessor|complement|supplement|rival|counterpart|antipode|mirror\s+image)|(?:two|three|four|five|six|ten)\s+such\s+[a-z]+(?:\s+together)?|(?:an?"
    r"|one|two)\s+(?:third|half|quarter|fifth|tenth)s?\s+of\s+(?:it|this|that|the\s+(?:number|answer|value"
    r"|result))|the\s+(?:square|cube|reciprocal|negative|inverse|double|half|opposite)\s+of\s+(?:the|this|that|our"
    r"|it)\s*(?:(?:unknown|required|desired|same)\s+)?(?:number|value|answer|result|quantity|it)?)\s+(?:is|are"
    r"|was|were|covers|weighs|measures|make|add\s+up\s+to|come\s+to|total|weigh|cost|equals?|=))",
    re.IGNORECASE,
)
"""A subject that is worked out from what is asked for."""
WORK_LEFT: Final = re.compile(
    r"\b(?:needs?|must|ha(?:s|ve)\s+to|wants?|still|remain\w*|asked|doubl\w*|halv\w*|tripl\w*|squar\w*|multipl\w*"
    r"|divid\w*|add(?:s|ed|ing)?|subtract\w*|negat\w*|invert\w*)\b",
    re.IGNORECASE,
)
"""Words of a clause behind a value that leave something to be done with it."""
_NAMING: Final = (
    r"set|interval|value|pair|point|function|matrix|vector|polynomial|number|total|form|expression|equation|ratio|fraction|family|union"
    r"|amount|maximum|minimum|sum|rate|score|age|income|population|probability|chance|likelihood|percentage|concentration|depth|length"
    r"|area|volume|mass|speed|velocity|radius|diameter|period|slope|degree|rank|measure|order|dimension|determinant|trace|perimeter|height"
    r"|width|energy|force|charge|temperature|frequency|wavelength|momentum|density|pressure|power|molarity|ph|mean|median|variance|weight"
    r"|price|size|distance|magnitude|current|voltage|resistance|capacity|profit|cost|loss|angle|acceleration|work|torque|time|duration"
    r"|count|answer|result|solution|solutions|line|plane|circle|curve|choice|field|entropy|enthalpy|yield|balance|budget|gain|margin"
    r"|average|deposit|payment|salary|discount|remainder|factor|coefficient|coordinates|vertex|centre|center|altitude|thickness|flow|flux"
)
SORT_ALONE: Final = re.compile(
    r"(?:the|this|that|our)\s+(?:\w+\s+)?(?:polynomial|expression|function|equation|formula|matrix|vector|point|pair|set|interval|factor|term|fraction|line|curve|series"
    r"|sequence|ratio|family)",
    re.IGNORECASE,
)
"""A subject that only says what sort of thing the value behind it is: `the polynomial`."""
_APPLIED: Final = re.compile(
    r"\b(?:(?:an?|the|its|our|their)\s+)?(?:[A-Za-z-]+\s+){0,3}?(?P<noun>[A-Za-z-]+)\s+"
    r"(?P<where>of|in|on|inside|within)\s+(?:the\s+|an?\s+)?(?:(?:open|closed)?\s*(?:interval|set)\s+)?[\s(\[]*$",
    re.IGNORECASE,
)


_ANOTHER: Final = re.compile(
    r"\b(?:is|are|was|were|be|equals?|gives?|becomes?)\s+(?:just\s+|simply\s+)?(?:the|its)\s+(?:[a-z-]+\s+){0,2}?(?P<noun>[a-z-]+)\s+of\s+$",
    re.IGNORECASE,
)

_MULTIPLE: Final = re.compile(
    r"\b(?:is|are|was|were|be|equals?|gives?|becomes?)\s+(?:\w+ly\s+|just\s+)?(?:double|twice|half|triple|thrice|quadruple|[\w.]+\s+times"
    r"|(?:an?|one|two|three)[\s-](?:half|thirds?|quarters?|fourths?|fifths?|tenths?)(?:\s+of)?)\s+(?:of\s+)?(?:the|its|that|this|our|their|his|her|an?)\s"
    r"[^,;:=.]{0,60}$",
    re.IGNORECASE,
)
"""A multiple of something that has the value: `is double the extension at rest`."""
_NUMBER: Final = r"(?:[-−]?\d[\d.,]*|[\ue000-\ue2ff])"
_MOVES_BY: Final = re.compile(
    r"\b(?:ris(?:es?|en)|rose|falls?|fell|fallen|increase[sd]?|decrease[sd]?|drop(?:s|ped)?|gr(?:ows?|ew|own)|climb(?:s|ed)?|s(?:ank|inks?)|shift(?:s|ed)?"
    rf"|changes?|moves?|goes\s+(?:up|down))\s+by\s+(?:(?:about|roughly|exactly|another)\s+)?{_NUMBER}[^;:]{{0,40}}?\bfrom\s[^;:]{{0,60}}?{_NUMBER}",
    re.IGNORECASE,
)
"""By how much something moves that starts elsewhere, which is not where it ends: `rises by 5 units from 3.0`."""
_DONE_WITH: Final = re.compile(
    rf"^\W*(?!(?:So|Thus|Then|Hence|Therefore|Only|Just|Exactly|There|With|From|Since|By)\b)[A-Z][a-z]+\s+(?:the\s+\w+\s+)?{_NUMBER}\s+[^;:=]{{0,60}}?\band\s+(?:you|we|one)\s+(?:have|get|obtain|find|arrive|reach)\b"
)
"""An order to do something with a value, and what comes of it: `Reflect 5 in the origin and you have the answer`."""
_WORKED_THROUGH: Final = re.compile(
    rf"^\W*[A-Z][a-z]+\s+{_NUMBER}(?:\s+(?:once|twice|more|again|by|to|from|with|and|itself|{_NUMBER}))*,?\s+and\s+(?:you|we|one)\s+(?:have|get|obtain|find|reach)"
    rf"\s+(?:exactly\s+|just\s+)?{_NUMBER}\W*$"
)
"""The same on numbers alone, with the number that comes of it: `Double 128 once more and you have 256`."""


_RELATED: Final = re.compile(
    r"\b(?:(?:tangent(?:ial)?|perpendicular|parallel|orthogonal|normal|symmetric(?:al)?|close|similar|adjacent|opposite|conjugate|dual|equidistant)\s+(?:to|with|from)"
    r"|touch(?:es)?|surrounds?|encloses?|avoids?|misses|inside(?:\s+of)?|outside(?:\s+of)?|beyond|near|below|above)\s+(?:the|an?|this|that)\s+(?:[a-z-]+\s+)?(?:circle|line|point|plane|curve|parabola|ellipse|hyperbola|sphere|axis|graph|segment|ray|surface|region|disc|disk)\s+$",
    re.IGNORECASE,
)
"""Before a line, a circle or a point: something stands in a relation to it (`is tangent to the circle`)."""


def made_of(before: str) -> str | None:
    """What a sentence makes of the value behind it, of whatever sort that is: `is the supplement of`."""
    found = _unless_named(_ANOTHER.search(before)) or _MULTIPLE.search(before) or _RELATED.search(before)
    return found[0].strip() if found is not None else None


_OF_COMPLEMENT: Final = re.compile(
    r"^\W*(?:so\s+|hence\s+|thus\s+|then\s+)?the\s+(?:complement\w*|opposite|contrary)\s+(?:of\s+[^,;:]{1,30}?\s+|event\s+)?(?:has|occurs|happens)\b",
    re.IGNORECASE,
)


def goes_on_from(text: str) -> bool:
    """Whether a sentence goes on from its value, or from another event, to a value that it does not say."""
    done = _DONE_WITH.match(text) is not None and _WORKED_THROUGH.match(text) is None
    return done or any((_MOVES_BY.search(text), _OF_COMPLEMENT.match(text)))


def applied(before: str) -> re.Match[str] | None:
    """An operation in words on a set, a point or an expression behind it: `the closure of`, `the integers in`.

    Nouns that only name what sort of thing the value is are a closed list; every other noun makes another thing of it.
    """
    return _unless_named(_APPLIED.search(before))


def _unless_named(found: re.Match[str] | None) -> re.Match[str] | None:
    named = found is not None and re.fullmatch(_NAMING, found["noun"], re.IGNORECASE) is not None
    there = found is not None and "where" in found.groupdict() and found["where"].lower() == "on"
    holds = found is not None and there and _HOLDS_ON.fullmatch(found["noun"]) is not None
    return None if named or holds else found


_HOLDS_ON: Final = re.compile(
    r"lives|holds|converges|exists|works|applies|convergence|defined|valid|satisfied|fulfilled|solvable|met|true",
    re.IGNORECASE,
)
"""Before `on` and a set: that something is so there, which is what the set is asked for."""


AS_WHAT: Final = re.compile(
    r"\bas\s+(?:an?|the|its|their|our|one)\s+(?!(?:\w+\s+){0,2}?(?:answer|result|solution|value|maximum|minimum|total|sum"
    r"|probability|area|length|product|volume|limit|number|count|percentage|fraction|decimal|consequence|whole)\b(?!\s+of))"
    r"(?:(?!shows?\b|states?\b|says?\b|requires?\b|asks?\b|demands?\b|tells?\b|indicates?\b|suggests?\b|is\b|are\b|was\b|can\b"
    r"|may\b|must\b|has\b|have\b|does\b|do\b|gives?\b|wants?\b|needs?\b|says\b)[a-z-]+\s*){1,4}(?=\W*$|[;,.]|\s*of\b)"
    r"|\bas\s+an?\s+(?:starting|initial|upper|lower|trial|possible|rough|first|approximate)\b",
    re.IGNORECASE,
)
"""`V as an upper bound`: what V is said to be is not the answer."""
AMONG: Final = re.compile(
    r"\b(?:an?|one|another|possible|several|some|among\s+the)\s+(?:possible\s+)?candidates?\b|\ban?\s+possible\b|(?<!\bleast\s)(?<!\bexactly\s)(?<!\bmost\s)\bone\s+of\s+(?:them|these|those|the)\b|\bamong\s+(?:them|these|those)\b(?=\W*[-\d\ue000-\ue2ff])",
    re.IGNORECASE,
)
"""One of several that may be the answer."""
NUMBERED: Final = re.compile(rf"\b(?:{_NUMBERED})[\s(\[]*$", re.IGNORECASE)
"""What before a plain number makes it the number of a theorem, a step or a page."""
WITH_UNIT: Final = re.compile(r"\b(?:power|sum|difference)\s+of\s*$", re.IGNORECASE)
"""Words before a quantity that name it, though before a number they would be an operation."""
OF_ALL: Final = re.compile(
    r"\s+(?:out\s+)?of\s+(?:the|all|these|those)\s*$|\s+(?:[a-z]+\s+)?ways\s+to\s+[a-z]+\s+(?:an?\s+|the\s+)?(?:[a-z]+\s+of\s+)?$"
)
"""Between a number and another one that belongs to its noun."""
STORES: Final = re.compile(r"\s[a-z]{3,}s\s+(?:the|an?|about|only|exactly|roughly)\s", re.IGNORECASE)
"""The verb of a gerund that is a subject."""


_GIVEN_TO: Final = re.compile(
    r"\s*to\s+(?:the|its|an?)\s+(?!(?:[a-z]+\s+)?(?:power|exponent|minus|negative|second|third|\w+th|answer|result|total|sum|value|count|number|score|length|height|width"
    r"|depth|distance|mass|weight|price|cost|volume|area|time|speed|temperature|pressure|energy|rest|left|right|nearest)\b)[a-z]{4,}",
    re.IGNORECASE,
)
_ANGLE: Final = re.compile(r"°|deg|rad(?:ian)?s?\b|m(?:eters?|etres?)?$", re.IGNORECASE)
_ADDING: Final = re.compile(
    r"\b(?:add(?:s|ed|ing)?|contribut\w+|rais\w+|lower\w*|bring\w*|increas\w+|reduc\w+|up|down|compar\w+|equal|close|next)\b",
    re.IGNORECASE,
)


def given_to(lead: str, noun: str, middle: str) -> bool:
    """Whether a quantity is given to something (`delivers 3 J to the load`) and not added to another one."""
    measured = _ANGLE.match(noun) is None and _ADDING.search(lead) is None
    return measured and _GIVEN_TO.match(middle) is not None
