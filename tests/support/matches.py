"""Two who play each other, by what they are shown alone."""

import json
from dataclasses import dataclass
from typing import Any

from tests.support import suite
from tests.support.service import Caller, Service
from tests.support.sql import sql

SLUG = "agentbench-dcg"
COMMIT = "3f2a9c1d"
_LATER = """update {table} set {column} = {column} - make_interval(secs => {seconds})"""


def reply_to(text: str, data: dict[str, Any], kinds: list[str]) -> str:
    """A guess at the first place that is not known, else an attack of the first living fish on the first enemy."""
    if data["phase"] == "guess":
        places = json.loads(text.partition("Living enemies not exposed: ")[2].partition("\n")[0])
        return json.dumps({"guess_type": kinds[len(text) % len(kinds)], "target_position": int(places[0])})
    state = json.loads(text.partition("The state of the game: ")[2].partition("\n")[0])
    own, enemy = ([fish for fish in state[side] if int(fish["HP"]) > 0] for side in ("You", "Enemy"))
    move = {"pick_fish": own[0]["ID"], "action": "normal", "target_position": int(enemy[0]["POSITION"])}
    return json.dumps(move)


@dataclass
class Player:
    """A participant with a declared model."""

    caller: Caller
    model: str

    async def open(self, **more: Any) -> dict[str, Any]:
        """Take part in a match."""
        reply = await self.caller.post(f"/v1/benchmarks/{SLUG}/matches", json={"model": self.model} | more)
        return dict(reply.raise_for_status().json())

    async def see(self, match: str) -> dict[str, Any]:
        return dict((await self.caller.get(f"/v1/matches/{match}")).raise_for_status().json())

    async def say(self, seen: dict[str, Any], text: str) -> dict[str, Any]:
        """Reply with a text."""
        body = {"number": seen["steps"] + 1, "action": {"text": text}}
        reply = await self.caller.post(f"/v1/matches/{seen['id']}/steps", json=body)
        return dict(reply.raise_for_status().json())

    async def move(self, seen: dict[str, Any]) -> dict[str, Any]:
        """Reply as `reply_to` has it."""
        kinds = next(tool for tool in seen["tools"] if tool["name"] == "guess")
        asked = seen["observation"]
        return await self.say(
            seen, reply_to(asked["text"], asked["data"], kinds["parameters"]["properties"]["guess_type"]["enum"])
        )


async def player(service: Service, name: str, *, declared: bool = True) -> Player:
    """A participant of an organisation of its own."""
    caller = await service.reader(f"{name}@example.org", name)
    if declared:
        body = {"split": "dev", "model": f"{name}-1", "commit": COMMIT}
        (await caller.post(f"/v1/benchmarks/{SLUG}/declarations", json=body)).raise_for_status()
    return Player(caller, f"{name}-1")


async def publish(service: Service) -> None:
    """A benchmark with the card game."""
    await service.publish(suite.packs({"dcg": "live-card-game"})["dcg"])


async def paired(service: Service, one: Player, other: Player) -> list[tuple[Player, dict[str, Any]]]:
    """A ranked match of two; who moves first comes first."""
    waiting, joined = await one.open(), await other.open()
    assert (waiting["state"], joined["state"] in ("your_turn", "their_turn")) == ("waiting", True)
    both = [(one, await one.see(waiting["id"])), (other, joined)]
    return sorted(both, key=lambda pair: not pair[1]["first"])


async def hours_later(service: Service, hours: float) -> None:
    """Let what has happened in matches have happened earlier."""
    async with service.admin.session() as session:
        for table, column in (
            ("game_match", "created_at"),
            ("match_seat", "joined_at"),
            ("match_action", "created_at"),
        ):
            await sql(session, _LATER.format(table=table, column=column, seconds=int(3600 * hours)))
