#!/bin/sh
# Written by `make packaging`; edit packaging/templates/plugin-mcp.sh.
if ! command -v carryover >/dev/null 2>&1; then
  echo "carryover is not on the PATH: npm install -g [[ .NPM ]], or see [[ .Homepage ]]" >&2
  exit 1
fi
exec carryover mcp
