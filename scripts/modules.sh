# Sourced by the other scripts: the modules as versions.yaml lists them.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
prefix=$(awk '/^prefix:/{print $2}' "$root/versions.yaml")
mapfile -t modules < <(sed -n 's/.*{path: "\([^"]*\)".*/\1/p' "$root/versions.yaml")

# module_path DIR: the import path of the module in that folder
module_path() { if [ "$1" = . ]; then echo "$prefix"; else echo "$prefix/$1"; fi; }
