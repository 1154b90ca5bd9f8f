"""The colour words of WebShop's reward: of an option's value only the first one counts."""

COLOURS = (
    *("alabaster", "apricot", "aqua", "ash", "asphalt", "azure", "banana", "beige", "black", "blue", "blush"),
    *("bordeaux", "bronze", "brown", "burgundy", "camel", "camo", "caramel", "champagne", "charcoal", "cheetah"),
    *("chestnut", "chocolate", "christmas", "coffee", "cognac", "copper", "coral", "cranberry", "cream"),
    *("crystal", "dark", "denim", "eggplant", "elephant", "espresso", "fuchsia", "gold", "granite", "grape"),
    *("graphite", "grass", "gray", "green", "grey", "heather", "indigo", "ivory", "ivy", "khaki", "lavender"),
    *("lemon", "leopard", "light", "lilac", "lime", "magenta", "maroon", "mauve", "merlot", "midnight", "mint"),
    *("mocha", "multicolor", "mushroom", "mustard", "natural", "navy", "nude", "olive", "orange", "peach"),
    *("pewter", "pink", "plum", "purple", "rainbow", "red", "rose", "royal", "rust", "sand", "sapphire"),
    *("seashell", "silver", "skull", "slate", "steel", "stone", "stonewash", "sunflower", "tan", "taupe", "teal"),
    *("tiger", "turquoise", "violet", "walnut", "wheat", "white", "wine", "yellow"),
)


def first_colour(value: str) -> str:
    """The first word of COLOURS, in their order, that is anywhere in `value`, even inside a word; else the value."""
    return next((colour for colour in COLOURS if colour in value), value)
