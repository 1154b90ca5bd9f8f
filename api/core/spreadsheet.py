"""What is written into CSV files that a spreadsheet opens."""


def safe_cell(value: object) -> object:
    """The cell's value, made text where a spreadsheet would run it as a formula."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
