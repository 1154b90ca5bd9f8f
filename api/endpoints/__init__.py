"""The service plays: a participant names an endpoint, and the worker asks it the problems of a split."""
