/** The description of an environment: one JSON row of its meta table, which a load writes last. */
import type { ReadTransaction, TextTable } from '../lmdb.ts';
import { isMeta } from './meta-schema.check.js';
import type { Meta } from './meta-schema.ts';

// Read only to say what is wrong.
const readSchema = (): typeof import('./meta-schema.ts') => require('./meta-schema.ts');
const readTypeBox = (): typeof import('@sinclair/typebox/value') => require('@sinclair/typebox/value');

const key = 'publication';

export function writeMeta(table: TextTable, meta: Meta): void {
  table.putSync(key, JSON.stringify(meta));
}

/** Throws with a reason if the row is missing or malformed. */
export function readMeta(table: TextTable, transaction: ReadTransaction | undefined): Meta {
  const text = table.get(key, transaction === undefined ? {} : { transaction });
  if (text === undefined)
    throw new Error('The environment was never finished: it has no description of itself.');
  const meta: unknown = JSON.parse(text);
  if (!isMeta(meta)) {
    const first = readTypeBox().Value.Errors(readSchema().MetaSchema, meta).First();
    throw new Error(
      `The environment's description is not of this version: ${first?.path} ${first?.message}.`,
    );
  }
  return meta;
}
