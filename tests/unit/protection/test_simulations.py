"""The attacks at small sizes, seeded: the mechanism holds, and the attack is real without it."""

import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from api.cli import simulate
from protection.simulations import boosting, exposure, tracing
from protection.simulations.boosting import Attack, Policy
from protection.simulations.tracing import Strategy


@pytest.mark.parametrize(("items", "submissions"), [(500, 50), (500, 200), (500, 1000), (2000, 200)])
def test_boosting_gets_nothing_through_the_ladder(items: int, submissions: int) -> None:
    held = boosting.run(items, submissions, Policy.LADDER, trials=8, seed=3)
    free = boosting.run(items, submissions, Policy.AGGREGATE, trials=3, seed=3)
    print(f"boosting {items} x {submissions}: ladder {held.raised:+.3f}, two decimals {free.raised:+.3f}")
    assert held.raised < 0.05
    assert free.raised > 1.5 * max(0.0, held.raised) + 0.02
    assert abs(free.true - 0.5) < 0.05


def test_two_decimals_give_a_guesser_seventy_per_cent() -> None:
    result = boosting.run(500, 200, Policy.AGGREGATE, trials=5, seed=0)
    assert 0.66 < result.released < 0.74


@pytest.mark.parametrize("attack", [Attack.CLIMB, Attack.ITEM, Attack.PARTIAL])
def test_adaptive_attacks_get_nothing_through_the_ladder(attack: Attack) -> None:
    held = boosting.run(500, 600, Policy.LADDER, attack, trials=6, seed=1)
    free = boosting.run(500, 600, Policy.EXACT, attack, trials=2, seed=1)
    print(f"{attack.value}: ladder {held.raised:+.3f}, exact scores {free.raised:+.3f}")
    assert held.raised < 0.05
    assert free.raised > 0.15


def test_many_organisations_share_a_budget() -> None:
    result = boosting.run(500, 400, Policy.LADDER, organisations=200, verified=True, trials=4, seed=2)
    assert result.raised < 0.1
    assert result.bits < 50 * 20


def test_a_hundred_organisations_that_nobody_verified_gain_nothing() -> None:
    free, held = (
        boosting.run(500, 400, Policy.LADDER, verified=verified, organisations=100, trials=30, seed=3)
        for verified in (True, False)
    )
    print(f"100 organisations: verified {free.raised:+.3f}, unverified {held.raised:+.3f}")
    assert free.raised > 0.03
    assert held.raised < 0.015


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
            ["boosting", "--items", "100", "--submissions", "20", "--policy", "ladder", "--trials", "2"],
            {"released", "true"},
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
