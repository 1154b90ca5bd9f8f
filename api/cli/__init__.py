"""The commands of `heldout-server`, by what they are for; `register(app)` adds a module's commands."""
