"""`heldout-server simulate`: attacks on the product's own mechanisms, for the size of an owner's split."""

import json
from typing import Annotated

import typer

from protection.simulations import boosting, exposure, tracing

simulate_app = typer.Typer(no_args_is_help=True, help="Run an attack against the product's own mechanism.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(simulate_app, name="simulate")


Items = Annotated[int, typer.Option(min=2, max=100_000, help="Problems of the split (exposure: pairs of siblings).")]
Trials = Annotated[int, typer.Option(min=1, max=1_000_000, help="How often the attack is run.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same numbers.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print only the result as one JSON line.")]


@simulate_app.command("boosting")
def simulate_boosting(
    items: Items = 500,
    submissions: Annotated[int, typer.Option(min=2, max=100_000)] = 200,
    organisations: Annotated[int, typer.Option(min=1, help="Organisations that the attacker holds.")] = 1,
    verified: Annotated[
        bool, typer.Option(help="An operator verified each of them; else they share a ladder.")
    ] = False,
    policy: boosting.Policy = boosting.Policy.LADDER,
    attack: boosting.Attack = boosting.Attack.MAJORITY,
    trials: Trials = 20,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Random guessers climb a binary split by its feedback: `released` is on the board, `true` is their skill."""
    result = boosting.run(
        items, submissions, policy, attack, organisations=organisations, verified=verified, trials=trials, seed=seed
    )
    told = f"The leaderboard shows {result.released:.3f} for models whose true accuracy is {result.true:.3f}."
    _print(result.json(), told, as_json=as_json)


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
    told = (
        f"A true source is named in {result.named:.1%} of trials, somebody innocent in {result.accused_innocent:.2%}."
    )
    _print(result.json(), told, as_json=as_json)


@simulate_app.command("exposure")
def simulate_exposure(items: Items = 500, trials: Trials = 200, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Models that remember none, 5, 10 or 20 % of what was shown, against the permutation test."""
    result = exposure.run(items, trials=trials, seed=seed)
    power = ", ".join(f"{value:.0%} at {float(share):.0%}" for share, value in result.power.items())
    told = f"Honest p-values are uniform (KS p = {result.p_uniform_ks:.3f}); memorised items are found: {power}."
    _print(result.json(), told, as_json=as_json)


def _print(result: dict[str, object], told: str, *, as_json: bool) -> None:
    if not as_json:
        typer.echo(told)
    typer.echo(json.dumps(result))
