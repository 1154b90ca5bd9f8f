#!/usr/bin/env bash
# The compose form, run: what docs/operating.md says under "With containers" is typed, on a private Docker Engine with
# networks, in a copy of this folder with secrets of its own. Needs root and Debian; the last line is JSON and says what worked.
#
# No registry is asked. The service's image is built of this checkout; what compose.yaml takes from a registry is made of the
# packages of a Debian release that has PostgreSQL 18, and so is Docker Compose. Images are kept beside the engine's other data
# for the next time; of containers, volumes, networks, secrets and processes nothing is left.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
cd "$checkout"

die() { echo "drill: $*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || die "needs root"
RUNLEVEL=1 OPTIONAL="docker.io mmdebstrap curl openssl" bash infra/setup.sh >&2
for tool in dockerd docker mmdebstrap curl openssl nsenter unshare; do
    command -v "$tool" >/dev/null || die "'$tool' is not installed"
done
kept=$(dirname "$(bash infra/engine.sh where)")/compose-drill
mkdir -p "$kept"
exec 9>"$kept/lock"
flock -n 9 || die "another one runs"
folder=$(mktemp -d /var/tmp/heldout-compose.XXXXXX)

empty() { # the engine is this drill's alone
    docker ps -aq | xargs -r docker rm -fv >/dev/null
    docker volume ls -q | xargs -r docker volume rm >/dev/null
    docker network prune -f >/dev/null
}

finish() {
    code=$?
    trap - EXIT
    [ -z "${walking:-}" ] || kill "$walking" 2>/dev/null || true
    [ -z "${DOCKER_HOST:-}" ] || empty || code=1
    bash infra/engine.sh stop "$kept/engine" 9>&- >&2 || code=1
    rm -rf "$folder"
    exit "$code"
}
trap finish EXIT
trap 'exit 143' TERM INT

packages() { # the stand-ins' root file system, as this machine's apt takes old lists
    tar=$kept/stand-ins.tar
    [ "$tar" -nt "$here/stand-ins/packages" ] && return
    said=()
    for name in Check-Valid-Until Check-Date; do
        value=$(apt-config dump --format '%v' "Acquire::$name")
        [ -z "$value" ] || said+=(--aptopt="Acquire::$name \"$value\"")
    done
    mmdebstrap --quiet --variant=minbase "${said[@]}" --include="$(paste -sd, "$here/stand-ins/packages")" \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' "${SUITE:-forky}" "$kept/stand-ins.partial.tar" http://deb.debian.org/debian >&2
    mv "$kept/stand-ins.partial.tar" "$tar"
}

stand_ins() { # under the names that compose.yaml takes from a registry
    docker import -c 'ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin' "$kept/stand-ins.tar" heldout/stand-in-base >/dev/null
    for image in $(HELDOUT_NAME=any docker compose -f "$here/compose.yaml" config --images | grep -v '^heldout/' | sort -u); do
        stage=${image##*/}
        DOCKER_BUILDKIT=0 docker build -q --network none --target "${stage%%:*}" -t "$image" "$here/stand-ins" >/dev/null
    done
}

service() { # unless what it is made of is what it was
    # shellcheck disable=SC2046
    made_of=$(tar -c --sort=name --mtime=@0 --exclude=__pycache__ --exclude='*.pyc' --exclude=node_modules \
        $(sed -n 's/^!//p' .dockerignore) infra/images | sha256sum)
    release=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml | head -1)
    if docker image inspect "heldout/server:$release" >/dev/null 2>&1 && [ "$(cat "$kept/made-of" 2>/dev/null)" = "$made_of" ]; then
        return
    fi
    rm -f "$kept/made-of"
    HELDOUT_IMAGES=$kept/images bash infra/images/build.sh server >&2
    echo "$made_of" >"$kept/made-of"
}

packages
export DOCKER_CONFIG=$kept/docker DOCKER_HOST
mkdir -p "$DOCKER_CONFIG/cli-plugins"
tar -xOf "$kept/stand-ins.tar" ./usr/libexec/docker/cli-plugins/docker-compose >"$DOCKER_CONFIG/cli-plugins/docker-compose"
chmod 755 "$DOCKER_CONFIG/cli-plugins/docker-compose"
# As it is installed: networks that it makes, published ports, users as they are; all in a network of its own.
DOCKER_HOST=$(NETWORKS=1 USERNS= bash infra/engine.sh start "$kept/engine" 9>&-)
empty
service
stand_ins
DRILL_ENGINE=$(cat "$kept/engine/dockerd.pid") .venv/bin/python -m tools.drill_compose "$folder" &
walking=$!
wait "$walking"
walking=
