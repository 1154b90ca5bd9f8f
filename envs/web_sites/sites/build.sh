#!/usr/bin/env bash
# Build a site's image: build.sh SITE [TAG]. BASE=... chooses the base image. The packages are fetched and made into wheels
# here, with the hashes of requirements.txt, so that the build itself needs no network when the base has python3-venv.
# PYTHON=... must be of the base's version (3.11 in Debian 12).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
site=${1:?which site: $(cd "$here" && ls -d */ | tr -d / | grep -v common | paste -sd' ')}
[ -f "$here/$site/site.toml" ] || { echo "build: there is no site '$site' in $here" >&2; exit 2; }
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
cp -r "$here/common" "$here/$site" "$here/Dockerfile" "$context"
find "$context" -name __pycache__ -prune -exec rm -rf {} +
"${PYTHON:-python3.11}" -m pip wheel -q --require-hashes -r "$here/$site/requirements.txt" -w "$context/wheels"
options=(--build-arg "SITE=$site" --network "${BUILD_NETWORK:-default}")
[ -z "${BASE:-}" ] || options+=(--build-arg "BASE=$BASE")
DOCKER_BUILDKIT=0 docker build -q "${options[@]}" -t "${2:-heldout/site-$site}" "$context"
