#!/usr/bin/env bash
# The systemd form, run: a systemd of its own is booted on this machine, the service installed in it by the steps of
# docs/operating.md, and both forms are played: all in one, and process by process with a PostgreSQL of one's own.
# Needs root, cgroup v2, Debian's systemd and postgresql. The last line is JSON and says what worked.
#
# Nothing of the machine can be written from inside: the root is an overlay in memory, /tmp, /dev, /run and the network
# are the drill's own, and systemd is started only after all of that has been looked at. (A systemd that boots empties
# /tmp, for one.)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)

die() { echo "drill: $*" >&2; exit 1; }

outside() {
    [ "$(id -u)" -eq 0 ] || die "needs root"
    for tool in unshare nsenter git uv psql pg_createcluster; do
        command -v "$tool" >/dev/null || [ -x "$checkout/.venv/bin/$tool" ] || die "'$tool' is not installed"
    done
    [ -x /lib/systemd/systemd ] || die "systemd is not installed: apt-get install systemd"
    hierarchy=$(findmnt -n -t cgroup2 -o TARGET | head -1)
    [ -n "$hierarchy" ] || die "no cgroup v2 hierarchy is mounted"
    folder=$(mktemp -d /var/tmp/heldout-drill.XXXXXX)
    group=$hierarchy/$(basename "$folder")
    witness=$(mktemp /tmp/heldout-drill-witness.XXXXXX)
    trap finish EXIT
    trap 'exit 143' TERM INT
    mkdir "$group"
    # There is no network inside: uv's cache gets what Debian's Python needs, in an environment that is thrown away.
    PATH=$PATH:$checkout/.venv/bin UV_PYTHON=/usr/bin/python3 UV_PYTHON_PREFERENCE=only-system \
        UV_PROJECT_ENVIRONMENT=$folder/unused uv sync -q --frozen --project "$checkout"
    rm -rf "$folder/unused"
    # Its first process is the drill's systemd; when unshare ends, the kernel ends everything inside.
    bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$group" \
        unshare --fork --kill-child --pid --mount --cgroup --uts --ipc --net \
        bash "$here/drill.sh" root "$folder" "$checkout" >"$folder/console" 2>&1 </dev/null &
    unshare=$!
    for _ in $(seq 300); do
        pid=$(pgrep -P "$unshare" || true)
        [ -n "$pid" ] && [ "$(cat "/proc/$pid/comm")" = systemd ] && enter systemctl is-active -q basic.target 2>/dev/null && break
        kill -0 "$unshare" 2>/dev/null || { cat "$folder/console" >&2; die "systemd did not boot"; }
        sleep 0.2
    done
    enter systemctl is-active -q basic.target || die "systemd did not reach basic.target in a minute"
    enter bash /opt/checkout/infra/systemd/drill-inside.sh
    [ -e "$witness" ] || die "a file of this machine's /tmp has gone"
}

enter() { nsenter -t "$pid" -m -p -u -i -n -C -r -w "$@"; }

finish() {
    code=$?
    trap - EXIT
    set +e
    # The first process of its own numbering: with it the kernel ends every other.
    pid=$(pgrep -P "${unshare:-0}")
    [ -z "$pid" ] || kill -9 "$pid"
    [ -z "${unshare:-}" ] || wait "$unshare"
    for _ in $(seq 50); do [ -s "$group/cgroup.procs" ] || break; sleep 0.1; done
    find "$group" -depth -type d -exec rmdir {} +
    rm -f "$witness" "$folder/console"
    rmdir "$folder/new" "$folder"
    exit "$code"
}

# In namespaces of its own: a root of its own, then systemd.
root() {
    folder=$1
    new=$folder/new
    machine=$(findmnt -no SOURCE /)
    mount --make-rprivate /
    mkdir "$new"
    mount -t tmpfs -o size=6g,mode=755 tmpfs "$new"
    mkdir -p "$new/upper/var/lib" "$new/work" "$new/root"
    # What checkouts of this machine's root keep there is none of the drill's: overlayfs takes such a node for a deletion.
    mknod "$new/upper/var/lib/heldout" c 0 0
    mount -t overlay overlay -o "lowerdir=/,upperdir=$new/upper,workdir=$new/work" "$new/root"
    root=$new/root
    mount -t proc proc "$root/proc"
    mount --bind -o ro "$root/proc/sys" "$root/proc/sys"
    mount -o remount,bind,ro "$root/proc/sys"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    devices "$root/dev"
    mkdir "$root/old" "$root/opt/checkout"
    git clone -q "$2" "$root/opt/heldout"
    cp -a "$2/infra" "$root/opt/checkout"
    install -m 755 "$(command -v uv || echo "$2/.venv/bin/uv")" "$root/usr/local/bin/uv"
    # What would touch hardware or the kernel, and what only comes at some hour.
    for unit in systemd-udevd.service systemd-modules-load.service systemd-sysctl.service systemd-binfmt.service \
        systemd-remount-fs.service systemd-timesyncd.service postgresql.service timers.target; do
        ln -sf /dev/null "$root/etc/systemd/system/$unit"
    done
    : >"$root/etc/fstab"
    pivot_root "$root" "$root/old"
    cd /
    umount -l /old
    ip link set lo up
    [ "$(findmnt -no FSTYPE /)" = overlay ] || die "the root is not the drill's own"
    [ "$(findmnt -no FSTYPE --target /tmp)" = tmpfs ] || die "/tmp is not the drill's own"
    if findmnt -rno SOURCE | grep -qF "$machine"; then die "the machine's disk is still mounted"; fi
    # Not the machine's clock, modules, devices' registers or log.
    export container=heldout
    exec setpriv --bounding-set=-sys_module,-sys_time,-sys_rawio,-syslog,-sys_boot \
        --inh-caps=-sys_module,-sys_time,-sys_rawio,-syslog,-sys_boot \
        /lib/systemd/systemd --system --log-target=console --unit=basic.target
}

devices() { # FOLDER
    mount -t tmpfs -o mode=755 tmpfs "$1"
    for node in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "$1/${node%:*}" c 1 "${node#*:}"; done
    mknod -m 666 "$1/tty" c 5 0
    mkdir "$1/pts" "$1/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$1/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$1/shm"
    ln -s pts/ptmx "$1/ptmx"
    ln -s /proc/self/fd "$1/fd"
    for number in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${number%:*}" "$1/${number#*:}"; done
}

case ${1:-} in
root) root "$2" "$3" ;;
"") outside ;;
*) die "usage: drill.sh" ;;
esac
