/**
 * Remembers the newest signed announcement that this node has taken, over restarts too. Otherwise anybody who can write
 * to the store, or stands before it, could bring back an older one.
 */
import { readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { isMissing } from '../../errors.ts';
import { writeDurably } from '../../publication/files.ts';
import type { Layout } from '../../publication/layout.ts';
import { parsedOrNull } from '../../publication/parsed-or-null.ts';
import { StoreFailure } from '../../shipping/object-store.ts';

/** The key names the signer: the generations of another one are not compared. */
const TakenSchema = Type.Object({ key: Type.String(), generation: Type.Integer({ minimum: 0 }) });

/**
 * Notes that an announcement is taken.
 * @param key the name of the key that has signed it
 * @throws StoreFailure if a newer one was taken before; the system's error if it can't be noted
 */
export function take(layout: Layout, key: string, generation: number): void {
  const taken = takenBefore(layout, key);
  if (generation === taken) return;
  if (generation < taken)
    throw new StoreFailure(
      'damaged-source',
      `The store has generation ${generation} of the announcement, but this node has taken generation ${taken} before; an older one is never taken.`,
    );
  writeDurably(layout.taken, `${JSON.stringify({ key, generation })}\n`);
}

function takenBefore(layout: Layout, key: string): number {
  let text: string;
  try {
    text = readFileSync(layout.taken, 'utf8');
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
  const value = parsedOrNull(text);
  if (!Value.Check(TakenSchema, value))
    throw new StoreFailure(
      'damaged-source',
      `${layout.taken} is damaged, so it is unknown which announcement this node took last. Remove the file to follow any that is signed.`,
    );
  return value.key === key ? value.generation : 0;
}
