/**
 * Supervises the front threads: starts them on one port, passes on what they must know, and replaces one that ends. An
 * ended front loses only its open requests and the connections that it had not accepted.
 */
import { allAccounts } from '../../accounts/access/account-feed.ts';
import type { NoteUse } from '../../accounts/access/key-ring.ts';
import type { AccountDesk } from '../../accounts/desk/account-desk.ts';
import type { Config } from '../../config.ts';
import type { PemTexts } from '../../front/certificate.ts';
import type { ServedNow } from '../../front/serving.ts';
import { absoluteNow, type FrontCommand, type FrontTask, nameOfFront } from '../../front/thread-messages.ts';
import type { Log } from '../../log/log.ts';
import { blockOf, clearGauges, type MetricsMemory } from '../../metrics/blocks.ts';
import type { Observer } from '../../ports/observer.ts';
import type { State } from '../../ports/state.ts';
import type { ThreadFailure } from '../../threads/command-ledger.ts';
import { type FrontNews, FrontWorker } from './front-worker.ts';
import { type FrontsInThreads, freePort } from './fronts.ts';
import type { PoolThread } from './pool-thread.ts';
import { startAgain } from './start-again.ts';

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
  /** Where fronts count what they do; null if nobody reads it. */
  readonly metrics: MetricsMemory | null;
}

/** Fronts have numbers that are never used again. The main thread has 0. */
let lastNumber = 0;

export class FrontThreads implements FrontsInThreads {
  readonly #parts: FrontThreadsParts;
  /** Fronts that are told what changes. */
  readonly #fronts = new Set<FrontWorker>();
  /** Fronts that answer, by place. */
  readonly #listening = new Map<FrontWorker, number>();
  #port = 0;
  /** For HTTPS; null for HTTP. */
  #certificate: PemTexts | null = null;
  #replaced: () => void = () => {};
  #served: ServedNow | null = null;
  #stopping = false;

  constructor(parts: FrontThreadsParts) {
    this.#parts = parts;
  }

  readonly adopt: FrontsInThreads['adopt'] = (news) => this.#tell({ op: 'accounts', news });

  served(now: ServedNow): void {
    this.#served = now;
    this.#tell({ op: 'served', now });
  }

  async settled(): Promise<void> {
    await this.#all({ op: 'settle' });
  }

  async released(id: string): Promise<void> {
    await this.#all({ op: 'release', id });
  }

  threadJoined(thread: PoolThread): void {
    for (const front of this.#fronts) connect(front, thread);
  }

  threadLeft({ number: thread }: PoolThread): void {
    this.#tell({ op: 'thread-left', thread });
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
      if (failure !== null) throw new Error(`A front thread could not be started: ${failure}`);
    }
    return this.#port;
  }

  async renew(certificate: PemTexts): Promise<void> {
    const before = this.#certificate;
    // A front that starts meanwhile uses it too.
    this.#certificate = certificate;
    const renewals = [...this.#listening.keys()].map((front) => front.do({ op: 'renew', certificate }));
    const failures = await Promise.all(renewals);
    const failure = failures.find((each) => each !== null);
    if (failure === undefined) return;
    this.#certificate = before;
    throw new Error(`A front thread does not use it: ${failure}`);
  }

  async forgetEarlier(): Promise<void> {
    this.#tell({ op: 'forget-earlier' });
  }

  drain(): void {
    this.#tell({ op: 'drain' });
  }

  async stop(force = false): Promise<void> {
    this.#stopping = true;
    const fronts = [...this.#fronts];
    await this.#all({ op: 'stop', force });
    await Promise.all(fronts.map((front) => front.terminate()));
  }

  #tell(command: FrontCommand): void {
    for (const front of this.#fronts) front.post(command);
  }

  /** Resolves once every front has done this, has ended, or is late. */
  async #all(task: FrontTask): Promise<void> {
    await Promise.all([...this.#fronts].map((front) => front.do(task)));
  }

  /** Starts one front. Resolves to null once it listens. */
  async #start(place: number): Promise<ThreadFailure> {
    const { config, state, metrics, uptimeMs } = this.#parts;
    const front = new FrontWorker(++lastNumber, nameOfFront(place), {
      ended: (ended, reason) => this.#ended(ended, reason),
      report: (reporting, report) => this.#receive(reporting, report),
    });
    const unready = await front.ready;
    if (unready !== null) {
      void front.terminate();
      return unready;
    }
    front.post({
      op: 'start',
      number: front.number,
      place,
      config,
      metrics,
      port: this.#port,
      certificate: this.#certificate,
      secrets: state.secrets,
      ledger: state.shareLedger(),
      serviceStartedAt: absoluteNow() - uptimeMs(),
    });
    this.#introduce(front);
    const failure = await front.do({ op: 'listen' });
    if (failure === null) this.#listening.set(front, place);
    else void front.terminate();
    return failure;
  }

  /** Tells a new front everything that the others know; from then on it receives what they receive. */
  #introduce(front: FrontWorker): void {
    front.post({ op: 'accounts', news: allAccounts(this.#parts.state.accounts) });
    if (this.#served !== null) front.post({ op: 'served', now: this.#served });
    for (const thread of this.#parts.threads()) connect(front, thread);
    this.#fronts.add(front);
  }

  #ended(front: FrontWorker, reason: string): void {
    const { state, threads, observer, log, metrics } = this.#parts;
    this.#fronts.delete(front);
    state.freeLedger(front.number);
    for (const thread of threads()) thread.leave(front.number);
    const place = this.#listening.get(front);
    this.#listening.delete(front);
    if (place === undefined || this.#stopping) return;
    if (metrics !== null) clearGauges(blockOf(metrics, nameOfFront(place)));
    observer.threadEnded('front', reason);
    log.error('A front thread ended; a new one replaces it.', { reason });
    void this.#replace(place);
  }

  async #replace(place: number): Promise<void> {
    const isStopping = () => this.#stopping;
    const hasStarted = await startAgain('front', () => this.#start(place), isStopping, this.#parts.log);
    if (hasStarted) this.#replaced();
  }

  #receive(front: FrontWorker, report: FrontNews): void {
    const { noteUse, log, threads } = this.#parts;
    switch (report.report) {
      case 'account':
        void this.#answerAccount(front, report);
        return;
      case 'key-uses':
        for (const [keyId, second] of report.uses) noteUse(keyId, second);
        return;
      case 'log':
        log.lines(report.text);
        return;
      case 'stuck':
        threads()
          .find(({ number }) => number === report.thread)
          ?.terminate();
    }
  }

  async #answerAccount(
    front: FrontWorker,
    { call, request }: FrontNews & { report: 'account' },
  ): Promise<void> {
    const { accountDesk, log } = this.#parts;
    const reply = await accountDesk(request).catch((error: unknown) => {
      log.error('A request about an account failed unexpectedly.', { error });
      return null;
    });
    front.post({ op: 'account-answered', call, reply });
  }
}

/** Connects a front and a query thread by the two ends of a line. */
function connect(front: FrontWorker, thread: PoolThread): void {
  const { memory, port } = thread.join(front.number);
  front.post({ op: 'thread-joined', thread: thread.number, memory, port }, [port]);
}
