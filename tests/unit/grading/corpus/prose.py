"""Dresses around the formula: the sentence that commits to it, in several languages, and the response it ends."""

import json
from random import Random

from tests.unit.grading.corpus.drafts import Draft, Dress, Maker, Stage

SENTENCES: dict[str, tuple[str, ...]] = {
    "the answer is": ("The answer is {}.", "So the answer is {}.", "Thus, the final answer is {}"),
    "we get": ("Therefore we get {}.", "Hence, we obtain {}.", "We conclude that the required value is {}."),
    "answer line": ("ANSWER: {}", "**ANSWER:** {}", "Answer: {}", "answer: {}."),
    "bold final answer": ("**Final answer:** {}", "**Final Answer**: {}"),
    "reason after": (
        "The answer is {}, since all other cases are impossible.",
        "The answer is {} because the remaining 3 cases are symmetric.",
        "The answer is {} (see Lemma 2).",
        "Therefore the answer is {}, as claimed.",
    ),
    "not the other": ("The answer is {}, not {rival}.", "The answer is {} rather than {rival}."),
    "german": ("Die Antwort lautet {}.", "Somit ist das Ergebnis {}.", "Antwort: {}"),
    "french": ("La réponse est {}.", "La réponse finale est donc {}.", "Réponse : {}"),
    "spanish": ("La respuesta es {}.", "Por lo tanto, la respuesta final es {}.", "Respuesta: {}"),
    "chinese": ("答案是{}。", "因此，答案为 {}。", "最终答案：{}"),
    "japanese": ("答えは {} です。", "したがって、答えは{}である。", "答え：{}"),
}
CHOICE_SENTENCES: dict[str, tuple[str, ...]] = {
    "label": ("{}", "({})", "{})", "**{}**", "**({})**", "{}.", r"\boxed{{{}}}", r"$\boxed{{\text{{{}}}}}$"),
    "the choice is": (
        "The correct answer is {}.",
        "The correct option is **({})**.",
        "So the best answer is {}.",
        "I choose {}.",
        "Answer: {}",
        "ANSWER: ({})",
        "**Final answer: {}**",
    ),
    "choice with a reason": (
        "The answer is {} because the second element is missing.",
        "{} is correct: both requirements are met.",
        "The best choice is ({}), since the exception does not apply.",
        "The answer is {}, not {rival}.",
    ),
    "choice in other words": (
        "Die richtige Antwort ist {}.",
        "La bonne réponse est {}.",
        "正确答案是 {}。",
        "正解は{}です。",
    ),
}
_BEFORE = {
    "steps before": "A naive attempt would give {rival}.\n\nSimplifying, the terms cancel.\n\n{}",
    "think block": "<think>\nMaybe {rival}? Let me check again. No, a factor was lost.\n</think>\n{}",
    "code before": "```python\ntotal = sum(k for k in range(10))\nprint(total)\n```\n\nIt checks small cases.\n\n{}",
    "table before": "| case | value |\n|---|---|\n| 1 | {rival} |\n| 2 | cancels |\n\n{}",
    "list before": "1. Write down the constraint.\n2. One point gives {rival}, which is excluded.\n3. Compare.\n\n{}",
    "quote before": "> A previous attempt gave {rival} and was marked wrong.\n\nThe attempt forgot one case.\n\n{}",
    "answer heading": "## Solution\n\nNote that {rival} is only an upper estimate.\n\n## Final Answer\n\n{}",
    "correction": "My first result was {rival}, but I made an arithmetic mistake. Redoing the computation:\n\n{}",
}
_AFTER = {
    "remark after": "{}\n\nThis agrees with a numerical check of 3 small cases.",
    "proof ends": "{} $\\blacksquare$",
    "kind words after": "{}\n\nI hope this helps!",
}


def _one_of(patterns: tuple[str, ...], *, choice: bool) -> Maker:
    def make(draft: Draft, rng: Random) -> str | None:
        pattern = rng.choice(patterns)
        odd = draft.text.startswith("\\begin{align") and not pattern.endswith(" {}.")
        if (draft.gold.shape == "choice") is not choice or odd:
            return None
        return pattern.format(draft.text, rival=draft.rival)

    return make


def _before(pattern: str) -> Maker:
    return lambda draft, _: pattern.format(draft.text, rival=draft.rival)


def _after(pattern: str) -> Maker:
    """Follows what commits by itself: a sentence or a box, never a value that merely stands there."""
    return lambda draft, _: pattern.format(draft.text) if not draft.lone or "\\boxed" in draft.text else None


def _second_box(draft: Draft, _: Random) -> str | None:
    if not draft.lone or draft.gold.shape == "choice" or any(sign in draft.text for sign in ("$", "\\[", "\\(", "\n")):
        return None
    return f"Case 1 gives $\\boxed{{17}}$ as a partial result.\n\nAltogether:\n\n$\\boxed{{{draft.text}}}$"


def _stands_alone(pattern: str) -> Maker:
    """For places that hold the value and nothing else."""
    return lambda draft, _: pattern.replace("{}", draft.text) if draft.lone else None


def _json(draft: Draft, _: Random) -> str | None:
    return f"The rest follows.\n\n```json\n{json.dumps({'answer': draft.text})}\n```" if draft.lone else None


def _value_after(draft: Draft, _: Random) -> str | None:
    fits = not draft.lone and draft.gold.shape != "choice" and "\n" not in draft.text
    return f"{draft.text}\n\n(With the other sign one would find {draft.rival}.)" if fits else None


PROSE_DRESSES: tuple[Dress, ...] = (
    *(Dress(name, Stage.SENTENCE, _one_of(patterns, choice=False)) for name, patterns in SENTENCES.items()),
    *(Dress(name, Stage.SENTENCE, _one_of(patterns, choice=True)) for name, patterns in CHOICE_SENTENCES.items()),
    *(Dress(name, Stage.RESPONSE, _before(pattern)) for name, pattern in _BEFORE.items()),
    *(Dress(name, Stage.RESPONSE, _after(pattern)) for name, pattern in _AFTER.items()),
    Dress("earlier box", Stage.RESPONSE, _second_box),
    Dress("answer tag", Stage.RESPONSE, _stands_alone("Let me think step by step.\n\n<answer>{}</answer>")),
    Dress("hash marks", Stage.RESPONSE, _stands_alone("She keeps the rest.\n\n#### {}")),
    Dress("final json", Stage.RESPONSE, _json),
    Dress("other value after", Stage.RESPONSE, _value_after),
)
"""Every dress around a formula or a label."""
