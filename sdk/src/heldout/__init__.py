"""Python client of Heldout: `import heldout as sdk; sdk.get_problems(split="test")`."""
