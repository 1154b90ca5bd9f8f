"""Two small packs for the drill: an echo episode for the hosts, and a program for the workers' sandboxes."""

import json
from pathlib import Path
from typing import Any

_HEAD = """slug = "{slug}"
title = "Drill"
version = "1.0.0"
owner = "drill"
licence = "CC0-1.0"
card = "What the drill plays."
canary = "HELDOUT CANARY 5c0a1b52-77f1-4f6e-9a0b-0d5d1c1f6b11: this text must not be in training data"

[splits.dev]
visibility = "dev"
feedback = "full"
"""


def _write(folder: Path, slug: str, problem: dict[str, Any], reference: dict[str, Any]) -> None:
    made = folder / slug
    made.mkdir(parents=True)
    (made / "benchmark.toml").write_text(_HEAD.format(slug=slug))
    common = {"id": "dev-0", "split": "dev"}
    (made / "problems.jsonl").write_text(json.dumps(common | problem) + "\n")
    (made / "references.jsonl").write_text(json.dumps({"id": "dev-0"} | reference) + "\n")


def write_packs(folder: Path) -> tuple[str, str]:
    """Write them into `folder`. Returns their names."""
    episode = {"environment": "echo", "spec": {"greeting": "hello"}, "steps": 10, "seconds": 300}
    _write(
        folder,
        "drill-echo",
        {"type": "echo", "subject": "talk", "episode": True, "statement": "Say nought."},
        {
            "reference": {"kind": "exact", "value": "0"},
            "gold": "0",
            "episode": episode | {"probes": [{"name": "log", "kind": "log"}]},
        },
    )
    twice = "print(2 * int(input()))\n"
    _write(
        folder,
        "drill-code",
        {"type": "code", "subject": "sums", "statement": "Read a number and print twice that number."},
        {"reference": {"kind": "code_tests", "cases": [{"stdin": "21\n", "stdout": "42\n"}]}, "gold": twice},
    )
    return "drill-echo", "drill-code"
