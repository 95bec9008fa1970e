# Sourced by the other scripts: the modules as versions.yaml lists them.
# shellcheck shell=bash disable=SC2034
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
prefix=$(awk '/^prefix:/{print $2}' "$root/versions.yaml")
mapfile -t modules < <(sed -n 's/.*{path: "\([^"]*\)".*/\1/p' "$root/versions.yaml")

# The Go release all modules are written for, with its patch number: a
# dependency that says 1.26.0 makes `go mod tidy` ask for nothing less.
go_version=$(sed -n 's/^go: *//p' "$root/versions.yaml")

# module_path DIR: the import path of the module in that folder
module_path() { if [ "$1" = . ]; then echo "$prefix"; else echo "$prefix/$1"; fi; }

# module_version DIR: its version, or "none" where it is never tagged
module_version() { sed -n 's|.*{path: "'"$1"'", version: \([^}]*\)}.*|\1|p' "$root/versions.yaml"; }

# tree_files [PATHSPEC…]: the files of the tree, NUL separated; those git knows
# and those it would take
tree_files() {
  git -C "$root" ls-files -co --exclude-standard -z -- "$@" | while IFS= read -r -d '' f; do
    [ ! -f "$root/$f" ] || printf '%s\0' "$f"
  done
}

# copy_tree DIR [PATHSPEC…]: a copy of those files, without git
copy_tree() {
  local to=$1
  shift
  mkdir -p "$to"
  tree_files "$@" | tar -C "$root" -c --null -T - -f - | tar -x -C "$to"
}
