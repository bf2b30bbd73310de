/** The secrets of a fleet: made once, by the first node, and given to nodes only. */
import { randomBytes } from 'node:crypto';
import { type Secrets, secretBytes, secretNames } from '../ports/secrets.ts';
import type { Caller } from './connection.ts';

const key = 'lei:secrets';

/** @param kept this node's copy, for a store that has lost its own */
export async function readSecrets(store: Caller, kept: Secrets | null): Promise<Secrets> {
  for (const name of secretNames) {
    const made = kept?.[name] ?? randomBytes(secretBytes);
    await store.call('HSETNX', key, name, Buffer.from(made).toString('base64'));
  }
  const reply = await store.call('HMGET', key, ...secretNames);
  const [cursor, etag, client] = (Array.isArray(reply) ? reply : []).map(secretIn);
  if (cursor === undefined || etag === undefined || client === undefined) {
    throw new Error(`${key} in the shared state holds no secrets.`);
  }
  return { cursor, etag, client };
}

function secretIn(text: unknown): Uint8Array | undefined {
  const bytes = Uint8Array.from(Buffer.from(String(text), 'base64'));
  return bytes.length === secretBytes ? bytes : undefined;
}
