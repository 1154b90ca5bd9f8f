"""Containers of participants, which the service runs: their archives on the way in."""
