"""What is read from the environment besides the service's settings, for docs/configuration.md; and all the names."""

from typing import NamedTuple

from api.core.settings import Settings, variable


class Variable(NamedTuple):
    """A variable, what holds without it, and what it sets."""

    name: str
    default: str
    sets: str


_KEYS = (
    Variable("HELDOUT_KEYS_SERVICE", "none", "with HELDOUT_KEY_STORE=environment: the web process's keys, as JSON"),
    Variable("HELDOUT_KEYS_VAULT", "none", "the same of the worker's keys"),
    Variable("HELDOUT_KEYS_HOST", "none", "the same of the hosts' keys"),
)
_WORLDS = (
    Variable(
        "HELDOUT_CACHE",
        "the user's cache folder",
        "where templates, catalogues, recordings and the sites' environments are",
    ),
    Variable("HELDOUT_IMAGES", "`.heldout/images`", "folder of root file systems that `make images` made"),
    Variable("HELDOUT_CHROMIUM", "the machine's", "executable file of the Chromium that live environments use"),
    Variable(
        "HELDOUT_BROWSER_NETWORK",
        "`own` where it works",
        "`own`: no browser without a network of its own; `shared`: the machine's network",
    ),
    Variable(
        "HELDOUT_SITES",
        "those of the checkout",
        "folder in which web sites are described, beside `common` ([sites.md](sites.md))",
    ),
    Variable("HELDOUT_SITES_FILE", "none", "file of sites that somebody else runs ([sites.md](sites.md))"),
    Variable(
        "HELDOUT_MAP_EXTRACT",
        "an invented region",
        "OpenStreetMap extract (`.osm.pbf`) that the map shows ([sites.md](sites.md))",
    ),
    Variable(
        "HELDOUT_RECORDINGS",
        "in the cache",
        "folder of what a judge model said as host of puzzles ([lateral-thinking.md](lateral-thinking.md))",
    ),
    Variable(
        "HELDOUT_CATALOGUES", "in the cache", "folder of shopping catalogues ([web-shopping.md](web-shopping.md))"
    ),
    Variable(
        "HELDOUT_FORM_LIBRARIES",
        "`infra/forms/node_modules`",
        "folder that `make form-libraries` makes, copies of libraries that crowdsourcing pages load",
    ),
    Variable(
        "HELDOUT_FREEBASE_SPARQL", "none", "endpoint of a Freebase graph ([knowledge-graph.md](knowledge-graph.md))"
    ),
    Variable("HELDOUT_FREEBASE_ONTOLOGY", "none", "folder of that graph's ontology files"),
    Variable("HELDOUT_OPENENV", "none", "servers of OpenEnv, `name=http://host:port, ...` ([openenv.md](openenv.md))"),
)
_COMPOSE = (
    Variable(
        "HELDOUT_NAME", "none: compose asks for it", "the name at which people reach the service, for infra/compose"
    ),
)
_CLIENT = (
    Variable("HELDOUT_BASE_URL", "`http://127.0.0.1:8080`", "address of the service"),
    Variable("HELDOUT_API_KEY", "what `heldout login` keeps", "the key"),
    Variable(
        "HELDOUT_SOCKET", "set in a container", "socket of the service in a container ([containers.md](containers.md))"
    ),
    Variable("HELDOUT_SPLIT", "set in a container", "the split that a container plays"),
    Variable("HELDOUT_BENCHMARK", "none", "the benchmark where a command or a call names none"),
    Variable("HELDOUT_CONFIG_DIR", "in the user's configuration folder", "where `heldout login` keeps the key"),
    Variable("HELDOUT_ALLOW_HTTP", "none", "`1`: a key may travel unencrypted to another machine"),
)
_DEVELOPMENT = (
    Variable("HELDOUT_DATA", "`.heldout`", "where `infra/engine.sh` keeps its Docker Engine"),
    Variable("HELDOUT_AGENTLAB", "none", "the interpreter of an environment with AgentLab, to test it"),
    Variable("HELDOUT_WEBARENA", "none", "interpreter of an environment with what WebArena's loop needs"),
    Variable("HELDOUT_HARNESSES", "none", "programs' folder of an environment with the harnesses to test"),
    Variable("HELDOUT_TEST_DATA", "`../shared/data`", "published data sets that tests read"),
    Variable(
        "HELDOUT_TEST_UPSTREAM", "`../shared/upstream`", "checkouts of upstream projects that tests run beside ours"
    ),
    Variable("HELDOUT_TEST_POSTGRES", "Debian's", "folder of the PostgreSQL server that tests run as an external one"),
    Variable("HELDOUT_TEST_KILLS", "`3`", "how often the tests with `kill -9` kill"),
    Variable("HELDOUT_TEST_SESSIONS", "`4`", "sessions that are played meanwhile"),
    Variable("HELDOUT_TEST_SCREENSHOTS", "none", "folder for screenshots of the pages that browser tests open"),
)
GROUPS = {
    "Keys from the environment": _KEYS,
    "Worlds": _WORLDS,
    "The compose form": _COMPOSE,
    "The client": _CLIENT,
    "Development and tests": _DEVELOPMENT,
}
"""The page's further tables by their titles."""

INTERNAL = frozenset({"HELDOUT_SITE_SECRET", "HELDOUT_SELF_CHECK_WORD", "HELDOUT_CANARY", "HELDOUT_TEST_ORDER"})
"""Set by the service or by a test for a child of its own; nobody else sets them."""


def public_names() -> list[str]:
    """Every variable of the page."""
    others = (found.name for group in GROUPS.values() for found in group)
    return [*map(variable, Settings.model_fields), *others]
