"""What the forge's repositories are called and talk about; invented for this project."""

GIVEN = (
    *("Alma", "Bram", "Cleo", "Dina", "Emil", "Freya", "Gero", "Hilda", "Igor", "Jana", "Kolja", "Lotte", "Milo"),
    *("Nadia", "Oskar", "Pia", "Quinn", "Rosa", "Silas", "Thea", "Udo", "Viola", "Wanda", "Yuri", "Zelda", "Arne"),
)
SURNAMES = (
    *("Ahlers", "Brandvik", "Castor", "Dorn", "Ekholm", "Fjord", "Garnet", "Hasel", "Iversen", "Jutland", "Kestrel"),
    *("Lindqvist", "Moorland", "Nyberg", "Olander", "Pryce", "Quarry", "Rosendal", "Solberg", "Tarn", "Ulven", "Vance"),
    *("Westby", "Yarrow", "Zander", "Birk"),
)
PLACES = ("Aarhus", "Bergen", "Cork", "Delft", "Espoo", "Fribourg", "Ghent", "Haarlem", "Innsbruck", "Jena", "Kiel")
THINGS = {
    "tide-table": "Works out high and low water for small harbours",
    "bread-clock": "Tells bakers when to fold, shape and bake",
    "owl-counter": "Counts owl calls in recordings of a night",
    "seed-ledger": "Keeps track of seeds, beds and harvests",
    "lamp-post": "Controls street lights over radio",
    "choir-sheet": "Turns scores into practice sheets",
    "rain-barrel": "Collects readings of rain gauges",
    "ferry-queue": "Orders cars for small ferries",
    "moth-atlas": "Maps sightings of moths",
    "kiln-watch": "Watches the temperature of a kiln",
    "bell-ringer": "Rings church bells by a calendar",
    "path-finder": "Plans walks between huts",
    "loom-pattern": "Draws patterns for weaving looms",
    "salt-store": "Plans the salt of a road depot",
}
MODULES = ("reader", "writer", "planner", "report", "storage", "clock", "network", "display")
VERBS = ("load", "save", "check", "sort", "count", "draw", "send", "merge", "clean", "round")
NOUNS = ("rows", "values", "names", "dates", "pages", "units", "signals", "labels", "limits", "files")
KEYS = {"timeout": (5, 90), "retries": (1, 9), "page_size": (10, 80), "cache_days": (1, 30), "workers": (2, 16)}
LABELS = {
    "bug": "red",
    "enhancement": "blue",
    "documentation": "green",
    "question": "purple",
    "urgent": "orange",
    "help wanted": "grey",
}
TROUBLES = (
    "The {module} stops when {noun} are empty",
    "Wrong {noun} after an update of the {module}",
    "The {module} is slow with many {noun}",
    "Please let the {module} {verb} {noun} too",
    "How does the {module} {verb} {noun}?",
    "Document how to {verb} {noun} with the {module}",
    "The {module} forgets {noun} over night",
    "A better message when the {module} cannot {verb} {noun}",
)
BODIES = (
    "It happened on a {place} machine after {n} runs. The last lines of the log say nothing about it.",
    "I have {n} of them and would rather not do this by hand. Any hint is welcome.",
    "Since the last release, every {n}th time. A restart helps for a while.",
    "See the discussion at the meeting in {place}. {n} people asked for it.",
)
REPLIES = (
    "I can see the same here, with {n} of them.",
    "This needs a test before anything else.",
    "Thank you! I will look at it in {place} next week.",
    "Could you attach the first {n} lines?",
    "I would rather not change this before the next milestone.",
)
