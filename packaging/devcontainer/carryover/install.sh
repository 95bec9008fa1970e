#!/bin/sh
# Written by `make packaging`; edit packaging/templates/devcontainer-install.sh.
# The installer of the dev container feature: runs as root while the image is made.
set -eu
if ! command -v curl >/dev/null 2>&1 && ! command -v wget >/dev/null 2>&1; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends curl ca-certificates
fi
if [ "${VERSION:-latest}" != latest ]; then export CARRYOVER_VERSION="$VERSION"; fi
if [ -n "${BASEURL:-}" ]; then export CARRYOVER_BASE_URL="$BASEURL"; fi
export CARRYOVER_BIN=/usr/local/bin
base=${CARRYOVER_BASE_URL:-https://github.com/carryover-go/carryover/releases/latest/download}
script=$(mktemp)
if command -v curl >/dev/null 2>&1; then curl -fsSL -o "$script" "$base/install.sh"; else wget -q -O "$script" "$base/install.sh"; fi
sh "$script"
rm -f "$script"
mkdir -p /var/lib/carryover
chown "${_REMOTE_USER:-root}" /var/lib/carryover
chmod 700 /var/lib/carryover
