"""A simple scorer of the elements of a page for a task, for pages that come without one.

As a model's scorer does upstream, it only thins the page out: the questions are about the first ten.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from envs.web_browsing.dom import ID, TEXT, Node

TOP = 10
USED = {"button": 1.0, "input": 1.0, "select": 1.0, "textarea": 1.0, "a": 0.6, "label": 0.2, "option": 0.1}
SAYING = ("aria_label", "label", "title", "placeholder", "name", "value", "alt", "type")
STOP = frozenset(("the", "and", "for", "from", "with", "that", "this", "you", "your", "who", "what", "which"))
STEM = 4
UNUSED = 0.4
_WORD = re.compile(r"[^\W_]+")


def stems(text: str) -> list[str]:
    """The words of a text that say something, cut to their beginnings, so that "Orders" meets "order"."""
    return [word[:STEM] for word in _WORD.findall(text.lower()) if len(word) > 2 and word not in STOP]


def own_text(node: Node) -> str:
    """What an element says: its attributes, and the attributes and texts of what is in it."""
    return " ".join(_spoken(node))


def _spoken(node: Node) -> Iterator[str]:
    for one in node.walk():
        yield from (one.attributes[name] for name in SAYING if name in one.attributes)
        if one.tag == TEXT:
            yield one.text


def ranked(nodes: Sequence[Node], task: str, previous: Sequence[str]) -> list[str]:
    """The names of the elements, the likeliest first: by the rare words that they share with the task (those of what
    was done before count less), and by how often elements of their sort are used."""
    words = {node.id: stems(own_text(node)) for node in nodes}
    held = Counter(word for found in words.values() for word in set(found))
    wanted, done = set(stems(task)), set(stems(" ".join(previous)))

    def score(node: Node) -> float:
        found = words[node.id]
        rare = [math.log((1 + len(nodes)) / held[word]) for word in dict.fromkeys(found) if word in wanted]
        spent = sum(word in done for word in set(found))
        share = sum(rare) / math.sqrt(1 + len(found))
        return share * (1.0 if node.tag in USED else UNUSED) + USED.get(node.tag, 0.0) - 0.1 * min(spent, 3)

    order = sorted(range(len(nodes)), key=lambda number: (-score(nodes[number]), number))
    return [nodes[number].attributes[ID] for number in order]
