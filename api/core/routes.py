"""How a request is named in metrics, logs and traces: its method and its route's pattern, never its address."""

from starlette.types import Scope

ROUTE = "heldout.route"
"""Set in a scope, to the pattern, by what answers beside the router."""


def named(scope: Scope) -> tuple[str, str]:
    """Method and pattern, known once the request is answered; `any` and `none` where nothing is at the address."""
    # Addresses hold names and ids, and there are endlessly many of those that nothing is at.
    route = getattr(scope.get("route"), "path", "") or scope.get(ROUTE) or scope.get("root_path") or "none"
    # A method may be any word, and each would be a series.
    return "any" if route == "none" else scope["method"], route
