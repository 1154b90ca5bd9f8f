"""WebArena's evaluators (Zhou et al. 2023, arXiv:2307.13854): classic as published, and strict."""
