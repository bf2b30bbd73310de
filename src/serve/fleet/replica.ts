/** Manages the publications of a node that follows a store: fetches, opens, activates and closes them. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ExpectedFailure } from '../../errors.ts';
import type { FollowingFacts } from '../../ports/fleet.ts';
import { giveOrder } from '../../protocol/parent-input.ts';
import { fetchedIds } from '../../publication/fetched.ts';
import type { Layout } from '../../publication/layout.ts';
import { type EarlierActivation, readablePointer, setPointer } from '../../publication/pointer.ts';
import { readManifest } from '../../publication/sealed.ts';
import type {
  EarlierFleetActivation,
  FleetActivation,
  ShippedPublication,
} from '../../shipping/announcement.ts';
import type { ServicePublications } from '../swap/publications.ts';

export interface FollowerLog {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** The functions of the following service. */
export type FollowingService = Pick<
  ServicePublications,
  'serving' | 'makeReady' | 'expectNone' | 'followPointer' | 'deleteFetched'
>;

interface ReplicaParts {
  /** Address of the store. */
  readonly address: string;
  /** The same for messages: without a user name or password. */
  readonly source: string;
  readonly layout: Layout;
  readonly service: FollowingService;
  readonly log: FollowerLog;
}

export class Replica {
  readonly #parts: ReplicaParts;
  #fetching: { readonly id: string; readonly ending: AbortController } | null = null;
  /** The publication that the service last opened for an activation, and the time of the activation. */
  #open: { readonly id: string; readonly activatedAt: string } | null = null;
  /** Ids that may be of fetched publications, also from before a restart: their marks say which are. */
  readonly #fetchedHere: Set<string>;
  #fetchedAt: number | null = null;
  #fetchedBytes = 0;
  readonly #fetches = { ok: 0, failed: 0 };

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.#fetchedHere = new Set(fetchedIds(parts.layout));
  }

  get openId(): string | null {
    return this.#open?.id ?? null;
  }

  /** The open publication that the service does not serve yet; null if there is none. */
  get readyFor(): string | null {
    const { service } = this.#parts;
    const id = this.openId;
    if (id === null || id === service.serving.active()?.manifest.id) return null;
    return service.serving.held(id) === null ? null : id;
  }

  serves({ id, activatedAt }: Pick<FleetActivation, 'id' | 'activatedAt'>): boolean {
    const active = this.#parts.service.serving.active();
    return active?.manifest.id === id && active.activatedAt === activatedAt;
  }

  has(id: string): boolean {
    return readManifest(this.#parts.layout, id).outcome === 'sound';
  }

  isOpen(id: string, activatedAt: string): boolean {
    const isExpected = this.#open?.id === id && this.#open.activatedAt === activatedAt;
    return isExpected && this.#parts.service.serving.held(id) !== null;
  }

  fetchFacts(): Pick<FollowingFacts, 'fetchedAt' | 'fetchedBytes' | 'fetches'> {
    return { fetchedAt: this.#fetchedAt, fetchedBytes: this.#fetchedBytes, fetches: { ...this.#fetches } };
  }

  /** Ends a current fetch, unless it is of one of these publications. */
  endFetchUnless(wanted: ReadonlySet<string>): void {
    if (this.#fetching !== null && !wanted.has(this.#fetching.id)) this.#fetching.ending.abort();
  }

  async fetch({ id, shipment }: ShippedPublication): Promise<void> {
    const { address, layout, log, source } = this.#parts;
    const startedAt = performance.now();
    const ending = new AbortController();
    this.#fetching = { id, ending };
    // Before, because the process may be ended once the publication is here and before it says so.
    this.#fetchedHere.add(id);
    try {
      const fetchedBytes = await fetchInProcess(layout.dataDir, address, id, shipment, ending.signal);
      this.#fetches.ok++;
      this.#fetchedAt = Date.now();
      this.#fetchedBytes += fetchedBytes;
    } catch (error) {
      if (!ending.signal.aborted) this.#fetches.failed++;
      throw error;
    } finally {
      this.#fetching = null;
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    log.info('A publication was fetched.', { publication: id, source, seconds });
  }

  /** Opens a publication in every thread. */
  async open(id: string, activatedAt: string): Promise<void> {
    const failure = await this.#parts.service.makeReady(id, activatedAt);
    if (failure !== null) throw new ExpectedFailure(failure.code, failure.message);
    this.#open = { id, activatedAt };
  }

  /** The announced activation replaces one that an operator made here. */
  async activate(
    { id, activatedAt }: Pick<FleetActivation, 'id' | 'activatedAt'>,
    previous: readonly EarlierFleetActivation[],
  ): Promise<void> {
    const { layout, service } = this.#parts;
    const pointer = readablePointer(layout);
    if (pointer?.id !== id || pointer.activatedAt !== activatedAt) {
      setPointer(layout, { id, activatedAt, previous: previous.map(earlierOf) });
    }
    await service.followPointer();
    if (service.serving.active()?.manifest.id !== id)
      throw new ExpectedFailure('not-activated', `Publication ${id} could not be activated.`);
  }

  /** Closes what is open. */
  async close(): Promise<void> {
    this.#open = null;
    await this.#parts.service.expectNone();
  }

  /** A fetched publication that is neither held nor needed; null for none. */
  uselessOf(needed: ReadonlySet<string>): string | null {
    const { serving } = this.#parts.service;
    return [...this.#fetchedHere].find((id) => !needed.has(id) && serving.held(id) === null) ?? null;
  }

  /** Tried once: if it fails, the next start tries it again. */
  deleteFetched(id: string): Promise<void> {
    this.#fetchedHere.delete(id);
    return this.#parts.service.deleteFetched(id);
  }
}

/** As active.json lists it. */
function earlierOf({ id, activatedAt, undone }: EarlierFleetActivation): EarlierActivation {
  return undone === undefined ? { id, activatedAt } : { id, activatedAt, undone };
}

/** The process's final result, as JSON on standard output. */
const FetchResult = Type.Union([
  Type.Object({ fetchedBytes: Type.Integer({ minimum: 0 }) }),
  Type.Object({ code: Type.String(), message: Type.String() }),
]);

const script = new URL('../../../workers/fetch.ts', import.meta.url).pathname;

/**
 * Fetches a publication by the digest of its shipment, in a process of its own: decompression and hashing must not delay
 * the service's answers.
 * @param address of the store; passed on standard input, because every user sees the arguments of a process
 * @returns the number of bytes that it fetched
 * @throws ExpectedFailure
 */
async function fetchInProcess(
  dataDir: string,
  address: string,
  id: string,
  shipment: string,
  signal: AbortSignal,
): Promise<number> {
  const fetching = Bun.spawn([process.execPath, script, dataDir, id, shipment], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    signal,
    killSignal: 'SIGKILL',
  });
  await giveOrder(address, fetching.stdin);
  const [status, told, message] = await Promise.all([
    fetching.exited,
    new Response(fetching.stdout).text(),
    new Response(fetching.stderr).text(),
  ]);
  const result = parse(told);
  if (result !== null && 'fetchedBytes' in result) return result.fetchedBytes;
  if (result !== null) throw new ExpectedFailure(result.code, result.message);
  const ending = `the fetching process ended (${fetching.signalCode ?? status})`;
  throw new ExpectedFailure('unreachable', message.trim() || ending);
}

function parse(told: string) {
  try {
    const value: unknown = JSON.parse(told);
    return Value.Check(FetchResult, value) ? value : null;
  } catch {
    return null;
  }
}
