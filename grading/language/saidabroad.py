"""That there is no solution and that a claim is true or false, said in other languages, in the words of English."""

import re
from functools import lru_cache
from typing import Final

from grading.language import words
from grading.language.tree import NamedSet

_REAL: Final = r"(?:(?:re[ae]l+e[ns]?|réelles?|reales|real|reais|reali|reële|действительных|вещественных)\s+)?"
_REAL_BEHIND: Final = r"(?:\s+(?:réelles?|real(?:es)?|reais|reali?))?"
_NONE: Final = re.compile(
    rf"\bkeine\w*\s+{_REAL}(?:Lösung(?:en)?|Nullstellen?)\b|\b(?:nicht\s+lösbar|unlösbar)\b|\bLösungsmenge\s+ist\s+(?:daher\s+|also\s+)?(?:leer\b|die\s+leere\s+Menge)"
    rf"|\b(?:n['’](?:a|ont|admet|existe|y\s+a)|ne\s+possède)\s+(?:donc\s+)?(?:pas\s+de|aucune)\s+(?:solutions?|racines?){_REAL_BEHIND}\b"
    rf"|\b(?:aucune|pas\s+de)\s+(?:solutions?|racines?){_REAL_BEHIND}\b|\bensemble\s+(?:des\s+solutions\s+est\s+)?(?:l['’]ensemble\s+)?vide\b"
    rf"|\bno\s+(?:tienen?|posee|hay|existen?|admite)\s+(?:ninguna\s+)?(?:solución|soluciones|raíces){_REAL_BEHIND}\b|\bsin\s+solución{_REAL_BEHIND}\b"
    rf"|\b(?:não\s+(?:tem|têm|possui|há|existem?|admite)|sem|nenhuma)\s+(?:nenhuma\s+)?(?:solução|soluções|raízes){_REAL_BEHIND}\b"
    rf"|\b(?:non\s+(?:ha|hanno|ammette|esistono|esiste|ci\s+sono)|nessuna|senza)\s+(?:alcuna\s+|nessuna\s+)?(?:soluzion[ei]|radici){_REAL_BEHIND}\b"
    rf"|\bgeen\s+{_REAL}oplossing(?:en)?\b"
    rf"|(?:\bне\s+имеет|\bнет)\s+{_REAL}(?:решений|корней)\b|\b{_REAL}(?:решений|корней)\s+нет\b"
    r"|(?:没有|沒有|不存在|[无無])(?:实数|實數|实|實|任何)?(?:解|根)"
    r"|(?:実数)?(?:解|実根|根)(?:[はがも]|を)?(?:存在し|あり|持ち|もち|持た|もた|な)(?:ません|ない|し(?=[。．.\s]|$)|い(?=[。．.\s]|$))"
    r"|(?:해|실근|근)(?:가|이|는|은)?\s*(?:없(?:다|음|습니다)|존재하지\s*않)",
    re.IGNORECASE,
)
_OTHERWISE: Final = re.compile(
    r"\b(?:wenn|falls|für(?!\s+(?:all|jede))|außer\w*|sondern|nicht\s+(?:wahr|richtig)|behaupt\w*|si(?!\w)|pour(?!\s+tou)|sauf|hormis|mais|faux|para(?!\s+tod)|salvo|excepto|sino|falso|se(?!\w)|per(?!\s+ogni)|tranne|als|voor"
    r"|behalve|stimmt\s+nicht|falsch|no\s+es\s+(?:cierto|verdad)|non\s+è\s+vero|não\s+é\s+(?:verdade|certo)|scheint|semble|parece|sembra|если|при|кроме|неверно|if|for|unless|except)\b"
    r"|如果|若|假设|假如|除|时|時|当|當|不是|错|誤|もし|なら|場合|とき|以外|とは|わけ|こと|限ら|않은|아니|경우|때|제외|\?|？",
    re.IGNORECASE,
)
"""What bounds, conditions or denies it."""
_SOLVED: Final = re.compile(r"=|lösung|solu[cçzt]|oplossing|решени|解|根|해", re.IGNORECASE)
_EMPTY_NOW: Final = re.compile(r"[A-Za-z\\{}\s]{0,20}=\s*(?:\\emptyset|\\varnothing|∅|\\?\{\s*\\?\})")
_EMPTY: Final = re.compile(
    r"[\s$]*(?:(?:\\mathbb\s?\{?)?[A-Z]\}?\s*=\s*)?(?:\\emptyset|\\varnothing|∅|\\\{\s*\\\}|\{\s*\})[\s$.]*"
)
_TRUE: Final = (
    r"richtig|wahr|korrekt|vraie?|correcte?|juste|verdader[ao]|correct[ao]|ciert[ao]|ver[ao]|corrett[ao]|giust[ao]|verdadeir[ao]|cert[ao]|juist|waar"
    r"|верн[оа]|правильно|истинно|正确|正確|成立|对|對|真|正しい|참|옳다|맞다"
)
_FALSE: Final = (
    r"falsch|unwahr|nicht\s+(?:richtig|wahr|korrekt)|faux|fausse|incorrecte?|fals[ao]|incorrect[ao]|errad[ao]|sbagliat[ao]|onjuist|onwaar|невер[нао]{1,2}"
    r"|неправильно|ложно|错误|錯誤|不正确|不正確|错|錯|不成立|不对|不對|假|誤り|間違い|正しくない|偽|거짓|틀리다"
)
_CLAIM: Final = re.compile(
    r"(?:(?:答(?:案)?|antwort|réponse|respuesta|risposta|resposta|ответ)\s*[:：]\s*)?(?:(?:also|daher|somit|donc|ainsi|por\s+(?:lo\s+)?tanto|portanto|quindi|dunque"
    r"|итак|所以|因此|故|よって|したがって)[,，、]?\s*)?"
    r"(?:(?:(?:die|diese|der|dieser)\s+(?:aussage|behauptung|satz)|das|es)\s+ist\s+(?:daher\s+|somit\s+|also\s+)?"
    r"|(?:l['’](?:affirmation|énoncé)|(?:cette|la|ce)\s+(?:affirmation|proposition))\s+est\s+(?:donc\s+)?|c['’]est\s+"
    r"|(?:la|esta|a|essa|l['’]|questa\s|lo\s)\s?(?:afirmación|proposición|afirmação|proposição|affermazione|proposizione)\s+(?:es|é|è)\s+(?:quindi\s+|por\s+tanto\s+)?|(?:es|é|è)\s+"
    r"|(?:de|deze)\s+(?:bewering|uitspraak|stelling)\s+is\s+|(?:это\s+)?(?:утверждение|высказывание)\s+|это\s+"
    r"|(?:[该該此这這]个?|这句|這句|题中|題中|上述|本题|原|以上)?(?:说法|說法|命题|命題|结论|結論|判断|判斷|表述|陈述|描述|观点|叙述|话|話)\s*(?:是|为)?\s*"
    r"|(?:この|その|上記の)?(?:記述|命題|文|主張|説明|文章)は\s*)?"
    rf"(?:(?P<false>{_FALSE})|(?P<true>{_TRUE}))(?:的|です|である|だ)?(?P<rest>\s*(?:$|[,，、。.;；:：!！—–(（]|\s(?:car|weil|denn|ya|porque|perché|pois)\b).*)",
    re.IGNORECASE | re.DOTALL,
)
_TURNS: Final = re.compile(
    rf"\b(?:aber|wenn|falls|nur|sofern|mais|si|seulement|sauf|que|pero|solo|sólo|salvo|ma|se|tranne|mas|exceto|maar|als|но|если|только|{_TRUE}|{_FALSE})\b"
    r"|但|不过|然而|只有|仅|如果|若|当|假|错|对的|正确|しかし|ただし|もし|なら|場合|とき|\?|？",
    re.IGNORECASE,
)
_REASONED: Final = re.compile(r"\b(?:ya|puesto|dado|parce|visto)\s+que\b", re.IGNORECASE)
_CJK: Final = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_WAY: Final = (
    r"(?:[竖豎]直|水平|垂直|沿[^\s,，。)）]{1,8})?(?:[向朝]|指向)?(?:正|[竖豎]直|水平)*"
    r"(?:上|下|左|右|东|東|西|南|北|内|外|前|后|[圆円]心)(?:方|側|侧)?(?:向き|方向|向)?"
)
_POINTING: Final = re.compile(
    rf"\s*[（(]\s*(?:方向\s*[:：为是]?\s*)?{_WAY}\s*[)）]|[,，、;；]\s*(?:其|且|并且)?(?:方向|向き)\s*[:：为是は]?\s*{_WAY}(?:である|です)?(?=\s*(?:[。.]|$|\n))"
)
_END: Final = re.compile(r"(?<=[.!。！?？])\s*|\n+")
_LONGEST, _TRUTH = 400, 20


def is_unsolvable(text: str) -> bool:
    """Whether a text of another language says at its end, without a condition, that there is no solution."""
    said = text.replace("*", "").strip()
    said = said if len(said) <= _LONGEST else said.rpartition("\n")[2]
    found = list(_NONE.finditer(said)) if len(said) <= _LONGEST else []
    if not found:
        return False
    first, last = found[0], found[-1]
    sentence = _END.split(said[: first.start()])[-1] + _END.split(said[first.end() :], maxsplit=1)[0]
    behind = _EMPTY_NOW.sub("", "".join(_END.split(said[last.end() :], maxsplit=1)[1:]))
    return _OTHERWISE.search(sentence) is None and _SOLVED.search(behind) is None


def without_direction(gold: str, text: str) -> str:
    """A quantity without where it points in Chinese, Japanese or Korean, which a gold in other signs does not say."""
    return text if text.isascii() or _CJK.search(gold) else _POINTING.sub("", text)


@lru_cache(maxsize=512)
def _is_nothing(gold: str) -> bool:
    return _EMPTY.fullmatch(gold) is not None or words.phrase(gold) == NamedSet("empty")


def without_solution(gold: str, text: str) -> tuple[str, str] | None:
    """A gold that says in whatever language that there is no solution, and an answer that does, in English."""
    abroad = _NONE.fullmatch(gold.strip(" .。")) is not None
    if not abroad and not _is_nothing(gold):
        return None
    said = "no solution" if is_unsolvable(text) or _EMPTY.fullmatch(text) is not None else text
    return "no solution" if abroad else gold, said


def truth(text: str) -> str | None:
    """`true` or `false` that a text of another language says of a claim; None of any other text."""
    text = text.replace("*", "").strip()
    sentences = [part for part in _END.split(text[-_LONGEST:]) if part.strip()]
    if not sentences or _CLAIM.match(sentences[0]):
        return _judged(text) if len(text) <= _LONGEST else None
    return _judged(sentences[-1])


def _judged(text: str) -> str | None:
    found = _CLAIM.fullmatch(text.strip())
    if found is None or _TURNS.search(_REASONED.sub("", found["rest"])):
        return None
    return "true" if found["true"] else "false"


@lru_cache(maxsize=512)
def _truth_of(gold: str) -> str | None:
    known = {"true": "true", "false": "false", "correct": "true"}.get(words.plain(gold))
    return known or ((truth(gold) or {"√": "true", "×": "false"}.get(gold.strip())) if len(gold) <= _TRUTH else None)


def in_english(gold: str, text: str) -> tuple[str, str] | None:
    """Gold and answer in English where the gold says a truth, or that there is no solution; None of other golds."""
    expected = _truth_of(gold)
    if expected is None:
        return without_solution(gold, text)
    said = truth(text)
    return None if said is None else (expected, said)
