"""The pack format: models, reading with every fault reported, writing, the JSON Schema."""
