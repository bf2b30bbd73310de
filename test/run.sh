#!/bin/sh
# Runs the tests, with the given arguments for `bun test`. What many test files need alike is made once, in a folder that
# is removed at the end. The times of all files are kept for `bun run test:times` and `bun run test:names`. Files that
# fail beside others run once more, alone (test/suite/README.md); not if options are given, nor with TESTS_AGAIN=off.
set -u
here=$(dirname "$0")
: "${TESTS_RESULTS:=$here/../node_modules/.cache/tests}"
: "${TEST_TIMEOUT_MS:=180000}"
mkdir -p "$TESTS_RESULTS" && TESTS_RESULTS=$(cd "$TESTS_RESULTS" && pwd) || exit 1
(cd "$TESTS_RESULTS" && rm -f costs.jsonl junit.xml output.txt status again.json) || exit 1
TESTS_COSTS=$TESTS_RESULTS/costs.jsonl
TESTS_SHARED=$(mktemp -d "${TMPDIR:-/tmp}/lei-shared-XXXXXX") || exit 1
export TESTS_RESULTS TEST_TIMEOUT_MS TESTS_COSTS TESTS_SHARED
trap 'rm -rf "$TESTS_SHARED"' EXIT
trap 'exit 130' INT TERM
# A test that hangs ends after three minutes: on a machine with eight times the work of its cores the longest takes one.
# The dearest files of the committed list start first, so that the run does not end with one of them.
{
  sh "$here/../src/with-bun.sh" test --timeout "$TEST_TIMEOUT_MS" --parallel=2 --timings="$here/suite/costs.json" \
    --reporter=junit --reporter-outfile="$TESTS_RESULTS/junit.xml" "$@"
  echo $? >"$TESTS_RESULTS/status"
} 2>&1 | tee "$TESTS_RESULTS/output.txt"
status=$(cat "$TESTS_RESULTS/status") || exit 1
case "${TESTS_AGAIN:-on} $status $*" in
  *\ -*) ;;
  on\ 1\ *) sh "$here/../src/with-bun.sh" "$here/suite/again.ts" && status=0 ;;
esac
exit "$status"
