/** Secrets of this installation: made at the first start, kept for good, never shown. */
import { randomBytes } from 'node:crypto';
import { bytesTable, type Environment } from '../lmdb.ts';

/** 32 bytes each. */
export interface Secrets {
  /** Signs cursors. */
  readonly cursor: Uint8Array;
  /** Keys entity tags. */
  readonly etag: Uint8Array;
  /** Keys the hashes that stand for client addresses. */
  readonly client: Uint8Array;
}

const secretBytes = 32;

/** Reads the secrets, making those that are not there yet. */
export function openSecrets(environment: Environment): Secrets {
  const table = bytesTable(environment, 'secrets', 'string');
  // One transaction, so that a service and a command that start together agree.
  return environment.transactionSync(() => {
    const secret = (name: string): Uint8Array => {
      const kept = table.get(name);
      if (kept !== undefined && kept.length === secretBytes) return Uint8Array.from(kept);
      const made = randomBytes(secretBytes);
      table.putSync(name, made);
      return Uint8Array.from(made);
    };
    return { cursor: secret('cursor'), etag: secret('etag'), client: secret('client') };
  });
}
