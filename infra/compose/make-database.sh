#!/bin/sh
# Run once by the PostgreSQL image on an empty volume: the owner and the database, with the rights of docs/operating.md.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v password="$(cat /run/secrets/database-password)" <<'SQL'
create role heldout_owner login createrole password :'password';
create database heldout owner heldout_owner encoding 'utf8' template template0;
SQL
