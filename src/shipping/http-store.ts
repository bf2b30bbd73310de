/**
 * Reads objects from a web server. They are only read: a plain web server accepts no uploads. An S3 service is asked in
 * the same way: with a deadline, without redirects, and for bodies up to their limit.
 */
import { clauseOf } from '../errors.ts';
import { checkLength, endOfRead, type ObjectStore, type StoredObject, StoreFailure } from './object-store.ts';

/** @param base URL of the folder, with a trailing slash; its user name and password are sent as Basic credentials */
export function httpStore(base: URL): ObjectStore {
  const folder = new URL(base);
  folder.username = '';
  folder.password = '';
  const address = folder.href;
  // An announcement must be current, whatever a proxy has cached.
  const headers = { 'cache-control': 'no-cache', ...authorizationOf(base) };
  return {
    address,
    async read(name, bytesMax, signal) {
      const answer = await sendRequest(address, new URL(name, folder).href, {
        headers,
        signal: endOfRead(signal),
      });
      return objectIn(address, name, answer, bytesMax);
    },
  };
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** A request to the store at `address`, by default with the limit of one object. @throws StoreFailure if no answer comes */
export async function sendRequest(address: string, url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { signal: endOfRead(undefined), ...init, redirect: 'error' });
  } catch (error) {
    throw new StoreFailure('unreachable', `${address} can't be reached: ${clauseOf(error)}.`);
  }
}

/** A failure for an answer of another status than expected. The body is not read. */
export async function unexpected(address: string, name: string, answer: Response): Promise<StoreFailure> {
  await answer.body?.cancel();
  return new StoreFailure('unreachable', `${address} answers ${answer.status} for ${name}.`);
}

/** The object in an answer; null if the answer says that there is none. @throws StoreFailure */
export async function objectIn(
  address: string,
  name: string,
  answer: Response,
  bytesMax: number,
): Promise<StoredObject | null> {
  if (answer.status === 404 || answer.status === 410) {
    await answer.body?.cancel();
    return null;
  }
  if (answer.status !== 200) throw await unexpected(address, name, answer);
  const tag = answer.headers.get('etag') ?? '';
  return { bytes: await bodyOf(address, name, answer, bytesMax), tag };
}

/** Counts the received bytes: an announced length may be wrong. */
async function bodyOf(
  address: string,
  name: string,
  answer: Response,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    checkLength(address, name, Number(answer.headers.get('content-length') ?? 0), bytesMax);
    for await (const part of answer.body ?? []) {
      length += part.length;
      checkLength(address, name, length, bytesMax);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof StoreFailure) throw error;
    throw new StoreFailure(
      'unreachable',
      `${address}: ${name} was not received completely: ${clauseOf(error)}.`,
    );
  }
  return new Uint8Array(Buffer.concat(parts, length));
}
