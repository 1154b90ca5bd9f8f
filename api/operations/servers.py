"""`config check`: the servers that live environments are given by variables. What is not set is left out."""

import asyncio
import os
from collections.abc import AsyncIterator

from api.operations.check import SECONDS, Check, without_password


async def examine() -> AsyncIterator[Check]:
    """A check for each server that is named."""
    if address := os.environ.get("HELDOUT_FREEBASE_SPARQL"):
        yield await _freebase(address)
    if named := os.environ.get("HELDOUT_OPENENV"):
        async for check in _openenv(named):
            yield check


async def _freebase(address: str) -> Check:
    """Whether it answers a query as a session asks it."""
    import httpx2

    from envs.base import InfrastructureError
    from envs.knowledge_graph.store import ENDPOINT, ONTOLOGY, Endpoint, QueryError

    name, where = "Freebase", without_password(address)
    remedy = f"{ENDPOINT} is the address of a SPARQL 1.1 endpoint, mostly http://HOST:PORT/sparql"
    if not os.environ.get(ONTOLOGY):
        return Check(name, f"{ONTOLOGY} is not set, without which nothing is asked", "set both, or neither")
    endpoint = Endpoint(address)
    try:
        async with asyncio.timeout(SECONDS):
            found = await endpoint.select("SELECT ?x WHERE { ?x ?y ?z } LIMIT 1")
    except TimeoutError:
        return Check(name, f"{where}: no answer within {SECONDS:g} seconds", remedy)
    except (InfrastructureError, QueryError, httpx2.InvalidURL) as error:
        return Check(name, f"{where}: {error}", remedy)
    finally:
        await endpoint.close()
    return Check(name, f"{where} answers" if found else f"{where} holds nothing", "" if found else remedy)


async def _openenv(named: str) -> AsyncIterator[Check]:
    from envs.base import InfrastructureError, SpecError, parse_spec
    from envs.openenv.environment import SERVERS, action_schema, servers
    from envs.openenv.spec import OpenEnvSpec

    written = f"{SERVERS} is written as name=http://HOST:PORT, ...; a name has small letters, digits, _ and -"
    try:
        known = servers(named)
    except InfrastructureError:
        yield Check("OpenEnv", f"{SERVERS} holds what is no name with an address", written)
        return
    if not known:
        yield Check("OpenEnv", f"{SERVERS} names no server", written)
    for server, address in known.items():
        name, where = f"OpenEnv '{server[:40]}'", without_password(address)
        try:
            parse_spec(OpenEnvSpec, {"server": server})
            await action_schema(address, SECONDS)
        except SpecError:
            yield Check(name, "no pack can ask for a server of this name", written)
        except InfrastructureError as error:
            said = str(error).replace(address, where)
            yield Check(name, f"{where}: {said}", f"{SERVERS} has the address of a server of OpenEnv, docs/openenv.md")
        else:
            yield Check(name, f"{where} answers")
