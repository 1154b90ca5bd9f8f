#!/usr/bin/env bash
# Install the system packages that live environments need, and say what is done. Debian and Ubuntu.
# As root, or with sudo; does nothing when everything is there. PACKAGES="..." chooses others; for Docker Engine,
# gVisor and the building of images: OPTIONAL="docker.io runsc mmdebstrap" infra/setup.sh
set -euo pipefail

required=(bubblewrap mariadb-server-core mariadb-client-core zstd iproute2 util-linux fonts-liberation)
wanted=(chromium-headless-shell chromium-shell chromium kiwix-tools)
read -r -a chosen <<<"${PACKAGES:-${required[*]}}"
read -r -a optional <<<"${OPTIONAL:-${wanted[*]}}"

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
known() { [ -n "$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p' | grep -v '(none)')" ]; }

if ! command -v apt-get >/dev/null; then
    echo "setup: this is not Debian or Ubuntu; install these yourself: ${chosen[*]}" >&2
    exit 0
fi

missing=()
for package in "${chosen[@]}"; do installed "$package" || missing+=("$package"); done
# A browser under any of its names will do.
browser=""
for package in chromium-headless-shell chromium-shell chromium; do installed "$package" && browser=$package; done

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if [ ${#missing[@]} -eq 0 ]; then
        echo "setup: everything needed is installed"
        exit 0
    fi
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
        echo "setup: not root and no sudo without a password; ask an administrator to run:" >&2
        echo "    apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

more=()
for package in "${optional[@]}"; do
    case $package in chromium*) [ -n "$browser" ] && continue ;; esac
    installed "$package" || more+=("$package")
done
if [ ${#missing[@]} -eq 0 ] && [ ${#more[@]} -eq 0 ]; then
    echo "setup: everything is installed"
    exit 0
fi

echo "setup: needed and missing: ${missing[*]:-nothing}; wished for: ${more[*]:-nothing}"
"${as_root[@]}" apt-get update -q || echo "setup: the package lists could not be brought up to date" >&2
export DEBIAN_FRONTEND=noninteractive
if [ ${#missing[@]} -gt 0 ]; then
    "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
fi
for package in "${more[@]}"; do
    case $package in chromium*) [ -n "$browser" ] && continue ;; esac
    if ! known "$package"; then
        echo "setup: this system has no package '$package'; left out"
    elif "${as_root[@]}" apt-get install -y -q --no-install-recommends "$package"; then
        case $package in chromium*) browser=$package ;; esac
    else
        echo "setup: '$package' could not be installed; what needs it stays off" >&2
    fi
done
echo "setup: done; 'uv run python -m envs.sandbox.doctor' says what this machine can isolate"
