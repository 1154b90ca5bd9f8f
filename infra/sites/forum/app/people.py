"""Made-up names: members, places, products. Every seed has others."""

import random
import re
from dataclasses import dataclass

FIRST = (
    "amber autumn brass brisk cedar clover copper coral crimson dapple dusky elder ember fennel fern flint frosty ginger "
    "golden hazel heather hollow indigo ivory ivy juniper lively lunar maple marble mellow misty mossy nimble nutmeg oaken "
    "opal pebble pepper plum quiet rusty saffron sage scarlet silver slate sleepy smoky sorrel sunny tawny tidal velvet "
    "walnut wandering wild willow windy"
).split()
SECOND = (
    "acorn anchor badger banjo barley beetle bobbin bramble bucket button cartwheel chimney comet compass cricket curlew "
    "drummer falcon fiddle finch garden goose hammer harbour hare heron hill hopper kettle kite ladder lantern lark magpie "
    "marten meadow miller needle nettle newt otter owl paddle pebble pilot pine plover quill rambler robin sailor sparrow "
    "spindle spoon starling swallow tailor thimble thistle tinker toad trout turner violet wagon weaver wren"
).split()
HEADS = (
    "Alder Ash Barrow Birch Black Brack Brim Calder Chal Coln Cran Dun Eller Fal Fen Gar Glen Hal Harrow Hazel Hol Kel King "
    "Lang Lin Mal Mar Nether New Nor Oak Over Pen Quar Raven Red Ros Sal Shel Stan Stoke Strat Sutter Thorn Tor Up Wal Wether"
).split()
TAILS = "beck bourne bury by combe cote dale den field ford gate ham hurst ley mere minster mouth port stead ton wick worth".split()
SOUNDS = "ba be bo da do fa fi ga go ka ke ko la le li lo ma mi mo na ne no ra ri ro sa so ta te ti to va ve vi za zo".split()
ENDINGS = "l n r s x rt lm nd rn st".split()


@dataclass(frozen=True)
class Name:
    """A member's name for signing in and the name shown."""

    username: str
    nickname: str


def member_names(draw: random.Random, count: int) -> list[Name]:
    """Different names; the shown one is a single word, as mentions need."""
    found: dict[str, Name] = {}
    while len(found) < count:
        first, second = draw.choice(FIRST), draw.choice(SECOND)
        style = draw.randrange(5)
        number = str(draw.randint(2, 99))
        shown = (f"{first}_{second}", first.title() + second.title(), second.title() + number)[min(style, 2)]
        shown = {3: f"{first}{number}", 4: f"{first.title()}_{second.title()}"}.get(style, shown)
        found.setdefault(shown.lower(), Name(shown.lower(), shown))
    return list(found.values())


def towns(draw: random.Random, count: int) -> list[str]:
    """Different names of places."""
    return draw.sample([head + tail for head in HEADS for tail in TAILS if head[-1].lower() != tail[0]], count)


def brands(draw: random.Random, count: int) -> list[str]:
    """Different names of makers."""
    found: dict[str, None] = {}
    while len(found) < count:
        found.setdefault("".join(draw.choices(SOUNDS, k=draw.randint(1, 2))).title() + draw.choice(ENDINGS))
    return [name for name in found if len(name) > 2] or brands(draw, count)


def product(draw: random.Random, makers: list[str], thing: str) -> str:
    """A made-up product such as "Korel 40 hand grinder"."""
    model = draw.choice((str(draw.randint(2, 99) * 10), f"{draw.choice('ABCEGKMRSTX')}{draw.randint(1, 9)}", "Mark II"))
    return f"{draw.choice(makers)} {model} {thing}"


def slug(title: str) -> str:
    """A title in an address, as Django's `slugify` and Spirit's 50 characters make it of ASCII text."""
    kept = re.sub(r"[^\w\s-]", "", title.lower(), flags=re.ASCII)
    return re.sub(r"[-\s]+", "-", kept).strip("-_")[:50].strip("-")
