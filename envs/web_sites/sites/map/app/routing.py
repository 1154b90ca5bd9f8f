"""Ways from one place to another: Valhalla on the extract, one engine for each content."""

import json
import subprocess
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import valhalla
from valhalla.config import get_config

MEANS = {"foot": "pedestrian", "bicycle": "bicycle", "car": "auto"}
TILES, MOST_ENGINES = "tiles", 6


class NoRouteError(Exception):
    """No way leads there, by this means."""


@dataclass(frozen=True)
class Step:
    """What to do, and how many metres until the next."""

    text: str
    metres: float


@dataclass(frozen=True)
class Route:
    """A way: its length in metres, its time in seconds, its steps, its line as latitudes and longitudes."""

    metres: float
    seconds: float
    steps: tuple[Step, ...]
    line: tuple[tuple[float, float], ...]


def build(extract: Path, folder: Path) -> None:
    """Make the engine's tiles in `folder`. Raises RuntimeError with what the builder said."""
    tiles = folder / TILES
    tiles.mkdir()
    config = _config(folder)
    # With more than one builder the graph would be numbered in the order in which they finish.
    config["mjolnir"]["concurrency"] = 1
    file = folder / "valhalla.json"
    file.write_text(json.dumps(config))
    program = Path(valhalla.__file__).parent / "bin" / "valhalla_build_tiles"
    done = subprocess.run([str(program), "-c", str(file), str(extract)], capture_output=True, text=True, check=False)
    file.unlink()
    if done.returncode or not any(tiles.rglob("*.gph")):
        raise RuntimeError(f"the extract gave no roads: {(done.stdout + done.stderr)[-400:]}")


def _config(folder: Path) -> dict[str, Any]:
    config: dict[str, Any] = get_config(tile_extract="", tile_dir=str(folder / TILES), verbose=False)
    return config


class Engines:
    """The engines by the folder of their tiles. One way is worked out at a time."""

    def __init__(self) -> None:
        self._held: OrderedDict[Path, valhalla.Actor] = OrderedDict()
        self._lock = threading.Lock()

    def route(self, folder: Path, start: tuple[float, float], end: tuple[float, float], by: str) -> Route:
        """The way between two places (latitude, longitude). Raises NoRouteError."""
        ends = [{"lat": lat, "lon": lon, "radius": 30} for lat, lon in (start, end)]
        asked = {"locations": ends, "costing": MEANS[by], "units": "kilometers", "language": "en-GB"}
        with self._lock:
            engine = self._held.get(folder) or valhalla.Actor(_config(folder))
            self._held[folder] = engine
            self._held.move_to_end(folder)
            if len(self._held) > MOST_ENGINES:
                self._held.popitem(last=False)
            try:
                trip = engine.route(asked)["trip"]
            except RuntimeError as error:
                raise NoRouteError(str(error)) from error
        (leg,) = trip["legs"]
        steps = tuple(Step(one["instruction"], one["length"] * 1000) for one in leg["maneuvers"])
        return Route(trip["summary"]["length"] * 1000, trip["summary"]["time"], steps, tuple(_decoded(leg["shape"])))


def _decoded(shape: str) -> Iterator[tuple[float, float]]:
    """The points of an encoded polyline of six places: differences, five bits a character, the sign last."""
    at, axis, value, shift = [0, 0], 0, 0, 0
    for character in shape:
        bits = ord(character) - 63
        value |= (bits & 31) << shift
        shift += 5
        if bits < 32:
            at[axis] += ~(value >> 1) if value & 1 else value >> 1
            if axis:
                yield at[0] / 1e6, at[1] / 1e6
            axis, value, shift = 1 - axis, 0, 0


def length(metres: float) -> str:
    """A length as it is shown."""
    return f"{metres / 1000:.1f} km" if metres >= 950 else f"{round(metres / 10) * 10:.0f} m"


def minutes(seconds: float) -> int:
    """Full minutes, at least one."""
    return max(1, round(seconds / 60))


def duration(seconds: float) -> str:
    """A time as it is shown."""
    hours, rest = divmod(minutes(seconds), 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"
