"""What the shop sells: departments with their categories, and the words its goods are named and described with."""

DEPARTMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "Kitchen": {
        "Kettles": ("Kettle", "Stove Kettle", "Travel Kettle"),
        "Pans": ("Frying Pan", "Saucepan", "Griddle"),
        "Knives": ("Bread Knife", "Paring Knife", "Carving Knife"),
        "Jars": ("Storage Jar", "Spice Jar", "Biscuit Jar"),
        "Baking Tins": ("Loaf Tin", "Muffin Tin", "Cake Tin"),
    },
    "Garden": {
        "Hand Tools": ("Trowel", "Hand Fork", "Weeder"),
        "Watering": ("Watering Can", "Garden Hose", "Sprinkler"),
        "Planters": ("Flower Pot", "Window Box", "Hanging Basket"),
        "Seeds": ("Herb Seeds", "Salad Seeds", "Meadow Seeds"),
        "Garden Lights": ("Path Light", "Lantern", "String Lights"),
    },
    "Office": {
        "Notebooks": ("Notebook", "Sketchbook", "Pocket Diary"),
        "Pens": ("Fountain Pen", "Ballpoint Pen", "Marker Set"),
        "Desk Lamps": ("Desk Lamp", "Clip Lamp", "Reading Lamp"),
        "Filing": ("Ring Binder", "File Box", "Letter Tray"),
        "Calculators": ("Pocket Calculator", "Desk Calculator", "Printing Calculator"),
    },
    "Outdoors": {
        "Tents": ("Tent", "Tunnel Tent", "Dome Tent"),
        "Sleeping Bags": ("Sleeping Bag", "Bag Liner", "Camping Quilt"),
        "Camping Stoves": ("Gas Stove", "Spirit Stove", "Wood Stove"),
        "Rucksacks": ("Rucksack", "Day Pack", "Roll-Top Pack"),
        "Torches": ("Head Torch", "Hand Torch", "Camp Lantern"),
    },
    "Music": {
        "Strings": ("Guitar Strings", "Violin Strings", "Bass Strings"),
        "Percussion": ("Frame Drum", "Tambourine", "Shaker"),
        "Stands": ("Music Stand", "Guitar Stand", "Microphone Stand"),
        "Tuners": ("Clip Tuner", "Pedal Tuner", "Metronome"),
        "Cables": ("Instrument Cable", "Patch Cable", "Microphone Cable"),
    },
    "Toys": {
        "Board Games": ("Board Game", "Card Game", "Dice Game"),
        "Puzzles": ("Jigsaw Puzzle", "Wooden Puzzle", "Cube Puzzle"),
        "Building Sets": ("Brick Set", "Marble Run", "Rail Set"),
        "Kites": ("Box Kite", "Delta Kite", "Pocket Kite"),
        "Craft Kits": ("Weaving Kit", "Candle Kit", "Origami Kit"),
    },
    "Home": {
        "Cushions": ("Cushion", "Floor Cushion", "Bolster"),
        "Blankets": ("Wool Blanket", "Picnic Blanket", "Throw"),
        "Clocks": ("Wall Clock", "Alarm Clock", "Mantel Clock"),
        "Mirrors": ("Wall Mirror", "Hand Mirror", "Standing Mirror"),
        "Lamps": ("Floor Lamp", "Table Lamp", "Pendant Lamp"),
    },
    "Workshop": {
        "Drills": ("Hand Drill", "Cordless Drill", "Drill Bit Set"),
        "Saws": ("Hand Saw", "Coping Saw", "Tenon Saw"),
        "Screwdrivers": ("Screwdriver", "Screwdriver Set", "Stubby Screwdriver"),
        "Glues": ("Wood Glue", "Contact Glue", "Glue Gun"),
        "Measuring": ("Tape Measure", "Spirit Level", "Folding Rule"),
    },
}

COLOURS = ("amber", "black", "blue", "copper", "cream", "green", "grey", "ivory", "navy", "ochre", "red", "white")
MATERIALS = ("aluminium", "bamboo", "beech", "brass", "canvas", "cotton", "enamel", "glass", "oak", "steel", "wool")
QUALITIES = ("Compact", "Classic", "Folding", "Heavy", "Junior", "Light", "Plain", "Sturdy", "Slim", "Twin", "Wide")
PLACES = ("a small flat", "a workshop", "the allotment", "a long journey", "the office", "a family kitchen")
HEADS = ("bal", "cor", "den", "fal", "gim", "hal", "jor", "kel", "lum", "mar", "nor", "pel", "qui", "ros", "sel", "tam")
TAILS = ("a", "en", "ic", "o", "ula", "ix", "ar", "im", "os", "et", "une", "il")
GIVEN = (
    "Ada",
    "Benno",
    "Carla",
    "Dario",
    "Edda",
    "Falk",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Kira",
    "Lars",
    "Mina",
    "Nils",
    "Olga",
    "Piet",
    "Ronja",
    "Sven",
    "Tilda",
    "Urs",
    "Vera",
    "Wim",
    "Xenia",
    "Yann",
    "Zora",
)
STREETS = ("Mill Lane", "Quay Street", "Chapel Road", "Station Road", "High Street", "Orchard Way", "Bridge Street")

PRAISE = {
    5: ("Could not be better", "Exactly right", "Would buy it again at once"),
    4: ("Very good", "Good with a small flaw", "Does what it should"),
    3: ("It is all right", "Neither good nor bad", "Average"),
    2: ("Disappointing", "Not what I hoped for", "Weak"),
    1: ("Do not buy this", "Broke at once", "Sent back"),
}
REMARKS = {
    5: (
        "It has been in use every day since {month} and looks new.",
        "The {material} feels solid, and it is easy to clean.",
    ),
    4: ("Only the {part} could be better.", "Arrived in {days} days; the {part} took some getting used to."),
    3: ("For the price it is fine, but the {part} is thin.", "It works. The {colour} is darker than in the picture."),
    2: ("The {part} came loose after {days} days.", "It is smaller than I thought, and the {part} rattles."),
    1: ("The {part} was broken when it arrived.", "After {days} days it was useless; the {part} gave way."),
}
PARTS = ("handle", "lid", "base", "seam", "strap", "packing", "hinge", "switch", "grip", "rim")
MONTHS = ("January", "March", "April", "June", "July", "September", "October", "November")
REMARKS_MORE = (
    "My {relative} wants one too.",
    "I compared it with two others.",
    "I use it for {place}.",
    "The instructions are short but clear.",
)
RELATIVES = ("sister", "neighbour", "father", "colleague", "daughter", "aunt")
