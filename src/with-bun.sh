#!/bin/sh
# Runs the pinned Bun with the given arguments in the current folder, after installing missing packages: for `lei` those
# that the service needs, for everything else also those for development. Only the installation needs npm or another Bun.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

# Copies of the lock file whose packages are installed: all of them, or only those that the service needs.
all="$root/node_modules/.installed-lock.json"
service="$root/node_modules/.installed-lock.service.json"

installed() { cmp -s "$root/package-lock.json" "$1"; }

# Packages for development stay where they are installed, as typescript is one.
needed() {
  case ${1:-} in
    */src/cli.ts) if [ -e "$root/node_modules/typescript" ]; then echo "$all"; else echo "$service"; fi ;;
    *) echo "$all" ;;
  esac
}

# In a subshell, which alone changes the folder.
install_packages() (
  cd "$root"
  echo "Installing the packages of package-lock.json ..." >&2
  if command -v npm >/dev/null 2>&1; then
    if [ "$1" = "$all" ]; then include=--include=dev; else include=--omit=dev; fi
    # Not `npm ci`: it empties node_modules, from which a service may be running.
    npm install --no-save "$include" --no-fund --no-audit --loglevel=error >&2
  elif command -v bun >/dev/null 2>&1; then
    if [ "$1" = "$all" ]; then bun install --frozen-lockfile >&2; else bun install --frozen-lockfile --production >&2; fi
  else
    echo "lei: neither npm nor bun was found; install Node.js with npm, or Bun 1.4 or later." >&2
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

# Bun does not start with an empty setting of its engine, so empty ones are removed here.
usable_cores() (
  unset BUN_JSC_heapGrowthMaxIncrease BUN_JSC_heapGrowthFunctionThresholdInMB
  "$bun" -p navigator.hardwareConcurrency
)

# The number of query threads, as src/config.ts reads it: by default one fewer than usable cores, of which a container may
# have fewer than the machine. src/config.ts refuses wrong numbers.
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

needed=$(needed "$@")
installed "$needed" || install_packages "$needed"
bun=$(pinned_bun)
PATH="$root/node_modules/.bin:$PATH"
# The share of its size by which JavaScriptCore lets a heap grow before it collects: 1 with one query thread, less with
# several, so that the garbage of all together stays the same. The second setting extends it to machines of any size
# (decisions/045).
: "${BUN_JSC_heapGrowthMaxIncrease:=$(heap_growth "$(query_threads)")}"
: "${BUN_JSC_heapGrowthFunctionThresholdInMB:=0}"
export PATH BUN_JSC_heapGrowthMaxIncrease BUN_JSC_heapGrowthFunctionThresholdInMB
exec "$bun" "$@"
