#!/bin/sh
# Written by `make packaging`; edit packaging/templates/install.sh.
# Installs the newest release of [[ .Title ]] for this machine and this user: takes the
# archive and the list of hashes, compares them, and puts three programs into
# one folder. Changes no setting of any agent; `carryover install` does.
#
#   curl -fsSL [[ .Homepage ]]/releases/latest/download/install.sh | sh
#
# CARRYOVER_VERSION   install this version (1.2.3) instead of the newest
# CARRYOVER_BIN       the folder to install into (default: ~/.local/bin)
# CARRYOVER_BASE_URL  take the files from here, a URL or a folder, instead of the releases
set -eu

fail() { echo "install: $1" >&2; exit 1; }

# fetch URL FILE: the URL may be a folder of this machine
fetch() {
  if [ "${1#/}" != "$1" ]; then
    cp "$1" "$2" || fail "cannot read $1"
  elif command -v curl >/dev/null 2>&1; then
    curl -fsSL --retry 2 -o "$2" "$1" || fail "cannot download $1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1" || fail "cannot download $1"
  else
    fail "neither curl nor wget is here: install one of them"
  fi
}

# digest FILE: its SHA-256
digest() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1" | cut -d' ' -f1
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256 "$1" | cut -d' ' -f1
  elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r "$1" | cut -d' ' -f1
  else fail "no program here computes SHA-256: install coreutils or openssl"
  fi
}

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) fail "no release for $(uname -s): on Windows use scoop or winget, elsewhere \`go install [[ .Prefix ]]/cmd/...@latest\`" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "no release for $(uname -m): use \`go install [[ .Prefix ]]/cmd/...@latest\`" ;;
esac

releases=[[ .Homepage ]]/releases
if [ -n "${CARRYOVER_BASE_URL:-}" ]; then base=$CARRYOVER_BASE_URL
elif [ -n "${CARRYOVER_VERSION:-}" ]; then base=$releases/download/v${CARRYOVER_VERSION#v}
else base=$releases/latest/download
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
fetch "$base/checksums.txt" "$work/checksums.txt"
line=$(grep "_${os}_${arch}.tar.gz\$" "$work/checksums.txt") || fail "the release has no archive for $os/$arch"
want=${line%% *}
archive=${line##* }
fetch "$base/$archive" "$work/$archive"
got=$(digest "$work/$archive")
[ "$got" = "$want" ] || fail "$archive has the hash $got, not $want: nothing was installed"
tar -xzf "$work/$archive" -C "$work"

bin=${CARRYOVER_BIN:-$HOME/.local/bin}
mkdir -p "$bin"
for program in[[ range .Programs ]] [[ . ]][[ end ]]; do
  [ -f "$work/$program" ] || fail "$archive has no $program: nothing more was installed"
  cp "$work/$program" "$bin/.$program.new"
  chmod 755 "$bin/.$program.new"
  mv -f "$bin/.$program.new" "$bin/$program" # a running program keeps its file
done

echo "installed $("$bin/carryover" version) in $bin"
case ":$PATH:" in
*":$bin:"*) echo "next: carryover install" ;;
*) echo "next: $bin/carryover install (and put $bin on your PATH)" ;;
esac
