"""What publishing tells: services that publish packs with other golds look the same to the web role and to everybody.

The releases of `test_noninterference.py` are published before their golds differ.
"""

import dataclasses
from typing import Any

import psycopg

from api.core.settings import Settings
from packs.pack import Pack
from packs.problem import Variation
from tests.security.test_noninterference import web_reads
from tests.support.service import Service, choice_pack
from tests.support.service_fixtures import Cluster
from tests.support.twins import SQL_CLOCK, VirtualClock, steady

HIDDEN = {"feedback": "sealed", "chance_level": 0.25}
PUBLIC = ("/v1/benchmarks", "/v1/benchmarks/quiz", "/v1/benchmarks/quiz/versions", "/v1/benchmarks/quiz/ngram-filter")


def exchanged(pack: Pack, shift: int) -> Pack:
    """The pack with the golds of its hidden split moved on by so many letters; every third one varies its choices."""
    lines = []
    for number, line in enumerate(pack.references):
        if line.id.startswith("test"):
            gold = "ABCD"[(number + shift) % 4]
            variation = Variation(choices=True) if number % 3 == 0 else None
            reference = {"kind": "multiple_choice", "value": gold}
            line = line.model_copy(
                update={"reference": reference, "gold": gold, "solution": f"It is {gold}.", "variation": variation}
            )
        lines.append(line)
    return dataclasses.replace(pack, references=tuple(lines))


async def published(cluster: Cluster, shift: int, begin: Any) -> dict[str, str]:
    """Two releases of which the second mends a gold: all that the web role reads, and what is public."""
    settings = Settings(data_dir=cluster.folder, database_name=cluster.fresh(), rate_limits_enabled=False, pool_ready=0)
    try:
        with psycopg.connect(cluster.server.uri(settings.database_name), autocommit=True) as connection:
            connection.execute(SQL_CLOCK)
            connection.execute("update clock.current set at = %s", (begin,))
        clock = VirtualClock(begin)
        with steady(clock):
            async with Service.running(settings) as service:
                for version, more in (("1.0.0", 0), ("1.0.1", 1)):
                    pack = choice_pack(count=12, version=version, hidden=HIDDEN)
                    await service.publish(exchanged(pack, shift + more))
                found = await web_reads(service, None)  # type: ignore[arg-type]
                for path in PUBLIC:
                    reply = await service.client.get(path)
                    assert reply.status_code == 200, path
                    found[path] = reply.text
                return found
    finally:
        cluster.drop(settings.database_name)


async def test_publishing_tells_nothing_of_hidden_golds(cluster: Cluster) -> None:
    with psycopg.connect(cluster.server.uri(), autocommit=True) as connection:
        begin = connection.execute("select now()").fetchone()
    assert begin
    first, second = [await published(cluster, shift, begin[0]) for shift in (0, 1)]
    assert len(first) > 30
    assert {name for name, text in first.items() if text != second[name]} == set()
