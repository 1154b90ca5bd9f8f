"""Attacks on the product's own mechanisms, so that an owner can choose a policy for the size of a split."""
