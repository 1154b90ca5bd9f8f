"""Names change together in the page and in the answers, and only where no label depends on them."""

from envs.web_forms.importers.turkingbench_perturb import perturbed
from envs.web_forms.importers.turkingbench_read import Instance, Task


def task(text: str, answers: tuple[str, ...] = ("",), template: str = "<p>${text}</p>") -> tuple[Task, Instance]:
    instance = Instance("Names", "train", 0, {"text": text}, {"why": answers})
    return Task("Names", "train", template, (instance,)), instance


def test_a_name_changes_everywhere_and_by_its_seed() -> None:
    made = perturbed(*task("Bob likes wine. Sarah gave Bob a glass.", ("Bob drinks", "Sarah is kind")), 1)
    assert made is not None
    him, her = made.inputs["text"].split(" likes")[0], made.answers["why"][1].split(" is")[0]
    assert made.inputs["text"] == f"{him} likes wine. {her} gave {him} a glass."
    assert made.answers["why"] == (f"{him} drinks", f"{her} is kind")
    assert {him, her}.isdisjoint({"Bob", "Sarah"})
    others = {str(perturbed(*task("Bob sleeps."), seed)) for seed in range(20)}
    assert len(others) > 5


def test_what_may_mean_somebody_or_something_stays() -> None:
    for text in (
        "Emily Dickinson wrote it.",
        "Uncle Bob came.",
        "see www.site/Bob_1",
        "bob the string, said Bob",
        "Rain.",
    ):
        assert perturbed(*task(text), 1) is None
    assert perturbed(*task("Bob sleeps.", template="<p>Bob's task</p>${text}"), 1) is None
