"""Words of closed classes by which a sentence chooses a label, turns it down, or does neither (see choosing.py)."""

import re
from typing import Final

from grading.language.responses.labelled import OPTION

NOUNS: Final = (
    r"(?:answers?|options?|choices?|ones?|statements?|alternatives?|picks?|completion|response|match|candidate|solution|selection|verdict"
    r"|conclusion|letter|best|correct|right|fit|guess|diagnosis)"
)
CHOOSES: Final = (
    r"\b(?:(?:choos|pick|select|mark|tick|circl|submit|enter|favou?r|prefer|endors)(?:e|es|ing)?|cho(?:se|sen)|picked|selected|marked|ticked|circled|submitted"
    r"|go(?:ing)?\s+(?:with|for)|went\s+(?:with|for)|opt(?:ed|ing)?\s+for|settl(?:e|ed|ing)\s+(?:on|for|upon)|vot(?:e|ing)\s+for|commit(?:ting)?\s+to|decid(?:e|ed|ing)\s+(?:on|for)"
    r"|land(?:ed|ing)?\s+on|conclud(?:e|ed|ing)|(?<!this\s)(?<!that\s)(?<!same\s)(?<!which\s)typed?|wr(?:ite|ote)|lean(?:ing)?\s+(?:towards?|to)|answer(?:ing)?\s+with|stick(?:ing)?\s+(?:with|to)|bet(?:ting)?\s+on|say)\b"
)
"""Verbs of choosing; who chooses has to be the one who speaks."""
ANSWERS: Final = re.compile(
    rf"(?!^\W*one\s+(?!is\b|that\b|which\b|left\b|here\b)[a-z])(?!(?<=\bthat\s)one\s+(?:is|was)\b)\b{NOUNS}\b",
    re.IGNORECASE,
)
CHOOSING: Final = re.compile(rf"{CHOOSES}(?:\s+[\w'’-]+){{0,4}}:?\s*[(\[\"“]?$", re.IGNORECASE)
OPTION_LAST: Final = re.compile(rf"{OPTION}s?\W*$", re.IGNORECASE)
HEDGED: Final = re.compile(r"\b(?:or|either|maybe|perhaps|possibly)\b|/", re.IGNORECASE)
LISTED: Final = re.compile(r"(?<![(\[])\b[A-Za-z][)\]]$")
"""A label that begins a line of a list: `A) too broad`."""
PRAISE: Final = re.compile(
    r"\b(?:right|correct(?:ly)?|true|best|better|(?:the|our|my)\s+(?:\w+\s+){0,3}?(?:answer|option|choice|alternative|one(?!\s+whose?\b)|only|sole)|exactly|precisely|alone|only\s+(?:one|option|choice|answer|alternative|statement)|valid|sound|accurate(?:ly)?|appropriate|suitable|proper|plausible|likely"
    r"|it\s+(?:is|must\s+be|has\s+to\s+be)|fine|acceptable|what\s+(?:we|is|was|should|must|has)|left|remain(?:s|ing)?|stands?|standing|survives?|surviving|holds?|works|(?:must|does|will|to)\s+work|fits?|match(?:es)?|qualifies|wins?|follows?(?!\s+(?:in|on|after|from|later|much|then|soon)\b)|applies|agrees?|checks?\s+out|ticks?|passes|prevails|does\s+the\s+(?:job|trick)|my\s+(?:pick|choice|answer|vote)|the\s+way\s+to\s+go"
    r"|makes?\s+(?:the\s+most\s+|more\s+)?sense|(?:is|are)\s+(?:(?:best|clearly|directly|well|fully|amply)\s+)?(?:supported|borne\s+out|backed|confirmed)|satisf(?:y|ies)|meets?|fulfils?|captures?|reflects?|accounts?|explains|(?:be|is|has\s+to\s+be|gets?)\s+(?:selected|chosen|picked|marked|ticked|circled|taken)"
    r"|(?:says|states|shows|expresses|has|does|gives|describes|asserts)\s+(?:just|exactly|precisely|all\s+of|both\s+of)?\s*(?:this|that|these|those|so|it|them)|yes)\b",
    re.IGNORECASE,
)
"""What is said of the label that is taken."""
REJECTS: Final = re.compile(
    r"\b(?:by\s+no\s+means|in\s+no\s+way|reject\w*|(?<!process\sof\s)(?<!by\s)eliminat(?:e|es|ed|ing)|exclud\w*|rul(?:e|es|ed|ing)\s+out|discard\w*|dismiss\w*|disqualif\w*|refut\w*|disprov\w*|contradict\w*|violat\w*"
    r"|cross(?:ed|es|ing)?\s+(?:out|off)|scratch\w*|writ\w+\s+off|toss\w*|leaves?\s+out|remov\w+|avoid\w*|sinks?|undermin\w*|(?:conflict|clash|collide)\w*\s+with|(?:at\s+odds|hard\s+to\s+square|incompatible|inconsistent)\s+with|str(?:ike|uck)\w*|drop(?:s|ped|ping)?(?!\s+[–—-])|kill(?:s|ed)?|dispos\w+\s+of|forbid\w*|preclud\w*|prohibit\w*|ditch\w*|scrap\w*|throw\w*\s+out|debunk\w*|fals(?:ify|ifies|ified)|weaken\w*|get\w*\s+rid\s+of|rather\s+than|instead\s+of|as\s+opposed\s+to|unlike|and\s+not|but\s+not|contrary\s+to|over(?=\W*$)|than(?=\W*$)"
    r"|not|cannot|never|no(?=[\s(\[\"“*]*$|\s+(?:\w+\s+){1,3}(?:for|of|in|to|on|that|than|as|is|are|with|but)\b)|nor|neither|none|nobody|nothing|hardly|without(?=\W*(?:the\s+|any\s+)?$)|except|excluding|besides|apart|aside|other\s+than|(?:sooner|rather)\b[^,;]*\bthan|(?:any\w*|all|every\w*|each)\b[^,;]{0,40}\b(?:but|except|save)|disagree\s+with)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words before a label that turn it down: denial, elimination, contrast."""
ASSURES: Final = re.compile(
    r"\b(?:there(?:\s+is|['’]s)\s+no\s+doubt|no\s+doubt|without\s+(?:a|any)\s+doubt|none\s+other\s+than|no\s+other\s+than|nothing\s+(?:(?:else|more)\s+than|but)|no\s+(?:option|choice|other\s+\w+)\s+but|(?:can\s*not|can['’]t|could\s*n[o’']t|nothing|not)\s+(?:possibly\s+)?(?:be\s+)?(?:anything|any\s+\w+|anyone)?\s*(?:other\s+than|else\s+(?:than|but)|but|except)|no\s+need\s+to\b[^,;:]*|(?:nothing|nobody|none|no\s+\w+)(?:\s+else)?\s+(?:beats|matches|rivals|surpasses|compares\s+(?:to|with)|comes?\s+(?:even\s+)?(?:close\s+to|near)|can\s+(?:match|beat|rival))|(?:which|that)\s+is\s+to\s+say|(?<=\bone\s)not\s+[a-z]+(?:ed|en|wn))\b"
    r"|\bnot\s+(?:(?i:option)\s+)?\(?[A-Z]\)?\s*[,;]?\s*but\s+(?:rather\s+)?",
    re.IGNORECASE,
)
"""Denials of a doubt or of anything else, which turn nothing down."""
CLOUDS: Final = re.compile(
    r"\b(?:if|unless|whether|would|(?:it|that|this|they|he|she|there)['’]d\s+(?:be|have|get)|could|might|(?-i:may)|perhaps|maybe|possibly|presumably|suppos\w*|assum\w*|imagin\w*|pretend\w*|insist\w*|resembl\w*|swears?|claims|claimed|says?|said|argu\w+|think\w*|thought|believ\w*|hop\w+|wish\w*|doubt\w*"
    r"|wonder\w*|den(?:y|ies|ied)|wrong\w*|incorrect\w*|false|mistak\w*|misread\w*|misle\w*|miss(?:es|ed|ing(?!\s+[a-z]+\s+(?:is|was|must|has)\b))?|error\w*|confus\w*|mix\w*|trap|distractor\w*|decoy|lure\w*|tempt\w*|tricky|pitfall|slips?|blunder|oversight|fallacy|misconception|myth"
    r"|attractive|appealing|popular|commonly|careless\w*|hast\w+|naive\w*|superficial\w*|whoever|many|some|someone|somebody|several|others?|another"
    r"|author\s+of(?!.*\b(?:is|was|are|were)\W*$)|(?:the|answer)\s+key|according\s+to|told|reports?|reported|dissent|my\s+(?:\w+\s+)?(?:attempts|drafts|tries|runs)|every(?:one|body)|any(?:one|body)|expect\w*|obvious|forgetting|omitting|ignoring|overlooking|neglecting|rushed|sloppy|hurried|inverse|mirror|reverse|compet(?:es|ing)|nearest|(?:show|prove|know)\s+(?:that|whether)|need(?:s|ed)?\s+(?:more|to\s+(?:show|prove|know|check))|let\s+the|part\s+(?:one|two|three|[ab]\b)|similarly|likewise|critici[sz]\w*|attack\w*|disput\w*|oppos(?:es|ed)"
    r"|(?:first|next)(?!\s+(?:thing|step|action|priority|intervention|line|measure|treatment|test|term|number|value|element|letter|member|move|drug|agent|person|woman|man|president|country|law)\b)|(?<!per\s)(?<!each\s)second|third|worst|old|older|previous|runner|close(?:st)?|closer|(?:almost|nearly)(?!\s+(?:all|everything|always|entirely|every)\b)|initially|originally|formerly|previously|at\s+first|once|opposite|contrary|converse|complement|negation"
    r"|similar\w*|compare[ds]?|comparing|like|versus|vs|difference|different|weak(?:er|est)?(?=\s+(?:option|answer|choice|argument|candidate|claim|point|spot|alternative|one)s?\b|\W*$)|problem|trouble|flaw\w*|drawback|defect|fault|issue(?!\s*$)|objection|against|reason\s+(?:against|for)|for\s+(?:example|instance)|but|however|although|though|while|whereas|yet|too|also(?!\s*(?:Antwort\b|\W*$))|both(?=\s*$)|either|half|twice"
    r"|(?:rhymes?|begins?|starts?|ends?)\s+with|(?:got|get|getting|earned|received)\s+an?(?=\W*$)|least|fewer|less|lower|unsure|uncertain|difficult|tough|hard|seems?|seemed|appears?\s+to|look(?:s|ed)(?!\s+(?:through|into|at|for|after|down|up|back|out)\b)|sounds?|partly|partially|so\s+far|torn|hesitat\w*|reluctant|concerns?|in(?:consistent|compatible|accurate|valid|adequate)|unsupported|(?:^|\b(?:let\s+(?:us|me)|let['’]s|I|we|to|still|now|must|should|can|by|have\s+to))\W*(?:consider\w*|look(?:ing)?\s+(?:at|into)|see|test(?:ing)?|check(?:ing)?|examin\w*|analy[sz]\w*|start\w*|turn\w*\s+to|review\w*|discuss\w*|recall|weigh\w*)"
    r"|nicht|kein\w*|pas|jamais|sauf|außer|menos|não|nunca|falsch\w*|fausse|mauvaise|faux|fals[ao]|errad[ao]|incorrecta|sbagliat[ao]|oder)\b|\?|\b(?:was|were|used\s+to\s+be|had\s+been)\W*$",
    re.IGNORECASE,
)
"""Words before a label with which it is neither: supposition, doubt, report, comparison, fault, a look at it."""
PEOPLE: Final = re.compile(
    r"\b(?:novices?|beginners?|students?|pupils?|readers?|people|candidates|examinees|examiner\w*|textbook|book|teacher|friend\w*|classmates?|neighbou?r|opponents?|critics?|colleague|bob|fool|most\s+of|majority|class)\b",
    re.IGNORECASE,
)
"""Others whose choice it may be; in the words of a choice they are what is spoken of."""
TAKING: Final = re.compile(
    r"\b(?:tak(?:e|es|en|ing)|took|prefer\w*|choos\w*|chose|pick\w*|select\w*|mark\w*|go(?:es)?|went|tend\w*|often|usually|used\s+to|list\w*|teach\w*|taught|blam\w*|attribut\w*|put|answer\w*|get|write|wrote)\b",
    re.IGNORECASE,
)
MODEST: Final = re.compile(
    r"(?P<begins>\b(?:I|we|you)(?:\s+would|['’]d)\s+(?:start|begin|treat)\s+(?:\w+\s+){0,3}with\b)|(?P<says>\b(?:I(?:\s+would|['’]d)|one\s+has\s+to|I)\s+(?:say|guess|think|believe)\b(?:\s+that)?)|(?P<is>\b(?:answer|choice|pick|option|guess)(?P<here>\s+here)?\s+(?:would|should)\s+(?:have\s+to\s+)?be\b|\b(?:should\s+|must\s+|ought\s+to\s+)?makes?\s+(?:one|you|us)\s+(?:think\s+(?:first\s+)?of|suspect)\b)"
    r"|\b(?:I|we|you)(?:\s+(?:would|will|should|can|must|could\s+only|have\s+to|am\s+going\s+to)|['’](?:d|ll))\b(?:\s+(?:therefore|thus|then|confidently|safely))*"
    r"|\b(?:thinking|looking|having\s+\w+)\b[^,]*,|\bthinking\s+about\s+it\b|(?P<guess>\b(?:best|educated|final)\s+guess\b)",
    re.IGNORECASE,
)
"""Words of modesty and resolution about the own choice."""
ASKED_FOR: Final = re.compile(
    r"\b(?:that|which|who|what)(?:['’]s\s+not|\s+(?:(?:is|are|was|does|do|has|have|need|must|can)(?:n['’]t|\s*not|\s+never)|never))\s+(?!(?:fit|work|hold|match|apply|help|survive|qualify|count|it|(?:the\s+)?(?:right\s+|correct\s+)?(?:answer|solution|choice|one))\b)[^,;:?]{2,80}?\s+(?=(?:is|are)\b)",
    re.IGNORECASE,
)
"""A question for what is not so, said again: `the compound that does not dissolve is`."""
FAULT: Final = re.compile(
    r"^\W*(?:(?:clearly|obviously|also|therefore|thus|then|plainly|simply|both|all|each|definitely|certainly|immediately|at\s+once|too|hence)\s+)*(?:"
    r"(?:is|are|was|were|being|['’]s|seems|looks|must\s+be|has\s+to\s+be)\s+(?:(?:clearly|obviously|also|therefore|thus|then|plainly|simply|both|all|definitely|certainly|too|just|immediately)\s+)*"
    r"(?:wrong|incorrect|false|out|not|no|never|eliminated|excluded|ruled\s+out|rejected|discarded|impossible|untrue|invalid|irrelevant|(?:an?\s+)?(?:trap|distractor|lure|decoy)s?|decoys|tempting|the\s+(?:wrong|incorrect|false)|inconsistent|contradicted|unsupported|too\s+\w+)\b"
    r"|(?:is|are|was|were|do|does|did|has|have|had|can|could|would|must|should)n['’]t\b|(?:do|does|did|can|could|has|have|must|may|should)\s*not\b|can\s*not\b"
    r"|(?:can|must|should|may)\s+(?:therefore\s+|thus\s+|also\s+)?be\s+(?:excluded|ruled\s+out|eliminated|rejected|discarded|dismissed|crossed\s+out)\b|fails?\b|contradicts?\b|aside\b|wrong\b|incorrect\b|false\b|out\b|not\b|no\b|eliminated\b|excluded\b|rejected\b)",
    re.IGNORECASE,
)
"""What is said right behind a label that is turned down."""
UNSETTLES: Final = re.compile(
    r"\b(?:what\s+(?:you|one|we)\s+(?:would\s+)?(?:get|obtain|find)\s+(?:for|if|when|by|with|from)|or(?!\s+so\b)|what\s+(?:most|many|some|(?:the\s+)?others?)\b|in\s+(?:the|an?)\s+(?:old|other|previous|last|wrong|earlier)\b|letters?\s+(?:of|in)\s+the|comes\s+up|is\s+mentioned|(?:said|says?|claims?|thinks?|believes?|argues?)\s+(?:my|the|an?|some|many|one)|not|never|sure|certain|only\s+(?:if|when|one\s+of|in|to|for)|if|unless|when(?:ever)?|maybe|perhaps|possibly|probably|might|may|could|would|wrong|incorrect|false|fails?|trap|distractor|(?<!checks\s)(?<!wins\s)(?<!stands\s)out|eliminated|excluded|rejected|but"
    r"|however|although|though|yet|actually|wait|sorry|while|whereas|else|otherwise|correction|instead|(?<!in\s)question|asked|asks|older|inconsistent|superficial\w*|badly|poor\w*|worst|least|less|less\s+\w+\s+than|nobody|nothing|none|neither|nor|hardly|almost|nearly|partly|half|anything|far\s+from|according|for\s+(?:even|odd)"
    r"|without|in\s+vain|to\s+no\s+avail|by\s+(?:critics|some|many|others|students|people|opponents|none)|typo|kidding|depending|provided|assuming|to\s+say|until|becomes|seduc\w*|lur(?:es?|ing)|attract\w*|tempts?|fool\w*|mislead\w*|trick\w*|catch(?:es)?|deceiv\w*|wrongly|mistakenly|mix(?:es|ed)?|confus\w*|declin\w*|refus\w*|previous|(?:item|question|one)\s+before|leav\w*\s+(?:\w+\s+)?blank|up\s+to\s+the|stops?|no\s+longer|for\s+reference|by\s+the\s+way|incidentally|no|for\s+(?:an?|the)\s+(?:wrong|forbidden|bad|different)|(?:is|was)\s+(?:a\s+)?(?:different|another)|disagrees?|impossible|implausible|unphysical|unlikely|den(?:y|ies|ied)|attacks?|critici[sz]\w*|refut\w*|disput\w*|oppos\w*|against|str(?:ike|uck)|drop(?:ped)?|reject\w*|exclud\w*|mistakes?|errors?|at\s+best|in(?:complete|accurate|adequate|valid|compatible)|un(?:explained|accounted|supported|clear|likely|proven|proved|true|acceptable|tested|resolved|related)|sounds?|seems?|looks?|resembles?|appears?|similar|tempting|avoid\w*|contradicted|ruled|discarded|crossed|nicht|falsch|pas|faux|falsa|errada|sbagliato)\b|n['’]t\b|\?|→|\bonly\W*$|\(\s*should\b|^\W*(?:included|as\s+well|likewise|among\s+them)\b"
    r"|(?:^\s+(?:for|on|at|during|under|until|while|with(?!\s+[\d~≈]))|\b(?:true|right|correct)\s+(?:for|on|at|during|under|in))\s+(?!(?:the|this|that|these|those|our|its|my|his|her|an?|once|present|all|every|each|any|both|two|several|common|federal|state|current|standard|modern|good|obvious|question|part|problem|instance|example|it|us|me|here|my|every\w*|light|view|terms|fact|accordance|line|total|general)\b)",
    re.IGNORECASE,
)
"""Words behind a label with which it is not chosen."""
TOPIC: Final = re.compile(
    r"(?:^|\s)(?:in|under|by|for|about|regarding|concerning|from|of|at|between|against|behind|before|after|until|near|below|above|beyond|beside|next\s+to|close\s+to|similar\s+to|back\s+to|within)[\s\"“(]*$",
    re.IGNORECASE,
)
TAKES: Final = re.compile(
    r"\b(?:classic|typical|characteristic|diagnostic|pathognomonic|suggestive|indicative|definition|description|evidence|proof|fingerprint|hallmark|picture|sign|confident|sure|certain|consistent|compatible|in\s+(?:keeping|line))\s+(?:for|of|in|about|with)\W*$|\b(?:stands?|calls?|asks?|settles?|sues?|petitions?|appl(?:y|ies))\s+for\W*$|\b(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?(?!(?:separated|received|confused|contradicted|excluded|refuted|critici[sz]ed|inspired|influenced|opposed|divided|distinguished|removed)\b)\w+(?:ed|en|wn|nd|ght)\s+(?:in|by|under|from|on)\W*$|\b(?:end(?:s|ed)?|wind|wound|finish(?:es|ed)?)\s+up\s+(?:at|on|in|with)\W*$|\brecovers?\s+(?:under|for|in)\W*$|\b(?:is|are|was|were)\s+by\W*$|\b(?:dates?\s+(?:back\s+)?(?:from|to)|(?:stems?|comes?|originates?|derives?|hails?)\s+from)\W*$"
    r"|\b(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?(?!(?:separated|received|confused|contradicted|excluded|refuted|critici[sz]ed|inspired|influenced|opposed|divided|distinguished|removed)\b)\w+(?:ed|en|wn|nd|ght|pt|de|ung)\s(?:(?!\w+(?:ed|en|wn|ght)\b|(?:before|after|than|as|not)\b)[^\s,;:]+\s){0,6}by\W*$|\b(?:instances?|examples?|cases?|matter)\s+of\W*$|"
    r"\b(?:one|answer|option|choice|statement|found|given|described|stated|expressed|shown|listed|captured|represented|supported|explained|contained|answered|illustrated|depicted|summari[sz]ed|appears?|stands?|sits|lies|falls|comes|seat|located|situated|born|held|lives?|found)\b[^,;]{0,30}\b(?:in|by|under|as|at)\W*$"
    r"|\b(?:must|has\s+to|have\s+to|needs?\s+to)\s[^,;:]{2,40}\b(?:by|with|through|via)\W*$|\b(?:opt\w*|go(?:ing)?|settl\w+|vot\w+|speaks?|argues?)\s+for\W*$|\bas\s+in\W*$|\b(?:my|our)\s+(?:money|bet|vote|trust|faith)\s+(?:in|behind|on)\W*$|\b(?:is|are)\s+(?:\w+ly\s+)?(?:that|those|the\s+one)\s+(?:of|from|under|given\s+by|described\s+(?:in|by))\W*$|\b(?:is|are)\s+(?:(?:exactly|precisely|just)\s+)?(?:the|those|that)\s[^,;]{0,40}\bin\W*$|\b(?:in\s+favou?r|choice|selection)\s+of\W*$",
    re.IGNORECASE,
)
"""Verbs whose complement stands behind a preposition, and what stands in a choice."""
FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|must|can|will|should|would|get|gets|[a-z]{2,}(?:s|ed|t))\b|['’](?:s|d|ll|m|re)\b|\b(?:I|we|you|they)\s+\w+|[:–—,;-]\s*$|^\W*[A-Za-z-]+ing\b|"
    + CHOOSES,
    re.IGNORECASE,
)
OPENING: Final = re.compile(
    r"^\W*(?:(?:so|yeah|yep|yup|alright|thus|hence|therefore|then|consequently|accordingly|overall|altogether|clearly|definitely|certainly|finally|surely|indeed|obviously|final|ultimately|most\s+likely|most\s+probably|ok|okay|well|right|yes|and|I|only|just|either\s+way|by\s+definition|by\s+(?:the\s+)?(?:process\s+of\s+)?elimination"
    r"|in\s+(?:short|summary|conclusion|total|all|other\s+words|the\s+end|effect)|on\s+balance|all\s+in\s+all|to\s+sum\s+up|that\s+is(?=\s*,)|i\.\s?e\.|namely|the|my|our|an?|correct|right|best)\b[\s,:=]*)*$",
    re.IGNORECASE,
)
"""What may stand before a label that stands alone, or is the subject."""
IT: Final = re.compile(
    r"^\W*(?:so\W+)?it(?:['’]s|\s+(?:is|must\s+be|has\s+to\s+be))(?:\s+(?:clearly|therefore|thus|really))?\W*$",
    re.IGNORECASE,
)
MAKES: Final = re.compile(r"\bmak(?:es?|ing)\W*$", re.IGNORECASE)
"""Of what is made something is said behind it: `makes D correct`, `makes C a detail`."""
AWAITS: Final = re.compile(
    rf"(?:\b(?:is|are|be|with|for|to|answer|option|choice)|['’]s|:|→|{CHOOSES})\W*$", re.IGNORECASE
)
"""What a complement has to follow."""
CONSEQUENCE: Final = re.compile(
    r"^\W*(?:everything|it\s+all|all\s+(?:of\s+)?(?:this|it|that|these|signs|the\s+evidence))\b|\b(?:so|thus|hence|therefore|consequently|accordingly|which\s+is\s+why|that(?:['’]s|\s+is)\s+why|for\s+(?:that|this|these)\s+reasons?|in\s+(?:short|summary|conclusion|the\s+end)|on\s+balance|overall|ultimately|leav(?:es?|ing)|left\s+with|elimination|we\s+conclude|it\s+follows)\b|→|⇒|=>|->|^\s=\s",
    re.IGNORECASE,
)
SO_THEN: Final = re.compile(
    r"^\W*(?:so|thus|hence|therefore|consequently|accordingly)\W+(?:(?:after|once|since|because|as|given|by|with|under|at|on|from|in|for|of|during|within|taking|using)\b(?!\s+(?:even|odd)\b)[^;:?=]*)$",
    re.IGNORECASE,
)
"""What begins a sentence that concludes, before its main clause: `So after learning,`."""
SO: Final = re.compile(r"^\W*\w+\W+")
EXCEPT: Final = re.compile(r"\b(?:but|except|all|each|every\w*|others?)\b", re.IGNORECASE)
ARROW: Final = re.compile(r"(?:→|⇒|=>|->)[^→⇒]{0,60}\([A-Z]\)\W*$|[a-z]\s=\s[A-Z]\W*$")
"""A line that puts a thing under a label: `the food → unconditioned stimulus (A)`."""
CONJOINED: Final = re.compile(
    r"^\W*(?:and|but|yet|however|still|nevertheless|nonetheless|although|though|even\s+though|while|whereas)\b\W*",
    re.IGNORECASE,
)
OWN_WORDS: Final = re.compile(
    r"^\s*[)\].:]*[\s*]*(?:Yes|No)\b(?:\s*[.!]?\s*$|\s*[,;:–—-]?\s*(?P<rest>(?:because|since|as|if|unless|but|so|under|even|only"
    r"|when|provided|although|though|due|where|given|regardless|in|the)\b(?:(?!\b[A-Z]\b[).]|\([A-Z]\)|[?\n]).)*)$)"
)
"""The words of a choice that begins with yes or no: `(B) No, because the offer had lapsed.`"""
SOURCE: Final = re.compile(
    r"^\W*(?:(?:so|and|but)\W+)?(?:(?:in|under)\s+the\s+(?:absence|opposite|reverse|other|view|opinion|eyes)\b|without\b(?!\W*$)|according\s+to\s+(?!(?:his|her|their)\s+own\b|(?:the|this|its|our)\s+(?!key|book|teacher)|[a-z]+\s+(?:law|rule))|at\s+first\s+(?:sight|glance|look)\b|(?:by|after|through)\s+(?:an?\s+)?(?:\w+\s+)?(?:mistake|error|slip|oversight)\b|(?:given|with|by|using)\s+the\s+wrong\b|(?:naively|superficially)\b|as\s+(?:an?|my|the|some|many|most)\s+(?:\w+\s+)?(?:friend|students?|people|teacher|book|textbook|key|classmate|colleague|critics?|readers?)\s+(?:\w+\s+)?(?:say|claim|think|believe|argue|hold|suggest|put|ha(?:s|ve))s?\b|(?:an?|my|the|some|one|many|most)\s+(?:\w+\s+)?(?:friend|students?|people|teacher|book|textbook|key|classmate|colleague|critics?|readers?)\s+(?:\w+\s+)?(?:say|claim|think|believe|argue|hold|suggest)s?\b)",
    re.IGNORECASE,
)
"""What is said in another's name."""
TURNS: Final = re.compile(r"^\W*(?:but|however|yet|still|nevertheless|nonetheless)\b", re.IGNORECASE)
TURNED: Final = re.compile(r",\s*(?:however|though|instead)\s*,", re.IGNORECASE)
OWNER: Final = re.compile(
    r"(?:\b(?:his|her|their|your|\w+['’]s?)\s+(?:\w+\s+)?(?:answer|choice|pick|guess|option|favou?rite)\b|\b(?:he|she|they|bob|one)\s+(?:\w+\s+)?(?:cho|pick|select|mark|go|say))",
    re.IGNORECASE,
)
"""Choices of others."""
STILL_TO_CHOOSE: Final = re.compile(
    r"\b(?:we|I|you|one)\s+(?:should|must|need\s+to|have\s+to|ought\s+to)\s+(?:pick|choose|take|select|look|decide)\b",
    re.IGNORECASE,
)
TO_CHOOSE: Final = re.compile(rf"^\W*(?:to\s+)?(?:{CHOOSES})\W*$", re.IGNORECASE)
"""Choosing a label, of which something is then said: `to choose B is to ignore the last line`."""
CHOOSER: Final = re.compile(
    r"(?:^\W*|\b(?:yeah|yep|yup|ok|okay|alright|yes|my|our|the|right|best|correct|final|only|safest|I|we|let['’]s|let|me|us|you|to|so|therefore|thus|hence|and|then|am|['’]m|are|in|finally|ultimately|by|go|will|confident)\W*(?:\w+ly\s+)?)$",
    re.IGNORECASE,
)
"""What stands before a verb of choosing whose subject is the one who speaks."""
CALLS_RIGHT: Final = re.compile(r"\b(?:correct|right|true|best|answer|this\s+(?:one|is\s+it)(?=\W*$))\b", re.IGNORECASE)
SUPERLATIVE: Final = re.compile(
    r"\s*(?:is|are|has|gives|shows)\s+(?:\w+ly\s+)?the\s+(?:most\s+\w+(?!.*\bafter\b)|(?!worst|weakest|longest|shortest|oldest)[a-z]{2,}est)\b(?!\s+(?:\w+\s+)?(?:options?|answers?|choices?|statements?|alternatives?|texts?|distractors?))",
    re.IGNORECASE,
)
"""`D is the fastest`, which says what was asked for where nothing else is said."""
RANKED: Final = re.compile(r"\b(?:second|third|runner|next)\b", re.IGNORECASE)
CALLED_RIGHT: Final = re.compile(
    r"[\s.:–—-]*(?:correct|right|true|yes|best|this\s+(?:one|is\s+it))\b(?!\s+\w)", re.IGNORECASE
)
ONLY: Final = re.compile(r"\bonly\W*(?:(?:in|with|for|under|by)\W*)?$", re.IGNORECASE)
LOOKED_AT: Final = re.compile(
    r"\bto\s+(?:be\s+)?(?:check|test|discuss|examin|consider|look|see|settle|decid|verif)\w*|\b(?:was|were|is|has\s+been|have\s+been)\s+(?:tested|checked|considered|discussed|examined|tried|looked\s+at|mentioned|asked|read)\b",
    re.IGNORECASE,
)
"""What is looked at, or has still to be."""
BY_WHICH: Final = re.compile(
    r"[)\]]?\s*,?\s+(?:by|per|under|with|at|in|from|thanks\s+to|due\s+to|according\s+to|as\s+in)\s+(?!contrast|comparison|turn|fact|addition|itself|case)[^,;:]*(?:,\s+(?:[A-Z\d(]|and\s+(?:the|an?)\b)[^,;:]*)*$"
)
"""What goes with a label that stands alone, without a verb: `D, by Article I, Section 3`, `so C with 88 days`."""
REMARK: Final = re.compile(r"(?<=\w)[)\]]?\s\(([^()]{5,400})\)")
"""A remark of several words in brackets behind a word or a label."""
IDENTIFIES: Final = re.compile(
    r"\b(?:which|this|that|it)\s+(?:is|gives(?:\s+us)?|makes\s+(?:it|this|that)|means|matches|corresponds\s+to|points\s+to|agrees\s+with)\s*$",
    re.IGNORECASE,
)
"""Before a label that a further clause puts to what a sentence arrives at: `all agree on 1/2, and this is choice B`."""
MISLED: Final = re.compile(
    r"\b(?:whoever|any(?:one|body)|some(?:one|body)|those\s+who|forget\w*|naive\w*|wrong\w*|mistak\w*|tempt\w*|careless\w*|hasty|slips?|errors?)\b",
    re.IGNORECASE,
)
"""Those who come to another choice by a mistake."""
SHARE: Final = re.compile(r"\b(?:most|majority)\s+of\b", re.IGNORECASE)
SO_FIRST: Final = re.compile(r"^\W*(?:so|thus|hence)\W+", re.IGNORECASE)
POINTS_BACK: Final = re.compile(
    r"^\W*(?:(?:and|so|thus|hence|therefore)\W+)?(?:that|this|it|which|he|she|they|these|those)(?:['’]s|['’]re|\s+(?:is|are|was|were|must\s+be|has\s+to\s+be))\s+(?:(?:therefore|thus|clearly|then|exactly|precisely|just|indeed)\s+)?"
    r"(?:(?P<mine>(?:my|our|the)\s+(?:final\s+|correct\s+|right\s+|best\s+)?(?:answer|choice|pick|option))|(?:the|that)\s+(?:right\s+|correct\s+|only\s+)?one|what(?=\s+(?:is|was|we)\b))\b(?P<sought>\s+(?:that\s+|which\s+)?(?:is|was|we\s+(?:are|were))\s+(?:asked(?:\s+for)?|wanted|sought|meant|described)\b)?(?P<rest>[^?]*)$",
    re.IGNORECASE,
)
"""A clause that says of what was named just before that it is the answer: `that's my answer`, `he's the one`."""
MENTIONED: Final = re.compile(
    r"(?<!\w)(?:'[a-z]+'|‘[a-z]+’|“[a-z]+”|\"[a-z]+\")(?!\w)|^\W*against\s+[^,;:]{2,40}(?=\sit\s+is\s)", re.IGNORECASE
)
"""A word of the question between quotation marks, and what something is good for: `against bleeding it is`."""
PLACED: Final = re.compile(
    r"\b(?:happen(?:s|ed)?|occur(?:s|red)?|t(?:akes|ook)\s+place)\b[^;:]{0,60}\b(?:in|at|during)\W*$", re.IGNORECASE
)
APPOSED: Final = re.compile(r"[)\]]?\s*,\s+(?!.*\b[a-z]{3,}s\s+(?:the|an?|its|his|her|their|no|of)\b)[a-z\d][^;:?]*$")
"""What a label is, behind a comma and without a verb: `B, more than all the others together`."""
RESTATES: Final = re.compile(
    r"(?:\b(?:which\s+is\s+to\s+say|that\s+is\s+to\s+say|in\s+other\s+words|namely)\b|\bi\.\s?e\.)\W*"
    r"(?:(?:to|by|in|at|from|of|on|with|because\s+of)\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
"""What says a thing in other words: `it goes to the circuit, i.e. to B`."""
ASKED: Final = re.compile(
    r"^\W*(?:the|this)\s+(?:question|problem|item)\s+(?:asks\s+(?:for|about)|wants|is\s+(?:after|about))\s[^,;:]{3,80}[,:]\s*(?:the\s+|an?\s+)?$",
    re.IGNORECASE,
)
"""What the question asks for, before its name: `the question asks for the first of these pipes, B`."""
LEFT_OVER: Final = re.compile(
    r"^\W*(?:(?:so|and|thus|then)\s+)?(?:what(?:['’]s|\s+is)\s+left|what\s+remains|(?:this|that|which)\s+(?:only\s+)?leaves)\b",
    re.IGNORECASE,
)
"""What is left over when the others are gone: `what is left for him is an action in B`."""
OPENED: Final = re.compile(r"\W*(?:(?:option|choice)\s+)?(?P<label>[A-Z])\)?,\s+(?!not\b)[a-z]")
"""A sentence that begins with a label and a comma; of two such ones neither chooses."""
EXPLAINED: Final = re.compile(
    r"\s*[:–—]\s*(?:it|they|this|that|there|we|he|she)\s"
    r"(?!(?:is|are|was|looks|seems)\s+(?:\w+\s+)?(?:too|not|wrong|only)\b)",
    re.IGNORECASE,
)
"""A reason behind a choice that stands alone: `The median: it only cares about the order`."""
BEHIND_COLON: Final = re.compile(r":\s*(?:the\s+|an?\s+)?$")
NOT_COLON: Final = re.compile(
    r"\b(?:some|many|most|others?|would|could|might|may|if|unless|whether|maybe|perhaps|traps?|mistakes?|errors?|wrong|incorrect|false|tempt\w*|lures?|decoys?|distractors?"
    r"|eliminat\w*|exclud\w*|rul\w+\s+out|reject\w*|discard\w*|ones?|options?|choices?|answers?|candidates?|statements?|both|either|neither|first|second|third|says?|thinks?|claims?|guess\w*"
    r"|another|similar\w*|reverse|converse|inverse|close\w*|nearly|almost|less|counterpart|differs?|different|unlike|confus\w*|mix\w*|doubt\w*|believ\w*|argu\w*|imagine|suppos\w*|expect\w*|compar\w*|once|also|too|next|later|after|half|twice|such\s+as|like|including|instead|rather|against|opposite|contrast|until|before|earlier|previous|book|key|teacher|students?|people|everyone|called|kinds?|types?|sorts?|examples?)\b"
    r"|\b(?:said|not|never|no|nor|than)\W*$|n['’]t\W*$|\?|[\"“”]",
    re.IGNORECASE,
)
"""What before a colon makes the words behind it something else than what a sentence arrives at."""
COORDINATED: Final = re.compile(r"^\W*[^,;:]{2,60}\b(?:and|or|as\s+well\s+as)\W*$")
PREDICATE: Final = re.compile(
    r"\s+(?!(?:of|in|on|at|for|to|with|by|from|as|because|since|which|that|who|where|when|and|or|but|so|here|too|alone|only|not|instead|if|under|during)\b)[a-z]+\b"
)
"""The rest of a subject that a label ends: `VAT and B are …`."""
CLASSED: Final = re.compile(r"\W*\w[^:]{0,60}:\s[^:()]{2,80}\s\((?P<label>[A-Z])\)\W*$")
"""A line that puts what it describes under a label: `-dipine: channel blocker (B)`."""
SOUGHT: Final = re.compile(
    r"\b(?:the|this)\s+(?:question|problem|item)\s+(?:wants|asks|means|is\s+after|seeks)\b|\bour\s+answer\b",
    re.IGNORECASE,
)
"""What is asked for, in so many words."""
RELATIVE: Final = re.compile(r"(?<=\bthe\s)((?:\w+\s){1,3})who(?:se|m)?\s[^,;:]{3,60}(?=,)", re.IGNORECASE)
"""What is told of somebody who is then named: `the former general who thought little of it, B`."""
SO_THE: Final = re.compile(
    r"^\W*(?:so|hence|thus|therefore)\W+(?:the\s+)?(?!why\b|how\b|what\b|far\b|much\b)[a-z]+\s+$", re.IGNORECASE
)
"""`hence path` before a label that ends its clause."""
_EXPECTS: Final = (
    r"(?:do|pick|choose|go|say|select|mark|answer|give|recommend|order|start|use|try|expect|predict|anticipate|want|need|look\s+for|see|observe|find|get|call|prescribe|suspect|measure)"
    r"\b(?:\s+(?:now|here|first|for|with))*"
)
ID_SAY: Final = re.compile(r"^\s*,?\s*I(?:['’]d|\s+would)\s+say\b", re.IGNORECASE)
WHAT_I_DO: Final = re.compile(
    r"\W*\bis\s+what\s+(?:I|we)(?:\s+(?:would|should|will)|['’](?:d|ll))\s+(?:do|pick|choose|go|say|select|mark|answer|give|recommend|order|start|use|try)\b(?:\s+(?:now|here|first|for|with))*|\bwhether\s+or\s+not\b",
    re.IGNORECASE,
)
EXPECTED: Final = re.compile(
    r"\W*\b(?:is|are|shows|describes|gives)\s+(?:(?:exactly|precisely|just|thus|therefore)\s+)?(?:what|the\s+(?!\w*(?:mistake|error|slip|trap|last|wrong|least|first|next|other|second)\b)[a-z-]+(?:\s+(?:that|which))?)"
    rf"\s+(?:I|we|you|one)(?:\s+(?:would|should|will)|['’](?:d|ll))\s+{_EXPECTS}(?=\s*(?:$|[.;:)]|,?\s+(?:because|since|as|given)\b|(?:in|from|under|given|for)\s+(?:the|this|that|such|an?)\s(?!(?:\w+\s+)?(?:naive|wrong|absence|opposite|other))))",
    re.IGNORECASE,
)
"""`is the outcome we would expect`"""
ANOTHER_NOT: Final = re.compile(
    r"\W*(?:and\s+|but\s+)?(?:not|never|rather\s+than|instead\s+of|as\s+opposed\s+to)\s+(?:(?:option|choice|answer)\s+)?[(\[]?(?P<label>[A-Z])[)\]]?(?![\w'’])"
)
"""Another label that is turned down behind one: `B and not C`."""
OTHERS_REMARK: Final = re.compile(
    r"^(?P<own>[)\].]*)\s*\((?:the\s+)?(?:others?|rest|remaining|other\s+(?:options?|choices?|answers?|three|two|four)|all\s+(?:the\s+)?others?)\b[^()?]*\)",
    re.IGNORECASE,
)
"""A remark on the other choices behind a label."""
SHARES: Final = re.compile(r"\d\s*%\s*(?:on|for|to|that|in)\W*$", re.IGNORECASE)
"""A share of the answer: `30 % on D`."""
QUOTED: Final = re.compile(
    r"[,.!?]['’]?[\"”]?\s+(?:the|my|our|an?|his|her|their|one)\s+(?:[\w'’]+\s+){1,2}?(?:said|says?|claim(?:s|ed)|insist(?:s|ed)|wrote|writes|argu(?:es|ed)|repli(?:es|ed)|answer(?:s|ed)|shout(?:s|ed)|told|whisper(?:s|ed)|declar(?:es|ed)|announc(?:es|ed))\b",
    re.IGNORECASE,
)
IRONY: Final = re.compile(
    r"^\W*(?:(?:oh|ah|ha|haha|yeah|well)\W+)*(?:sure|right|of\s+course|great|brilliant|yeah)\b[^.]*\b(?:and|because|just\s+as)\b[^.]*\b(?:I\W*a?m|pigs?|moon|queen|king|santa|unicorns?|easter|earth\s+is\s+flat)\b|^\W*as\s+if\b|\byeah\W+right\b",
    re.IGNORECASE,
)
SAYING: Final = re.compile(
    r"\b((?:option|choice|answer|one|statement|alternative)\s+(?:that|which))\s+(?:says?|states?|claims?)\b",
    re.IGNORECASE,
)
"""`the choice that says this is`"""
GRANTS: Final = re.compile(
    r"\W*(?:I\s+(?:know|admit|grant|agree|realize|realise|see)|granted|admittedly|true|sure|yes|it\s+is\s+true|one\s+(?:could|might|may)|some(?:one|body)?\s+(?:could|might|may))\b",
    re.IGNORECASE,
)
"""What is granted before a turn: `I know A looks attractive, but …`."""
ASSURED: Final = re.compile(
    r"\W*(?:(?:then|it\s+is|indeed|obviously|clearly|definitely|certainly|absolutely|surely|all\s+the\s+way|for\s+sure|hands\s+down|without\s+(?:a\s+|any\s+)?doubt|no\s+question|by\s+(?:far|elimination)|of\s+course|here|therefore|(?:a\s+)?(?:hundred|\d+)\s*(?:%|per\s?cent)(?:\s+of\s+it|\s+sure)?)(?!\w)\W*)+",
    re.IGNORECASE,
)
"""What only assures, behind a label that stands alone: `D then`, `C all the way`."""
ALL_BUT: Final = re.compile(
    r"\b(?:every\w*|all|each|any\w*)\b[^,;]{0,40}\b(?:but|except|save|besides|apart\s+from)\W*(?:for\W*)?$",
    re.IGNORECASE,
)
ALL_EXCEPT: Final = re.compile(
    r"^(?!.*\b(?:not|never|no|none|would|could|might|may|wrong|incorrect|false|out|correct|right|true|possible|plausible|fit|fits|fail|fails|works?|apply|applies|acceptable|excluded|eliminated|reject\w*)\b)(?!.*n['’]t\b)"
    r"(?=.*\b(?:is|are|was|were|has|have|can|does|do|(?!(?:options|choices|items|others|statements|answers)\b)[a-z]{3,}(?:s|ed))\b)"
    r"[^,;:?]*\b(?:all|each|every\s+one)\s+(?:of\s+)?(?:them|these|those|the\s+(?:others?|rest|listed|other|options|choices|items|three|four|five)\b(?:\s+\w+)?)\b[^,;:?]{0,80},?\s"
    r"(?:except(?:\s+for)?|but|save(?:\s+for)?|apart\s+from|with\s+the\s+(?:sole\s+|only\s+|single\s+)?exception\s+of)\W*(?:the\s+)?$",
    re.IGNORECASE,
)
"""Before the one that is singled out of all: `all of these are metals except`."""
SINGLED: Final = re.compile(r"\W*$|\s*,?\s*(?:which|who|because|since|as)\b(?!.*\b(?:too|also)\b)", re.IGNORECASE)
FALLS: Final = re.compile(
    r"^\W*(?:(?:falls?|breaks?)\s+(?:apart|down|flat|short)|collapses?|(?:is|are|was|were|can\s+be|has\s+been|have\s+been)\s+(?:\w+ly\s+)?(?:wrong|incorrect|false|out|eliminated|excluded|ruled\s+out|rejected|impossible|inconsistent|contradicted)|fails?|contradicts?|violates?|(?:do|does|did|can|could)(?:n['’]t|\s*not))\b",
    re.IGNORECASE,
)
"""What is said of all other labels: `everything but B falls apart`."""
AS_IT_SAYS: Final = re.compile(r"\W*(?:says|states|shows|has\s+it|puts\s+it|describes)\W*$", re.IGNORECASE)
CORRECTS: Final = re.compile(
    r"\W*(?:or|no|nope|wait|sorry|actually|i\s+mean|rather(?!\s+than)|correction|should)\b", re.IGNORECASE
)
JUDGES: Final = re.compile(
    r"\W*(?:(?:and\s+)?(?:its|the|this|it)\b[^,;]{0,60}?\b(?:is|was)\s+(?:a\s+)?(?:different|another|some(?:one|thing)\s+else)\b|(?:which|it|this|that|and|so|he|though|although|or)\b[^,;]{0,60}?(?:\b(?:not|wrong|incorrect|false|fails?|never|no|hardly)\b|n['’]t\b)"
    r"|not\b(?!\s+(?:the\s+)?(?:other|by|because))|(?:the\s+|this\s+)?(?:question|task)\b|wait|no\b(?!\s+(?!wait\b|sorry\b|actually\b|longer\b|better\b|worse\b|doubt\b|more\b|less\b|good\b|matter\b|it\b|that\b|this\b|the\b|not\b|make\b|hold\b|help\b|use\b|hope\b|way\b|answer\b|choice\b|option\b|solution\b|support\b|evidence\b|proof\b|reason\b|basis\b)[a-z]{3,}\b(?!.*\b(?:it|this|that|answer|option|choice|wait|sorry)\b))|sorry|actually|i\s+mean|maybe|perhaps|or\b|said|says|according\s+to|the\s+reverse|otherwise|else)",
    re.IGNORECASE,
)
"""A clause behind a choice that judges it."""
LISTS: Final = re.compile(
    r"\W*(?:the|our|here|these|possible|given|available|answer|\w+\s+of\s+the)\b[^.:;]{0,20}?\b(?:options|choices|alternatives|candidates|answers)\b[^.;]{0,120}?\b(?:are|were|include|read|listed|ranges?|run|go|span)\b(?:\s+from)?\W*(?:(?:option|choice)\s+)?\W*[A-Z]\b",
    re.IGNORECASE,
)
"""`The choices are A: 2, B: 4.`"""
BACK: Final = re.compile(
    r"(?<=[,;])\s*(?:but|yet|however)\b(?=[^,;]*[,;]\s*(?:and\s+)?(?:so|thus|hence|therefore)\b)", re.IGNORECASE
)
"""Where a sentence comes back from another case and concludes: `it would be B, but it isn't, so it is C`."""
DRAWN: Final = re.compile(r"(?<=[,;])\s*(?:and\s+)?(?:so|thus|hence|therefore)\b", re.IGNORECASE)
EQUATES: Final = re.compile(
    r"\s*(?:is|are)\s+(?:\w+ly\s+|thus\s+|hence\s+|therefore\s+|then\s+)*(?:the|their|its|our|his|her)\s+(?!(?:net|rate|process|study|ratio|amount|sum|product|movement|number)\b)",
    re.IGNORECASE,
)
"""What is said of a subject that could as well be said the other way round: `diarrhoea is the explanation`."""
DISPUTED: Final = re.compile(
    r"^\W*(?:it|that|this)\s+(?:is|was)(?:n['’]t|\s+not)\W*$|^\W*(?:actually|wait|hold\s+on|sorry|correction|oops|hmm+|no(?=\s*[,:;.!—–]))(?!\w)|\b(?:disput|reject|refut|contradict|den[iy]|disprov|rul)\w*\s+(?:out\s+)?(?:exactly|precisely|just)?\s*(?:that|this|it)\b",
    re.IGNORECASE,
)
"""A later sentence that turns away from what was said."""
LONE: Final = re.compile(
    r"\W*(?:(?:option|choice|answer)\s+)?[A-Z]\W*(?:(?:then|therefore|it\s+is)\W*)?", re.IGNORECASE
)
"""A label by itself, as the last word of a response."""
LINE_OF_A_LIST: Final = re.compile(
    r"\W*(?:(?:option|choice)\s+)?(?-i:(?P<label>[A-Z]))\)?\s*(?:\([^)]*\)\s*)?[:–—-]\s*\w", re.IGNORECASE
)
"""`D (religious communion) – one would need a sacrament`; two such lines are a list of the choices."""
SAYS: Final = re.compile(r"\s*(?:says?|states?|claims?|holds?|asserts?|suggests?|argues?)\s+that\b", re.IGNORECASE)
"""What a choice says is not what is said of it."""
HERE: Final = re.compile(
    r"\W*(?:but\s+|and\s+)?(?:here|in\s+(?:this|our|the\s+present)\s+(?:case|problem|question|passage|setting))\b",
    re.IGNORECASE,
)
"""What the sentence says is of the case in question."""
CASES: Final = re.compile(
    r"\b(?:in|for|under|on)\s+the\s+(?:first|former|one)\b.*\b(?:second|latter|other)\b"
    r"|(?<![\w'’])(?-i:[A-Z])\W{0,3}\s(?:if|when|where|provided|for)\s[^;]*[,;]\s*(?:(?:and|but|or|else|otherwise)\s+)?\(?(?-i:[A-Z])\W{0,3}\s(?:if|when|where|provided|for|otherwise|else)\b",
    re.IGNORECASE,
)
"""Two cases, each with its own: `in the first case B, in the second C`, `B if it is smooth, C if it is rough`."""
SHARED: Final = re.compile(r"\bby\W+option [A-Z]\b.*\bby\W+option (?:[A-Z]\b)")
"""Two things by two people."""
UNREAL: Final = re.compile(
    r"\b(?:if|unless|were|had|without|otherwise|instead|rather|but|however|though|although|whereas|while|yet|alone|only|naive\w*|already|else|whoever|anyone|someone)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_MORE: Final = (
    r"(?:(?:high|low|large|small|great|bigg|long|short|fast|slow|strong|weak|old|young|warm|cold|hott|heavi|light|wid"
    r"|narrow|deep|rich|poor|furth|lat|earli|hard|soft|thick|thinn)er|more|less|fewer)\s"
)
"""What makes another case of a subject: `a higher price`."""
PREDICTS: Final = re.compile(
    rf"^(?P<subject>\W*(?i:(?:(?:so|thus|hence|therefore|here|then|accordingly|in\s+(?:this|that|our|such\s+a)\s+(?:case|situation)|under\s+[^,;:]{{3,40}}),?\s+)*(?:(?:the|this|these|such|that|our|its|his|her|their)\s+(?!{_MORE})[\w'’-]+(?:\s+(?!{_MORE})[\w'’-]+){{0,3}}?|it|this|that|he|she|they|you|we|(?-i:[A-Z][a-z]+s))\s+))"
    r"would\s+(?!(?:have|not|never|seem|appear|look|like|love|resemble|consider|contemplate|discuss|examine|debate|weigh|lift|dissolve|need|hesitate|want|wish)\b|be\s+(?:wrong|tempting|better|worse|nice|a\s+mistake)\b)",
)
"""What would happen in the case that a question sets: `the court would grant`, where nothing else is supposed."""
REFUSES: Final = re.compile(
    r"\b(?:refus|withh[eo]ld|declin|dissolv|revok|vacat|overturn|repeal|prefer[^,;:]*\bto)(?:e?s|e?d|t|ing|e)?(?:\s+(?:the|an?|any)(?:\s+(?:name|title|term|word))?)?\W*$",
    re.IGNORECASE,
)
"""Verbs whose object is not what happens: `the court refuses`."""
SEQUENCE: Final = re.compile(
    r"\b(?:at\s+first|first|initially)\b.*\b(?:then|later|afterwards|finally)\b", re.IGNORECASE
)
"""One thing after another: `it increases at first, but then decreases`."""
