/** Lists keys of the shared store. */
import type { Caller } from '../connection.ts';
import { sharedLimits } from '../limits.ts';

/** The keys with a prefix, some at a time. Those that exist all the while are returned at least once. */
export async function* scan(store: Caller, prefix: string): AsyncIterable<readonly string[]> {
  let cursor = '0';
  do {
    const page = await store.call('SCAN', cursor, 'MATCH', `${prefix}*`, 'COUNT', sharedLimits.rowsPerPart);
    const [next, keys] = Array.isArray(page) ? page : ['0', []];
    if (Array.isArray(keys) && keys.length > 0) yield keys.map(String);
    cursor = String(next);
  } while (cursor !== '0');
}
