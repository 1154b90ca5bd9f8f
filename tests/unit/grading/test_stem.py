"""Our stemmer and ROUGE-L against the packages they agree with, and our word tokens against NLTK's."""

import random

import pytest

from grading.matching.overlap import rouge_l
from grading.matching.stem import stem
from grading.webarena.matching import word_tokens

TEXT = "5 $0.00 7, don't John's (3) 4. a:b 3:45 \"5\" '5' it's cannot 10% ... #9 ok! no? end. x--y ' 1,000 5's we'll"
BITS = f"{TEXT} gonna 2\" [8] 6; ’s “7” e.g. dogs' C&A m@x".split()
SUFFIXES = "ational tional alli bli logi ied ies eed ed ing ement ion ll y fulli ness e ss at iz ative ful ent ism s ly"

KNOWN = """skies dying news inning proceed as ties died agreed hopping hoping fizzed is at a by say sky syzygy happy ied
ies feed freed need falling hissing failing filing conflated troubled sized tanned seeing being sing red bed
at ate rate roll controll controlling probate rate cease geologi apologi logi alli totally rationally formally
conditional valenci hesitanci digitizer conformabli radicalli differentli vileli analogousli vietnamization
predication operator feudalism decisiveness hopefulness callousness formaliti sensitiviti sensibiliti fulli
carefulli triplicate formative formalize electriciti electrical hopeful goodness revival allowance inference
airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption ion lion nation
homologou communism activate angulariti homologous effective bowdlerize yes yyyy ay enjoy toy tying sun sunn
xx box boxed tax taxed flow flowed rolled""".split()  # noqa: SIM905


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    stem.cache_clear()


def words(rng: random.Random, count: int) -> list[str]:
    """Made-up words with endings that the stemmer knows."""
    letters = "abdegilnostuyz"
    return ["".join(rng.choices(letters, k=rng.randint(0, 6))) + rng.choice(SUFFIXES.split()) for _ in range(count)]


def test_stems_are_those_of_nltk() -> None:
    from nltk.stem.porter import PorterStemmer

    theirs = PorterStemmer()
    sample = KNOWN + words(random.Random(5), 3000)
    assert [(word, stem(word)) for word in sample] == [(word, theirs.stem(word)) for word in sample]


def test_rouge_is_that_of_its_package() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    rng, theirs = random.Random(6), RougeScorer(["rougeL"], use_stemmer=True)
    for _ in range(80):
        pool = words(rng, 12)
        left, right = (" ".join(rng.choices(pool, k=rng.randint(0, 30))) for _ in range(2))
        assert abs(rouge_l(left, right) - theirs.score(right, left)["rougeL"].fmeasure) < 1e-12


def test_word_tokens_are_those_of_nltk() -> None:
    from nltk.tokenize import NLTKWordTokenizer

    rng, theirs = random.Random(7), NLTKWordTokenizer()
    for _ in range(250):
        # One sentence: where sentences end is ours to say.
        text = " ".join(bit for bit in rng.choices(BITS, k=6) if bit[-1] not in ".!?")
        assert word_tokens(text) == theirs.tokenize(text)
