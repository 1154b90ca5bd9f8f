"""Which label a response chooses: the one of the last sentence, in the argument's own voice, that names it.

Words are open. A sentence is cut into clauses; a label in a clause is chosen there, turned down, or neither, by words
of closed classes that stand in that clause:

    turned down   a denial or an elimination before the label (`it is not B`, `that rules out B`, `rather than B`)
                  or a fault behind it (`B fails`, `B is out`)
    neither       a supposition, doubt, report, comparison or question in its clause, or something that unsettles it
                  behind; a label that is only looked at (`for B, the sum is 12`)
    chosen        everything else, by its role: concluded (the answer is B, I choose B, so it is B), praised (B is
                  right, B alone, it is B), stated (the complement of any verb, the end of a statement) or described
                  (the subject of any verb)

A sentence chooses the label of its strongest clause, of several that of the clause that concludes; a response that of
the last sentence, but what is stated or praised gives way to a conclusion before it. What is only described is not
chosen. Where no sentence chooses, the one label left is, where all others were turned down.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Final, NamedTuple

from grading.language.responses.labelled import (
    CONCEDES,
    CONDITION,
    OPTION,
    REASON,
    Clause,
    Mention,
    clauses_in,
    groups,
    mentions_in,
)
from grading.language.responses.turning import opens_aside, supposes_another

_NOUNS: Final = (
    r"(?:answers?|options?|choices?|ones?|statements?|alternatives?|picks?|completion|response|match|candidate|solution|selection|verdict"
    r"|conclusion|letter|best|correct|right|fit|guess|diagnosis)"
)
_CHOOSES: Final = (
    r"\b(?:(?:choos|pick|select|mark|tick|circl|submit|enter|favou?r|prefer|endors)(?:e|es|ing)?|cho(?:se|sen)|picked|selected|marked|ticked|circled|submitted"
    r"|go(?:ing)?\s+(?:with|for)|went\s+(?:with|for)|opt(?:ed|ing)?\s+for|settl(?:e|ed|ing)\s+(?:on|for|upon)|vot(?:e|ing)\s+for|commit(?:ting)?\s+to|decid(?:e|ed|ing)\s+(?:on|for)"
    r"|land(?:ed|ing)?\s+on|lean(?:ing)?\s+(?:towards?|to)|answer(?:ing)?\s+with|stick(?:ing)?\s+(?:with|to)|bet(?:ting)?\s+on|say)\b"
)
"""Verbs of choosing; who chooses has to be the one who speaks."""
_ANSWERS: Final = re.compile(rf"\b{_NOUNS}\b", re.IGNORECASE)
_CHOOSING: Final = re.compile(rf"{_CHOOSES}(?:\s+[\w'’-]+){{0,4}}:?\s*[(\[\"“]?$", re.IGNORECASE)
_OPTION_LAST: Final = re.compile(rf"{OPTION}s?\W*$", re.IGNORECASE)
_HEDGED: Final = re.compile(r"\b(?:or|either|maybe|perhaps|possibly)\b|/", re.IGNORECASE)
_LISTED: Final = re.compile(r"(?<![(\[])\b[A-Za-z][)\]]$")
"""A label that begins a line of a list: `A) too broad`."""
_PRAISE: Final = re.compile(
    r"\b(?:right|correct(?:ly)?|true|best|better|(?:the|our|my)\s+(?:\w+\s+){0,3}?(?:answer|option|choice|alternative|one|only|sole)|exactly|precisely|alone|only\s+(?:one|option|choice|answer|alternative|statement)|valid|sound|accurate(?:ly)?|appropriate|suitable|proper|plausible|likely"
    r"|it\s+(?:is|must\s+be|has\s+to\s+be)|fine|acceptable|what\s+(?:we|is|was|should|must|has)|left|remain(?:s|ing)?|stands?|standing|survives?|surviving|holds?|works?|fits?|match(?:es)?|qualifies|wins?|follows?|applies|agrees?"
    r"|makes?\s+(?:the\s+most\s+|more\s+)?sense|satisf(?:y|ies)|meets?|fulfils?|captures?|reflects?|accounts?|explains|(?:be|is|has\s+to\s+be|gets?)\s+(?:selected|chosen|picked|marked|ticked|circled|taken)"
    r"|(?:says|states|shows|expresses|has|does|gives|describes|asserts)\s+(?:just|exactly|precisely|all\s+of|both\s+of)?\s*(?:this|that|these|those|so|it|them)|yes)\b",
    re.IGNORECASE,
)
"""What is said of the label that is taken."""
_REJECTS: Final = re.compile(
    r"\b(?:reject\w*|(?<!process\sof\s)(?<!by\s)eliminat(?:e|es|ed|ing)|exclud\w*|rul(?:e|es|ed|ing)\s+out|discard\w*|dismiss\w*|disqualif\w*|refut\w*|disprov\w*|contradict\w*|violat\w*"
    r"|cross(?:ed|es|ing)?\s+out|leaves?\s+out|remov\w+|avoid\w*|sinks?|undermin\w*|(?:conflict|clash|collide)\w*\s+with|(?:at\s+odds|hard\s+to\s+square|incompatible|inconsistent)\s+with|str(?:ike|uck)\w*|drop(?:s|ped|ping)?|kill(?:s|ed)?|dispos\w+\s+of|forbid\w*|preclud\w*|prohibit\w*|ditch\w*|scrap\w*|throw\w*\s+out|debunk\w*|fals(?:ify|ifies|ified)|weaken\w*|get\w*\s+rid\s+of|rather\s+than|instead\s+of|as\s+opposed\s+to|unlike|and\s+not|but\s+not|contrary\s+to|over(?=\W*$)|than(?=\W*$)"
    r"|not|cannot|never|no|nor|neither|none|nobody|nothing|hardly|without|except|excluding|besides|apart|aside|other\s+than|(?:any\w*|all|every\w*|each)\b[^,;]{0,40}\b(?:but|except|save)|disagree\s+with)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words before a label that turn it down: denial, elimination, contrast."""
_ASSURES: Final = re.compile(
    r"\b(?:there(?:\s+is|['’]s)\s+no\s+doubt|no\s+doubt|without\s+(?:a|any)\s+doubt|none\s+other\s+than|no\s+other\s+than|nothing\s+(?:else\s+than|but)|no\s+(?:option|choice|other\s+\w+)\s+but)\b"
    r"|\bnot\s+(?:(?i:option)\s+)?\(?[A-Z]\)?\s*[,;]?\s*but\s+(?:rather\s+)?",
    re.IGNORECASE,
)
"""Denials of a doubt or of anything else, which turn nothing down."""
_CLOUDS: Final = re.compile(
    r"\b(?:if|unless|whether|would|could|might|(?-i:may)|perhaps|maybe|possibly|presumably|suppos\w*|assum\w*|imagin\w*|pretend\w*|insist\w*|swears?|claims|claimed|says?|said|argu\w+|think\w*|thought|believ\w*|hop\w+|wish\w*|doubt\w*"
    r"|wonder\w*|den(?:y|ies|ied)|wrong\w*|incorrect\w*|false|mistak\w*|misread\w*|misle\w*|miss(?:es|ed|ing)?|error\w*|confus\w*|mix\w*|trap|distractor\w*|decoy|lure\w*|tempt\w*|tricky|pitfall|slips?|blunder|oversight|fallacy|misconception|myth"
    r"|attractive|appealing|popular|commonly|careless\w*|hast\w+|naive\w*|superficial\w*|novices?|beginners?|students?|pupils?|(?:\w+\s+)?readers?|whoever|people|candidates|examinees|examiner\w*|many|some|someone|somebody|several|others?|another"
    r"|author\s+of|(?:the|answer)\s+key|according\s+to|told|reports?|reported|textbook|book|teacher|friend\w*|classmates?|neighbou?r|opponents?|critics?|colleague|bob|fool|dissent|every(?:one|body)|any(?:one|body)|expect\w*|obvious|forgetting|omitting|ignoring|overlooking|neglecting|rushed|sloppy|hurried|inverse|mirror|reverse|compet(?:es|ing)|nearest|(?:show|prove|know)\s+(?:that|whether)|need(?:s|ed)?\s+(?:more|to\s+(?:show|prove|know|check))|let\s+the|part\s+(?:one|two|three|[ab]\b)|similarly|likewise|critici[sz]\w*|attack\w*|disput\w*|oppos(?:es|ed)"
    r"|first|second|third|next|worst|old|older|previous|runner|close(?:st)?|closer|almost|nearly|initially|originally|formerly|previously|at\s+first|once|opposite|contrary|converse|complement|negation"
    r"|similar\w*|compare[ds]?|comparing|like|versus|vs|difference|different|weak\w*|problem|trouble|flaw\w*|drawback|defect|fault|issue|objection|against|reason\s+(?:against|for)|for\s+(?:example|instance)|but|however|although|though|while|whereas|yet|too|also(?!\s*(?:Antwort\b|\W*$))|both(?=\W*$)|either|half|twice"
    r"|least|fewer|less|lower|last|unsure|uncertain|difficult|tough|hard|seems?|seemed|appears?\s+to|looks|looked|sounds?|partly|partially|so\s+far|torn|hesitat\w*|reluctant|concerns?|in(?:consistent|compatible|accurate|valid|adequate)|unsupported|(?:^|\b(?:let\s+(?:us|me)|let['’]s|I|we|to|still|now|must|should|can|by|have\s+to))\W*(?:consider\w*|look(?:ing)?\s+(?:at|into)|see|test(?:ing)?|check(?:ing)?|examin\w*|analy[sz]\w*|start\w*|turn\w*\s+to|review\w*|discuss\w*|recall|weigh\w*)"
    r"|nicht|kein\w*|pas|jamais|sauf|außer|menos|não|nunca|falsch\w*|fausse|mauvaise|faux|fals[ao]|errad[ao]|incorrecta|sbagliat[ao]|oder)\b|\?|\b(?:was|were|used\s+to\s+be|had\s+been)\W*$",
    re.IGNORECASE,
)
"""Words before a label with which it is neither: supposition, doubt, report, comparison, fault, a look at it."""
_MODEST: Final = re.compile(
    r"(?P<says>\b(?:I(?:\s+would|['’]d)|one\s+has\s+to|I)\s+(?:say|guess|think|believe)\b(?:\s+that)?)|(?P<is>\b(?:answer|choice|pick|option|guess)(?P<here>\s+here)?\s+(?:would|should)\s+(?:have\s+to\s+)?be\b)"
    r"|\b(?:I|we|you)(?:\s+(?:would|will|should|can|must|could\s+only|have\s+to|am\s+going\s+to)|['’](?:d|ll))\b(?:\s+(?:therefore|thus|then|confidently|safely))*"
    r"|\b(?:thinking|looking|having\s+\w+)\b[^,]*,|\bthinking\s+about\s+it\b|(?P<guess>\b(?:best|educated|final)\s+guess\b)",
    re.IGNORECASE,
)
"""Words of modesty and resolution about the own choice."""
_ASKED_FOR: Final = re.compile(
    r"\b(?:that|which|who|what)\s+(?:(?:is|are|was|does|do|has|have|need|must|can)(?:n['’]t|\s*not|\s+never)|never)\s+(?!(?:fit|work|hold|match|apply|help|survive|qualify|count)\b)[^,;:?]{2,80}?\s+(?=(?:is|are)\b)",
    re.IGNORECASE,
)
"""A question for what is not so, said again: `the compound that does not dissolve is`."""
_FAULT: Final = re.compile(
    r"^\W*(?:(?:clearly|obviously|also|therefore|thus|then|plainly|simply|both|all|each|definitely|certainly|immediately|at\s+once|too|hence)\s+)*(?:"
    r"(?:is|are|was|were|being|['’]s|seems|looks|must\s+be|has\s+to\s+be)\s+(?:(?:clearly|obviously|also|therefore|thus|then|plainly|simply|both|all|definitely|certainly|too|just|immediately)\s+)*"
    r"(?:wrong|incorrect|false|out|not|no|never|eliminated|excluded|ruled\s+out|rejected|discarded|impossible|untrue|invalid|irrelevant|(?:an?\s+)?(?:trap|distractor|lure|decoy)s?|decoys|tempting|the\s+(?:wrong|incorrect|false)|inconsistent|contradicted|unsupported|too\s+\w+)\b"
    r"|(?:is|are|was|were|do|does|did|has|have|had|can|could|would|must|should)n['’]t\b|(?:do|does|did|can|could|has|have|must|may|should)\s*not\b|can\s*not\b"
    r"|(?:can|must|should|may)\s+(?:therefore\s+|thus\s+|also\s+)?be\s+(?:excluded|ruled\s+out|eliminated|rejected|discarded|dismissed|crossed\s+out)\b|fails?\b|contradicts?\b|wrong\b|incorrect\b|false\b|out\b|not\b|no\b|eliminated\b|excluded\b|rejected\b)",
    re.IGNORECASE,
)
"""What is said right behind a label that is turned down."""
_UNSETTLES: Final = re.compile(
    r"\b(?:or|(?:said|says?|claims?|thinks?|believes?|argues?)\s+(?:my|the|an?|some|many|one)|not|never|sure|certain|only\s+(?:if|when|one|in|to|for)|if|unless|when(?:ever)?|maybe|perhaps|possibly|probably|might|may|could|would|wrong|incorrect|false|fails?|trap|distractor|out|eliminated|excluded|rejected|but"
    r"|however|although|though|yet|actually|wait|sorry|while|whereas|else|otherwise|correction|instead|question|asked|asks|older|inconsistent|superficial\w*|badly|poor\w*|worst|least|less|less\s+\w+\s+than|nobody|nothing|none|neither|nor|hardly|almost|nearly|partly|half|anything|far\s+from|according|for\s+(?:even|odd)"
    r"|without|typo|kidding|depending|provided|assuming|to\s+say|until|no|disagrees?|impossible|implausible|unphysical|unlikely|den(?:y|ies|ied)|attacks?|critici[sz]\w*|refut\w*|disput\w*|oppos\w*|against|str(?:ike|uck)|drop(?:ped)?|reject\w*|exclud\w*|mistakes?|errors?|at\s+best|in(?:complete|accurate|adequate|valid|compatible)|un(?:explained|accounted|supported|clear|likely|proven|proved|true|acceptable|tested|resolved|related)|sounds?|seems?|looks?|resembles?|appears?|similar|tempting|avoid\w*|contradicted|ruled|discarded|crossed|nicht|falsch|pas|faux|falsa|errada|sbagliato)\b|n['’]t\b|\?|→|\bonly\W*$|\(\s*should\b"
    r"|(?:^\s+(?:for|on|at|during|under|until|while|with)|\b(?:true|right|correct)\s+(?:for|on|at|during|under|in))\s+(?!(?:the|this|that|these|those|our|its|my|his|her|an?|all|every|each|any|both|two|several|good|obvious|question|part|problem|instance|example|it|us|me|here|my|every\w*|light|view|terms|fact|accordance|line|total|general)\b)",
    re.IGNORECASE,
)
"""Words behind a label with which it is not chosen."""
_TOPIC: Final = re.compile(
    r"(?:^|\s)(?:in|under|by|for|about|regarding|concerning|from|of|at|between|against|behind|before|after|until|near|below|above|beyond|beside|next\s+to|close\s+to|similar\s+to|back\s+to|within)[\s\"“(]*$",
    re.IGNORECASE,
)
_TAKES: Final = re.compile(
    r"\b(?:one|answer|option|choice|statement|found|given|described|stated|expressed|shown|listed|captured|represented|supported|explained|contained|answered|illustrated|depicted|summari[sz]ed|appears?|stands?|sits|lies|falls|comes|seat|located|situated|born|held|lives?|found)\b[^,;]{0,30}\b(?:in|by|under|as|at)\W*$"
    r"|\b(?:opt\w*|go(?:ing)?|settl\w+|vot\w+|speaks?|argues?)\s+for\W*$|\bas\s+in\W*$|\b(?:is|are)\s+(?:(?:exactly|precisely|just)\s+)?(?:the|those|that)\s[^,;]{0,40}\bin\W*$|\b(?:in\s+favou?r|choice|selection)\s+of\W*$",
    re.IGNORECASE,
)
"""Verbs whose complement stands behind a preposition, and what stands in a choice."""
_FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|must|can|will|should|would|get|gets|[a-z]{2,}(?:s|ed|t))\b|['’](?:s|d|ll|m|re)\b|\b(?:I|we|you|they)\s+\w+|[:–—,;-]\s*$|^\W*[A-Za-z-]+ing\b|"
    + _CHOOSES,
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|then|consequently|accordingly|overall|altogether|clearly|definitely|certainly|finally|surely|indeed|obviously|final|ultimately|most\s+likely|most\s+probably|ok|okay|well|right|yes|and|I|only|just|either\s+way|by\s+(?:the\s+)?(?:process\s+of\s+)?elimination"
    r"|in\s+(?:short|summary|conclusion|total|all|other\s+words|the\s+end|effect)|on\s+balance|all\s+in\s+all|to\s+sum\s+up|that\s+is(?=\s*,)|i\.\s?e\.|namely|the|my|our|an?|correct|right|best)\b[\s,:=]*)*$",
    re.IGNORECASE,
)
"""What may stand before a label that stands alone, or is the subject."""
_IT: Final = re.compile(
    r"^\W*(?:so\W+)?it(?:['’]s|\s+(?:is|must\s+be|has\s+to\s+be))(?:\s+(?:clearly|therefore|thus|really))?\W*$",
    re.IGNORECASE,
)
_AWAITS: Final = re.compile(
    rf"(?:\b(?:is|are|be|with|for|to|answer|option|choice)|['’]s|:|→|{_CHOOSES})\W*$", re.IGNORECASE
)
"""What a complement has to follow."""
_CONSEQUENCE: Final = re.compile(
    r"\b(?:so|thus|hence|therefore|consequently|accordingly|which\s+is\s+why|that(?:['’]s|\s+is)\s+why|for\s+(?:that|this|these)\s+reasons?|in\s+(?:short|summary|conclusion|the\s+end)|on\s+balance|overall|ultimately|leav(?:es?|ing)|left\s+with|elimination|we\s+conclude)\b|→|⇒|=>|->",
    re.IGNORECASE,
)
_CONJOINED: Final = re.compile(
    r"^\W*(?:and|but|yet|however|still|nevertheless|nonetheless|although|though|even\s+though|while|whereas)\b\W*",
    re.IGNORECASE,
)
OWN_WORDS: Final = re.compile(
    r"^\s*[)\].:]*[\s*]*(?:Yes|No)\b(?:\s*[.!]?\s*$|\s*[,;:–—-]?\s*(?P<rest>(?:because|since|as|if|unless|but|so|under|even|only"
    r"|when|provided|although|though|due|where|given|regardless|in|the)\b(?:(?!\b[A-Z]\b[).]|\([A-Z]\)|[?\n]).)*)$)"
)
"""The words of a choice that begins with yes or no: `(B) No, because the offer had lapsed.`"""
_SOURCE: Final = re.compile(
    r"^\W*(?:(?:so|and|but)\W+)?(?:(?:in|under)\s+the\s+(?:absence|opposite|reverse|other|view|opinion|eyes)\b|without\b|according\s+to\s+(?!(?:the|this|its|our)\s+(?!key|book|teacher)|[a-z]+\s+(?:law|rule))|(?:an?|my|the|some|one|many|most)\s+(?:\w+\s+)?(?:friend|students?|people|teacher|book|textbook|key|classmate|colleague|critics?|readers?)\s+(?:\w+\s+)?(?:say|claim|think|believe|argue|hold|suggest)s?\b)",
    re.IGNORECASE,
)
"""What is said in another's name."""
_TURNS: Final = re.compile(r"^\W*(?:but|however|yet|still|nevertheless|nonetheless)\b", re.IGNORECASE)
_TURNED: Final = re.compile(r",\s*(?:however|though|instead)\s*,", re.IGNORECASE)
_OWNER: Final = re.compile(
    r"(?:\b(?:his|her|their|your|\w+['’]s?)\s+(?:\w+\s+)?(?:answer|choice|pick|guess|option|favou?rite)\b|\b(?:he|she|they|bob|one)\s+(?:\w+\s+)?(?:cho|pick|select|mark|go|say))",
    re.IGNORECASE,
)
"""Choices of others."""
_TO_CHOOSE: Final = re.compile(rf"^\W*(?:to\s+)?(?:{_CHOOSES})\W*$", re.IGNORECASE)
"""Choosing a label, of which something is then said: `to choose B is to ignore the last line`."""
_CHOOSER: Final = re.compile(
    r"(?:^\W*|\b(?:my|our|the|right|best|correct|final|only|safest|I|we|let['’]s|let|me|us|you|to|so|therefore|thus|hence|and|then|am|['’]m|are|in|finally|ultimately|by|go|will|confident)\W*(?:\w+ly\s+)?)$",
    re.IGNORECASE,
)
"""What stands before a verb of choosing whose subject is the one who speaks."""
_CLAIMS: Final = re.compile(r"\b(?:correct|right|true|best|answer)\b", re.IGNORECASE)
_RANKED: Final = re.compile(r"\b(?:second|third|runner|next)\b", re.IGNORECASE)
_CALLED_RIGHT: Final = re.compile(r"[\s.:–—-]*(?:correct|right|true|yes|best)\b(?!\s+\w)", re.IGNORECASE)
_ONLY: Final = re.compile(r"\bonly\W*(?:(?:in|with|for|under|by)\W*)?$", re.IGNORECASE)
_SO_THE: Final = re.compile(
    r"^\W*(?:so|hence|thus|therefore)\W+(?:the\s+)?(?!why\b|how\b|what\b|far\b|much\b)[a-z]+\s+$", re.IGNORECASE
)
"""`hence path` before a label that ends its clause."""
_AS_IT_SAYS: Final = re.compile(r"\W*(?:says|states|shows|has\s+it|puts\s+it|describes)\W*$", re.IGNORECASE)
_CORRECTS: Final = re.compile(
    r"\W*(?:or|no|nope|wait|sorry|actually|i\s+mean|rather(?!\s+than)|correction|should)\b", re.IGNORECASE
)
_JUDGES: Final = re.compile(
    r"\W*(?:(?:which|it|this|that|and|so|he|though|although|or)\b[^,;]{0,60}?(?:\b(?:not|wrong|incorrect|false|fails?|never|no|hardly)\b|n['’]t\b)"
    r"|not\b(?!\s+(?:the\s+)?(?:other|by|because))|(?:the\s+|this\s+)?(?:question|task)\b|wait|no\b|sorry|actually|i\s+mean|maybe|perhaps|or\b|said|says|according\s+to|the\s+reverse|otherwise|else)",
    re.IGNORECASE,
)
"""A clause behind a choice that judges it."""
_SEVERAL: Final = "commits to several labels"
_LATEST: Final = 40
"""Sentences from the end in which a label may be chosen."""
_LONGEST: Final = 900
_FEWEST: Final = 3
"""Choices of which one may be what is left."""


class Role(IntEnum):
    """How firmly a label is named."""

    DESCRIBED = 1
    STATED = 2
    PRAISED = 3
    CONCLUDED = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """What a sentence says: the `label` it chooses and how, those it turns down, or that it names `several`.

    `clouded` where it doubts, supposes or reports one; `calls_right` where it calls the label right or the answer.
    """

    label: str | None = None
    role: Role = Role.DESCRIBED
    calls_right: bool = False
    several: bool = False
    clouded: bool = False
    down: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


class _Chosen(NamedTuple):
    place: int
    label: str
    role: Role
    concludes: bool


def choice_in(sentence: str, choices: tuple[str, ...]) -> Choice:
    """What a sentence says of the labels."""
    mentions = list(mentions_in(sentence, choices)) if len(sentence) <= _LONGEST else []
    if not mentions:
        return Choice()
    named = frozenset(each.label for each in mentions)
    if supposes_another(sentence):
        return Choice()
    if sentence.rstrip(' )*"”').endswith("?"):
        return Choice(named=named, clouded=True)
    clauses = clauses_in(sentence, mentions)
    if any(clause.pointed_at and clause.mentions and before.mentions for before, clause in pairwise(clauses)):
        return Choice(clouded=True, named=named)
    found, down, several, clouded = _read(clauses)
    chosen = _strongest(found)
    if chosen is None:
        several = several or len({each.label for each in found if each.role > Role.DESCRIBED}) > 1
        return Choice(several=several, clouded=clouded, down=down, named=named)
    if any(_takes_back(clause) for clause in clauses[chosen.place + 1 :]):
        return Choice(clouded=True, down=down, named=named)
    if several and chosen.role < Role.PRAISED:
        return Choice(several=True, down=down, named=named)
    return Choice(chosen.label, chosen.role, _CLAIMS.search(sentence) is not None, down=down, named=named)


def _read(clauses: list[Clause]) -> tuple[list[_Chosen], frozenset[str], bool, bool]:
    """What the clauses choose and turn down, whether one chooses several labels, and whether one is clouded."""
    found: list[_Chosen] = []
    down: set[str] = set()
    several = clouded = supposed = False
    for place, clause in enumerate(clauses):
        if CONDITION.match(clause.text) or _SOURCE.match(clause.text):
            supposed = True
        elif not clause.mentions and clause.lead.strip() == ";":
            supposed = False
        if place and clause.mentions and _TURNS.match(clause.text):
            found, clouded, supposed = [], False, False
        for group in groups(clause):
            labels = {each.label for each in group}
            verdict, role = _judged(clause, group)
            if verdict == "down":
                down |= labels
            elif supposed or verdict == "clouded" or CONCEDES.match(clause.text):
                clouded = True
            elif verdict == "chosen" and len(labels) > 1:
                several = several or role > Role.DESCRIBED
            elif verdict == "chosen":
                concludes = _CONSEQUENCE.search(clause.lead + clause.text[: group[0].start]) is not None
                found.append(_Chosen(place, group[0].label, role, concludes))
    return found, frozenset(down), several, clouded


def _strongest(found: list[_Chosen]) -> _Chosen | None:
    """Of the labels that clauses choose, the one of the strongest clause or of that which concludes."""
    concluding = [each for each in found if each.concludes]
    strongest = [each for each in found if each.role is max(one.role for one in found)]
    for some in (found, strongest, concluding, concluding[-1:]):
        if len({each.label for each in some}) == 1:
            return max(some[::-1], key=lambda each: each.role)
    return None


def _judged(clause: Clause, group: list[Mention]) -> tuple[str, Role]:
    """Whether the labels of a group are `chosen`, turned `down`, `clouded` or only `named` in their clause, and how."""
    text, start, end = clause.text, group[0].start, group[-1].end
    asked = _ASKED_FOR.sub("", f"{text[:start]}is ") if _ASKED_FOR.search(f"{text[:start]}is ") else ""
    before = asked.removesuffix("is ") if asked else text[:start]
    before = _CONJOINED.sub("", _MODEST.sub(_resolved, _ASSURES.sub(" ", f"{before} ")))
    after = "" if OWN_WORDS.match(text[end:]) else text[end:]
    faulty = _FAULT.match(after) is not None
    rejects = [found[0].lower() for found in _REJECTS.finditer(before)]
    if _HEDGED.search(text[start:end]) and not rejects and not faulty:
        return "clouded", Role.STATED
    clouds = _CLOUDS.search(before) is not None or _OWNER.search(before) is not None
    bracketed = text.startswith(("(", "["), start)
    if _TO_CHOOSE.match(before) and re.search(r"\w", after):
        return "clouded", Role.STATED
    if rejects:
        clean = not clouds and not faulty and (len(rejects) == 1 or rejects[0] in ("neither", "not"))
        return ("down" if clean else "clouded"), Role.STATED
    if faulty:
        subject = _OPENING.match(_OPTION_LAST.sub("", before)) is not None
        return ("down" if bracketed or (subject and not clouds) else "clouded"), Role.STATED
    if clouds or _chosen_by_another(before):
        return "clouded", Role.STATED
    told = re.search(r"\w", after) is not None and not REASON.match(after.lstrip(" ,"))
    if _OPENING.match(before) or _ONLY.fullmatch(before.strip()) or (bracketed and told and not _AWAITS.search(before)):
        return _as_subject(clause, before, after, bracketed=bracketed)
    return _as_complement(clause, group, before, after)


def _resolved(found: re.Match[str]) -> str:
    """What a phrase of modesty says: that one chooses, or what the answer is."""
    return " I choose " if found["says"] else " answer is " if found["is"] else " guess " if found["guess"] else " I "


def _chosen_by_another(before: str) -> bool:
    """Whether a verb of choosing has another subject than the one who speaks."""
    verb = _CHOOSING.search(before)
    return verb is not None and _CHOOSER.search(before[: verb.start()]) is None


def _as_subject(clause: Clause, before: str, after: str, *, bracketed: bool) -> tuple[str, Role]:
    """A label that stands alone, begins a line of a list, or of which something is said."""
    concludes = _CONSEQUENCE.search(clause.lead + before) is not None
    firm = Role.CONCLUDED if concludes else Role.PRAISED
    unsettled = _UNSETTLES.search(after) is not None
    if re.search(r"\w", after) is None or (concludes and bracketed and _OPENING.match(before)):
        return ("clouded" if unsettled else "chosen"), firm
    head = clause.text[: len(clause.text) - len(after)]
    if re.match(r"\s*[.:–—-]+\s*\w", after) or _LISTED.search(head):
        said = _CALLED_RIGHT.match(after) is not None and not unsettled
        return ("chosen", Role.PRAISED) if said else ("named", Role.DESCRIBED)
    if unsettled:
        return "clouded", Role.DESCRIBED
    praise = _PRAISE.search(after[:80])
    praised = praise is not None and len(clause.mentions) == 1 and not _RANKED.search(after[: praise.end()])
    if _ONLY.search(before):
        return "chosen", firm
    if not praised:
        return "chosen", Role.DESCRIBED
    return "chosen", firm if _CLAIMS.search(after) else Role.PRAISED


def _as_complement(clause: Clause, group: list[Mention], before: str, after: str) -> tuple[str, Role]:
    """A label to which a verb or a mark leads."""
    if _AS_IT_SAYS.match(after) and re.search(r"\b(?:as|what)\W*$", before):
        return "chosen", Role.STATED
    if _SO_THE.match(before) and re.search(r"\w", after) is None:
        return "chosen", Role.CONCLUDED
    led = re.search(r"\b(?:is|are|leaves|leaving)\W*(?:\w+\W+)?$", before) is not None
    if _UNSETTLES.search(after) or (not led and any(each.end < group[0].start for each in clause.mentions)):
        return "clouded", Role.STATED
    bracketed = clause.text.startswith(("(", "["), group[0].start)
    if (_TOPIC.search(before) and not _TAKES.search(before)) or not (_FINITE.search(before) or bracketed):
        return "named", Role.STATED
    if _ANSWERS.search(before) or _CHOOSING.search(before) or _CONSEQUENCE.search(clause.lead + before):
        return "chosen", Role.CONCLUDED
    return "chosen", Role.PRAISED if _IT.match(before) or re.search(
        r"\b(?:exactly|precisely)\W*$", before
    ) else Role.STATED


def _takes_back(clause: Clause) -> bool:
    """Whether a clause behind the one that chooses unsettles what it chose."""
    if clause.mentions:
        return _CORRECTS.match(clause.text) is not None
    if _TURNS.match(clause.text) or CONDITION.match(clause.text) or clause.text.startswith("when"):
        return True
    return REASON.match(clause.text) is None and _JUDGES.match(clause.text) is not None


def chosen_label(sentences: Sequence[str], choices: tuple[str, ...]) -> tuple[int, str | None, str] | None:
    """The place and the label of the sentence that chooses, or None as the label and why; None where none chooses."""
    said = [(place, choice_in(each, choices)) for place, each in list(enumerate(sentences))[-_LATEST:]]
    beside = {place for place, _ in said if opens_aside(sentences[place])}
    for spoken in ([(at, one) for at, one in said if at not in beside or one.role > Role.STATED], said):
        for turn in range(len(spoken) - 1, -1, -1):
            place, each = spoken[turn]
            if each.several:
                return place, None, f"{_SEVERAL}: {', '.join(sorted(each.named))}"
            if each.label is None or each.role is Role.DESCRIBED or _gives_way(each, spoken[:turn]):
                continue
            behind = [sentences[at] for at in range(place + 1, len(sentences)) if at not in beside]
            contradicted = _contradicted(each, spoken[:turn], spoken[turn + 1 :], behind)
            return (place, None, _SEVERAL) if contradicted else (place, each.label, "one label")
    left = set(choices) - set().union(*(each.down for _, each in said))
    last = next((each for place, each in reversed(said) if each.named and place not in beside), Choice())
    if len(left) == 1 and len(choices) >= _FEWEST and last.down:
        return len(sentences) - 1, left.pop(), "the one label left"
    return None


def _gives_way(each: Choice, earlier: list[tuple[int, Choice]]) -> bool:
    """Whether a sentence before one that concludes nothing has concluded, or called a label right."""
    before = [one for _, one in earlier if one.label is not None]
    if each.role is Role.PRAISED and each.calls_right:
        return False
    firm = any(one.role is Role.CONCLUDED or (one.role is Role.PRAISED and one.calls_right) for one in before)
    return each.role < Role.CONCLUDED and firm


def _contradicted(
    each: Choice, earlier: list[tuple[int, Choice]], later: list[tuple[int, Choice]], behind: list[str]
) -> bool:
    """Whether another sentence chooses another label as firmly, or turns away from one that was only said."""
    others = [one for _, one in earlier if one.role > Role.STATED and one.label not in (None, each.label)]
    if each.role > Role.STATED:
        return each.role is Role.PRAISED and any(one.calls_right or not each.calls_right for one in others)
    described = set().union(*(one.named - one.down for _, one in later if not one.clouded)) - {each.label}
    return len(described) == 1 or any(_TURNS.match(one) or _TURNED.search(one) for one in behind)
