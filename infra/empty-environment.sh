# Sourced by the wheel tests: an empty environment in a temporary folder, removed at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
UV=$(command -v uv || echo "$PWD/.venv/bin/uv")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python="$folder/venv/bin/python"

# What the cache holds needs no network.
cached() { "$@" --offline 2>/dev/null || "$@"; }

# built PATTERN ARGUMENTS...: builds the wheel that ARGUMENTS name, and sets $wheel to it.
built() {
    cached "$UV" build -q "${@:2}" --wheel --out-dir "$folder/dist"
    wheel=$(echo "$folder"/dist/$1)
    "$UV" venv -q --python .venv/bin/python "$folder/venv"
}
