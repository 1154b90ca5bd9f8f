#!/usr/bin/env bash
# Debian's packages that tests run beside the service: another PostgreSQL, a pooler, Redis, Prometheus, a proxy, and curl.
# None of them is started, and no cluster is made: tests run them on ports and folders of their own.
set -euo pipefail
cd "$(dirname "$0")/.."
made=/etc/postgresql-common/createcluster.conf
if [ "$(id -u)" -eq 0 ] && [ ! -e $made ]; then
    mkdir -p "$(dirname $made)"
    echo "create_main_cluster = false" >$made
fi
RUNLEVEL=1 OPTIONAL="postgresql pgbouncer redis-server prometheus nginx-light curl" bash infra/setup.sh
