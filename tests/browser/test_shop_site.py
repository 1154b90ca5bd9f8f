"""Web shopping on the shop's site: the catalogue of the text world, and for the same purchase the same reward."""

from typing import Any

import pytest
import pytest_asyncio

from api.admission import policies, simulation
from envs.browser import chromium
from envs.web_shopping.generator import generate
from envs.web_sites import install
from envs.web_sites.site import site
from packs.problem import ReferenceLine

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

SEED, SIZE, COUNT = 21, 200, 2
# From the end: after the last option the text world has "buy now", the site six actions until it stops.
TEXT_OPTION, SITE_OPTION = -2, -7
Oracle = tuple[dict[str, Any], ...]


@pytest_asyncio.fixture
async def wishes(shared_browser: chromium.Chromium) -> tuple[list[ReferenceLine], list[ReferenceLine]]:
    """The same wishes in the text world and on the site."""
    try:
        await install.python(site("shop"))
    except install.SiteUnavailableError as error:
        pytest.skip(f"the shop's site cannot be installed here: {error}")
    text = generate(seed=SEED, count=COUNT, split="dev", size=SIZE)
    on_site = generate(seed=SEED, count=COUNT, split="dev", size=SIZE, where="site")
    return list(text.references), list(on_site.references)


async def test_the_same_purchases_earn_the_same_in_both_worlds(
    wishes: tuple[list[ReferenceLine], list[ReferenceLine]],
) -> None:
    told = []
    for oracles in (_gold, _without_an_option, _of_the_one_before):
        runs = []
        for lines, cut in zip(wishes, (TEXT_OPTION, SITE_OPTION), strict=True):
            played = [
                line.model_copy(update={"oracle": oracle})
                for line, oracle in zip(lines, oracles(lines, cut), strict=True)
            ]
            runs.append(await simulation.simulate_episodes(played, policies.gold, at_once=1))
        text, on_site = ([(one.verdict.score, str(one.evidence)) for one in run] for run in runs)
        assert text == on_site
        told.append([score for score, _ in text])
    assert told[0] == [1.0] * COUNT
    assert all(score is not None and 0 < score < 1 for score in told[1])
    assert told[2] != told[0]


def _gold(lines: list[ReferenceLine], cut: int) -> list[Oracle]:
    del cut
    return [line.oracle for line in lines]


def _without_an_option(lines: list[ReferenceLine], cut: int) -> list[Oracle]:
    """The last option is not chosen; `cut`: where that is, from the end."""
    return [(*line.oracle[:cut], *line.oracle[cut + 1 :]) for line in lines]


def _of_the_one_before(lines: list[ReferenceLine], cut: int) -> list[Oracle]:
    """Everybody buys what somebody else was asked for."""
    del cut
    return [lines[number - 1].oracle for number in range(len(lines))]


async def test_what_is_in_the_basket_is_not_bought_yet(
    wishes: tuple[list[ReferenceLine], list[ReferenceLine]],
) -> None:
    line = wishes[1][0]
    in_the_basket = line.model_copy(update={"oracle": (*line.oracle[:-5], line.oracle[-1])})
    done = (await simulation.simulate_episodes([in_the_basket], policies.gold))[0]
    assert [one.value for one in done.evidence] == [{"product": None}]
    assert done.verdict.score == 0
