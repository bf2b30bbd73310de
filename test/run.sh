#!/bin/sh
# Runs the tests, with the given arguments for `bun test`. What many test files need alike is made once, in a folder that
# is removed at the end. The times of all files are kept for `bun run test:times` and `bun run test:names`.
set -u
here=$(dirname "$0")
results="$here/../node_modules/.cache/tests"
mkdir -p "$results" && rm -f "$results/costs.jsonl" || exit 1
TESTS_COSTS=$(cd "$results" && pwd)/costs.jsonl
TESTS_SHARED=$(mktemp -d "${TMPDIR:-/tmp}/lei-shared-XXXXXX") || exit 1
export TESTS_COSTS TESTS_SHARED
trap 'rm -rf "$TESTS_SHARED"' EXIT
trap 'exit 130' INT TERM
# A test that hangs ends after three minutes: on a machine with eight times the work of its cores the longest takes one.
# The dearest files of the committed list start first, so that the run does not end with one of them.
sh "$here/../src/with-bun.sh" test --timeout "${TEST_TIMEOUT_MS:-180000}" --parallel=2 --timings="$here/suite/costs.json" \
  --reporter=junit --reporter-outfile="$results/junit.xml" "$@"
