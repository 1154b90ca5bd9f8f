#!/usr/bin/env bash
# As postgres:18 starts: on an empty volume a cluster is made, and what is in /docker-entrypoint-initdb.d is sourced beside a
# server that listens on its socket alone; then that one ends and the lasting one starts.
set -Eeo pipefail
if [ "$(id -u)" = 0 ]; then
    install -d -o postgres -g postgres -m 700 "$PGDATA"
    exec setpriv --reuid=postgres --regid=postgres --init-groups -- bash "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    POSTGRES_PASSWORD=$(<"${POSTGRES_PASSWORD_FILE:?}")
    initdb --username=postgres --pwfile=<(echo "$POSTGRES_PASSWORD")
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
    echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
    export PGPASSWORD=$POSTGRES_PASSWORD
    pg_ctl -w start -o "-c listen_addresses=''"
    for file in /docker-entrypoint-initdb.d/*.sh; do
        # shellcheck disable=SC1090
        if [ -x "$file" ]; then "$file"; else . "$file"; fi
    done
    pg_ctl -m fast -w stop
    unset PGPASSWORD
fi
exec "$@"
