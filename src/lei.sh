#!/bin/sh
# The `lei` command, also through the link that a package manager puts on the PATH.
source=$(dirname "$(readlink -f "$0")")
exec sh "$source/with-bun.sh" "$source/cli.ts" "$@"
