#!/bin/sh
# Runs the tests, with the given arguments for `bun test`. What many test files need alike is made once, in a folder that
# is removed at the end.
set -u
TESTS_SHARED=$(mktemp -d "${TMPDIR:-/tmp}/lei-shared-XXXXXX") || exit 1
export TESTS_SHARED
trap 'rm -rf "$TESTS_SHARED"' EXIT
trap 'exit 130' INT TERM
sh "$(dirname "$0")/../src/with-bun.sh" test --timeout 30000 --parallel=2 "$@"
