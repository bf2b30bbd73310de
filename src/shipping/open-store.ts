/** Opens the store that an address names. */
import { fileURLToPath } from 'node:url';
import { storeUrl } from '../urls.ts';
import { fileStore } from './file-store.ts';
import { httpStore } from './http-store.ts';
import { type ObjectStore, StoreFailure, type WritableStore } from './object-store.ts';
import { s3Store } from './s3-store.ts';

/** @throws StoreFailure `bad-address` if the address names none */
export function openStore(address: string): ObjectStore {
  const url = storeUrl(address);
  if (url === null) throw badAddress(address, 'file:///folder, https://host/folder/ or s3://bucket/prefix');
  return isOnWeb(url) ? httpStore(folderOf(url)) : writableStore(url);
}

/** @throws StoreFailure `bad-address` if the address names none, `read-only-source` if it names a web server */
export function openWritableStore(address: string): WritableStore {
  const url = storeUrl(address);
  if (url === null) throw badAddress(address, 'file:///folder or s3://bucket/prefix');
  if (!isOnWeb(url)) return writableStore(url);
  throw new StoreFailure(
    'read-only-source',
    `${url.origin} can't be written to: a plain web server takes no uploads. Publish to the folder that it serves (file:///folder), or to s3://bucket/prefix.`,
  );
}

/** Whether a web server holds the store. */
function isOnWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** @param url `file:` or `s3:` */
function writableStore(url: URL): WritableStore {
  return url.protocol === 's3:'
    ? s3Store(url.hostname, folderOf(url).pathname.slice(1))
    : fileStore(fileURLToPath(`file://${url.pathname}`));
}

/** Names are resolved below the address, so it ends with a slash. */
function folderOf(url: URL): URL {
  const folder = new URL(url);
  if (folder.pathname !== '' && !folder.pathname.endsWith('/')) folder.pathname += '/';
  return folder;
}

/** The address may contain a password, so it is not repeated completely. */
function badAddress(address: string, right: string): StoreFailure {
  const shown = URL.parse(address)?.protocol ?? 'A path';
  return new StoreFailure('bad-address', `${shown} is not the address of a store; it must be ${right}.`);
}
