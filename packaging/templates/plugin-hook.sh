#!/bin/sh
# Written by `make packaging`; edit packaging/templates/plugin-hook.sh.
# A hook of the plugin: `hook EVENT`. Where `carryover install` has connected
# Claude Code already this does nothing. Never fails, never blocks.
home=${CARRYOVER_HOME:-$HOME/.carryover}
if grep -qs '"tool": *"claude-code"' "$home/installed.json"; then exit 0; fi
# The first session after the plugin came prepares the folder and starts the
# daemon; no settings file changes.
if [ "$1" = SessionStart ] && [ ! -e "$home/installed.json" ] && command -v carryover >/dev/null 2>&1; then
  carryover install --no-hooks --no-service --yes >/dev/null 2>&1
fi
for program in "$home/bin/carryover-hook" "$(command -v carryover-hook 2>/dev/null)"; do
  if [ -x "$program" ]; then exec "$program" claude-code "$1"; fi
done
if [ "$1" = SessionStart ]; then
  echo '{"systemMessage":"Carryover is not installed: npm install -g [[ .NPM ]], or see [[ .Homepage ]]"}'
fi
exit 0
