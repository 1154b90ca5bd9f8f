"""The jobs: import, grade, finalise, review, regrade, trace, sweep. The only package that may import `api.vault`."""
