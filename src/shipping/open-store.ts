/** Opens the store that an address names. */
import { fileURLToPath } from 'node:url';
import { fileStore } from './file-store.ts';
import { httpStore } from './http-store.ts';
import { type ObjectStore, StoreFailure, type WritableStore } from './object-store.ts';
import { s3Store } from './s3-store.ts';

/** @throws StoreFailure `bad-source` if the address names none */
export function openStore(address: string): ObjectStore {
  const url = URL.parse(address);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return httpStore(folderOf(url));
  const writable = url === null ? null : writableStore(url);
  if (writable !== null) return writable;
  throw badSource(address, 'file:///folder, https://host/folder/ or s3://bucket/prefix');
}

/** @throws StoreFailure if the address names none, or a read-only one */
export function openWritableStore(address: string): WritableStore {
  const url = URL.parse(address);
  const writable = url === null ? null : writableStore(url);
  if (writable !== null) return writable;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    throw new StoreFailure(
      'read-only-source',
      `${url.origin} can't be written to: a plain web server takes no uploads. Publish to the folder that it serves (file:///folder), or to s3://bucket/prefix.`,
    );
  }
  throw badSource(address, 'file:///folder or s3://bucket/prefix');
}

function writableStore(url: URL): WritableStore | null {
  if (url.protocol === 's3:' && url.hostname !== '') {
    return s3Store(url.hostname, folderOf(url).pathname.slice(1));
  }
  const isLocal = url.protocol === 'file:' && (url.hostname === '' || url.hostname === 'localhost');
  return isLocal && url.pathname !== '/' ? fileStore(fileURLToPath(`file://${url.pathname}`)) : null;
}

/** Names are resolved below the address, so it ends with a slash. */
function folderOf(url: URL): URL {
  const folder = new URL(url);
  if (folder.pathname !== '' && !folder.pathname.endsWith('/')) folder.pathname += '/';
  return folder;
}

/** The address may contain a password, so it is not repeated completely. */
function badSource(address: string, right: string): StoreFailure {
  const shown = URL.parse(address)?.protocol ?? 'A path';
  return new StoreFailure('bad-source', `${shown} is not the address of a store; it must be ${right}.`);
}
