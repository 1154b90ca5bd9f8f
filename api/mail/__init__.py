"""E-mail: what is written, and how it is queued. A worker sends it (`api.worker.mailing`)."""
