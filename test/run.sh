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

# Tests wait for other processes half of the time, so two cores run three of them, if memory has room.
processes=2
has_room() { awk '$1 == "MemAvailable:" { exit $2 < 12000000 }' /proc/meminfo; } 2>/dev/null
has_room && processes=3

# Whether memory has room for temporary files too, and lets programs run from there.
memory=/dev/shm
suits() {
  awk -v at="$memory" '$2 == at { exit $4 ~ /noexec/ }' /proc/mounts &&
    df -Pk "$memory" | awk 'END { exit $4 < 6000000 }' && has_room
} 2>/dev/null
# Each load waits for the disk more than ten times, which takes seconds on a busy one. A given TMPDIR stays.
[ -n "${TMPDIR:-}" ] || { [ -w "$memory" ] && suits && TMPDIR=$memory; } || TMPDIR=/tmp
TMPDIR=$(mktemp -d "$TMPDIR/lei-XXXXXX") || exit 1
# As /tmp is: some tests run programs as another user.
chmod 755 "$TMPDIR"
TESTS_SHARED=$TMPDIR/shared
export TESTS_RESULTS TEST_TIMEOUT_MS TESTS_COSTS TESTS_SHARED TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM
# Code is compiled on the thread that runs it, eight times later while a thread starts, and not by the last, dearest tier:
# that pays off in what runs for longer than a test. `npm run test:long` has the engine's own way (decisions/172).
: "${BUN_JSC_useConcurrentJIT:=0}" "${BUN_JSC_useFTLJIT:=0}" "${BUN_JSC_startupJITDeferralScale:=8}"
export BUN_JSC_useConcurrentJIT BUN_JSC_useFTLJIT BUN_JSC_startupJITDeferralScale
# A test that hangs ends after three minutes: on a machine with eight times the work of its cores the longest takes one.
# The dearest files of the committed list start first, so that the run does not end with one of them. The files that one
# process runs share its modules: reading them anew for each file takes a fifth of the processor time.
{
  sh "$here/../src/with-bun.sh" test --timeout "$TEST_TIMEOUT_MS" --parallel="$processes" --no-isolate \
    --timings="$here/suite/costs.json" --reporter=junit --reporter-outfile="$TESTS_RESULTS/junit.xml" "$@"
  echo $? >"$TESTS_RESULTS/status"
} 2>&1 | tee "$TESTS_RESULTS/output.txt"
status=$(cat "$TESTS_RESULTS/status") || exit 1
# Bun's summary counts a process that ended in the middle of a file, and does not name it.
grep -a '(worker crashed: ' "$TESTS_RESULTS/output.txt"
case "${TESTS_AGAIN:-on} $status $*" in
  *\ -*) ;;
  on\ 1\ *) sh "$here/../src/with-bun.sh" "$here/suite/again.ts" && status=0 ;;
esac
exit "$status"
