"""Words that an invented region's names are made of, and what there is in its towns."""

from dataclasses import dataclass

TOWN_STEMS = (
    *("Ash", "Birch", "Crow", "Dun", "Elm", "Fern", "Glen", "Hazel", "Long", "Marl", "Nether", "Otter", "Pen", "Rook"),
    *("Stan", "Thorn", "Under", "Wal", "Yar", "Kelm", "Bram", "Cald", "Orm", "Tarn", "Sed", "Whin"),
)
TOWN_ENDS = ("bridge", "bury", "field", "ford", "ham", "leigh", "mouth", "ton", "wick", "worth", "combe", "stead")
STREET_STEMS = (
    *(
        "Mill",
        "Church",
        "Station",
        "Market",
        "Orchard",
        "Bell",
        "Cooper",
        "Ferry",
        "Garden",
        "Harbour",
        "Smith",
        "Tanner",
    ),
    *("Weaver", "Castle", "Chapel", "Lime", "Maple", "Meadow", "Priory", "Quarry", "Spring", "Tower", "Well", "Abbey"),
)
STREET_ENDS = ("Street", "Lane", "Road", "Row", "Avenue", "Close", "Walk", "Hill")
SIGNS = (
    *("Copper", "Golden", "Blue", "Old", "Little", "Red", "Silver", "Green", "Merry", "Quiet", "White", "Lucky"),
    *("Winter", "Corner", "Upper", "Lower", "Twin", "Royal", "Crooked", "Bright"),
)
PEOPLE = (
    *("Adler", "Barrow", "Cobb", "Dane", "Eggert", "Fenn", "Garrick", "Holm", "Ivers", "Jago", "Keel", "Lund", "Marsh"),
    *("Nye", "Orr", "Pike", "Quint", "Rudd", "Stroud", "Tull", "Usher", "Vane", "Wick", "Yate"),
)
# Places of which a town has one are named after it.
TOWN: tuple[str, ...] = ()
NAMES_OF: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "cafe": (SIGNS, ("Kettle", "Cup", "Spoon", "Oven", "Bean", "Saucer")),
    "restaurant": (SIGNS, ("Goose", "Trout", "Table", "Lantern", "Anchor", "Fig")),
    "hotel": (SIGNS, ("Hotel", "Inn", "Guest House")),
    "pharmacy": (PEOPLE, ("Pharmacy", "Chemist")),
    "supermarket": (PEOPLE, ("Foods", "Market Hall", "Stores")),
    "bank": (PEOPLE, ("Bank", "Savings Bank")),
    "fuel": (PEOPLE, ("Fuel", "Garage")),
    "cinema": (SIGNS, ("Screen", "Picture House", "Cinema")),
    "school": (STREET_STEMS, ("School", "Primary School", "Grammar School")),
    "museum": (STREET_STEMS, ("Museum", "Gallery")),
    "library": (TOWN, ("Library",)),
    "hospital": (TOWN, ("Hospital", "Infirmary")),
    "post": (TOWN, ("Post Office",)),
    "hall": (TOWN, ("Town Hall",)),
    "station": (TOWN, ("Railway Station",)),
}


@dataclass(frozen=True)
class Point:
    """A kind of place: its tag, how it is named, when it is open."""

    key: str
    value: str
    naming: str
    days: str = "Mo-Sa"


POINTS = (
    Point("amenity", "cafe", "cafe", "Mo-Su"),
    Point("amenity", "restaurant", "restaurant", "Tu-Su"),
    Point("tourism", "hotel", "hotel", "Mo-Su"),
    Point("amenity", "pharmacy", "pharmacy"),
    Point("shop", "supermarket", "supermarket"),
    Point("amenity", "bank", "bank", "Mo-Fr"),
    Point("amenity", "fuel", "fuel", "Mo-Su"),
    Point("amenity", "cinema", "cinema", "We-Su"),
    Point("amenity", "school", "school", "Mo-Fr"),
    Point("tourism", "museum", "museum", "Tu-Su"),
    Point("amenity", "library", "library"),
    Point("amenity", "hospital", "hospital", "Mo-Su"),
    Point("amenity", "post_office", "post"),
    Point("amenity", "townhall", "hall", "Mo-Fr"),
    Point("railway", "station", "station", "Mo-Su"),
)
