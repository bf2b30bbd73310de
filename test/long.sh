#!/bin/sh
# Runs all tests in their long form, and all attacks. Says after each part, and at the end, how long it took. A part that
# fails does not keep the others from running.
set -eu
cd "$(dirname "$0")/.."
bun="sh src/with-bun.sh"
# Repetitions take longer than any test of the short form.
TEST_TIMEOUT_MS=3600000
# A fault that shows itself once in many repetitions is what they are for.
TESTS_AGAIN=off
# As operators run it.
BUN_JSC_useConcurrentJIT=1
BUN_JSC_useFTLJIT=1
BUN_JSC_startupJITDeferralScale=1
export TEST_TIMEOUT_MS TESTS_AGAIN BUN_JSC_useConcurrentJIT BUN_JSC_useFTLJIT BUN_JSC_startupJITDeferralScale

minutes() { echo "$((($(date +%s) - $1) / 60)) min $((($(date +%s) - $1) % 60)) s"; }

failed=0
part() {
  name=$1
  shift
  began=$(date +%s)
  outcome=took
  "$@" || { outcome="failed after"; failed=1; }
  echo "test:long: $name $outcome $(minutes "$began")."
}

all_began=$(date +%s)
part "all tests, with many repetitions," \
  env LONG_KILLS=50 LONG_DAMAGE=48 LONG_FAULTS=200 LONG_RUNS=8 LONG_SWAPS=50 LONG_S3=on LONG_INSTALL=on LONG_DAYS=31 LONG_CORES="1 3 8" $bun run test
part "ending threads" env THREAD_ENDS=100 $bun test --timeout "$TEST_TIMEOUT_MS" test/journeys/thread-ends.test.ts
part "OpenRefine and the bench" \
  $bun test --timeout 300000 ./test/openrefine/openrefine.long.ts ./test/bench/cores/bench.long.ts
part "the faults of the store" env FAULT_ROUNDS=10 $bun test --timeout 300000 \
  test/accounts/shared-state/faults.test.ts ./test/accounts/shared-state/failover.long.ts
part "all attacks" $bun test/attacks/run.ts
echo "test:long took $(minutes "$all_began")."
exit "$failed"
