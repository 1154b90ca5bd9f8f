#!/bin/sh
# The last step of every image: the agent's account and folder; nothing that only package tools need.
set -eu
id agent >/dev/null 2>&1 || useradd -m -u 1000 -s /bin/bash agent
mkdir -p /work
chown agent:agent /work
# Nobody needs them inside, and not every kernel (gVisor's) takes no_new_privs at its word.
find / -xdev -type f -perm /6000 -exec chmod ug-s {} +
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log /tmp/image
