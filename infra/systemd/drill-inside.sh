#!/usr/bin/env bash
# The second half of drill.sh, inside: the steps of docs/operating.md, and what is played on what they start.
set -Eeuo pipefail

grep -q '^overlay / overlay' /proc/mounts || { echo "drill: to be run by drill.sh" >&2; exit 1; }
export HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
# Debian's Python, which the service's user can read; packages as this machine has them.
export UV_OFFLINE=1 UV_PYTHON_PREFERENCE=only-system UV_PYTHON=/usr/bin/python3 UV_LINK_MODE=copy
export UV_CACHE_DIR=${UV_CACHE_DIR:-/root/.cache/uv} UV_NO_PROGRESS=1

declare -A facts
note() { facts[$1]=$2; echo "drill: $1: $2" >&2; }

measure() { # FACT COMMAND...: what the command says; its failure ends the drill
    local said
    said=$("${@:2}")
    note "$1" "$said"
}

trap 'failed' ERR
failed() {
    trap - ERR
    echo "drill: failed; the units:" >&2
    systemctl --no-pager list-units 'heldout*' 'postgresql@*' --all >&2 || true
    journalctl --no-pager -n 60 -u 'heldout*' -o cat >&2 || true
    exit 1
}

server() { # as the documentation says: the service's user, its settings
    runuser -u heldout -- env -C /var/lib/heldout HELDOUT_DATA_DIR=/var/lib/heldout \
        bash -c 'set -a; [ ! -r /etc/heldout/environment ] || . /etc/heldout/environment; exec "$@"' - \
        /opt/heldout/.venv/bin/heldout-server "$@"
}

ready() { # PORT: seconds until it says so
    local began=$SECONDS
    until curl -sf "http://127.0.0.1:$1/readyz" >/dev/null; do
        [ $((SECONDS - began)) -lt 180 ] || { curl -s "http://127.0.0.1:$1/readyz" >&2; return 1; }
        sleep 0.2
    done
    echo $((SECONDS - began))
}

play() { # PORT COUNT: submissions that are graded with full marks
    HELDOUT_BASE_URL=http://127.0.0.1:$1 HELDOUT_API_KEY=$key /opt/heldout/.venv/bin/python \
        /opt/checkout/infra/systemd/drill_play.py "$2"
}

fill() {
    server import /opt/heldout/benchmarks/smoke >&2
    key=$(server keys create --email drill@example.org --organisation drill)
}

install_it() {
    useradd --system --home-dir /var/lib/heldout heldout
    make -C /opt/heldout install >&2
    cp /opt/heldout/infra/systemd/*.service /etc/systemd/system/
    # The units as they stand in this checkout, committed or not.
    cp /opt/checkout/infra/systemd/*.service /etc/systemd/system/
    systemctl daemon-reload
}

all_in_one() {
    systemctl enable --now heldout
    measure "all in one: ready after seconds" ready 8080
    fill
    measure "all in one: graded" play 8080 2
    systemctl restart heldout
    measure "all in one: ready after a restart" ready 8080
    measure "all in one: graded after it" play 8080 1
    systemctl disable --now heldout
    note "all in one: result of the end" "$(systemctl show -P Result heldout)"
    note "all in one: processes left" "$(pgrep -c -u heldout || true)"
}

own_database() {
    mv /var/lib/heldout /var/lib/heldout.before
    install -d /etc/heldout
    (umask 077; head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' >/etc/heldout/database-password)
    chown heldout /etc/heldout/database-password
    pg_createcluster 15 drill >&2
    systemctl start postgresql@15-drill
    port=$(pg_lsclusters -h | awk '$2 == "drill" {print $3}')
    runuser -u postgres -- psql -q -p "$port" >&2 <<SQL
create role heldout_owner login createrole password '$(cat /etc/heldout/database-password)';
create database heldout owner heldout_owner encoding 'utf8' template template0;
SQL
    cat >/etc/heldout/environment <<ENV
HELDOUT_DATABASE_URL=postgresql://heldout_owner@127.0.0.1:$port/heldout
HELDOUT_DATABASE_PASSWORD_FILE=/etc/heldout/database-password
ENV
}

by_process() {
    own_database
    units=(heldout-migrate heldout-serve@8081 heldout-serve@8082 heldout-worker@1 heldout-host)
    systemctl enable --now "${units[@]}"
    measure "by process: 8081 ready after seconds" ready 8081
    measure "by process: 8082 ready after seconds" ready 8082
    fill
    # One worker restarts and is killed once while submissions come in; the second web process takes the reading.
    play 8081 12 >/run/played &
    playing=$!
    sleep 1
    before=$(systemctl show -P MainPID heldout-worker@1)
    systemctl restart heldout-worker@1
    sleep 1
    systemctl kill -s KILL heldout-worker@1
    wait "$playing"
    note "by process: graded while the worker restarts and is killed" "$(cat /run/played)"
    [ "$(systemctl show -P MainPID heldout-worker@1)" != "$before" ]
    note "by process: worker came back by itself" "$(systemctl show -P NRestarts heldout-worker@1)"
    measure "by process: graded through the other" play 8082 1
    before=$(systemctl show -P MainPID heldout-serve@8081)
    systemctl reload heldout-migrate
    [ "$(systemctl show -P MainPID heldout-serve@8081)" = "$before" ]
    note "by process: untouched by the migration of a release" 1
    # Who is at 8082 does not notice that its neighbours are replaced.
    play 8082 12 >/run/played &
    playing=$!
    for unit in heldout-serve@8081 heldout-worker@1 heldout-host; do systemctl restart "$unit"; done
    wait "$playing"
    note "by process: graded while a release rolls" "$(cat /run/played)"
    systemctl restart heldout-serve@8082
    ready 8081 >/dev/null
    ready 8082 >/dev/null
    measure "by process: graded after a release" play 8081 1
    systemctl disable --now "${units[@]}"
    for unit in "${units[@]}"; do
        [ "$(systemctl show -P Result "$unit")" = success ] || note "by process: end of $unit" "$(systemctl show -P Result "$unit")"
    done
    note "by process: processes left" "$(pgrep -c -u heldout || true)"
}

install_it
all_in_one
by_process
note systemd "$(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p')"
for name in "${!facts[@]}"; do printf '%s\t%s\n' "$name" "${facts[$name]}"; done | sort |
    /usr/bin/python3 -c 'import json, sys
rows = dict(line.rstrip("\n").split("\t") for line in sys.stdin)
left = [name for name in rows if name.endswith("processes left") and rows[name] != "0"]
wrong = left + [name for name in rows if " end of " in name or (name.endswith("result of the end") and rows[name] != "success")]
print(json.dumps({"worked": not wrong, "wrong": wrong} | {name: int(value) if value.isdigit() else value for name, value in rows.items()}))
raise SystemExit(bool(wrong))'
