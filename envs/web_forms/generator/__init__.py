"""Crowdsourcing pages of our own over all kinds of fields, made from a seed; `demo-forms` is the pack of one seed."""

import random
from collections.abc import Sequence

from envs.web_forms.generator.pages import TEMPLATES, Maker
from envs.web_forms.generator.parts import STYLE, Form, call
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

SEED = 20261121
SPLITS = ("dev", "test", "test")
SUMMARY = "Crowdsourcing pages of our own, filled in with a real browser"
CANARY = "heldout canary demo-forms 8e2b61d4a9f0"
STATEMENT = "The page in the browser is a task for crowd workers. Do what it asks for and submit its form."
CARD = """Sixteen kinds of crowdsourcing pages written for this project, over radio buttons, checkboxes, texts, lists,
sliders, numbers, dates, tables, pictures of our own, and pages that want clicks, drags or a dialog answered. Every page
is made from a seed, and so is its gold. Scored on what was submitted, on the scale where doing nothing is 0."""


def demo(seed: int = SEED) -> DraftPack:
    """The pack `demo-forms`."""
    pairs = [_line(maker, split, index, seed) for maker in TEMPLATES for index, split in enumerate(SPLITS)]
    card = cards.demo("demo-forms", title="Demo: forms", summary=SUMMARY, card=CARD, canary=CANARY)
    return _draft(pairs, card, seed)


def generate(*, seed: int, count: int = 48, split: str = "test", slug: str = "live-forms") -> DraftPack:
    """A pack of `count` fresh pages, as many of each kind as can be; the same for the same seed."""
    made = [_line(TEMPLATES[index % len(TEMPLATES)], split, index // len(TEMPLATES), seed) for index in range(count)]
    scoring = Scoring(scheme="macro", by="group")
    card = cards.live(slug, split, seed, title="Live: forms", summary=SUMMARY, card=CARD, scoring=scoring)
    return _draft(made, card, seed)


def _draft(pairs: Sequence[tuple[Problem, ReferenceLine]], card: Benchmark, seed: int) -> DraftPack:
    report = Report(f"forms, seed {seed}", read=len(pairs))
    problems, references = [problem for problem, _ in pairs], [line for _, line in pairs]
    return DraftPack(report, problems, references, card=lambda _: card)


def _line(maker: Maker, split: str, index: int, seed: int) -> tuple[Problem, ReferenceLine]:
    name = maker.__name__.replace("_", "-")
    form = maker(random.Random(f"{seed}:{name}:{index}"))
    id_ = f"{name}-{index + 1}"
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
