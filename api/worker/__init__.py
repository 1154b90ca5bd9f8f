"""The jobs: import, grade, settle, reap. The only package that may import `api.vault`."""
