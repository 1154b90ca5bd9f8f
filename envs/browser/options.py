"""How a session's browser is set up."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from envs.browser.gateway import Limits


@dataclass(frozen=True)
class Options:
    """How a session's browser is set up. Times are in seconds.

    `now` is what pages take for the present; None is the machine's time. `ready` are expressions of JavaScript that
    hold on a page that is ready, besides what the browser says of it. `endless` are paths whose answers never end.
    `published_lines`: see `tree.Window`. More than `windows` that are opened in the time of one action are a flood.
    A page gets `load_timeout` to be ready, and `timeout` for one action.
    """

    width: int = 1280
    height: int = 720
    now: datetime.datetime | None = datetime.datetime(2026, 1, 15, 12, 0, tzinfo=datetime.UTC)
    tabs: int = 8
    dialogs: int = 20
    windows: int = 20
    timeout: float = 60.0
    load_timeout: float = 10.0
    limits: Limits = field(default_factory=Limits)
    files: Mapping[str, bytes] = field(default_factory=dict)
    storage_state: Mapping[str, Any] | None = None
    ready: tuple[str, ...] = ()
    endless: frozenset[str] = frozenset()
    published_lines: bool = False
