/** Runs inside a front thread: builds its front from what the main thread sends. */
import packageJson from '../../../package.json' with { type: 'json' };
import { errorCode, reasonOf } from '../../errors.ts';
import { blockOf } from '../../metrics/blocks.ts';
import { startHeartbeat } from '../../metrics/heartbeat.ts';
import { meteringObserver } from '../../metrics/meter.ts';
import type { TraceSettings } from '../../operations-settings.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { joinObservers, measuring, nobody } from '../../ports/observer.ts';
import type { JoinLedger } from '../../ports/state.ts';
import type { RequestTrace, Tracer } from '../../ports/tracer.ts';
import { expectFreeing } from '../../protocol/free-memory.ts';
import { loadTracer } from '../../tracing/load.ts';
import { createFront, type Front } from '../front.ts';
import { createLog, type Log } from '../log.ts';
import { logObserver } from '../log-observer.ts';
import type { AccountReply, AccountRequest } from '../pages/account/desk.ts';
import type { SignupOutcome, SignupRequest } from '../pages/signup/desk.ts';
import { ServedView } from '../publication/served-now.ts';
import { ThreadLines } from '../threads/thread-lines.ts';
import type { PemTexts } from '../tls/certificate.ts';
import { nameOfFront } from './fronts.ts';
import { frontLimits } from './limits.ts';
import { absoluteNow, type FrontCommand, type FrontReport, type FrontStart } from './messages.ts';
import { RemoteCalls } from './remote-calls.ts';

type PostReport = (report: FrontReport) => void;

/** @returns the receiver of commands, of which `start` is the first */
export function runFront(joinLedger: JoinLedger, post: PostReport): (command: FrontCommand) => void {
  expectFreeing();
  let running: RunningFront | null = null;
  /** Commands that arrived before the ledger was joined. */
  const early: Later[] = [];
  const begin = (start: FrontStart, ledger: Ledger) => {
    running = new RunningFront(start, ledger, post);
    for (const command of early.splice(0)) running.obey(command);
  };
  return (command) => {
    if (command.op !== 'start') {
      if (running === null) early.push(command);
      else running.obey(command);
      return;
    }
    const ledger = joinLedger(command.ledger, command.number);
    if (ledger instanceof Promise) void ledger.then((joined) => begin(command, joined));
    else begin(command, ledger);
  };
}

type Later = Exclude<FrontCommand, { op: 'start' }>;

class RunningFront {
  readonly #start: FrontStart;
  readonly #post: PostReport;
  readonly #lines: ThreadLines;
  readonly #served = new ServedView();
  readonly #signups: RemoteCalls<SignupRequest, SignupOutcome>;
  readonly #accounts: RemoteCalls<AccountRequest, AccountReply>;
  readonly #front: Front;
  readonly #log: Log;
  /** Null if no traces are sent. */
  readonly #tracer: LateTracer | null;

  constructor(start: FrontStart, ledger: Ledger, post: PostReport) {
    const { number, config, secrets, serviceStartedAt } = start;
    const log = createLog(config.logLevel, { post: (text) => post({ report: 'log', text }) });
    const block = start.metrics === null ? null : blockOf(start.metrics, nameOfFront(start.place));
    const metering = block === null ? nobody : meteringObserver(block);
    this.#tracer = config.traces === null ? null : new LateTracer(config.traces);
    const tracing = this.#tracer === null ? [] : [measuring];
    const observer = joinObservers([logObserver(log, config.logRequests), metering, ...tracing]);
    this.#start = start;
    this.#post = post;
    this.#log = log;
    this.#signups = new RemoteCalls((call, request) => post({ report: 'sign-up', call, request }));
    this.#accounts = new RemoteCalls((call, request) => post({ report: 'account', call, request }));
    this.#lines = new ThreadLines({
      front: number,
      observer,
      stuck: (thread) => post({ report: 'stuck', thread }),
    });
    if (block !== null) startHeartbeat(block, () => this.#lines.unanswered());
    this.#front = createFront({
      config,
      secrets,
      ledger,
      pool: this.#lines,
      publications: this.#served,
      signups: { signUp: (request) => this.#signups.ask(request) },
      accountDesk: { answer: (request) => this.#accounts.ask(request) },
      noteUse: postUses(post),
      log,
      observer,
      tracer: this.#tracer,
      uptimeMs: () => absoluteNow() - serviceStartedAt,
    });
  }

  obey(command: Later): void {
    switch (command.op) {
      case 'thread-joined':
        this.#lines.join(command.thread, command);
        break;
      case 'thread-left':
        this.#lines.leave(command.thread);
        break;
      case 'accounts':
        this.#front.adopt(command.news);
        break;
      case 'served':
        this.#served.take(command.now);
        break;
      case 'listen':
        void this.#listen();
        break;
      case 'settle':
        this.#post({ report: 'settled', call: command.call });
        break;
      case 'release':
        void this.#release(command.id);
        break;
      case 'signed-up':
        this.#signups.finish(command.call, command.outcome);
        break;
      case 'account-answered':
        this.#accounts.finish(command.call, command.reply);
        break;
      case 'renew':
        this.#renew(command.certificate);
        break;
      case 'forget-earlier':
        void this.#front.forgetEarlier();
        break;
      case 'drain':
        this.#front.drain();
        break;
      case 'stop':
        void this.#stop(command.force);
    }
  }

  async #listen(): Promise<void> {
    const { port, config, certificate } = this.#start;
    await this.#tracer?.loaded;
    try {
      this.#front.listen({ port, host: config.host, shared: true, certificate });
      this.#post({ report: 'listening' });
    } catch (error) {
      this.#post({ report: 'not-listening', code: errorCode(error), message: reasonOf(error) });
    }
  }

  #renew(certificate: PemTexts): void {
    try {
      this.#front.renew(certificate);
      this.#post({ report: 'renewed', failure: null });
    } catch (error) {
      this.#post({ report: 'renewed', failure: reasonOf(error) });
    }
  }

  async #release(id: string): Promise<void> {
    await this.#lines.released(id);
    this.#post({ report: 'released', id });
  }

  async #stop(force: boolean): Promise<void> {
    await this.#front.stop(force);
    await this.#tracer?.stop();
    await this.#log.end();
    this.#post({ report: 'stopped' });
  }
}

/** A tracer that loads in the background; no request is sampled until it is there. */
class LateTracer implements Tracer {
  #tracer: Tracer | null = null;
  readonly loaded: Promise<void>;

  constructor(settings: TraceSettings) {
    this.loaded = loadTracer(settings, packageJson.version).then((tracer) => {
      this.#tracer = tracer;
    });
  }

  begin(request: Request, startedAt: number): RequestTrace | null {
    return this.#tracer?.begin(request, startedAt) ?? null;
  }

  async stop(): Promise<void> {
    await this.#tracer?.stop();
  }
}

/** Collects the uses of keys and posts them from time to time. */
function postUses(post: PostReport): (keyId: string, second: number) => void {
  let uses = new Map<string, number>();
  setInterval(() => {
    if (uses.size === 0) return;
    post({ report: 'key-uses', uses });
    uses = new Map();
  }, frontLimits.usesPostedEveryMs);
  return (keyId, second) => void uses.set(keyId, second);
}
