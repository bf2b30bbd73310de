#!/bin/sh
# The `lei` command, also through the link that a package manager puts on the PATH.
exec sh "$(dirname "$(readlink -f "$0")")/with-bun.sh" src/cli.ts "$@"
