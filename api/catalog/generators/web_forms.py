"""`demo-forms`: crowdsourcing pages of our own over all kinds of fields, made from a seed.

`python -m api.catalog.generators.web_forms OUT --seed N` writes a pack; another seed gives another private set.
"""

import argparse
import random
from pathlib import Path

from api.catalog.generators.web_forms_pages import TEMPLATES, Maker
from api.catalog.generators.web_forms_parts import STYLE, Form, call
from api.catalog.packs.format import (
    Benchmark,
    Episode,
    Feedback,
    Probe,
    Problem,
    ReferenceLine,
    Scoring,
    SplitConfig,
    Visibility,
)
from api.catalog.packs.write import write_pack

SEED = 20261121
SPLITS = ("dev", "test", "test")
STATEMENT = "The page in the browser is a task for crowd workers. Do what it asks for and submit its form."
CARD = """Sixteen kinds of crowdsourcing pages written for this project, over radio buttons, checkboxes, texts, lists,
sliders, numbers, dates, tables, pictures of our own, and pages that want clicks, drags or a dialog answered. Every page
is made from a seed, and so is its gold. Scored on what was submitted, on the scale where doing nothing is 0."""


def make(out: Path, seed: int = SEED) -> int:
    """Write the pack into the new folder `out`; returns the number of problems."""
    pairs = [_line(maker, split, place, seed) for maker in TEMPLATES for place, split in enumerate(SPLITS)]
    write_pack(out, benchmark(), [problem for problem, _ in pairs], [line for _, line in pairs])
    return len(pairs)


def _line(maker: Maker, split: str, place: int, seed: int) -> tuple[Problem, ReferenceLine]:
    name = maker.__name__.replace("_", "-")
    form = maker(random.Random(f"{seed}:{name}:{place}"))
    id_ = f"{name}-{place + 1}"
    problem = Problem(
        id=id_,
        split=split,
        type="web_form",
        subject=form.kind,
        statement=STATEMENT,
        group=name,
        source="written for this project",
        episode=True,
    )
    return problem, ReferenceLine(id=id_, reference=reference(form), episode=episode(form), oracle=oracle(form))


def reference(form: Form) -> dict[str, object]:
    """The form's fields, scored on what was submitted."""
    return {"kind": "form", "fields": form.fields, "scoring": "corrected"}


def episode(form: Form) -> Episode:
    """The page."""
    spec = {"template": STYLE + f"<h3>{form.title}</h3>" + form.html, "title": form.title, "whole_page": True}
    return Episode(environment="web_forms", spec=spec, probes=(Probe(name="form", kind="form"),), steps=30)


def oracle(form: Form) -> tuple[dict[str, object], ...]:
    """The actions that fill the form in and send it."""
    sent = any(act["tool"]["name"] == "submit" for act in form.acts)
    return tuple(form.acts if sent else [*form.acts, call("submit")])


def benchmark() -> Benchmark:
    """The pack's card."""
    return Benchmark(
        slug="demo-forms",
        title="Demo: forms",
        version="1.0.0",
        owner="heldout",
        licence="Apache-2.0",
        summary="Crowdsourcing pages of our own, filled in with a real browser",
        card=CARD,
        canary="heldout canary demo-forms 8e2b61d4a9f0",
        source="written for this project",
        scoring=Scoring(scheme="macro", by="group"),
        splits={
            "dev": SplitConfig(visibility=Visibility.DEV, feedback=Feedback.FULL),
            "test": SplitConfig(visibility=Visibility.PRIVATE, feedback=Feedback.AGGREGATE),
        },
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Write the pack demo-forms from a seed.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    print(f"{make(given.out, given.seed)} problems in {given.out}")


if __name__ == "__main__":
    main()
