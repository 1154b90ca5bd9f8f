#!/bin/sh
# As valkey/valkey starts: root gives itself up, and anybody else has to be able to write where it starts.
set -e
if [ "$(id -u)" = 0 ]; then
    find . ! -user valkey -exec chown valkey '{}' +
    exec setpriv --reuid=valkey --regid=valkey --clear-groups -- sh "$0" "$@"
fi
[ -w . ] || { echo "the folder cannot be written by $(id -u)" >&2; exit 1; }
exec "$@"
