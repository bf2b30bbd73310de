/**
 * Manages the large bodies in flight: which client may have one, and which readers are ended because they are too slow.
 * The bytes of a body stay in memory until its reader has taken them, so without limits a few slow readers would fill
 * it (decision 066).
 */
import type { Log } from '../../log/log.ts';
import { Budget, type Share } from './budget.ts';
import { Delivery } from './delivery.ts';
import { bodyLimits } from './limits.ts';

/** Why a client gets no large body now, and when to ask again. */
export interface LargeBodyRefusal {
  /** Whose bytes in flight exceed a limit. */
  readonly shortage: 'all' | 'client';
  readonly retryAfterSeconds: number;
}

interface BodiesOptions {
  /** How many fronts divide the budget among them. */
  readonly fronts?: number;
  readonly log: Pick<Log, 'warn'>;
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

const { inFlightBytesMax, clientInFlightBytesMax, patienceMs, patienceWhenFullMs, pauseMs } = bodyLimits;
/** `Retry-After` while other readers hold the budget. */
const retryAfterFullSeconds = 5;

export class Bodies {
  readonly #budget: Budget;
  readonly #log: Pick<Log, 'warn'>;
  readonly #clock: () => number;
  readonly #deliveries = new Set<Delivery>();
  /** Clients with a reader that was ended, and until when they get no large body. The oldest come first. */
  readonly #paused = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #untold = { ended: 0, refused: 0 };
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor({ fronts = 1, log, clock = () => performance.now() }: BodiesOptions) {
    this.#budget = new Budget({
      inFlightBytesMax: inFlightBytesMax / fronts,
      clientInFlightBytesMax: clientInFlightBytesMax / fronts,
    });
    this.#log = log;
    this.#clock = clock;
  }

  /** Bytes in flight. */
  get bytes(): number {
    return this.#budget.bytes;
  }

  /**
   * Why a client gets no large body, whatever others read; null if nothing prevents it. Cheap: two look-ups in maps.
   */
  refusalOf(client: string): LargeBodyRefusal | null {
    const now = this.#clock();
    const pauseLeftMs = (this.#paused.get(client) ?? now) - now;
    if (pauseLeftMs > 0) return this.#refuse('client', Math.ceil(pauseLeftMs / 1_000));
    return this.#budget.isFullFor(client) ? this.#refuse('client') : null;
  }

  /** A share of the budget for a body of this many bytes, or why there is none. May end a slow reader to make room. */
  take(client: string, bytes: number): Share | LargeBodyRefusal {
    const refusal = this.refusalOf(client);
    if (refusal !== null) return refusal;
    if (this.#budget.isFull && !this.#makeRoom(this.#clock())) return this.#refuse('all');
    return this.#budget.take(client, bytes);
  }

  /** Delivers a complete body piece by piece. Nobody else may use its memory. */
  deliver(body: Uint8Array<ArrayBuffer>, share: Share, gone: AbortSignal): ReadableStream<Uint8Array> {
    const delivery = this.begin(share, gone);
    delivery.add(body);
    delivery.complete();
    return delivery.stream;
  }

  /**
   * Delivers a body piece by piece whose parts are added as they are made. The share is freed at the end.
   * @param gone is called when the client has gone
   */
  begin(share: Share, gone: AbortSignal): Delivery {
    const ended = (delivery: Delivery) => this.#deliveries.delete(delivery);
    const delivery = new Delivery({ share, clock: this.#clock, ended });
    this.#deliveries.add(delivery);
    // A client that has gone before the first piece causes no cancellation.
    if (gone.aborted) delivery.end();
    else gone.addEventListener('abort', () => delivery.end(), { once: true });
    // A service that has otherwise ended does not wait for pauses.
    this.#timer ??= setInterval(() => this.#look(), bodyLimits.lookEveryMs).unref();
    return delivery;
  }

  /** Ends readers that are too slow. Stops checking once nothing is in flight. */
  #look(): void {
    const now = this.#clock();
    for (const delivery of this.#deliveries) {
      if (delivery.patienceLeftMs(now) <= 0) this.#breakOff(delivery, now);
    }
    for (const [client, until] of this.#paused) if (until <= now) this.#paused.delete(client);
    this.#tell(now);
    if (this.#deliveries.size > 0 || this.#paused.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Ends the slowest reader while the budget is full. @returns whether there is room now */
  #makeRoom(now: number): boolean {
    while (this.#budget.isFull) {
      const slowest = this.#slowest(now);
      if (slowest === null) return false;
      this.#breakOff(slowest, now);
    }
    return true;
  }

  #slowest(now: number): Delivery | null {
    let slowest: Delivery | null = null;
    let least: number = patienceMs - patienceWhenFullMs;
    for (const delivery of this.#deliveries) {
      const left = delivery.patienceLeftMs(now);
      if (left < least) [slowest, least] = [delivery, left];
    }
    return slowest;
  }

  #breakOff(delivery: Delivery, now: number): void {
    this.#paused.set(delivery.share.client, now + pauseMs);
    this.#untold.ended++;
    delivery.breakOff();
  }

  #refuse(
    shortage: LargeBodyRefusal['shortage'],
    retryAfterSeconds = retryAfterFullSeconds,
  ): LargeBodyRefusal {
    this.#untold.refused++;
    return { shortage, retryAfterSeconds };
  }

  /** Warns the operator from time to time. */
  #tell(now: number): void {
    const { ended, refused } = this.#untold;
    if (ended + refused === 0 || now - this.#toldAt < bodyLimits.loggedEveryMs) return;
    this.#log.warn(
      'Slow readers of large answers were disconnected, or clients with too many large answers were refused.',
      {
        ended,
        refused,
      },
    );
    this.#untold = { ended: 0, refused: 0 };
    this.#toldAt = now;
  }
}
