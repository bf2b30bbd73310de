/**
 * Supervises the front threads: starts them on one port, passes on what they must know, and replaces one that ends. An
 * ended front loses only its open requests and the connections that it had not accepted.
 */
import { allAccounts } from '../../accounts/access/account-feed.ts';
import type { NoteUse } from '../../accounts/access/key-ring.ts';
import type { AccountDesk, AccountReply, AccountRequest } from '../../accounts/desk/account-desk.ts';
import type { Config } from '../../config.ts';
import type { ServedNow } from '../../front/serving.ts';
import {
  absoluteNow,
  type FromFrontThread,
  type FrontCalls,
  type MainCalls,
  nameOfFront,
} from '../../front/thread-calls.ts';
import type { PemTexts } from '../../http/certificate.ts';
import type { Log } from '../../log/log.ts';
import { blockOf, clearGauges, type MetricsMemory } from '../../metrics/blocks.ts';
import type { Observer } from '../../ports/observer.ts';
import type { State } from '../../ports/state.ts';
import { answer, type CallFailure, type CallHandlers, CallingEnd, failureOf } from '../../threads/calls.ts';
import { whenEnded } from '../../threads/tasks.ts';
import { type FrontsInThreads, freePort } from './fronts.ts';
import type { PoolThread } from './pool-thread.ts';
import { replaceThread } from './replace.ts';

interface FrontThreadsParts {
  readonly config: Config;
  readonly state: State;
  readonly accountDesk: AccountDesk;
  readonly noteUse: NoteUse;
  readonly log: Pick<Log, 'error' | 'lines'>;
  readonly observer: Observer;
  /** The query threads that can be asked. */
  readonly threads: () => readonly PoolThread[];
  readonly uptimeMs: () => number;
  /** The counters of the fronts' work; null if nobody reads them. */
  readonly metrics: MetricsMemory | null;
}

/** Time for a front thread to load its code and to build its front. */
const startTimeoutMs = 30_000;
const listenTimeoutMs = 30_000;
const settleTimeoutMs = 5_000;
/** Time to end the questions about a publication that is being closed. */
const releaseTimeoutMs = 30_000;
/** A front thread answers its requests in less time, because each question has a deadline. */
const stopTimeoutMs = 60_000;

const workerUrl = new URL('../../../workers/front.ts', import.meta.url).href;

/** One front thread. */
interface FrontThread {
  readonly number: number;
  /** From 0. A front that replaces another has the same one. */
  readonly place: number;
  readonly calls: CallingEnd<FrontCalls>;
  /** Ends it at once. */
  terminate(): Promise<void>;
}

/** Fronts have numbers that are never used again. The main thread has 0. */
let lastNumber = 0;

export class FrontThreads implements FrontsInThreads {
  readonly #parts: FrontThreadsParts;
  /** Fronts that are told of changes. */
  readonly #fronts = new Set<FrontThread>();
  /** Fronts that answer. */
  readonly #listening = new Set<FrontThread>();
  #port = 0;
  /** For HTTPS; null for HTTP. */
  #certificate: PemTexts | null = null;
  #replaced: () => void = () => {};
  #served: ServedNow | null = null;
  #stopping = false;

  constructor(parts: FrontThreadsParts) {
    this.#parts = parts;
  }

  readonly adopt: FrontsInThreads['adopt'] = (news) => {
    for (const { calls } of this.#fronts) calls.tell('adopt', [news]);
  };

  served(now: ServedNow): void {
    this.#served = now;
    for (const { calls } of this.#fronts) calls.tell('served', [now]);
  }

  async settled(): Promise<void> {
    await this.#all(({ calls }) => calls.call('settle', []), settleTimeoutMs);
  }

  async released(id: string): Promise<void> {
    await this.#all(({ calls }) => calls.call('release', [id]), releaseTimeoutMs);
  }

  threadJoined(thread: PoolThread): void {
    for (const front of this.#fronts) connect(front, thread);
  }

  threadLeft({ number: thread }: PoolThread): void {
    for (const { calls } of this.#fronts) calls.tell('threadLeft', [thread]);
  }

  onReplaced(tell: () => void): void {
    this.#replaced = tell;
  }

  count(): number {
    return this.#listening.size;
  }

  async listen(port: number, host: string, certificate: PemTexts | null): Promise<number> {
    this.#port = await freePort(port, host);
    this.#certificate = certificate;
    for (let place = 0; place < this.#parts.config.fronts; place++) {
      const failure = await this.#start(place);
      if (failure !== null) throw new Error(`Front thread ${place + 1} could not be started: ${failure}`);
    }
    return this.#port;
  }

  async renew(certificate: PemTexts): Promise<void> {
    const before = this.#certificate;
    // A front that starts meanwhile uses it too.
    this.#certificate = certificate;
    const renewals = [...this.#listening].map(({ calls }) =>
      failureOf(calls.call('renew', [certificate]), listenTimeoutMs),
    );
    const failures = await Promise.all(renewals);
    const failure = failures.find((each) => each !== null);
    if (failure === undefined) return;
    this.#certificate = before;
    throw new Error(
      `A front thread did not take over the certificate: ${failure}. It goes on with the earlier one.`,
    );
  }

  async forgetEarlier(): Promise<void> {
    for (const { calls } of this.#fronts) calls.tell('forgetEarlier', []);
  }

  drain(): void {
    for (const { calls } of this.#fronts) calls.tell('drain', []);
  }

  async stop(force = false): Promise<void> {
    this.#stopping = true;
    const fronts = [...this.#fronts];
    await this.#all(({ calls }) => calls.call('stop', [force]), stopTimeoutMs);
    await Promise.all(fronts.map((front) => front.terminate()));
  }

  /** Resolves once every front has done this, has ended, or is late. */
  async #all(task: (front: FrontThread) => Promise<void>, timeoutMs: number): Promise<void> {
    await Promise.all([...this.#fronts].map((front) => failureOf(task(front), timeoutMs)));
  }

  /** Starts one front. Resolves to null once it listens. */
  async #start(place: number): Promise<CallFailure> {
    const { config, state, metrics, uptimeMs } = this.#parts;
    const front = this.#spawn(++lastNumber, place);
    const starting = front.calls.call('start', [
      {
        number: front.number,
        place,
        config,
        metrics,
        secrets: state.secrets,
        ledger: state.shareLedger(),
        serviceStartedAt: absoluteNow() - uptimeMs(),
      },
    ]);
    // A stop ends only the fronts that were introduced before it.
    const join = () => (this.#stopping ? 'the service is stopping' : this.#introduce(front));
    const failure = (await failureOf(starting, startTimeoutMs)) ?? (await join());
    if (failure === null) this.#listening.add(front);
    else void front.terminate();
    return failure;
  }

  #spawn(number: number, place: number): FrontThread {
    const worker = new Worker(workerUrl, { name: nameOfFront(place) });
    const calls = new CallingEnd<FrontCalls>((call, transfer) => worker.postMessage(call, transfer));
    const ended = Promise.withResolvers<void>();
    const front: FrontThread = {
      number,
      place,
      calls,
      terminate() {
        worker.terminate();
        return ended.promise;
      },
    };
    worker.onmessage = ({ data }: MessageEvent<FromFrontThread>) => {
      if ('op' in data) void answer(this.#handlers, data, (reply) => worker.postMessage(reply));
      else calls.receive(data);
    };
    whenEnded(worker, (reason = 'it ended') => {
      calls.endAll(new Error(`the thread ended: ${reason}`));
      ended.resolve();
      this.#ended(front, reason);
    });
    return front;
  }

  /** Tells a new front everything that the others know; from then on it is told what they are told. It then listens. */
  #introduce(front: FrontThread): Promise<CallFailure> {
    const { calls } = front;
    calls.tell('adopt', [allAccounts(this.#parts.state.accounts)]);
    if (this.#served !== null) calls.tell('served', [this.#served]);
    for (const thread of this.#parts.threads()) connect(front, thread);
    this.#fronts.add(front);
    return failureOf(calls.call('listen', [this.#port, this.#certificate]), listenTimeoutMs);
  }

  #ended(front: FrontThread, reason: string): void {
    const { state, threads, metrics } = this.#parts;
    this.#fronts.delete(front);
    state.freeLedger(front.number);
    for (const thread of threads()) thread.leave(front.number);
    const hasListened = this.#listening.delete(front);
    if (!hasListened || this.#stopping) return;
    if (metrics !== null) clearGauges(blockOf(metrics, nameOfFront(front.place)));
    void this.#replace(front, reason);
  }

  async #replace({ place }: FrontThread, reason: string): Promise<void> {
    const { log, observer } = this.#parts;
    const hasStarted = await replaceThread({
      kind: 'front',
      end: { reason },
      start: () => this.#start(place),
      isOver: () => this.#stopping,
      log,
      observer,
    });
    if (hasStarted) this.#replaced();
  }

  readonly #handlers: CallHandlers<MainCalls> = {
    account: (request) => this.#answerAccount(request),
    keyUses: (uses) => {
      for (const [keyId, second] of uses) this.#parts.noteUse(keyId, second);
    },
    log: (text) => this.#parts.log.lines(text),
    stuck: (thread) =>
      this.#parts
        .threads()
        .find(({ number }) => number === thread)
        ?.terminate(),
  };

  async #answerAccount(request: AccountRequest): Promise<AccountReply> {
    const { accountDesk, log } = this.#parts;
    try {
      return await accountDesk(request);
    } catch (error) {
      log.error('A request about an account failed unexpectedly.', { error });
      throw error;
    }
  }
}

/** Connects a front and a query thread by the two ends of a line. */
function connect(front: FrontThread, thread: PoolThread): void {
  const line = thread.join(front.number);
  front.calls.tell('threadJoined', [thread.number, line], [line.port]);
}
