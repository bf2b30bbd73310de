/**
 * Calls so many times, with so many calls in flight at once, and counts the outcomes.
 * @param call receives its number, from 0
 */
export async function counted(
  times: number,
  atOnce: number,
  call: (index: number) => Promise<number>,
): Promise<Readonly<Record<number, number>>> {
  const outcomes: Record<number, number> = {};
  let next = 0;
  const connection = async () => {
    while (next < times) {
      const outcome = await call(next++);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, connection));
  return outcomes;
}

/** Less than the minute after which the limit of bursts forgets a request. */
const burstMsMax = 55_000;

/**
 * Counts again, with callers of its own, until a count took less than the minute of a burst: a busy machine may need
 * longer.
 * @param count receives its number, from 0
 */
export async function withinMinute<Counted>(count: (attempt: number) => Promise<Counted>): Promise<Counted> {
  for (let attempt = 0; ; attempt++) {
    const startedAt = performance.now();
    const outcomes = await count(attempt);
    if (performance.now() - startedAt < burstMsMax) return outcomes;
  }
}
