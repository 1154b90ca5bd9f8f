"""What a host does not answer. Facts of the published rules: THUDM/AgentBench v0.2; the wording here is ours."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from envs.lateral_thinking import words

LIMIT = 0.85
MOST_WORDS = 40
LONGEST = 20_000
_FORBIDDEN = (
    *("new story", "other story", "new game", "other game", "new question", "other question"),
    *("other round", "new round", "Great job", "further question"),
)
_OPEN = frozenset({"why", "what", "who", "whom", "whose", "where", "when", "how", "which", "tell", "reveal", "explain"})
ASK = 'Go on with the story you were given: ask something that "yes", "no" or "irrelevant" can answer.'
IN_STORY = "The story says so already. Ask something else."
ASKED = "You asked that before. Ask something else."
OPEN = 'Guess for yourself: ask something that "yes", "no" or "irrelevant" can answer.'
ONE = f"Ask one thing at a time, without alternatives, in at most {MOST_WORDS} words."


def forbidden(question: str) -> bool:
    """Whether a published phrase is in it that ends the game or asks for another one."""
    return any(phrase in question for phrase in _FORBIDDEN)


def repeats_published(question: str, story_keys: Sequence[str]) -> bool:
    """As published: BLEU of one gram, of characters, against a sentence of the story is above 0.85."""
    asked = question.replace("?", ".")
    return any(unigram_bleu(key, asked) > LIMIT for key in story_keys if key.strip())


def repeats(question: str, story_keys: Sequence[str]) -> bool:
    """The same on stems of words."""
    asked = words.stems(question)
    return any(unigram_bleu(words.stems(key), asked) > LIMIT for key in story_keys if key.strip())


def hint(question: str, story_keys: Sequence[str], asked: Sequence[str]) -> str:
    """What is said in place of an answer by the fixed rules; "" where the question is answered."""
    listed = words.tokens(question)
    if not listed:
        return ASK
    if listed[0] in _OPEN:
        return OPEN
    alternatives = "or" in listed and not words.denied(question)
    if len(listed) > MOST_WORDS or alternatives or len(re.findall(r"\?+", question)) > 1:
        return ONE
    if normal(question) in asked:
        return ASKED
    return IN_STORY if repeats(question, story_keys) else ""


def normal(question: str) -> str:
    """A question as it is compared with earlier ones."""
    return " ".join(words.tokens(question))


def unigram_bleu(reference: Sequence[str], candidate: Sequence[str]) -> float:
    """BLEU of single items with the brevity penalty, equal to NLTK's with the weights (1, 0, 0, 0); 0 where nothing is
    shared."""
    there, counted = Counter(candidate), Counter(reference)
    matched = sum(min(number, counted[item]) for item, number in there.items())
    if not matched:
        return 0.0
    brevity = 1.0 if len(candidate) > len(reference) else math.exp(1 - len(reference) / len(candidate))
    return brevity * matched / len(candidate)
