#!/usr/bin/env bash
# A private Docker Engine for tests and measurements where none runs: engine.sh start|stop|status|where [FOLDER].
# It lives in a network namespace of its own, so that it cannot touch another engine's bridge or the firewall.
# Root inside its containers is nobody on the machine (userns-remap, with the account that the engine makes for it).
# NETWORKS=1 USERNS= make it one as it is installed: networks, published ports (in its namespace), users as they are.
# `start` prints the DOCKER_HOST to use. Needs root.
set -euo pipefail

action=${1:-status}

# As `default_data_dir` of api/core/places.py: the engine shifts user ids, and its containers' root may not enter a closed home.
default_data() {
    local place=$PWD
    while [[ $(stat -c %A "$place") == *[xt] ]]; do
        [ "$place" = / ] && { echo .heldout; return; }
        place=$(dirname "$place")
    done
    echo "/var/lib/heldout/$(basename "$PWD")-$(printf %s "$PWD" | sha256sum | cut -c1-8)"
}

folder=$(realpath -m "${2:-${HELDOUT_DATA:-$(default_data)}/engine}")
socket=$folder/docker.sock
pidfile=$folder/dockerd.pid

answers() { [ -S "$socket" ] && DOCKER_HOST=unix://$socket timeout 20 docker version >/dev/null 2>&1; }

# Whether the engine's process is there. It may be slow to answer on a busy machine, and two on one folder break both.
lives() { [ -f "$pidfile" ] && tr '\0' ' ' 2>/dev/null <"/proc/$(cat "$pidfile")/cmdline" | grep -qF -- "--pidfile $pidfile"; }

until_it_answers() {
    for _ in $(seq 300); do
        if answers; then echo "unix://$socket"; return; fi
        sleep 0.2
    done
    echo "engine: did not answer within a minute; the end of $folder/dockerd.log:" >&2
    tail -5 "$folder/dockerd.log" >&2
    exit 1
}

start() {
    if answers; then echo "unix://$socket"; return; fi
    if lives; then until_it_answers; return; fi
    [ "$(id -u)" -eq 0 ] || { echo "engine: needs root" >&2; exit 1; }
    for tool in dockerd docker unshare; do
        command -v "$tool" >/dev/null || { echo "engine: '$tool' is not installed: run infra/setup.sh" >&2; exit 1; }
    done
    mkdir -p "$folder"
    rm -f "$pidfile"
    # After a kill the number in there may be another process's by now, and dockerd would wait for that one.
    containerd=$folder/exec/containerd/containerd.pid
    if [ -f "$containerd" ] && ! grep -qs containerd "/proc/$(cat "$containerd")/cmdline"; then rm -f "$containerd"; fi
    runtimes='{}'
    if command -v runsc >/dev/null; then
        # Every network is refused anyway; and new kernels show sysctls that old builds take for the root namespace.
        options='"--platform=ptrace", "--network=none"'
        # The socket over which a participant's container meets the service; no other sandbox is given a folder.
        flags=$(runsc flags 2>&1 || true)
        if [[ $flags == *" -host-uds "* ]]; then options+=', "--host-uds=open"'; fi
        runtimes='{"runsc": {"path": "'$(command -v runsc)'", "runtimeArgs": ['$options']}}'
    fi
    echo "{\"runtimes\": $runtimes}" >"$folder/daemon.json"
    options=(--bridge none --iptables=false)
    [ -z "${NETWORKS:-}" ] || options=()
    [ -z "${USERNS-default}" ] || options+=(--userns-remap="${USERNS-default}")
    # With a loopback of its own, on which ports are published.
    setsid unshare --net sh -c 'ip link set lo up && exec "$@"' - dockerd --config-file "$folder/daemon.json" --host "unix://$socket" --pidfile "$pidfile" \
        --data-root "$folder/data" --exec-root "$folder/exec" "${options[@]}" --ip6tables=false \
        --storage-driver overlay2 >"$folder/dockerd.log" 2>&1 </dev/null &
    until_it_answers
}

stop() {
    [ -f "$pidfile" ] || { echo "engine: not running"; return; }
    pid=$(cat "$pidfile")
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 150); do
        kill -0 "$pid" 2>/dev/null || { echo "engine: stopped"; return; }
        sleep 0.2
    done
    echo "engine: process $pid does not end" >&2
    exit 1
}

case $action in
start) start ;;
stop) stop ;;
where) echo "$folder" ;;
status) if answers; then echo "unix://$socket"; else echo "engine: not running"; exit 1; fi ;;
*) echo "usage: engine.sh start|stop|status|where [FOLDER]" >&2; exit 2 ;;
esac
