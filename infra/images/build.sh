#!/usr/bin/env bash
# Build the sandbox images from Debian packages, with no registry: a root file system for bubblewrap, and the same
# as an image of Docker Engine where one answers. build.sh [NAME...]; results in HELDOUT_IMAGES (.heldout/images).
# With FROM_REGISTRY=1 only Docker images are built, on the registry base that the Dockerfile names.
# `build.sh server` makes the image of the service itself (server/Dockerfile) the same way, for Docker Engine alone.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
images=$(realpath -m "${HELDOUT_IMAGES:-.heldout/images}")
suite=${SUITE:-bookworm}
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(task agentbench-os)

engine() { command -v docker >/dev/null && timeout 20 docker version >/dev/null 2>&1; }

docker_image() { # NAME [BASE]
    context=$(mktemp -d)
    cp "$here/Dockerfile" "$here/$1/packages" "$here/finish.sh" "$context"
    # A base of ours has every package already, and an engine with userns-remap refuses the machine's network.
    options=(--network "${BUILD_NETWORK:-default}")
    [ -z "${2:-}" ] || options=(--network none --build-arg "BASE=$2")
    options+=(--build-arg "WORKDIR=$(cat "$here/$1/workdir")")
    DOCKER_BUILDKIT=0 docker build -q "${options[@]}" -t "heldout/$1" "$context"
    rm -rf "$context"
}

debian() { # NAME [OPTION...]: its packages as images/heldout_NAME/rootfs.tar
    folder=$images/heldout_$1
    mkdir -p "$folder"
    mmdebstrap --quiet --variant=minbase --include="$(paste -sd, "$here/$1/packages")" \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        "${@:2}" "$suite" "$folder/rootfs.partial.tar"
    mv "$folder/rootfs.partial.tar" "$folder/rootfs.tar"
}

import_base() { # NAME
    docker import -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
        "$images/heldout_$1/rootfs.tar" "heldout/$1-base" >/dev/null
}

service_image() { # the service, without a registry: Debian's packages, and Python's from uv's cache on this machine
    checkout=$(cd "$here/../.." && pwd)
    uv=$(command -v uv || echo "$checkout/.venv/bin/uv")
    release=$(sed -n 's/^version = "\(.*\)"/\1/p' "$checkout/pyproject.toml" | head -1)
    base=$images/heldout_server
    [ "$base/rootfs.tar" -nt "$here/server/packages" ] || debian server
    import_base server
    offline=$base/offline
    mkdir -p "$offline/wheels/bin"
    cp "$uv" "$offline/wheels/bin/uv"
    # Into a folder that is thrown away: what is wanted is uv's cache, filled for the image's Python.
    python=$(docker run --rm --network none heldout/server-base python3 -c 'import platform; print(platform.python_version())')
    export UV_CACHE_DIR=$offline/wheels/cache
    unused=$(mktemp -d -p "$offline")
    trap 'rm -rf "$unused"' EXIT
    "$uv" export -q --frozen --no-default-groups --extra redis --extra ray --no-hashes --no-emit-workspace --project "$checkout" \
        -o "$unused/requirements"
    "$uv" pip install -q --no-deps --python-version "$python" --target "$unused/packages" -r "$unused/requirements"
    # And what builds the workspace's own packages, which stay where they are; in a folder where nothing is found
    # installed, for what is installed is not looked up, and what is not looked up cannot be resolved without a network.
    "$uv" pip install -q --python-version "$python" --target "$unused/builders" hatchling editables
    rm -rf "$unused"
    # What .dockerignore lets through, and what the Dockerfile takes in the place of a network.
    tar -c -C "$checkout" --exclude=__pycache__ --exclude='*.pyc' --exclude=node_modules \
        $(sed -n 's/^!//p' "$checkout/.dockerignore") infra/images/server/Dockerfile -C "$offline" wheels \
        | DOCKER_BUILDKIT=0 docker build -q --network none --build-arg BASE=heldout/server-base \
            -f infra/images/server/Dockerfile -t "heldout/server:$release" -
    echo "images: heldout/server:$release $(docker image inspect -f '{{.Id}}' "heldout/server:$release")"
}

root_file_system() { # NAME
    debian "$1" --customize-hook="copy-in $here/finish.sh /tmp" --customize-hook='chroot "$1" sh /tmp/finish.sh' \
        --customize-hook='rm "$1"/tmp/finish.sh'
    rm -rf "$folder/rootfs.new" && mkdir -m 755 "$folder/rootfs.new"
    tar -xf "$folder/rootfs.tar" -C "$folder/rootfs.new" --exclude='./dev/*'
    # Until the new digest is recorded, a release that names the image can neither be published nor played.
    rm -f "$folder/digests"
    rm -rf "$folder/rootfs" && mv "$folder/rootfs.new" "$folder/rootfs"
}

record() { # NAME
    folder=$images/heldout_$1
    {
        [ -f "$folder/rootfs.tar" ] && echo "rootfs sha256:$(sha256sum "$folder/rootfs.tar" | cut -d' ' -f1)"
        engine && echo "docker $(docker image inspect -f '{{.Id}}' "heldout/$1" 2>/dev/null || echo none)"
        echo "recipe sha256:$(cat "$here/Dockerfile" "$here/$1/packages" "$here/$1/workdir" "$here/finish.sh" | sha256sum | cut -d' ' -f1)"
    } >"$folder/digests.partial" || true
    mv "$folder/digests.partial" "$folder/digests"
    echo "images: heldout/$1"
    sed 's/^/    /' "$folder/digests"
}

for name in "${names[@]}"; do
    [ -f "$here/$name/packages" ] || { echo "images: no image '$name' in $here" >&2; exit 2; }
    mkdir -p "$images/heldout_$name"
    if [ "$name" = server ]; then
        engine || { echo "images: no Docker Engine answers: infra/engine.sh start" >&2; exit 1; }
        service_image
        continue
    fi
    if [ -n "${FROM_REGISTRY:-}" ]; then
        docker_image "$name"
    else
        command -v mmdebstrap >/dev/null || { echo "images: mmdebstrap is not installed: run infra/setup.sh" >&2; exit 1; }
        root_file_system "$name"
        if engine; then
            import_base "$name"
            docker_image "$name" "heldout/$name-base"
        fi
    fi
    record "$name"
done
