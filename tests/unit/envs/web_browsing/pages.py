"""Pages and steps in Mind2Web's published form, drawn at random and written by hand."""

import json
import random
from pathlib import Path
from typing import Any

from envs.web_browsing.dom import ID, TEXT, Node, written

PAGE = (
    f'<html {ID}="1"><body {ID}="2"><nav {ID}="3"><a {ID}="4"><text {ID}="5">Shop</text></a><a {ID}="6"><text {ID}="7">'
    f'Orders</text></a></nav><form {ID}="8"><select {ID}="9" name="size"><option {ID}="10" value="s"><text {ID}="11">'
    f'Small</text></option><option {ID}="12" value="l"><text {ID}="13">Large &amp; wide</text></option></select>'
    f'<input {ID}="14" type="text" placeholder="Name"/><button {ID}="15"><text {ID}="16">Order it</text></button>'
    f'</form><a {ID}="17"><text {ID}="18">Help</text></a></body></html>'
)
CANDIDATES = ("4", "6", "9", "14", "15", "17")


def spec(**changed: Any) -> dict[str, Any]:
    """A step on the page above; the list of sizes (9) is asked about last."""
    order = ["4", "6", "14", "15", "17", "9"]
    return {"task": "Order the large one", "page": PAGE, "candidates": order} | changed


def step(positive: str = "9", **changed: Any) -> dict[str, Any]:
    """A published step on that page."""
    made: dict[str, Any] = {
        "action_uid": "u1",
        "operation": {"original_op": "SELECT", "value": "Large & wide", "op": "SELECT"},
        "raw_html": "<html></html>",
        "cleaned_html": PAGE,
        "pos_candidates": [{"tag": "select", "attributes": "{}", "backend_node_id": positive}],
        "neg_candidates": [{"tag": "a", "backend_node_id": one} for one in CANDIDATES if one != positive],
    }
    return made | changed


def task(*steps: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """A published task."""
    made: dict[str, Any] = {
        "website": "boxes",
        "domain": "Shopping",
        "annotation_id": "aa-1",
        "confirmed_task": "Order the large one",
        "action_reprs": [f"[select]  size {number} -> SELECT: Large & wide" for number in range(len(steps))],
        "actions": list(steps),
    }
    return made | changed


def write(file: Path, *tasks: dict[str, Any]) -> Path:
    """A file of tasks."""
    file.write_text(json.dumps(list(tasks)), "utf-8")
    return file


def drawn(draw: random.Random) -> str:
    """A page with everything that the rules of pruning and writing look at."""
    count = 0

    def element(depth: int) -> Node:
        nonlocal count
        count += 1
        node = Node(draw.choice(["div", "a", "button", "li", "span", "select"]), {ID: str(count)})
        for name in draw.sample(["role", "class", "aria_label", "name", "value", "title", "other"], draw.randint(0, 2)):
            node.attributes[name] = draw.choice(VALUES)
        node.text, node.tail = draw.choice(["", "\n ", "stray"]), draw.choice(["", " ", "\n", "behind \u00e9"])
        for _ in range(draw.randint(0, 4) if depth < 6 else 0):
            if draw.random() < 0.6:
                node.add(element(depth + 1))
                continue
            count += 1
            text = Node(TEXT, {ID: str(count)}, text=draw.choice(TEXTS), tail=draw.choice(["", " "]))
            node.add(text)
        return node

    root = Node("html", {ID: "0"})
    for _ in range(4):
        root.add(element(0))
    return written(root)


VALUES = [
    "Button",
    "none",
    "http://x",
    "a list of five words and extraordinarily more",
    'say "x" & <y>\nz',
    "\u00c4lter",
]
TEXTS = ["Hello  world", "a&b <c>", " ", "one two three " * 9, "it's &quot; fine"]
