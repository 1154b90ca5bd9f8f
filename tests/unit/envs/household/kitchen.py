"""A household of three places for tests: a mug and a knife in a closed drawer, a tomato on a counter by the sink."""

from typing import Any

FACTS: dict[str, list[list[str]]] = {
    "atlocation": [["agent1", "loc_bar_0"]],
    "receptacleatlocation": [
        ["countertop_bar_1", "loc_bar_1"],
        ["sink_bar_1_bar_sinkbasin", "loc_bar_1"],
        ["drawer_bar_1", "loc_bar_2"],
        ["microwave_bar_1", "loc_bar_3"],
        ["fridge_bar_1", "loc_bar_4"],
    ],
    "receptacletype": [
        ["countertop_bar_1", "countertoptype"],
        ["sink_bar_1_bar_sinkbasin", "sinkbasintype"],
        ["drawer_bar_1", "drawertype"],
        ["microwave_bar_1", "microwavetype"],
        ["fridge_bar_1", "fridgetype"],
    ],
    "objecttype": [["mug_bar_1", "mugtype"], ["knife_bar_1", "knifetype"], ["tomato_bar_1", "tomatotype"]],
    "openable": [["drawer_bar_1"], ["microwave_bar_1"], ["fridge_bar_1"]],
    "inreceptacle": [
        ["mug_bar_1", "drawer_bar_1"],
        ["knife_bar_1", "drawer_bar_1"],
        ["tomato_bar_1", "countertop_bar_1"],
    ],
    "objectatlocation": [["mug_bar_1", "loc_bar_2"], ["knife_bar_1", "loc_bar_2"], ["tomato_bar_1", "loc_bar_1"]],
    "pickupable": [["mug_bar_1"], ["knife_bar_1"], ["tomato_bar_1"]],
    "cleanable": [["mug_bar_1"], ["tomato_bar_1"]],
    "heatable": [["mug_bar_1"], ["tomato_bar_1"]],
    "coolable": [["mug_bar_1"], ["tomato_bar_1"]],
    "sliceable": [["tomato_bar_1"]],
    "cancontain": [
        [place, thing]
        for place in ("countertoptype", "drawertype", "sinkbasintype", "fridgetype")
        for thing in ("mugtype", "knifetype", "tomatotype")
    ],
}
GOAL = [
    ["objecttype", "?o", "mugtype"],
    ["isclean", "?o"],
    ["inreceptacle", "?o", "?r"],
    ["receptacletype", "?r", "countertoptype"],
]
SOLUTION = (
    "go to drawer 1",
    "open drawer 1",
    "take mug 1 from drawer 1",
    "go to sinkbasin 1",
    "clean mug 1 with sinkbasin 1",
    "move mug 1 to countertop 1",
)


def spec(**changed: Any) -> dict[str, Any]:
    """The specification: a clean mug has to come on the countertop."""
    return {"facts": FACTS, "goal": GOAL, "task": "put a clean mug in countertop.", **changed}
