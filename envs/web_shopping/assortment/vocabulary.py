"""What the invented shop sells: sorts of things, what they are made of, and what is said of them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

COLOURS = (
    *("black", "white", "navy blue", "sky blue", "forest green", "mint", "crimson", "burgundy", "mustard", "coral"),
    *("lavender", "plum", "teal", "charcoal", "ivory", "beige", "copper", "rose", "turquoise", "chocolate"),
)
SIZES = ("x-small", "small", "medium", "large", "x-large", "xx-large", "3x-large")
SHOE_SIZES = tuple(f"{size / 2:g}" for size in range(11, 25))
RUG_SIZES = ("2 x 3 feet", "3 x 5 feet", "4 x 6 feet", "5 x 8 feet", "8 x 10 feet")
BED_SIZES = ("twin", "full", "queen", "king", "california king")
PACKS = ("pack of 1", "pack of 2", "pack of 3", "pack of 4", "pack of 6", "pack of 12")
VOLUMES = ("2 fl oz", "4 fl oz", "8 fl oz", "12 fl oz", "16 fl oz", "32 fl oz")
WEIGHTS = ("4 ounce", "8 ounce", "12 ounce", "1 pound", "2 pound", "5 pound")
LENGTHS = ("1.5 feet", "3 feet", "6 feet", "10 feet", "15 feet")
STORAGE = ("64 gb", "128 gb", "256 gb", "512 gb", "1 tb")
SCENTS = ("cedar", "jasmine", "vanilla", "eucalyptus", "bergamot", "unscented", "sandalwood", "lemongrass")
FLAVOURS = ("cinnamon", "dark cocoa", "mango", "peanut", "sea salt", "raspberry", "maple", "ginger", "lime", "coconut")

FABRIC = ("machine washable", "quick drying", "fade resistant", "wrinkle free", "hand wash only", "lightweight fabric")
TOWELS = (*FABRIC, "hanging loop", "lint free", "waffle weave", "double stitched", "highly absorbent", "hemmed edges")
BEDDING = (
    *FABRIC,
    "hypo allergenic",
    "double sided",
    "light blocking",
    "non slip backing",
    "deep pocket",
    "oversized",
    "hand stitched",
    "reversible",
    "hidden zipper",
    "corner ties",
)
CLOTHES = (
    *("machine washable", "moisture wicking", "elastic waist", "long sleeve", "short sleeve", "slim fit"),
    *("relaxed fit", "high waist", "breathable mesh", "drawstring closure", "sun protection", "stretch fabric"),
    *(
        "side pockets",
        "crew neck",
        "cropped length",
        "tagless collar",
        "reinforced seams",
        "ribbed cuffs",
        "two way zipper",
    ),
)
SHOES = (
    *("rubber sole", "arch support", "slip resistant", "water repellent", "memory foam insole", "wide toe box"),
    *("lace up", "shock absorbing", "vegan leather", "steel toe", "quick drying"),
    *(
        "removable insole",
        "zip closure",
        "padded collar",
        "reflective heel",
        "cushioned midsole",
        "hook and loop strap",
    ),
)
BEAUTY = (
    *("fragrance free", "cruelty free", "paraben free", "sulfate free", "long lasting", "for sensitive skin"),
    *("with hyaluronic acid", "with tea tree oil", "with vitamin c", "oil free", "alcohol free", "for dry hair"),
    *(
        "with aloe vera",
        "with shea butter",
        "dermatologist tested",
        "plastic free packaging",
        "silicone free",
        "fast absorbing",
    ),
)
ELECTRONICS = (
    *("fast charging", "noise cancelling", "water resistant", "long battery life", "wireless charging", "shock proof"),
    *("dual band", "plug and play", "high resolution", "gold plated", "hands free", "carrying case included"),
    *(
        "one year warranty",
        "led indicator",
        "usb c port",
        "foldable plug",
        "magnetic closure",
        "dust proof",
        "voice control",
    ),
)
FOOD = (
    *("gluten free", "sugar free", "nut free", "non gmo", "plant based", "caffeine free", "low sodium", "kosher"),
    *("soy free", "high protein", "usda organic", "dairy free", "individually wrapped", "resealable bag"),
    *("no added salt", "fair trade", "keto friendly", "small batch", "stone ground", "naturally flavored"),
)
KITCHEN = (
    *("dishwasher safe", "bpa free", "non stick", "heat resistant", "stackable", "lead free", "rust proof"),
    *("easy to clean", "space saving", "leak proof", "microwave safe", "oven safe"),
    *(
        "nested set",
        "silicone handle",
        "with lid",
        "hand glazed",
        "induction ready",
        "scratch resistant",
        "double walled",
    ),
)
HOME = (
    *("easy assembly", "solid wood", "space saving", "wall mounted", "spot clean", "fade resistant", "tool free"),
    *("scratch resistant", "adjustable height", "battery powered", "child safe", "weather resistant"),
    *("cable management", "soft closing", "non slip feet", "dimmable", "swivel base", "rounded corners"),
)
OFFICE = (
    *("acid free", "refillable", "smudge proof", "quick drying", "recycled paper", "non toxic", "lay flat binding"),
    *("pocket sized", "heavy duty", "water resistant"),
    *(
        "fine tip",
        "perforated pages",
        "elastic band",
        "numbered pages",
        "vegan leather",
        "fade proof ink",
        "magnetic closure",
    ),
)
PETS = (
    *("chew resistant", "machine washable", "non toxic", "reflective trim", "easy to clean", "grain free"),
    *("odor control", "adjustable strap", "no pull design", "non slip base"),
    *(
        "water proof lining",
        "squeaker inside",
        "catnip filled",
        "washable cover",
        "for senior pets",
        "glow in the dark",
        "single protein",
    ),
)
OUTDOOR = (
    *("weather resistant", "uv protection", "lightweight frame", "heavy duty", "rust proof", "quick release"),
    *("carrying bag included", "easy assembly", "double stitched", "foldable", "insulated"),
    *(
        "cup holder",
        "padded straps",
        "anti theft pocket",
        "drainage holes",
        "kink free",
        "two way zipper",
        "glow in the dark",
    ),
)


CANDLES = (
    "long lasting",
    "lead free",
    "hand poured",
    "soy wax",
    "dye free",
    "cotton wick",
    "refillable",
    "hand painted",
    "essential oil blend",
    "wooden lid",
    "self trimming wick",
    "vegan wax",
    "matte finish",
    "travel size",
)
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "towels": TOWELS,
    "bedding": BEDDING,
    "clothes": CLOTHES,
    "shoes": SHOES,
    "beauty": BEAUTY,
    "electronics": ELECTRONICS,
    "food": FOOD,
    "kitchen": KITCHEN,
    "home": HOME,
    "office": OFFICE,
    "pets": PETS,
    "outdoor": OUTDOOR,
    "candles": CANDLES,
}

CONTRARY = (
    {"long sleeve", "short sleeve"},
    {"slim fit", "relaxed fit"},
    {"machine washable", "hand wash only"},
    {"resealable bag", "individually wrapped"},
)
"""What is not said of one product together."""


@dataclass(frozen=True)
class Sort:
    """A sort of thing: what it is called, where it stands in the shop, what may be chosen, said and asked for it.

    `names` are words for the same sort; `options` the names of what may be chosen; `prices` in dollars.
    """

    query: str
    names: tuple[str, ...]
    category: tuple[str, ...]
    attributes: tuple[str, ...]
    options: tuple[str, ...]
    prices: tuple[int, int]
    made_of: tuple[str, ...] = ()


OPTIONS: dict[str, tuple[str, ...]] = {
    "color": COLOURS,
    "size": SIZES,
    "shoe size": SHOE_SIZES,
    "rug size": RUG_SIZES,
    "bed size": BED_SIZES,
    "pack": PACKS,
    "volume": VOLUMES,
    "weight": WEIGHTS,
    "length": LENGTHS,
    "storage": STORAGE,
    "scent": SCENTS,
    "flavor": FLAVOURS,
}
SHOWN_AS = {"shoe size": "size", "rug size": "size", "bed size": "size", "volume": "size", "weight": "size"} | {
    "length": "size",
    "storage": "capacity",
    "pack": "item package quantity",
}
"""What an option's name reads in the shop, where it is another one."""


@cache
def sorts() -> tuple[Sort, ...]:
    """Every sort, as `sorts.txt` lists them."""
    lines = Path(__file__).with_name("sorts.txt").read_text("utf-8").splitlines()
    return tuple(_sort(line) for line in lines if not line.startswith("#"))


def _sort(line: str) -> Sort:
    query, names, category, attributes, options, prices, made_of = (part.strip() for part in line.split("|"))
    low, high = prices.split()
    return Sort(
        query=query,
        names=_listed(names),
        category=tuple(category.split(" > ")),
        attributes=ATTRIBUTES[attributes],
        options=_listed(options),
        prices=(int(low), int(high)),
        made_of=_listed(made_of),
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
