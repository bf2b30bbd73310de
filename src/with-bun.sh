#!/bin/sh
# Runs the pinned Bun with the given arguments in the current folder, after installing missing packages: for `lei` and for
# expressions (-p) those that the service needs, for everything else also those for development. Only the installation
# needs npm or another Bun.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

# Copies of the lock file whose packages are installed: all of them, or only those that the service needs.
all="$root/node_modules/.installed-lock.json"
service="$root/node_modules/.installed-lock.service.json"

installed() { cmp -s "$root/package-lock.json" "$1"; }

# A package that only an installation for development has, also one that was made by hand: no other package names it, not
# even as an optional peer.
development="$root/node_modules/@biomejs/biome"

# Packages for development stay where they are installed.
needed() {
  case ${1:-} in
    */src/cli.ts | -p) if [ -e "$development" ]; then echo "$all"; else echo "$service"; fi ;;
    *) echo "$all" ;;
  esac
}

# A service often runs as a user who must not change the program. npm would end with EACCES and a long log.
refuse_if_unwritable() {
  written=node_modules
  [ -e "$written" ] || written=.
  [ -w "$written" ] && return
  echo "lei: The packages of package-lock.json are not all installed, and this user can't write to $root/node_modules. Run this as the user who owns that folder: sh $root/src/lei.sh --version" >&2
  exit 1
}

# In a subshell, which alone changes the folder.
install_packages() (
  cd "$root"
  refuse_if_unwritable
  # Other users run what root installs.
  umask 022
  echo "Installing the packages of package-lock.json ..." >&2
  if command -v npm >/dev/null 2>&1; then
    if [ "$1" = "$all" ]; then include=--include=dev; else include=--omit=dev; fi
    # Not `npm ci`: it empties node_modules, from which a service may be running.
    npm install --no-save "$include" --no-fund --no-audit --loglevel=error >&2
  elif command -v bun >/dev/null 2>&1; then
    if [ "$1" = "$all" ]; then bun install --frozen-lockfile >&2; else bun install --frozen-lockfile --production >&2; fi
  else
    echo "lei: neither npm nor bun was found; install Node.js with npm, or Bun 1.4.5 or later." >&2
    exit 1
  fi
  rm -f "$all" "$service"
  cp package-lock.json "$1"
)

# With blocked install scripts .bin/bun is a placeholder; the binary is then in the package of the platform.
pinned_bun() {
  for candidate in "$root"/node_modules/.bin/bun "$root"/node_modules/@oven/bun-*/bin/bun; do
    if "$candidate" --version >/dev/null 2>&1; then
      echo "$candidate"
      return
    fi
  done
  echo "lei: the pinned Bun in node_modules does not start; remove node_modules and try again." >&2
  exit 1
}

# Freed memory stays with the process and is used again (decisions/048). Only the loader gives it back.
keep_freed_memory() {
  : "${MIMALLOC_PURGE_DELAY:=-1}"
  export MIMALLOC_PURGE_DELAY
}

# How heaps of the service grow: JavaScriptCore may let one grow by 0.6 of what is in use before it collects, on machines
# of any size (decisions/045). Every other command has the engine's own rule, which is faster and takes more memory.
tune_service() {
  : "${BUN_JSC_heapGrowthMaxIncrease:=0.6}"
  : "${BUN_JSC_heapGrowthFunctionThresholdInMB:=0}"
  export BUN_JSC_heapGrowthMaxIncrease BUN_JSC_heapGrowthFunctionThresholdInMB
}

# Bun does not start with an empty setting of its engine.
drop_empty() {
  [ -n "${BUN_JSC_heapGrowthMaxIncrease:-}" ] || unset BUN_JSC_heapGrowthMaxIncrease
  [ -n "${BUN_JSC_heapGrowthFunctionThresholdInMB:-}" ] || unset BUN_JSC_heapGrowthFunctionThresholdInMB
}

# As many connections as the system allows; the service warns where that is few.
ulimit -n "$(ulimit -H -n)" 2>/dev/null || :

needed=$(needed "$@")
installed "$needed" || install_packages "$needed"
bun=$(pinned_bun)
PATH="$root/node_modules/.bin:$PATH"
export PATH
keep_freed_memory
case "${1:-} ${2:-}" in
  *src/cli.ts\ serve) tune_service ;;
  *) drop_empty ;;
esac
exec "$bun" "$@"
