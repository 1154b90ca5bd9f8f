"""Who takes part: users and keys; organisations, members, invitations; who has access to a benchmark."""
