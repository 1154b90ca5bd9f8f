"""What an instance's page offers, joined with what annotators answered: the form's reference and its oracle."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import mean
from typing import Any, cast

from envs.web_forms.importers.turkingbench_read import Instance
from grading.forms import corrected, published
from grading.forms.fields import FormField, Kind, number
from packs.draft import Mode

KINDS = ("text", "textarea", "hidden", "radio", "select", "checkbox", "range", "number", "email", "date")
MOST_STEPS = 480
VOTED = ("radio", "select")
VERBS = {"radio": "modify_radio", "checkbox": "modify_checkbox", "select": "modify_select", "range": "modify_range"}


@dataclass(frozen=True)
class Survey:
    """What the browser saw of an untouched page: the evidence of a participant who does nothing."""

    evidence: dict[str, Any]

    def fields(self) -> dict[str, dict[str, Any]]:
        """The page's fields by name."""
        return {item["name"]: item for item in self.evidence["fields"]}


@dataclass
class Health:
    """What is wrong with an instance's page: answers without a field, fields out of sight, failing scripts."""

    missing: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    script_errors: int = 0
    hosts: list[str] = field(default_factory=list)
    pictures: int = 0
    types: dict[str, int] = field(default_factory=dict)


def form_fields(instance: Instance, survey: Survey) -> tuple[FormField, ...]:
    """The fields that annotators answered, as the page has them at load.

    A field the page does not have at load (some appear after a click, some never) is of type `other`, out of sight.
    """
    found = survey.fields()
    return tuple(_field(name, gold, found.get(name)) for name, gold in instance.answers.items() if name)


def _field(name: str, gold: tuple[str, ...], found: dict[str, Any] | None) -> FormField:
    if found is None:
        return FormField(name=name, type="other", gold=gold, visible=False)
    kind = found["type"] if found["type"] in KINDS else "other"
    values = tuple(str(value) for value in found["values"])
    low, high = (found["min"], found["max"]) if kind == "range" else (None, None)
    bounded = low is not None and high is not None and low < high
    return FormField(
        name=name,
        type=cast("Kind", kind),
        gold=gold,
        default=values if kind == "checkbox" else "" if not values else values[0],
        visible=bool(found["visible"]),
        low=low if bounded else None,
        high=high if bounded else None,
    )


def health(instance: Instance, survey: Survey) -> Health:
    """The page's defects."""
    found, evidence = survey.fields(), survey.evidence
    answered = [name for name in instance.answers if name in found]
    types: dict[str, int] = {}
    for name in answered:
        types[found[name]["type"]] = types.get(found[name]["type"], 0) + 1
    return Health(
        missing=[name for name in instance.answers if name not in found],
        unseen=[name for name in answered if not found[name]["reachable"]],
        script_errors=int(evidence["script_errors"]),
        hosts=sorted(evidence["missing"]),
        pictures=sum(evidence["pictures"].values()),
        types=types,
    )


def lead(fields: tuple[FormField, ...]) -> int:
    """The annotator whose texts and ticks are taken: who agrees with most majorities, then by ticks, then wrote most.

    Answers of different annotators can exclude each other: "none of these" shuts the text fields beside it. So with
    texts on the page fewer ticks are better, without them more.
    """
    writing = any(item.free_text and item.filled() for item in fields)

    def weight(place: int) -> tuple[int, int, int]:
        given = [(item, item.golds()[place]) for item in fields if place < len(item.gold)]
        votes = sum(item.type in VOTED and answer == _majority(item) for item, answer in given)
        ticks = sum(item.type == "checkbox" and answer != "" for item, answer in given)
        texts = sum(item.free_text and answer != "" for item, answer in given)
        return votes, -ticks if writing else ticks, texts

    return max(range(max((len(item.gold) for item in fields), default=1)), key=weight)


def _majority(item: FormField) -> str:
    golds = item.golds() or ("",)
    return max(golds, key=golds.count)


def target(item: FormField, mode: Mode, annotator: int = 0) -> str:
    """What the ideal participant answers: the published oracle's choice, or the annotators' consensus.

    The published oracle takes the majority, for texts and ticks what one `annotator` answered.
    """
    if mode == "fixed":
        ideal = corrected.consensus(item)
        return "|".join(ideal) if isinstance(ideal, tuple) else ideal
    golds = item.golds() or ("",)
    if item.type in VOTED:
        return _majority(item)
    if item.type == "range":
        known = [value for value in map(number, item.filled()) if value is not None]
        return str(mean(known)) if known else ""
    own = golds[annotator] if annotator < len(golds) else ""
    return own or ("" if item.type == "checkbox" else next(iter(item.filled()), ""))


def oracle(fields: tuple[FormField, ...], survey: Survey, mode: Mode) -> list[dict[str, Any]]:
    """The actions of the ideal participant: set what can be set, then send the form, then stop.

    Fields are set in the order of the page, because some answers open other fields; those that were closed at load are
    set once more at the end. An action on a field that stays closed fails and changes nothing.
    """
    found = survey.fields()
    places = {name: place for place, name in enumerate(found)}
    known = sorted((item for item in fields if item.name in found), key=lambda item: places[item.name])
    first = lead(fields)
    closed = [item for item in known if found[item.name]["disabled"] or not found[item.name]["reachable"]]
    steps = [*_settings(known, found, mode, first), *_settings(closed, found, mode, first)]
    return [*steps[:MOST_STEPS], _call("submit"), _call("stop")]


def _settings(
    fields: list[FormField], found: dict[str, dict[str, Any]], mode: Mode, annotator: int
) -> Iterator[dict[str, Any]]:
    for item in fields:
        if item.type == "hidden":
            continue
        wanted = target(item, mode, annotator).replace("&amp;", "&")
        if wanted == "" and not (item.free_text or item.type == "checkbox"):
            continue
        if wanted != item.as_text(item.default):
            verb = VERBS.get(item.type, "modify_text")
            yield _call(verb, name=item.name, value=_written(wanted, found[item.name]))


def _written(wanted: str, found: dict[str, Any]) -> str:
    """The value as the page spells it: spreadsheets turn 3 into 3.0 and grading turns it back."""
    options = [str(option) for option in found["options"]]
    if found["type"] == "checkbox":
        parts = [_spelled(part, options) for part in wanted.split("|") if part]
        return "|".join(part for part in parts if part in options)
    return _spelled(wanted, options)


def _spelled(wanted: str, options: list[str]) -> str:
    if wanted in options:
        return wanted
    exact = (option for option in options if corrected.same(option, wanted))
    loose = (option for option in options if published.normal(option) == published.normal(wanted))
    return next(exact, None) or next(loose, wanted)


def _call(tool: str, /, **arguments: str) -> dict[str, Any]:
    return {"tool": {"name": tool, "arguments": dict(arguments)}}
