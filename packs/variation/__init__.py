"""How a problem may vary without changing what it measures."""
