/**
 * Defines the stores that publications are shipped to and fetched from: named objects on a disk, a web server or an S3
 * service.
 */
import { ExpectedFailure } from '../errors.ts';
import { shippingLimits } from './limits.ts';

export interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Identifies the content of a name. */
  readonly tag: string;
}

/** Reads objects by name. A name is a relative path such as `publications/20261004T160000Z-3f9a1c2b.json`. */
export interface ObjectStore {
  /** The store's address, for messages: without a user name or password. */
  readonly address: string;
  /**
   * Null if there is no such object.
   * @param bytesMax a longer object is refused
   * @param signal ends the wait; without it the store's own limit does
   * @throws StoreFailure
   */
  read(name: string, bytesMax: number, signal?: AbortSignal): Promise<StoredObject | null>;
}

export interface ListedObject {
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly writtenAt: number;
}

export interface WritableStore extends ObjectStore {
  /** The objects whose names begin with `prefix`, by name. */
  list(prefix: string): Promise<ReadonlyMap<string, ListedObject>>;
  /** Writes an object whose name determines its content. It appears completely or not at all. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Replaces an object if it still has the tag; null means that there is no object yet.
   * @returns false if another writer came first
   */
  replace(name: string, bytes: Uint8Array, tag: string | null): Promise<boolean>;
  remove(name: string): Promise<void>;
}

type StoreFailureCode =
  | 'unreachable'
  | 'damaged-source'
  | 'bad-source'
  | 'bad-address'
  | 'not-signed'
  | 'read-only-source'
  | 'no-space';

/** A store that can't be used, or has wrong content. */
export class StoreFailure extends ExpectedFailure<StoreFailureCode> {
  override readonly name = 'StoreFailure';
}

/** The limit of one read: the store's own, and the caller's if there is one. */
export function endOfRead(signal: AbortSignal | undefined): AbortSignal {
  const own = AbortSignal.timeout(shippingLimits.objectTimeoutMs);
  return signal === undefined ? own : AbortSignal.any([own, signal]);
}

/** Refuses an object above its size limit. */
export function checkLength(address: string, name: string, bytes: number, bytesMax: number): void {
  if (bytes > bytesMax)
    throw damagedObject(address, name, `has ${bytes} bytes, more than the ${bytesMax} it may have`);
}

/** @param what is wrong with an object of the store at `address`, as a predicate */
export function damagedObject(address: string, name: string, what: string): StoreFailure {
  return new StoreFailure('damaged-source', `${address}: ${name} ${what}.`);
}
