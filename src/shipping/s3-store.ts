/**
 * Stores objects in a bucket of an S3 service. Requests go to addresses that Bun's client has signed, because the
 * client itself drops the conditional headers that replacing an announcement needs.
 */
import { clauseOf } from '../errors.ts';
import { withTries } from '../waits.ts';
import { objectIn, sendRequest, unexpected } from './http-store.ts';
import { jittered, shippingLimits } from './limits.ts';
import { endOfRead, type ListedObject, StoreFailure, type WritableStore } from './object-store.ts';

/** Endpoint, region and keys come from the environment (`AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID`, …), as in S3 tools. */
export function s3Store(bucket: string, prefix: string): WritableStore {
  const client = new Bun.S3Client({ bucket, ...settingsIn(process.env) });
  const address = `s3://${bucket}/${prefix}`;
  const signed = (name: string, method: 'GET' | 'PUT' | 'DELETE') => {
    try {
      return client.presign(`${prefix}${name}`, { method });
    } catch (error) {
      throw new StoreFailure('bad-source', `${address} can't be used: ${clauseOf(error)}.`);
    }
  };
  const put = (name: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
    sendRequest(address, signed(name, 'PUT'), { method: 'PUT', body: new Uint8Array(bytes), headers });
  const read: WritableStore['read'] = async (name, bytesMax, signal) => {
    const answer = await sendRequest(address, signed(name, 'GET'), { signal: endOfRead(signal) });
    return objectIn(address, name, answer, bytesMax);
  };
  const holds = async (name: string, bytes: Uint8Array) => {
    const present = await read(name, shippingLimits.announcementBytesMax);
    return present !== null && Buffer.compare(present.bytes, bytes) === 0;
  };
  return {
    address,
    read,
    list: (part) => listAll(client, address, prefix, part),
    async write(name, bytes) {
      const answer = await put(name, bytes);
      if (!answer.ok) throw await unexpected(address, name, answer);
    },
    async replace(name, bytes, tag) {
      let isTemporary = false;
      const pauseAfter = (failure: unknown, failed: number) => {
        if (!isTemporary || failed === shippingLimits.triesMax) throw failure;
        return jittered(shippingLimits.retryPauseMs);
      };
      return withTries({ pauseAfter, pause: Bun.sleep }, async (number) => {
        isTemporary = false;
        // radosgw answers 500 to simultaneous writers and may have written the object nevertheless.
        if (number > 1 && (await holds(name, bytes))) return true;
        const answer = await put(name, bytes, conditionOf(tag));
        if (answer.ok || isTaken(answer)) return answer.ok;
        isTemporary = answer.status >= 500;
        throw await unexpected(address, name, answer);
      });
    },
    async remove(name) {
      const answer = await sendRequest(address, signed(name, 'DELETE'), { method: 'DELETE' });
      if (!answer.ok && answer.status !== 404) throw await unexpected(address, name, answer);
    },
  };
}

/** radosgw accepts the tag of a condition only without its quotes. */
function conditionOf(tag: string | null): Record<string, string> {
  return tag === null ? { 'if-none-match': '*' } : { 'if-match': tag.replaceAll('"', '') };
}

/** Whether another writer came first. */
function isTaken({ status }: Response): boolean {
  return status === 412 || status === 409;
}

/** The settings that S3 tools read from the environment. Bun's client does not know all of these names. */
function settingsIn(environment: Readonly<Record<string, string | undefined>>): Bun.S3Options {
  const settings = {
    endpoint: environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL'],
    region: environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'],
    accessKeyId: environment['AWS_ACCESS_KEY_ID'],
    secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'],
    sessionToken: environment['AWS_SESSION_TOKEN'],
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value));
}

async function listAll(
  client: Bun.S3Client,
  address: string,
  prefix: string,
  part: string,
): Promise<ReadonlyMap<string, ListedObject>> {
  const listed = new Map<string, ListedObject>();
  let token: string | undefined;
  do {
    const page = await listPage(client, address, `${prefix}${part}`, token);
    for (const { key, size, lastModified } of page.contents ?? []) {
      const writtenAt = lastModified === undefined ? 0 : Date.parse(lastModified);
      listed.set(key.slice(prefix.length), { bytes: size ?? 0, writtenAt });
    }
    token = page.isTruncated === true ? page.nextContinuationToken : undefined;
  } while (token !== undefined);
  return listed;
}

async function listPage(client: Bun.S3Client, address: string, prefix: string, token: string | undefined) {
  try {
    return await client.list({ prefix, ...(token === undefined ? {} : { continuationToken: token }) });
  } catch (error) {
    throw new StoreFailure('unreachable', `${address} can't be listed: ${clauseOf(error)}.`);
  }
}
