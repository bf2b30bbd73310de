/**
 * Who is calling, and may they: authentication first (401), then the quotas of the account or the client address
 * (429). All of it is arithmetic in memory; counts are saved behind, every second.
 */
import type { Config } from '../../config.ts';
import { timestamp } from '../../lei/timestamp.ts';
import type { StateStore } from '../../state/state-store.ts';
import type { Access, AccessRequest, Admission, BurstWindow, LimitHeaders } from '../contracts.ts';
import type { Log } from '../log.ts';
import type { Bucket } from './bucket.ts';
import { BucketBook } from './bucket-book.ts';
import { type ClientAddresses, clientAddresses } from './client-address.ts';
import { createHousekeeping, type Housekeeping } from './housekeeping.ts';
import { createKeyRing, type Holder } from './key-ring.ts';
import { createTariffs, limitHeaders, type Standing, secondsUntil, standing, type Tariff } from './tariff.ts';

export interface AccessParts {
  readonly config: Config;
  readonly store: StateStore;
  readonly log: Pick<Log, 'warn' | 'error' | 'info'>;
}

export interface AccessService extends Access, Housekeeping {
  /** Takes over accounts, keys and limits that changed on disk; called on `accounts-changed`, and each second. */
  refresh(): void;
  /** The name a client goes by, as the sign-up page counts it. */
  client(peer: string, forwardedFor: string | null, now: number): string;
  /** Buckets in memory, for tests and benches. */
  size(): number;
}

/** Reads every account; throws where the state can't be read. Call `start` to have counts saved each second. */
export function createAccess({ config, store, log }: AccessParts): AccessService {
  const tariffs = createTariffs(config);
  const ring = createKeyRing(store.accounts, tariffs);
  const book = new BucketBook(store.counters);
  const clients = clientAddresses(config.trustedProxies, store.secrets.client);
  ring.refresh();
  const identify = (request: AccessRequest): Caller => {
    const { authorization, now } = request;
    if (authorization === null) return anonymous(clients, request, tariffs.anonymous);
    const holder = ring.holder(authorization, now);
    if (holder !== null) return known(holder);
    return { ...anonymous(clients, request, tariffs.anonymous), badKey: true };
  };
  const gate: Gate = { book, enforcing: config.limitsMode === 'enforce' };
  const counting = config.limitsMode !== 'off';
  return {
    admit(request) {
      const caller = identify(request);
      if (!counting) return uncounted(caller);
      return caller.badKey ? admitBadKey(gate, caller, request) : admitCaller(gate, caller, request);
    },
    refresh: ring.refresh,
    client: (peer, forwardedFor, now) => clients.subject(peer, forwardedFor, now),
    size: () => book.size,
    ...createHousekeeping({ ring, book, store, log }),
  };
}

interface Caller {
  /** Account id, or the keyed hash of the client's address. */
  readonly subject: string;
  readonly tariff: Tariff;
  /** Something that is no active key was sent. */
  readonly badKey: boolean;
}

function anonymous(clients: ClientAddresses, request: AccessRequest, tariff: Tariff): Caller {
  const subject = clients.subject(request.peer, request.forwardedFor, request.now);
  return { subject, tariff, badKey: false };
}

function known(holder: Holder): Caller {
  return { subject: holder.accountId, tariff: holder.tariff, badKey: false };
}

interface Gate {
  readonly book: BucketBook;
  /** False in shadow mode: everything is counted, nobody refused. */
  readonly enforcing: boolean;
}

/** LEI_LIMITS=off. */
function uncounted({ subject, badKey }: Caller): Admission {
  if (badKey) return { outcome: 'unauthorized', limits: null, caller: subject };
  return { outcome: 'admitted', limits: null, caller: subject, refund: () => null };
}

function admitCaller(gate: Gate, caller: Caller, request: AccessRequest): Admission {
  const { window, now } = request;
  const { tariff } = caller;
  const bucket = gate.book.open(caller.subject, now);
  const burst = bucket.window(window);
  const dailyOver = bucket.used >= tariff.daily;
  if (gate.enforcing && (dailyOver || burst.used(now) >= tariff[window])) {
    return exhausted(caller, request, standing(bucket, tariff, window, now), dailyOver);
  }
  bucket.used++;
  burst.take(now);
  gate.book.changed(bucket);
  return new Admitted(gate.book, bucket, caller, window, now);
}

/** A bad key costs its client one of the burst window, and nothing of the day. */
function admitBadKey(gate: Gate, caller: Caller, request: AccessRequest): Admission {
  const { window, now } = request;
  const bucket = gate.book.open(caller.subject, now);
  const before = standing(bucket, caller.tariff, window, now);
  if (gate.enforcing && before.burstLeft === 0) return exhausted(caller, request, before, false);
  bucket.window(window).take(now);
  gate.book.changed(bucket);
  const after = standing(bucket, caller.tariff, window, now);
  const limits = limitHeaders(after, caller.tariff, window, now);
  return { outcome: 'unauthorized', limits, caller: caller.subject };
}

/** A class, because one is made for every request and a closure would be made with it. */
class Admitted {
  readonly outcome = 'admitted';
  readonly limits: LimitHeaders;
  readonly caller: string;
  readonly #book: BucketBook;
  #bucket: Bucket;
  readonly #tariff: Tariff;
  readonly #window: BurstWindow;
  readonly #now: number;
  readonly #day: number;
  #refunded = false;

  constructor(book: BucketBook, bucket: Bucket, caller: Caller, window: BurstWindow, now: number) {
    this.caller = caller.subject;
    this.#book = book;
    this.#bucket = bucket;
    this.#tariff = caller.tariff;
    this.#window = window;
    this.#now = now;
    this.#day = bucket.day;
    this.limits = this.#headersAt(now);
  }

  refund(): LimitHeaders {
    // Others were admitted since this was: to look at their window as it was then would make their admissions older.
    const now = Math.max(this.#now, this.#bucket.lastAsked);
    if (!this.#refunded) {
      this.#refunded = true;
      // The bucket may have left the memory since, and come back as another object.
      this.#bucket = this.#book.open(this.#bucket.subject, now);
      // Over midnight the day that was charged is over, and its count with it.
      if (this.#bucket.day === this.#day) this.#bucket.used--;
      this.#bucket.window(this.#window).giveBack(this.#now);
      this.#book.changed(this.#bucket);
    }
    return this.#headersAt(now);
  }

  #headersAt(now: number): LimitHeaders {
    const at = standing(this.#bucket, this.#tariff, this.#window, now);
    return limitHeaders(at, this.#tariff, this.#window, now);
  }
}

function exhausted(caller: Caller, request: AccessRequest, at: Standing, daily: boolean): Admission {
  const { window, now } = request;
  const burst = at.burstLeft === 0;
  const violatedPolicies: ('daily' | BurstWindow)[] = [];
  const details: string[] = [];
  let returnsAt = 0;
  if (daily) {
    violatedPolicies.push('daily');
    details.push(
      `The daily quota of ${caller.tariff.daily} requests is used up; it starts anew at ${timestamp(new Date(at.dailyReturnsAt))}.`,
    );
    returnsAt = at.dailyReturnsAt;
  }
  if (burst) {
    violatedPolicies.push(window);
    details.push(`No more than ${caller.tariff[window]} ${kind[window]} a minute are allowed.`);
    returnsAt = Math.max(returnsAt, at.burstReturnsAt);
  }
  const retryAfterSeconds = secondsUntil(returnsAt, now);
  details.push(`Try again in ${retryAfterSeconds} s.`);
  return {
    outcome: 'exhausted',
    limits: limitHeaders(at, caller.tariff, window, now),
    caller: caller.subject,
    violatedPolicies,
    retryAfterSeconds,
    detail: details.join(' '),
  };
}

const kind: Readonly<Record<BurstWindow, string>> = {
  lookup: 'identifier look-ups',
  search: 'searches, relationships and changes',
};
