"""Matches of two participants through the service: paired or challenged, in turn, lost by lateness, rated."""

import asyncio
import json
from typing import Any

import httpx2
import pytest

import heldout
from api.worker.matches import decide_late
from envs.base import Action
from envs.card_game.duel import Duel
from envs.card_game.spec import CardGameSpec
from heldout.evaluation import chat, play_match
from heldout.matches import MatchStatus
from tests.support.bridge import Bridge
from tests.support.matches import SLUG, Player, hours_later, paired, player, publish, reply_to
from tests.support.service import Service
from tests.support.sql import sql

RATINGS = f"/v1/benchmarks/{SLUG}/ratings"


@pytest.fixture
async def two(service: Service) -> tuple[Player, Player]:
    """Declared entries of two organisations."""
    await publish(service)
    return await player(service, "ann"), await player(service, "bob")


async def deal(service: Service) -> CardGameSpec:
    """The deal of the only match."""
    async with service.admin.session() as session:
        return CardGameSpec.model_validate((await sql(session, "select deal from game_match")).one().deal)


async def ratings(service: Service) -> dict[str, Any]:
    await service.work()
    return dict((await service.client.get(RATINGS)).raise_for_status().json())


async def conflict(reply: httpx2.Response) -> str:
    assert reply.status_code == 409, reply.text
    return str(reply.json()["code"])


async def test_a_match_is_the_duel_on_its_deal_and_both_are_rated(service: Service, two: tuple[Player, Player]) -> None:
    sides = await paired(service, *two)
    seen = [match for _, match in sides]
    assert [match["state"] for match in seen] == ["your_turn", "their_turn"]
    assert all(match["opponent"] is None for match in seen), "nobody knows whom they play"
    while seen[0]["state"] != "over":
        on_turn = 0 if seen[0]["state"] == "your_turn" else 1
        assert (seen[1 - on_turn]["state"], seen[1 - on_turn]["observation"]) == ("their_turn", None)
        seen[on_turn] = await sides[on_turn][0].move(seen[on_turn])
        if seen[on_turn]["state"] != "your_turn":
            other = 1 - on_turn
            seen[other] = await sides[other][0].see(seen[other]["id"])
    spec = await deal(service)
    duel, kinds = Duel(spec), (sorted(spec.enemy), sorted(spec.team))
    replies = [0, 0]
    while duel.result is None:
        asked, side = duel.asked(), duel.player
        replies[side] += 1
        duel.take(Action(text=reply_to(asked.text, dict(asked.data), kinds[side])))
    assert [match["won"] for match in seen] == [duel.result.winner == 0, duel.result.winner == 1]
    assert [match["steps"] for match in seen] == replies
    assert [match["ended"] for match in seen] == ["played", "played"]
    assert seen[0]["opponent"]["model"] == sides[1][0].model
    board = await ratings(service)
    best, last = board["items"]
    assert best["model"] == sides[duel.result.winner][0].model
    assert best["elo"] + last["elo"] == pytest.approx(2000)
    assert (best["elo"] > last["elo"], best["won"], last["won"], last["lost_by"]) == (True, 1, 0, {"played": 1})
    assert [match["ended"] for match in board["matches"]] == ["played"]
    page = (await service.client.get(f"/b/{SLUG}/ratings")).text
    assert best["model"] in page
    assert f"/b/{SLUG}/ratings" in (await service.client.get(f"/b/{SLUG}")).text


async def test_replies_come_in_turn_once_and_from_who_sits_there(service: Service, two: tuple[Player, Player]) -> None:
    (first, seen), (second, other) = await paired(service, *two)
    stranger = await player(service, "cat")
    path = f"/v1/matches/{seen['id']}"
    body = {"number": 1, "action": {"text": "no guess"}}
    assert (await stranger.caller.get(path)).status_code == 404
    assert (await stranger.caller.post(f"{path}/steps", json=body)).status_code == 404
    assert (await stranger.caller.call("DELETE", path)).status_code == 404
    assert await conflict(await second.caller.post(f"/v1/matches/{other['id']}/steps", json=body)) == "not_your_turn"
    assert await conflict(await first.caller.post(f"{path}/steps", json=body | {"number": 2})) == "step_out_of_order"
    again = [(await first.caller.post(f"{path}/steps", json=body)).raise_for_status().json() for _ in range(2)]
    assert [reply["steps"] for reply in again] == [1, 1]
    assert again[0]["observation"]["data"] == {"phase": "guess", "tries": 4}
    changed = body | {"action": {"text": '{"guess_type": "eel", "target_position": 0}'}}
    assert await conflict(await first.caller.post(f"{path}/steps", json=changed)) == "step_conflict"
    at_once = [first.caller.post(f"{path}/steps", json=body | {"number": 2}) for _ in range(4)]
    assert [reply.status_code for reply in await asyncio.gather(*at_once)] == [200] * 4
    assert (await first.see(seen["id"]))["steps"] == 2
    shown = [await one.see(match["id"]) for one, match in ((first, seen), (second, other))]
    assert str((await deal(service)).seed) not in str(shown)


async def test_who_is_late_or_gives_up_loses_and_nothing_brings_it_back(
    service: Service, two: tuple[Player, Player]
) -> None:
    (first, seen), (second, other) = await paired(service, *two)
    await first.say(seen, "no guess")
    await hours_later(service, 1)
    late = await first.caller.post(
        f"/v1/matches/{seen['id']}/steps", json={"number": 2, "action": {"text": "here I am"}}
    )
    assert await conflict(late) == "match_over"
    # Said before the worker has looked, and the same after.
    for _ in range(2):
        ends = [await one.see(match["id"]) for one, match in ((first, seen), (second, other))]
        assert [(end["won"], end["ended"]) for end in ends] == [(False, "too slow"), (True, "too slow")]
        await decide_late(service.worker)
    (third, mine), (fourth, theirs) = await paired(service, *two)
    given_up = await third.caller.call("DELETE", f"/v1/matches/{mine['id']}")
    assert (given_up.json()["won"], given_up.json()["ended"]) == (False, "gone")
    assert (await fourth.caller.call("DELETE", f"/v1/matches/{theirs['id']}")).json()["won"] is True
    items = (await ratings(service))["items"]
    lost = {row["model"]: row["lost_by"] for row in items}
    counted = [reason for one in lost.values() for reason in one]
    assert sorted(counted) == ["gone", "too slow"]
    assert lost[third.model]["gone"] == 1
    # Rubbish: five guesses are passed over, five actions lose.
    (fifth, talk), _ = await paired(service, *two)
    for _ in range(10):
        talk = await fifth.say(talk, "]} {[")
    assert (talk["won"], talk["ended"]) == (False, "no action")


async def test_ranked_matches_are_for_declared_entries_of_different_organisations(
    service: Service, two: tuple[Player, Player]
) -> None:
    ann, bob = two
    stranger = await player(service, "eve", declared=False)
    refused = await stranger.caller.post(f"/v1/benchmarks/{SLUG}/matches", json={"model": "eve-1"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_declared")
    # Two organisations that one account made, and nobody verified, are one party.
    async with service.admin.session() as session:
        made = "update organisation set created_by = (select id from account limit 1) where slug in ('ann', 'bob')"
        await sql(session, made)
    mine = [await ann.open(), await ann.open()]
    colleague = Player(await service.reader("al@example.org", "ann"), ann.model)
    mine.append(await colleague.open())
    assert [match["state"] for match in mine] == ["waiting"] * 3
    assert (await bob.open())["state"] == "waiting"
    await service.verify("bob")
    assert (await bob.open())["state"] != "waiting"
    # Whoever waits no longer is not paired.
    await hours_later(service, 1)
    assert (await bob.open())["state"] == "waiting"
    await decide_late(service.worker)
    assert (await ann.see(mine[1]["id"]))["ended"] in ("no opponent", "too slow")
    assert {row["ended"] for row in (await ann.caller.get("/v1/matches")).json()["items"]} <= {
        "no opponent",
        "too slow",
    }


async def test_a_challenge_is_played_and_not_rated(service: Service, two: tuple[Player, Player]) -> None:
    ann, _ = two
    guest = await player(service, "guest", declared=False)
    opened = await ann.open(opponent="guest")
    assert (opened["state"], opened["ranked"]) == ("waiting", False)
    assert (await ann.caller.get("/v1/challenges")).json()["items"] == []
    [challenge] = (await guest.caller.get("/v1/challenges")).json()["items"]
    assert challenge["model"] == ann.model
    path, body = f"/v1/challenges/{challenge['id']}", {"model": "guest-1"}
    assert (await ann.caller.post(path, json=body)).status_code == 404
    key = {"Idempotency-Key": "once"}
    both = [(await guest.caller.post(path, json=body, headers=key)).raise_for_status().json() for _ in range(2)]
    assert both[0]["id"] == both[1]["id"]
    assert (await guest.caller.post(path, json=body)).status_code == 404
    await guest.caller.call("DELETE", f"/v1/matches/{both[0]['id']}")
    assert (await ann.see(opened["id"]))["won"] is True
    assert (await ratings(service))["items"] == []
    nobody = await ann.caller.post(f"/v1/benchmarks/{SLUG}/matches", json={"model": "m", "opponent": "nobody"})
    assert nobody.json()["code"] == "no_such_opponent"
    withdrawn = await ann.open(opponent="guest")
    await ann.caller.call("DELETE", f"/v1/matches/{withdrawn['id']}")
    assert (await guest.caller.get("/v1/challenges")).json()["items"] == []


async def test_matches_of_the_same_two_weigh_little(service: Service, two: tuple[Player, Player]) -> None:
    """Who lets another win a thousand times moves it no further than thirty matches would."""
    cat = await player(service, "cat")
    for one, other in ((two[0], cat), (cat, two[0])):
        await paired(service, one, other)
    async with service.admin.session() as session:
        organisations = (await sql(session, "select id, slug from organisation")).all()
        ids = {row.slug: row.id for row in organisations}
        made = """with m as (insert into game_match (id, benchmark_id, deal, seconds, winner, ended, decided_at)
            select gen_random_uuid(), (select benchmark_id from game_match limit 1), '{}', 60, 0, 'gone', now()
            from generate_series(1, :count) returning id)
          insert into match_seat (id, match_id, side, organisation_id, party, model_name)
          select gen_random_uuid(), m.id, s.side, s.organisation, s.organisation, s.model
          from m, (values (0, cast(:winner as uuid), 'w'), (1, cast(:loser as uuid), 'l'))
            as s(side, organisation, model)"""
        await sql(session, made, {"count": 1000, "winner": ids["ann"], "loser": ids["bob"]})
        await sql(session, "update game_match set ended = 'gone', winner = 0, decided_at = now() where ended is null")
    (first, seen), _ = await paired(service, two[0], cat)
    await first.caller.call("DELETE", f"/v1/matches/{seen['id']}")
    elo = {row["model"]: row for row in (await ratings(service))["items"]}
    assert elo["w"]["played"] == 1000
    # 30 wins and one more against the field, as `rated` has it, are 360 points; a thousand would be above 1,000.
    assert 300 < elo["w"]["elo"] - elo["l"]["elo"] < 700


async def test_agents_of_the_client_play_each_other(service: Service, two: tuple[Player, Player]) -> None:
    def talk(messages: list[dict[str, Any]], tools: Any) -> tuple[dict[str, Any], None]:
        text, _, data = str(messages[-1]["content"]).rpartition("\n")
        kinds = next(tool for tool in tools if tool.name == "guess").parameters["properties"]["guess_type"]["enum"]
        return {"role": "assistant", "content": reply_to(text + "\n", json.loads(data), kinds)}, None

    def failing(task: Any) -> str:
        raise ValueError("I cannot")

    def play(one: Player, agent: Any) -> MatchStatus:
        with heldout.Client(
            api_key=one.caller.key, base_url="http://heldout.test", benchmark=SLUG, transport=bridge
        ) as client:
            match = client.matches.open(one.model)
            try:
                return play_match(agent, match)
            except ValueError:
                return client.matches.get(match.id).match

    bridge = Bridge(service)
    played = await asyncio.gather(*(asyncio.to_thread(play, one, chat(talk)) for one in two))
    assert {one.won for one in played} == {False, True}
    assert {one.ended for one in played} == {"played"}
    assert all(one.opponent for one in played)
    raising = await asyncio.gather(
        *(asyncio.to_thread(play, one, agent) for one, agent in zip(two, (chat(talk), failing), strict=True))
    )
    assert [(one.won, one.ended) for one in raising] == [(True, "gone"), (False, "gone")]
