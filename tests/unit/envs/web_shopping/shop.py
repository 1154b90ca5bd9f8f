"""A shop of three products for tests, as WebShop's raw files and as a catalogue."""

import json
from pathlib import Path
from typing import Any

from envs.web_shopping import catalogue
from envs.web_shopping.product import Product

BOWL = Product(
    asin="B000000001",
    name="Stackable Soup Bowl in Stoneware",
    query="bowls",
    category="Home › Kitchen › Bowls",
    attributes=("dishwasher safe", "lead free"),
    options={"color": ("oat green", "night blue"), "size": ("small", "x-large")},
    price=18.5,
    price_tag="$18.5",
    description="",
    bullets=("Stack five of them", "  ", "Lead free glaze"),
)
LID = Product(
    asin="B000000002",
    name="Soup Bowl with a Lid",
    query="bowls",
    category="Home › Kitchen › Bowls",
    attributes=("dishwasher safe",),
    options={},
    price=34.0,
    price_tag="$34.0 to $36.0",
    description="A bowl for soup.",
    bullets=(),
)
LAMP = Product(
    asin="B000000003",
    name="Reading Lamp",
    query="lamps",
    category="Home › Light › Lamps",
    attributes=("dimmable",),
    options={"color": ("black",)},
    price=20.0,
    price_tag="$20.0",
    description="Light to read by.",
    bullets=("Turns around",),
)
PRODUCTS = (BOWL, LID, LAMP)
WISH = "a dishwasher safe oat green soup bowl, and price lower than 30.00 dollars"
GOLD = ("search[soup bowl]", "click[b000000001]", "click[oat green]", "click[buy now]")
REFERENCE: dict[str, Any] = {
    "kind": "purchase",
    "name": BOWL.name,
    "query": BOWL.query,
    "category": BOWL.category,
    "attributes": ["dishwasher safe", "lead free"],
    "options": ["oat green"],
    "price_upper": 30.0,
}


def spec(**changed: Any) -> dict[str, Any]:
    """The specification of an episode in this shop, whose catalogue is put among this machine's."""
    reference = catalogue.add(PRODUCTS).model_dump(mode="json", exclude_defaults=True)
    return {"instruction": WISH, "catalogue": reference} | changed


def record(asin: str, **changed: Any) -> dict[str, Any]:
    """A raw product."""
    made: dict[str, Any] = {
        "asin": asin,
        "name": f"Mug {asin} of Clay",
        "full_description": "Holds tea.",
        "small_description": ["Glazed by hand"],
        "pricing": "$1,012.50",
        "category": "garden",
        "query": " Mugs ",
        "product_category": "Home › Kitchen › Mugs",
        "customization_options": {"Color": [{"value": "Red/Tile"}, {"value": "Green "}], "Size": None},
        "images": ["x"],
    }
    return made | changed


def write(folder: Path, **files: Any) -> Path:
    """A folder of raw files, by their names without the ending."""
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return folder
