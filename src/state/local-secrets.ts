/** Secrets in the local state: made at the first start, stored permanently. */
import { randomBytes } from 'node:crypto';
import { bytesTable, type Environment } from '../lmdb.ts';
import { type Secrets, secretBytes } from '../ports/secrets.ts';

/**
 * Reads the secrets and makes the missing ones.
 * @param given for those that are missing
 */
export function openSecrets(environment: Environment, given?: Secrets): Secrets {
  const table = bytesTable(environment, 'secrets', 'string');
  // One transaction, so that a service and a command that start together agree.
  return environment.transactionSync(() => {
    const secret = (name: keyof Secrets): Uint8Array => {
      const kept = table.get(name);
      if (kept !== undefined && kept.length === secretBytes) return Uint8Array.from(kept);
      const made = Buffer.from(given?.[name] ?? randomBytes(secretBytes));
      table.putSync(name, made);
      return Uint8Array.from(made);
    };
    return { cursor: secret('cursor'), etag: secret('etag'), client: secret('client') };
  });
}
