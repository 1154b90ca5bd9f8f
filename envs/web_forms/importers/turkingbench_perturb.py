"""Private variants of published instances: first names changed, the same way in the page and in the answers.

Who is called what decides no label here, as long as the name stands alone: a name beside another capitalised word may
be somebody whom people know, and stays; so does one that the template's own text uses.
"""

import random
import re
from dataclasses import replace

from envs.web_forms.importers.turkingbench_read import Instance, Task

# Names with one reading only: none is also a word, a month, a place or a surname of the first rank.
SHE = (
    "Alice Anna Carol Diana Emily Emma Hannah Julia Karen Kate Laura Linda Lisa Lucy Maria Mary Nancy Sarah Susan Tina"
)
HE = "Adam Alex Andrew Ben Bob Brian Dan Daniel David Eric Greg Jack James Jeff Jim Joe John Kevin Mike Paul Peter Sam"
NEW_SHE = "Agathe Bettina Clarisse Dorothea Elspeth Friederike Gudrun Henrike Ingeborg Jolanda Katinka Leontine"
NEW_HE = "Alaric Bertram Caspian Detlef Eckhart Florian Gunther Hannes Ingo Jorrit Korbinian Leander Matthis Norbert"
POOLS = ((SHE.split(), NEW_SHE.split()), (HE.split(), NEW_HE.split()))
CAPITAL = r"[A-Z][\w'’-]*"


def perturbed(task: Task, instance: Instance, seed: int) -> Instance | None:
    """The instance with other names; None where no name can be changed without touching what a label means."""
    texts = [*instance.inputs.values(), *(answer for given in instance.answers.values() for answer in given)]
    everything = "\n".join([task.template, *texts])
    rng = random.Random(f"{seed}:{instance.id}")
    names: dict[str, str] = {}
    for old, new in POOLS:
        free = [name for name in new if not _word(name).search(everything)]
        rng.shuffle(free)
        found = [name for name in old if _stands_alone(name, task, instance)]
        names |= dict(zip(found, free, strict=False))
    if not names:
        return None
    pattern = re.compile(rf"\b({'|'.join(names)})\b")

    def changed(text: str) -> str:
        return pattern.sub(lambda match: names[match[1]], text)

    inputs = {name: changed(value) for name, value in instance.inputs.items()}
    answers = {name: tuple(map(changed, given)) for name, given in instance.answers.items()}
    return replace(instance, inputs=inputs, answers=answers)


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{name}\b", re.IGNORECASE)


def _stands_alone(name: str, task: Task, instance: Instance) -> bool:
    cells = [value for value in instance.inputs.values() if _word(name).search(value)]
    beside = re.compile(rf"{CAPITAL} {name}\b|\b{name} {CAPITAL}|[/_@#=]{name}|{name}[/_@=]")
    other = re.compile(rf"\b(?!{name}\b)(?i:{name})\b")
    return (
        bool(cells)
        and not _word(name).search(task.template)
        and not any(beside.search(cell) or other.search(cell) for cell in cells)
    )
