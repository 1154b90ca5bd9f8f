"""Many virtual participants against many processes of the service: what they did, how long it took, what was lost."""
