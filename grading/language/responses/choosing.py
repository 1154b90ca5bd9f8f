"""The one label that a sentence chooses by where it stands, whatever the subject is.

    sentence = introduction , subject , link , label            `the highest rate belongs to option D`
             | what is so , "making" , label , praise           `... in May, making B the right option`
             | what is so , "(" , label , ")"                   `the likely outcome is a shortage (option B)`
             | what is true , ":" , label                       `only one statement is true: B`
             | label , praise                                   `D best describes the process`

Subjects and what is so are open; closed are the links, the praise, and the words that reject, doubt, report, compare or
suppose. A clause that rejects other labels stands apart from the one that chooses.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grading.language.responses.turning import opens_aside, supposes_another

_OPTION: Final = (
    r"(?:(?:answer\s+)?(?:option|choice|alternative)|answer|statement|letter|sentence|graph|figure|diagram|picture|curve"
    r"|structure|compound|reaction|circuit|plan|sequence|expression|equation|pair|reading|interpretation)"
)
_LINK: Final = (
    r"(?:(?:is|are|must\s+be|has\s+to\s+be)(?:\s+(?:therefore|thus|then|hence|clearly|indeed|simply|exactly"
    r"|precisely|obviously|consequently|accordingly|plainly|best|(?:best\s+)?(?:described|captured|expressed|shown|given|stated|illustrated|explained"
    r"|represented|summari[sz]ed|depicted|found|listed|contained|answered|supported)\s+(?:in|by|as)|correctly\s+(?:described|given|stated|shown)"
    r"\s+(?:in|by)))*"
    r"|(?:belongs|corresponds|leads|points?|brings|led|brought|pointed|goes|comes\s+down|narrows\s+down|boils\s+down)(?:\s+(?:us|me|you|directly|clearly|straight|back))*\s+(?:to|towards)"
    r"|(?:matches|fits|supports|favou?rs|confirms|describes|identifies|indicates|suggests|illustrates|justifies|singles\s+out"
    r"|selects|agrees\s+with|is\s+consistent\s+with|is\s+in\s+line\s+with|tallies\s+with)"
    r"(?:\s+(?:best|exactly|precisely|perfectly|only|the\s+(?:\w+\s+)?(?:description|statement|wording|definition|value|figure|picture|graph)\s+(?:in|of|given\s+in)))*"
    r"|leaves(?:\s+(?:us|me))?(?:\s+(?:with|only|just))*"
    r"|(?:I|we|you|one)(?:['’](?:d|ll)|\s+(?:would|will|should|must|can|have\s+to|am\s+going\s+to))?\s+(?:(?:therefore|thus|then|confidently|safely|clearly|now)\s+)*"
    r"(?:go\s+(?:with|for)|pick|choose|select|mark|tick|circle|take|opt\s+for|settle\s+(?:on|for)|answer(?:\s+with)?))"
)
"""Verbs whose complement is what is chosen."""
_NOUNS: Final = (
    r"(?:answer|option|choice|one|statement|alternative|pick|completion|response|match|candidate|solution|selection)"
)
_PRAISE: Final = (
    r"(?:right|valid|sound|correct|best|true|proper|appropriate|accurate|suitable|only|sole|likely|plausible)"
)
_FOR: Final = r"(?:\s+(?:here|for|of|to|in|among|that|which|whose|with|we|you|i)\b[^,;:]*)?"
_BEFORE: Final = re.compile(
    r"\b(?:not|cannot|never|no|nor|neither|none|nobody|nothing|hardly|without|except|excluding|besides|apart|aside|unlike|rather|instead|if|unless|whether|would|could|might|(?-i:may)|perhaps"
    r"|maybe|possibly|probably|presumably|suppos\w*|assum\w*|imagin\w*|pretend\w*|claims?|claimed|says?|said|argu\w+|think\w*|thought|believ\w*|guess\w*"
    r"|hop\w+|wish\w*|doubt\w*|den(?:y|ies|ied)|wrong\w*|incorrect\w*|false|mistak\w*|misread\w*|misle\w*|error\w*|confus\w*|mix\w*|trap|distractor\w*|decoy|lure\w*|tempt\w*|tricky|pitfall|slips?|blunder|oversight|fallacy|misconception|myth"
    r"|attractive|appealing|popular|commonly|careless\w*|hast\w+|naive\w*|superficial\w*|novices?|beginners?|students?|pupils?|readers?|people|candidates|examinees|many|some|several|others?|another"
    r"|author|key|according\s+to|told|reports?|reported|textbook|teacher|friend|classmates?|neighbou?r|opponents?|critics?|colleague|rejects?|rejected|(?<!process\sof\s)(?<!by\s)eliminat\w*|exclud\w*|rul(?:e|es|ed|ing)\s+out|discard\w*|dismiss\w*|disqualif\w*|refut\w*"
    r"|contradict\w*|violat\w*|disprov\w*|first|second|third|next|worst|old|previous|runner|close(?:st)?|closer|almost|nearly|initially|originally|formerly|previously|at\s+first|once|opposite|contrary|converse"
    r"|than|similar\w*|compar\w*|like|versus|vs|difference|different|weak\w*|problem|trouble|flaw\w*|drawback|defect|fault|issue|objection|reason\s+(?:against|for)|example|instance|premise|given|but|however|although|though|while|whereas|yet|too|also|both|either|or|half|twice"
    r"|least|fewer|less|lower|last|leaves?\s+(?:out|aside|behind)|unsure|uncertain|difficult|tough|seems?|seemed|appears?|looks|looked|sounds?|partly|partially|so\s+far|ought|should)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
"""Words of a clause with which the label behind them may not be chosen: denial, doubt, report, comparison, fault."""
_ASKED_FOR: Final = re.compile(
    r"^(?:so|thus|hence|therefore|accordingly|consequently)?,?\s*(?:what|the\s+(?:only\s+)?[a-z]+\s+(?:that|which|who))\s+"
    r"(?:is|are|was|does|do|has|have|need|must|can)(?:n['’]t|\s*not|\s+never)\s+(?!(?:fit|work|hold|match|apply|help|survive|qualify|count)\b)[^,;:?]{2,80}?\s+(?=(?:is|are)\b)",
    re.IGNORECASE,
)
"""A question for what is not so, said again: `what isn't needed is`."""
_CHOICE: Final = re.compile(
    r"\b(?:answers?|choices?|options?|picks?|guess|selection|response|solution|vote|favou?rite)\W*$", re.IGNORECASE
)
"""Subjects of which `labels` knows what may be said of them."""
_SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|whether|would|could|might|(?-i:may)|perhaps|maybe|possibly|probably|suppos\w*|assum\w*|claims?|says?|argu\w+|thinks?|believes?|some|many|students?|wrong\w*|mistak\w*)\b|\?",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"^[)\]\s]*(?P<words>\((?![A-Za-z]\))[^()]{1,160}\))?\s*(?:alone|only|best|in\s+the\s+list|here|above)?\s*(?:[.!]*$"
    r"|(?P<rest>(?:[,;:–—]|\s-\s|\b(?:because|since|as|due|where|which|whose|given|for)\b).*))"
)
"""What may stand behind the label that ends a clause: its words, then a remark."""
_REMARK: Final = re.compile(
    r"^\W*(?:$|(?:for\s+(?:instance|example)|because|since|as|due|which|where|whose|given|with|caused|namely|e\.g\.|i\.e\.|after|by|from|in|at)\b)",
    re.IGNORECASE,
)
"""How what stands behind a label in brackets goes on where it says no more of the answer."""
_UNSETTLES: Final = re.compile(
    r"\b(?:or|(?:said|says?|claims?|thinks?|believes?|argues?)\s+(?:my|the|an?|some|many|one)|not\s+(?:sure|certain|quite)|if|unless|maybe|perhaps|possibly|probably|might|may|could|would|wrong|incorrect|false|fails?|trap|distractor|out|eliminated|excluded|rejected|but"
    r"|however|although|though|yet|actually|wait|sorry|while|whereas|which\s+(?:is|was)\s+not|else|otherwise|correction|instead|question|asked|asks)\b|n['’]t\b|\?|→",
    re.IGNORECASE,
)
_INTRODUCED: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|accordingly|consequently|overall|altogether|in\s+(?:short|summary|conclusion|total|all|other\s+words)|all\s+in\s+all|finally|indeed|putting[^,]{0,40}|to\s+sum\s+up)\b[\s,:]*)+",
    re.IGNORECASE,
)
_DRAWN: Final = re.compile(
    r"(?:[,;:–—]\s*(?:and\s+)?|\band\s+)(?:so|thus|hence|therefore|consequently)\b,?\s*|;\s+|:\s+", re.IGNORECASE
)
_SETTING: Final = re.compile(
    r"^\W*(?:among|amongst|of|out\s+of|from|based\s+on|in|under|at|on|for|with|considering|comparing|combining|using|judging\s+by|going\s+by|by)\s+(?:the|these|those|this|all|our|its)\b(?P<said>[^,;:?]{2,80}),\s+(?=\S)",
    re.IGNORECASE,
)
"""Where it is so, before the main clause: `among the options,`."""
_ELSEWHERE: Final = re.compile(
    r"\b(?:other|opposite|contrary|reverse|different|similar|second|first|absence|lack|original|old|previous|view|opinion|case|eyes)\b",
    re.IGNORECASE,
)
"""Words of a setting that is not the question's."""
_GIVEN: Final = re.compile(r"^\W*(?:since|because|as|given\s+that|with)\b[^,;]{3,200},\s*(?=\S)", re.IGNORECASE)
_MENTION: Final = (
    r"(?:(?i:{option})\s+[(\[]?(?:{one})\b[)\]]?|[(\[](?:(?i:{option})\s+)?(?:{one})[)\]]"
    r"|(?<![\w'’\\^_-])(?:{one})(?![\w'’^_]|-\w|\s+[a-z]))"
)
_LATEST: Final = 6
"""Sentences from the end in which a label may be chosen."""
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True)
class _Forms:
    """Patterns for a set of labels. In each, the group `label` is the one that is chosen."""

    mentioned: re.Pattern[str]
    complement: re.Pattern[str]
    made: re.Pattern[str]
    announced: re.Pattern[str]
    bracketed: re.Pattern[str]
    subject: re.Pattern[str]


@lru_cache(maxsize=64)
def _forms(choices: tuple[str, ...]) -> _Forms:
    labels = "[" + "".join(map(re.escape, choices)) + "]"
    one = rf"(?P<label>{labels})(?![A-Za-z0-9'’_^]|-\w)"
    label = rf"(?:(?i:the\s+)?(?i:{_OPTION})\s+)?[(\[]?{one}[)\]]?"
    return _Forms(
        mentioned=re.compile(_MENTION.format(option=_OPTION, one=labels)),
        complement=re.compile(rf"^(?P<lead>.{{3,400}}?\s)(?i:{_LINK})\s*:?\s+{label}(?P<behind>.*)$", re.DOTALL),
        made=re.compile(
            rf"^(?P<lead>.{{3,400}}?)[,;–—-]\s*(?i:(?:so\s+|thus\s+|and\s+)?(?:which|this|that|thereby|thus)?\s*(?:makes|making|leaving|leaves|singles\s+out|singling\s+out))\s+{label}\s+(?:as\s+)?"
            rf"(?i:(?:the|our)\s+(?:(?:{_PRAISE}|single|one|most)\s+)*(?:{_NOUNS}|(?<=[a-z]\s)(?<!the\s)(?<!our\s)(?!distractor|trap|lure|decoy|guess|foil|way|side|hand)[a-z]+))"
            rf"(?P<behind>{_FOR}[.!]*)$",
            re.DOTALL,
        ),
        announced=re.compile(
            rf"^(?P<lead>[^:]*\b(?i:{_PRAISE}|{_NOUNS}|holds?|works?|fits?|remains?|survives?|left|conclusion|verdict|result|diagnosis)\b[^:]{{0,80}}):\s*{label}(?P<behind>.*)$",
            re.DOTALL,
        ),
        bracketed=re.compile(
            rf"^(?P<lead>.{{3,400}}?(?:\b(?:is|are|was|were|equals|called)|\bpoints?\s+(?:to|towards)|(?i:{_LINK}))\s.{{2,200}}?)\s*\((?i:(?:this\s+is|that\s+is|i\.e\.|so|hence|thus)\s+)?(?:(?i:{_OPTION})\s+)?{one}\)(?P<behind>.*)$",
            re.DOTALL,
        ),
        subject=re.compile(
            rf"^(?P<lead>){label}(?:\s*\([^()]{{1,120}}\)|,\s[^,]{{1,80}},)?\s+(?i:(?:should|must|has\s+to|is\s+to)\s+be\s+(?:selected|chosen|picked|marked|ticked|circled|taken)(?=[.!]*$|\s+(?:here|because|since)\b)|(?:alone\s+|only\s+)?(?:best|most\s+(?:accurately|clearly|closely|directly|precisely|nearly|completely)|correctly|accurately|exactly|precisely)\s+\w+s\b"
            rf"|is\s+(?:(?:therefore|thus|hence|clearly|indeed|consequently)\s+)?(?:the\s+)?(?:most\s+(?:consistent|compatible|accurate|precise|appropriate|plausible|likely|reasonable|suitable|probable|defensible|strongly\s+supported)|best\s+(?:supported|described|choice|answer|option)"
            rf"|(?:{_PRAISE}\s+)+{_NOUNS}|(?:right|correct|best)|the\s+{_NOUNS}\s+(?:(?:that\s+)?(?:we|you)|to\s+(?:mark|choose|pick|select|tick|circle|take))\b)(?=\s*(?:[.,;:!]|$|(?:that|which|here|because|since|as|for|of|among|with)\b))|(?:holds|it\s+is)(?=[.!]*$)|(?:reflects|expresses|says|states|describes|captures|shows|matches|gives|fits)\s+(?:exactly\s+|just\s+|precisely\s+)?(?:this|that)(?=[.!]*$)"
            rf"|[\w-]+s\s[^.;?]{{3,160}}\band\s+(?:is\s+)?(?:therefore|thus|hence|so)\s+(?:is\s+)?the\s+(?:{_PRAISE}\s+){{1,3}}{_NOUNS})(?P<behind>.*)$",
            re.DOTALL,
        ),
    )


def chosen_label(sentences: Sequence[str], choices: tuple[str, ...], behind: int = -1) -> tuple[int, str] | None:
    """The place and the label of the last sentence that chooses one, of those after `behind`.

    None where a later sentence names a label in another role than a rejected one.
    """
    forms = _forms(choices)
    for place in range(len(sentences) - 1, max(behind, len(sentences) - 1 - _LATEST), -1):
        sentence = sentences[place].strip()
        if len(sentence) > _LONGEST:
            return None
        ends = all(opens_aside(later) for later in sentences[place + 1 :])
        label = _chosen_in(sentence, forms, ends=ends)
        if label is not None:
            return place, label
        if _mentions(sentence, forms) and not _is_beside(sentence):
            return None
    return None


def unsettles(behind: str) -> bool:
    """Whether words behind a label or a choice's text unsettle it."""
    return _UNSETTLES.search(behind) is not None


def _mentions(sentence: str, forms: _Forms) -> bool:
    return forms.mentioned.search(sentence) is not None


def _is_beside(sentence: str) -> bool:
    """Whether a sentence that names a label only rejects or supposes it."""
    return supposes_another(sentence) or _BEFORE.search(sentence) is not None


def _chosen_in(sentence: str, forms: _Forms, *, ends: bool) -> str | None:
    """The label that a sentence chooses by its form; one in brackets only in the sentence that `ends` a response."""
    if "?" in sentence or supposes_another(sentence):
        return None
    starts = [0, *(found.end() for found in _DRAWN.finditer(sentence))]
    for start in starts[::-1]:
        clause, earlier = sentence[start:], sentence[:start]
        if _SUPPOSED.search(earlier):
            continue
        clause = _INTRODUCED.sub("", _GIVEN.sub("", _INTRODUCED.sub("", clause)))
        setting = _SETTING.match(clause)
        if setting is not None and not _ELSEWHERE.search(said := setting["said"]) and not _mentions(said, forms):
            clause = clause[setting.end() :]
        label = _by_form(clause.strip(), forms, ends=ends)
        if label is not None:
            return label
    return None


def _by_form(clause: str, forms: _Forms, *, ends: bool) -> str | None:
    """The label of the first form that a clause has, where no word beside it changes it and no other label is named."""
    every = (
        ("made", forms.made),
        ("subject", forms.subject),
        ("complement", forms.complement),
        ("announced", forms.announced),
    )
    for name, pattern in (*every, ("bracketed", forms.bracketed)) if ends else every:
        found = pattern.match(clause)
        if found is None:
            continue
        lead, behind = found["lead"], found["behind"]
        said = "" if name == "complement" and _ASKED_FOR.match(f"{lead}is ") else lead
        if name == "complement" and _CHOICE.search(lead):
            continue
        if (_SUPPOSED if name == "made" else _BEFORE).search(said) or _UNSETTLES.search(behind):
            continue
        after = _BEHIND.match(behind)
        if name not in ("made", "subject") and after is None:
            continue
        if name == "bracketed" and after is not None and not _REMARK.match(after["rest"] or ""):
            continue
        if _letters(lead if name == "made" else f"{lead} {behind}", forms) - {found["label"]}:
            continue
        return found["label"]
    return None


def _letters(text: str, forms: _Forms) -> set[str]:
    """The labels that a text names."""
    return {re.sub(r"[^A-Za-z]", "", found[0])[-1] for found in forms.mentioned.finditer(text)}
