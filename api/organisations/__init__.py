"""Organisations: members, roles, invitations, verification."""
