"""Public pages and boards, kept by each web process and answered while what they show has not changed."""
