"""The attacks at small sizes, seeded: the mechanism holds, and the attack is real without it."""

import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from api.cli import simulate
from protection.simulations import exposure, tracing
from protection.simulations.tracing import Strategy


@pytest.mark.parametrize(
    ("colluders", "strategy", "share", "least"),
    [
        (1, Strategy.INTERLEAVING, 1.0, 0.99),
        (1, Strategy.INTERLEAVING, 0.5, 0.99),
        (2, Strategy.INTERLEAVING, 1.0, 0.95),
        (2, Strategy.MAJORITY, 0.5, 0.85),
        (3, Strategy.MAJORITY, 1.0, 0.85),
        (3, Strategy.MINORITY, 1.0, 0.85),
        (3, Strategy.INTERLEAVING, 1.0, 0.85),
    ],
)
def test_tracing_names_a_source_and_no_innocent(colluders: int, strategy: Strategy, share: float, least: float) -> None:
    result = tracing.run(500, 1000, colluders, strategy, share=share, trials=40, seed=5)
    print(f"tracing {colluders} {strategy.value} {share:.0%}: named {result.named}, innocent {result.accused_innocent}")
    assert result.named >= least
    assert result.accused_innocent == 0.0


def test_more_marks_an_item_name_more() -> None:
    one = tracing.run(120, 1000, 2, trials=40, seed=6)
    two = tracing.run(120, 1000, 2, bits_an_item=2, trials=40, seed=6)
    assert two.named > one.named


def test_weak_evidence_accuses_nobody() -> None:
    result = tracing.run(10, 1000, 1, trials=100, seed=7)
    assert result.named == 0.0
    assert result.accused_innocent == 0.0


def test_exposure_is_uniform_and_has_power() -> None:
    result = exposure.run(300, trials=250, seed=8)
    print(f"exposure: KS p {result.p_uniform_ks}, false alarms {result.false_alarms}, power {result.power}")
    assert result.p_uniform_ks > 0.001
    assert result.false_alarms < 0.1
    assert result.power["0.20"] > 0.7
    assert result.power["0.20"] > result.power["0.05"]


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        (
            ["feedback", "--preset", "sealed", "--items", "300", "--choices", "2", "--holders", "3", "--trials", "2"],
            {"gain_points", "golds_learnt", "se_points"},
        ),
        (
            [
                "feedback",
                "--preset",
                "exact",
                "--items",
                "100",
                "--decisions",
                "5",
                "--attack",
                "climb",
                "--trials",
                "2",
            ],
            {"gain_points", "golds_learnt", "se_points"},
        ),
        (
            ["tracing", "--items", "50", "--organisations", "50", "--colluders", "2", "--trials", "3"],
            {"named", "accused_innocent"},
        ),
        (["exposure", "--items", "20", "--trials", "20"], {"p_uniform_ks", "power"}),
    ],
)
def test_the_command_ends_with_one_json_object(arguments: list[str], fields: set[str]) -> None:
    app = typer.Typer()
    simulate.register(app)
    app.command("other")(lambda: None)

    def last(*more: str) -> dict[str, Any]:
        done = CliRunner().invoke(app, ["simulate", *arguments, "--seed", "1", *more])
        assert done.exit_code == 0, done.output
        return dict(json.loads(done.output.strip().splitlines()[-1]))

    assert fields <= set(last())
    assert last() == last("--json")
