"""Which annotator the ideal participant of TurkingBench follows where answers exclude each other."""

from envs.web_forms.importers.turkingbench_fields import lead, target
from grading.forms.fields import FormField


def _fields(**golds: tuple[str, tuple[str, ...]]) -> dict[str, FormField]:
    return {
        name: FormField.model_validate({"name": name, "type": kind, "gold": gold})
        for name, (kind, gold) in golds.items()
    }


def _targets(fields: dict[str, FormField]) -> dict[str, str]:
    first = lead(tuple(fields.values()))
    return {name: target(item, "published", first) for name, item in fields.items()}


def test_a_text_is_not_joined_with_the_tick_that_shuts_its_field() -> None:
    fields = _fields(none=("checkbox", ("on", "")), noun=("text", ("", "a cat")), verb=("text", ("sees", "")))
    assert _targets(fields) == {"none": "", "noun": "a cat", "verb": "sees"}


def test_without_texts_the_annotator_with_the_most_ticks_is_followed() -> None:
    assert _targets(_fields(a=("checkbox", ("", "x|y")), b=("checkbox", ("", "z")))) == {"a": "x|y", "b": "z"}


def test_ticks_come_from_someone_who_agrees_with_the_majority() -> None:
    fields = _fields(sense=("radio", ("none", "clear", "clear")), good=("checkbox", ("x|y", "", "x")))
    assert _targets(fields) == {"sense": "clear", "good": "x"}
