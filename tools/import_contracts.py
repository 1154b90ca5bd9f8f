"""A contract of `lint-imports` of our own: which folder of `envs` is a world is seen, not listed."""

from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class WorldsContract(Contract):
    """A folder of `package` with a module `environment` is a world; the rest is what worlds are built on.

    No world imports another, and what they are built on imports no world and nothing of `others`, directly or through
    other modules.
    """

    type_name = "worlds"
    package = fields.StringField()
    others = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Every shortest chain of imports that should not be."""
        del verbose
        package, others = cast("str", self.package), cast("list[str]", self.others)
        children = graph.find_children(package)
        worlds = {child for child in children if f"{child}.environment" in graph.modules}
        forbidden = {world: worlds - {world} for world in worlds}
        forbidden |= {shared: worlds | set(others) for shared in children - worlds}
        chains = [
            chain
            for importer in sorted(forbidden)
            for imported in sorted(forbidden[importer])
            for chain in graph.find_shortest_chains(importer=importer, imported=imported)
        ]
        return ContractCheck(kept=bool(worlds) and not chains, metadata={"chains": chains, "worlds": sorted(worlds)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """The chains, one a line."""
        if not check.metadata["worlds"]:
            output.print_error(f"{self.package} has no folder with a module 'environment'")
        for chain in check.metadata["chains"]:
            output.print_error(" -> ".join(chain))
