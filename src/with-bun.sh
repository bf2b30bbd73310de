#!/bin/sh
# Runs the pinned Bun with the arguments given, from the caller's own folder, after installing what is missing.
# A machine needs either Node with npm or any Bun for the first step; after it, the Bun in node_modules does all.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

installed() { cmp -s "$root/package-lock.json" "$root/node_modules/.installed-lock.json"; }

# In a subshell: the arguments of a command name files relative to where it was called.
install_packages() (
  cd "$root"
  echo "Installing the packages of package-lock.json ..." >&2
  if command -v npm >/dev/null 2>&1; then
    # Not `npm ci`: it refuses a lock file made where some platform's optional binaries could not be listed.
    npm install --no-save --include=dev --no-fund --no-audit --loglevel=error >&2
  elif command -v bun >/dev/null 2>&1; then
    bun install --frozen-lockfile >&2
  else
    echo "lei: neither npm nor bun was found; install Node.js 20 or later, or Bun 1.4 or later." >&2
    exit 1
  fi
  cp package-lock.json node_modules/.installed-lock.json
)

# A package manager that blocks install scripts leaves only a placeholder at .bin/bun: then the binary of the
# platform's own package is used.
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

# Bun refuses to start where a setting of its engine is there but empty, which here is one that was not made.
usable_cores() (
  unset BUN_JSC_heapGrowthMaxIncrease BUN_JSC_heapGrowthFunctionThresholdInMB
  "$bun" -p navigator.hardwareConcurrency
)

# As src/config.ts reads it: unless it is said, one fewer than there are cores to use, which are fewer than the machine's
# in a container that may have some of their time only. What is wrong is for it to refuse.
query_threads() {
  case ${LEI_WORKERS:-} in
    '' | 0* | *[!0-9]* | ????*) echo $(($(usable_cores) - 1)) ;;
    *) echo "$LEI_WORKERS" ;;
  esac
}

heap_growth() {
  if [ "$1" -le 1 ]; then echo 1; else echo "0.$(printf '%03d' $((800 / $1)))"; fi
}

# As many connections as the system allows; the service warns where that is few.
ulimit -n "$(ulimit -H -n)" 2>/dev/null || :

installed || install_packages
bun=$(pinned_bun)
PATH="$root/node_modules/.bin:$PATH"
# By what share of what is in use JavaScriptCore lets a heap grow before it collects: all of it with one query thread; of
# several each gets its part, so that the garbage of all stays as much. On machines of any size (decisions/045).
: "${BUN_JSC_heapGrowthMaxIncrease:=$(heap_growth "$(query_threads)")}"
: "${BUN_JSC_heapGrowthFunctionThresholdInMB:=0}"
export PATH BUN_JSC_heapGrowthMaxIncrease BUN_JSC_heapGrowthFunctionThresholdInMB
exec "$bun" "$@"
