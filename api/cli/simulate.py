"""`heldout-server simulate`: attacks on the product's own mechanisms, for the size of an owner's split."""

import json
from typing import Annotated

import typer

from protection.simulations import exposure, feedback, tracing

simulate_app = typer.Typer(no_args_is_help=True, help="Run an attack against the product's own mechanism.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(simulate_app, name="simulate")


Items = Annotated[int, typer.Option(min=2, max=100_000, help="Problems of the split (exposure: pairs of siblings).")]
Trials = Annotated[int, typer.Option(min=1, max=1_000_000, help="How often the attack is run.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same numbers.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print only the result as one JSON line.")]


@simulate_app.command("feedback")
def simulate_feedback(
    preset: feedback.Rule = feedback.Rule.SEALED,
    items: Items = 500,
    choices: Annotated[
        int, typer.Option(min=0, max=20, help="Answers to choose from; 0 or 1: free form, the best guess 0.15.")
    ] = 4,
    organisations: Annotated[
        int, typer.Option("--holders", min=1, max=1000, help="Verified organisations in the attacker's hand.")
    ] = 1,
    decisions: Annotated[int, typer.Option(min=0, max=10_000, help="Decisions a year for each of them.")] = 30,
    tellings: Annotated[int, typer.Option(min=0, max=366, help="Ranking releases a year for each of them.")] = 1,
    attack: feedback.Attack = feedback.Attack.STRONGEST,
    trials: Trials = 10,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What an attacker that knows half of the answers learns of the rest, and gains on the board, by feedback alone."""
    attacker = feedback.Attacker(choices, organisations, trials, seed)
    result = feedback.run(preset, items, attacker, attack, decisions=decisions, tellings=tellings)
    summary = (
        f"The board is moved by {result.gain_points:.1f} ± {result.se_points:.1f} points on "
        f"{result.items_ranked} items; decisions tell {result.golds_learnt:.1f} golds of {result.items_of_decisions}."
    )
    _print(result.json(), summary, as_json=as_json)


@simulate_app.command("tracing")
def simulate_tracing(
    items: Items = 500,
    organisations: Annotated[int, typer.Option(min=2, max=100_000)] = 1000,
    colluders: Annotated[int, typer.Option(min=1, max=20)] = 1,
    strategy: tracing.Strategy = tracing.Strategy.INTERLEAVING,
    share: Annotated[float, typer.Option(min=0.01, max=1.0, help="Share of the items in the leaked copy.")] = 1.0,
    bits: Annotated[int, typer.Option(min=1, max=4, help="Marks an item.")] = 1,
    trials: Trials = 200,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Organisations mix their marked copies and leak a paraphrase: is one of them named, is anybody innocent?"""
    if colluders >= organisations:
        raise typer.BadParameter(f"there are {organisations} organisations; name fewer colluders than that")
    result = tracing.run(
        items, organisations, colluders, strategy, share=share, bits_an_item=bits, trials=trials, seed=seed
    )
    summary = (
        f"A true source is named in {result.named:.1%} of trials, somebody innocent in {result.accused_innocent:.2%}."
    )
    _print(result.json(), summary, as_json=as_json)


@simulate_app.command("exposure")
def simulate_exposure(items: Items = 500, trials: Trials = 200, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Models that remember none, 5, 10 or 20 % of what was shown, against the permutation test."""
    result = exposure.run(items, trials=trials, seed=seed)
    power = ", ".join(f"{value:.0%} at {float(share):.0%}" for share, value in result.power.items())
    summary = f"Honest p-values are uniform (KS p = {result.p_uniform_ks:.3f}); memorised items are found: {power}."
    _print(result.json(), summary, as_json=as_json)


def _print(result: dict[str, object], summary: str, *, as_json: bool) -> None:
    if not as_json:
        typer.echo(summary)
    typer.echo(json.dumps(result))
