/**
 * A connection to the shared store: the one door to the Redis client. Every call has a deadline. After any failure the
 * store counts as away: calls fail at once, without asking. In the background the connection tries once a second until
 * the store accepts a write within the deadline again; or it waits until another connection of the node has succeeded.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { Redis } from 'iovalkey';
import { ExpectedFailure, reasonOf } from '../../errors.ts';
import { Deadlines } from './deadlines.ts';
import { sharedLimits } from './limits.ts';

/** The store does not answer, or answers wrongly. */
class StoreAway extends ExpectedFailure<'shared-state-away'> {
  override readonly name = 'StoreAway';
  constructor(address: StoreAddress, reason: string) {
    super('shared-state-away', `The shared state at ${shownAddress(address)} is unavailable: ${reason}.`);
  }
}

/**
 * The store is there, but the value of this call has another type: somebody else has written it. Other calls
 * succeed. Whoever needs this one continues as if the store were away.
 */
class DamagedValue extends ExpectedFailure<'shared-state-away'> {
  override readonly name = 'DamagedValue';
  constructor(reason: string) {
    super('shared-state-away', `The shared state holds a damaged value: ${reason.replace(/\.$/, '')}.`);
  }
}

/** What the store answers if a value is of another type than the command or the script expects. */
const damage = /^(WRONGTYPE |ERR user_script:\d+: |ERR (hash )?value is not )/;

async function unlessDamaged<Reply>(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    if (damage.test(reasonOf(error))) throw new DamagedValue(reasonOf(error));
    throw error;
  }
}

/** A function that the store runs as a whole, without another call in between. */
export interface StoreScript {
  readonly source: string;
  readonly sha: string;
}

/** @param body Lua; it receives `KEYS` and `ARGV`. It is refused as a whole if the store can't write. */
export function script(body: string): StoreScript {
  const source = `#!lua\n${body}`;
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

type Argument = string | number;

/** The possible calls to the store: a command, or a script. Both reject with {@link StoreAway} or {@link DamagedValue}. */
export interface StoreCalls {
  call(command: string, ...args: readonly Argument[]): Promise<unknown>;
  /** @param deadlineMs for this call; by default the connection's */
  run(
    script: StoreScript,
    keys: readonly string[],
    args: readonly Argument[],
    deadlineMs?: number,
  ): Promise<unknown>;
  /**
   * Runs a script that takes and returns bytes. If the store refuses this user one of the keys, the script is refused
   * as a whole.
   */
  exchange(
    script: StoreScript,
    keys: readonly string[],
    bytes: Buffer,
    deadlineMs?: number,
  ): Promise<Uint8Array>;
}

interface ConnectionParts {
  readonly url: string;
  /** The deadline of each call. */
  readonly deadlineMs: number;
  /** Receives each loss with its reason, and each return as null. The first connection is a return. */
  readonly changed?: (lost: string | null) => void;
  /** While true, another connection of this node asks for the store, and this one waits. By default never. */
  readonly waits?: () => boolean;
  /** Run each time before the store counts as present. If it fails, the store stays away. */
  readonly prepare?: (store: StoreCalls) => Promise<void>;
}

export class Connection implements StoreCalls {
  readonly address: StoreAddress;
  readonly #parts: ConnectionParts;
  readonly #deadlines = new Deadlines();
  readonly call: StoreCalls['call'];
  readonly run: StoreCalls['run'];
  readonly exchange: StoreCalls['exchange'];
  /** The client that calls go to; null while the store is away. */
  #client: Redis | null = null;
  /** Why the store is away; null while it is there. */
  #lost: string | null = 'it has not been asked yet';
  #told = false;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.address = readStoreAddress(parts.url);
    const calls = callerBy((call, deadlineMs) => this.#within(this.#client, call, deadlineMs));
    this.call = calls.call;
    this.run = calls.run;
    this.exchange = calls.exchange;
  }

  /**
   * Connects, and keeps trying in the background. Resolves after the first attempt with whether the store is present.
   */
  async start(): Promise<boolean> {
    await this.#attempt();
    return this.#client !== null;
  }

  get isThere(): boolean {
    return this.#client !== null;
  }

  /** Why the store is away; null while it is there. */
  get lost(): string | null {
    return this.#lost;
  }

  /** How long this thread has run while calls were open, in milliseconds: the time that deadlines count. */
  get ranMs(): number {
    return this.#deadlines.ranMs;
  }

  /** Ends it. Calls in flight fail. */
  close(): void {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#lost = 'it is closed';
    this.#drop(this.#client);
  }

  async #attempt(): Promise<void> {
    this.#retry = null;
    if (this.#parts.waits?.() === true) {
      this.#retry = setTimeout(() => void this.#attempt(), sharedLimits.lookMs);
      return;
    }
    const client = newClient(this.address);
    // The first failure is reported: a wrong password, or an untrusted certificate, ends the connection.
    let cause: unknown = null;
    client.on('error', (error: unknown) => {
      cause ??= error;
    });
    try {
      await this.#deadlines.keep(client.connect(), sharedLimits.connectDeadlineMs);
      const { deadlineMs, prepare } = this.#parts;
      // The client would go on with database 0 if the store refused another one.
      const { database } = this.address;
      if (database !== 0) await this.#deadlines.keep(client.select(database), deadlineMs);
      // A store that is full or read-only answers, but accepts no counts and no changes.
      await this.#deadlines.keep(client.set('lei:probe', '1', 'PX', sharedLimits.retryMs), deadlineMs);
      await this.#deadlines.keep(checkFormat(client), deadlineMs);
      await prepare?.(callerBy((call, ms) => this.#within(client, call, ms)));
    } catch (error) {
      client.disconnect();
      return this.#isAway(reasonOf(cause ?? error));
    }
    if (this.#closed) return client.disconnect();
    this.#client = client;
    this.#lost = null;
    this.#told = true;
    client.once('close', () => this.#lose(client, 'it closed the connection'));
    this.#parts.changed?.(null);
  }

  /** Every failure, of the network or of the store, means that it can't be relied on. */
  async #within<Reply>(
    client: Redis | null,
    call: (client: Redis) => Promise<Reply>,
    deadlineMs = this.#parts.deadlineMs,
  ): Promise<Reply> {
    if (client === null) throw new StoreAway(this.address, this.#lost ?? 'it is unavailable');
    try {
      return await this.#deadlines.keep(call(client), deadlineMs);
    } catch (error) {
      if (error instanceof DamagedValue) throw error;
      const reason = reasonOf(error);
      this.#lose(client, reason);
      throw new StoreAway(this.address, this.#lost ?? reason);
    }
  }

  /** Keeps the first failure, which causes the others. */
  #lose(client: Redis, reason: string): void {
    if (this.#client !== client) return;
    this.#drop(client);
    this.#isAway(reason);
  }

  #drop(client: Redis | null): void {
    this.#client = null;
    client?.disconnect();
  }

  #isAway(reason: string): void {
    if (this.#closed) return;
    this.#lost = reason.replace(/\.$/, '');
    this.#retry = setTimeout(() => void this.#attempt(), sharedLimits.retryMs);
    if (this.#told) this.#parts.changed?.(this.#lost);
    this.#told = false;
  }
}

/** A client that neither queues calls nor reconnects by itself: the connection does both. */
function newClient({ host, port, tls, username, password }: StoreAddress): Redis {
  return new Redis({
    host,
    port,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    // An address is checked against the certificate too, but only a name may be sent.
    ...(tls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
    lazyConnect: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // It would count time in which this thread does not run; the connection's own deadline does not.
    connectTimeout: 0,
    disconnectTimeout: sharedLimits.requestDeadlineMs,
    retryStrategy: () => null,
  });
}

/**
 * Names the format of a new store. A version that changes the content of keys raises the number, which ends the
 * connections of older versions for good.
 */
async function checkFormat(client: Redis): Promise<void> {
  const { storeFormat } = sharedLimits;
  const found = await client.call('SET', 'lei:format', storeFormat, 'NX', 'GET');
  if (found === null || Number(found) === storeFormat) return;
  throw new Error(
    `it has format ${String(found)}, but this version supports only format ${storeFormat}: run the same version as the other nodes`,
  );
}

/** Calls a client within a deadline: by default the connection's. */
type CallWithin = <Reply>(call: (client: Redis) => Promise<Reply>, deadlineMs?: number) => Promise<Reply>;

function callerBy(within: CallWithin): StoreCalls {
  return {
    call: (command, ...args) => within((client) => unlessDamaged(client.call(command, ...args))),
    run: (one, keys, args, ms) =>
      within(
        (client) =>
          unlessDamaged(evaluated(one, (...how) => client.call(...how, keys.length, ...keys, ...args))),
        ms,
      ),
    exchange: (one, keys, bytes, ms) =>
      within(async (client) => {
        const reply = await evaluated(one, (...how) =>
          client.callBuffer(...how, keys.length, ...keys, bytes),
        );
        if (reply instanceof Uint8Array) return reply;
        throw new Error('it answered with something other than bytes');
      }, ms),
  };
}

async function evaluated(
  { source, sha }: StoreScript,
  call: (command: string, script: string) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await call('EVALSHA', sha);
  } catch (error) {
    // Send the whole script again: a store forgets its scripts when it restarts.
    if (!reasonOf(error).startsWith('NOSCRIPT')) throw error;
    return call('EVAL', source);
  }
}

interface StoreAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** Number of the database. */
  readonly database: number;
}

/** @param url checked before, with {@link isSharedStateUrl} of the settings */
function readStoreAddress(url: string): StoreAddress {
  const { hostname, port, protocol, username, password, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 6379),
    tls: protocol === 'rediss:',
    username: username === '' ? null : decodeURIComponent(username),
    password: password === '' ? null : decodeURIComponent(password),
    database: Number(pathname.slice(1) || 0),
  };
}

/** The store's address for messages: without user name and password. */
function shownAddress({ host, port, tls, database }: StoreAddress): string {
  return `${tls ? 'rediss' : 'redis'}://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

/** The keys with a prefix, some at a time. Those that exist all the while are returned at least once. */
export function scanKeys(store: StoreCalls, prefix: string): AsyncIterable<readonly string[]> {
  return scan(store, ['SCAN'], ['MATCH', `${prefix}*`]);
}

/** The fields of a hash with their values, likewise. */
export async function* scanHash(store: StoreCalls, key: string) {
  for await (const texts of scan(store, ['HSCAN', key], [])) yield pairsIn(texts);
}

async function* scan(
  store: StoreCalls,
  [command, ...of]: readonly [command: string, ...key: readonly string[]],
  options: readonly string[],
): AsyncIterable<readonly string[]> {
  let cursor = '0';
  do {
    const page = await store.call(command, ...of, cursor, ...options, 'COUNT', sharedLimits.rowsPerPart);
    const [next, found] = Array.isArray(page) ? page : [];
    if (Array.isArray(found) && found.length > 0) yield found.map(String);
    cursor = String(next ?? '0');
  } while (cursor !== '0');
}

/** Decodes the store's lists of names and values, one after the other. */
export function* pairsIn(reply: unknown): Iterable<readonly [name: string, value: string]> {
  const texts = Array.isArray(reply) ? reply.map(String) : [];
  for (let at = 0; at + 1 < texts.length; at += 2) yield [texts[at] ?? '', texts[at + 1] ?? ''];
}
