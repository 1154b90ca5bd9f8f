"""Long responses from templates: the right value in each ending, distractors in the body and in the remarks."""

import itertools
import random
from dataclasses import dataclass

OPENINGS = [
    "Let us set up the problem. We write $x$ for the unknown and note that {wrong} cases might seem relevant at first.",
    "First, recall the definitions. With $0<x<1$ the naive estimate would be {wrong}.",
    "We split the argument into steps.\n\n1. Simplify the expression.\n2. Compare with {wrong}.\n3. Conclude.",
    "| step | value |\n| --- | --- |\n| 1 | {wrong} |\n| 2 | 17 |\n\nThe table shows intermediate values only.",
    "```python\nprint({wrong})\n```\n\nThe program gives a first impression, nothing else.",
    "A common wrong answer is {wrong}. Let us see why it fails.",
    "### Setup\n\nWe know that $$y = {wrong}$$ holds for the smaller case.",
    "My first attempt gave {wrong}, but I had dropped a factor.",
    "<think>Maybe it is {wrong}. The answer is {wrong}.</think>",
    "> Someone claims the answer is {wrong}.\n\nWe check this claim.",
    "Suppose for contradiction that the value were {wrong}.",
    "By Theorem {wrong}, the sequence is monotone.",
]
ENDINGS = [
    "Therefore, the required value is {right}.",
    "The answer is {right}.",
    "Thus the final answer is **{right}**.",
    "ANSWER: {right}",
    "### Final Answer\n\n$${right}$$\n\n$\\blacksquare$",
    "**Answer**\n{right}",
    "So we obtain\n$$T = {right}.$$",
    "Hence $T = {right}$.",
    "**{right}**",
    "$$\\boxed{{{right}}}$$",
    "We conclude that $T={right}$, since all other cases are excluded.",
    '```json\n{{"answer": "{right}"}}\n```',
    "<answer>{right}</answer>",
    "#### {right}",
    "The answer is ${right}$ (compare ${wrong}$ for the smaller case).",
    "The answer is {right}, not {wrong}.",
    "The answer is {right} rather than {wrong}.",
    "It follows that the value is {right}, as required.",
    "Putting everything together, we get {right}.",
    "Final answer: $T = {right}$",
    "The correct answer is {right} because the case {wrong} is excluded by Lemma {wrong}.",
    "In conclusion, the value is {right}. This differs from the naive value {wrong}.",
    "Die Antwort ist {right}.",
    "La respuesta es {right}.",
    "答案是{right}。",
]
VALUES = [
    ("132", "17"),
    ("3.2", "4.5"),
    ("-7", "7"),
    ("\\frac{3}{4}", "\\frac{4}{3}"),
    ("2\\sqrt{5}", "20"),
    ("x^2+1", "x^2-1"),
]


@dataclass(frozen=True)
class LongResponse:
    """A response, its right value and the value it mentions beside."""

    text: str
    right: str
    wrong: str


def _in(template: str, right: str, wrong: str) -> str:
    """A template with its values, between dollars where they are formulas among words."""
    dressed = "$" not in template and "json" not in template and "`" not in template
    values = [
        f"${each}$" if (dressed and "\\" in each) or (dressed and "^" in each) else each for each in (right, wrong)
    ]
    return template.format(right=values[0], wrong=values[1])


def long_responses(count: int, seed: int) -> list[LongResponse]:
    """`count` responses, each ending as often as any other, with one to three openings in front."""
    chance = random.Random(seed)
    found = []
    for ending in itertools.islice(itertools.cycle(ENDINGS), count):
        right, wrong = chance.choice(VALUES)
        body = [_in(opening, right, wrong) for opening in chance.sample(OPENINGS, chance.randint(1, 3))]
        body.sort(key=lambda part: "<think>" not in part)
        found.append(LongResponse("\n\n".join([*body, _in(ending, right, wrong)]), right, wrong))
    return found
