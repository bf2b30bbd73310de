/** Runs a job for each item, several at a time and in order. */

/** The first failure ends it once the running jobs have ended. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  atATime: number,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failed = false;
  const work = async () => {
    for (let next = waiting.next(); next.done !== true && !failed; next = waiting.next()) {
      try {
        await job(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atATime }, work));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
