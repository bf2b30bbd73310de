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
