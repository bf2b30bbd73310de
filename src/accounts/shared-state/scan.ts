/** Lists keys, and fields of hashes, of the shared store. */
import type { StoreCalls } from './connection.ts';
import { sharedLimits } from './limits.ts';

/** The keys with a prefix, some at a time. Those that exist all the while are returned at least once. */
export function scanKeys(store: StoreCalls, prefix: string): AsyncIterable<readonly string[]> {
  return scan(store, ['SCAN'], ['MATCH', `${prefix}*`]);
}

/** The fields of a hash with their values, likewise. */
export async function* scanHash(store: StoreCalls, key: string) {
  for await (const texts of scan(store, ['HSCAN', key], [])) yield pairsIn(texts);
}

async function* scan(
  store: StoreCalls,
  [command, ...of]: readonly [command: string, ...key: readonly string[]],
  options: readonly string[],
): AsyncIterable<readonly string[]> {
  let cursor = '0';
  do {
    const page = await store.call(command, ...of, cursor, ...options, 'COUNT', sharedLimits.rowsPerPart);
    const [next, found] = Array.isArray(page) ? page : [];
    if (Array.isArray(found) && found.length > 0) yield found.map(String);
    cursor = String(next ?? '0');
  } while (cursor !== '0');
}

/** Decodes the store's lists of names and values, one after the other. */
export function* pairsIn(reply: unknown): Iterable<readonly [name: string, value: string]> {
  const texts = Array.isArray(reply) ? reply.map(String) : [];
  for (let at = 0; at + 1 < texts.length; at += 2) yield [texts[at] ?? '', texts[at + 1] ?? ''];
}
