"""What another distribution may add to Heldout."""
