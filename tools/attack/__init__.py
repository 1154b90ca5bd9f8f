"""The attacks of `protection.simulations`, over real HTTP against a running service."""
