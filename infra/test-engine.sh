#!/usr/bin/env bash
# A private Docker Engine with the image that tests ask for: `make test` then runs their Docker rows. Installs the engine and
# builds the image from Debian's packages where they are not there yet, and leaves the engine stopped, for tests start it.
# Where it cannot be had, one line says why, and the rows are skipped; so are gVisor's where `runsc` is not installed.
set -uo pipefail
cd "$(dirname "$0")/.."

without() { echo "test-engine: going on without Docker's tests: $*" >&2; exit 0; }

[ "$(id -u)" -eq 0 ] || without "needs root"
# No engine of the machine's is started by its installation.
RUNLEVEL=1 OPTIONAL="docker.io mmdebstrap runsc" bash infra/setup.sh || without "its packages could not be installed"
for program in dockerd docker mmdebstrap; do
    command -v "$program" >/dev/null || without "'$program' is not installed"
done
DOCKER_HOST=$(bash infra/engine.sh start) || without "the engine does not start"
export DOCKER_HOST HELDOUT_IMAGES=${HELDOUT_IMAGES:-$(bash infra/engine.sh where)/images}
docker image inspect heldout/task >/dev/null 2>&1 || bash infra/images/build.sh task || failed=1
bash infra/engine.sh stop
[ -z "${failed:-}" ] || without "the image 'heldout/task' could not be built"
