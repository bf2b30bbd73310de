/** Runs inside a front thread: builds its front from what the main thread sends. */
import packageJson from '../../../package.json' with { type: 'json' };
import { errorCode, reasonOf } from '../../errors.ts';
import { blockOf } from '../../metrics/blocks.ts';
import { meteringObserver, startHeartbeat } from '../../metrics/meter.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { joinObservers, measuring, nobody } from '../../ports/observer.ts';
import type { JoinLedger } from '../../ports/state.ts';
import type { Tracer } from '../../ports/tracer.ts';
import { expectFreeing } from '../../protocol/free-memory.ts';
import { loadTracer } from '../../tracing/load.ts';
import { keyUses, type NoteUse } from '../access/key-ring.ts';
import { createFront, type Front } from '../front.ts';
import { createLog, type Log, logObserver } from '../log.ts';
import type { AccountDesk, AccountReply } from '../pages/account/desk.ts';
import { Serving } from '../publication/serving.ts';
import { ThreadLines } from '../threads/thread-lines.ts';
import { nameOfFront } from './fronts.ts';
import { frontLimits } from './limits.ts';
import {
  absoluteNow,
  type FrontCall,
  type FrontCommand,
  type FrontReport,
  type FrontStart,
  type FrontTask,
} from './messages.ts';

type PostReport = (report: FrontReport) => void;

/** @returns the receiver of commands, of which `start` is the first */
export function runFront(joinLedger: JoinLedger, post: PostReport): (command: FrontCommand) => void {
  expectFreeing();
  let running: RunningFront | null = null;
  /** Commands that arrived before the ledger was joined and the tracer loaded. */
  const early: Later[] = [];
  const begin = async (start: FrontStart) => {
    const ledger = await joinLedger(start.ledger, start.number);
    const tracer = await loadTracer(start.config.traces, packageJson.version);
    running = new RunningFront(start, ledger, tracer, post);
    for (const command of early.splice(0)) running.obey(command);
  };
  return (command) => {
    if (command.op === 'start') void begin(command);
    else if (running === null) early.push(command);
    else running.obey(command);
  };
}

type Later = Exclude<FrontCommand, { op: 'start' }>;

class RunningFront {
  readonly #start: FrontStart;
  readonly #post: PostReport;
  readonly #lines: ThreadLines;
  readonly #served = new Serving();
  readonly #accounts: ReturnType<typeof remoteDesk>;
  readonly #front: Front;
  readonly #log: Log;
  /** Null if no traces are sent. */
  readonly #tracer: Tracer | null;

  constructor(start: FrontStart, ledger: Ledger, tracer: Tracer | null, post: PostReport) {
    const { number, config, secrets, serviceStartedAt } = start;
    const log = createLog(config.logLevel, { post: (text) => post({ report: 'log', text }) });
    const block = start.metrics === null ? null : blockOf(start.metrics, nameOfFront(start.place));
    const metering = block === null ? nobody : meteringObserver(block);
    const tracing = tracer === null ? [] : [measuring];
    const observer = joinObservers([logObserver(log, config.logRequests), metering, ...tracing]);
    this.#start = start;
    this.#post = post;
    this.#log = log;
    this.#tracer = tracer;
    this.#accounts = remoteDesk(post);
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
      accountDesk: this.#accounts.answer,
      noteUse: postUses(post),
      log,
      observer,
      tracer,
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
        this.#served.adopt(command.now);
        break;
      case 'account-answered':
        this.#accounts.finish(command.call, command.reply);
        break;
      case 'forget-earlier':
        void this.#front.forgetEarlier();
        break;
      case 'drain':
        this.#front.drain();
        break;
      default:
        void this.#call(command);
    }
  }

  async #call(command: FrontCall): Promise<void> {
    const { call } = command;
    try {
      await this.#do(command);
      this.#post({ report: 'done', call, failure: null });
    } catch (error) {
      this.#post({ report: 'done', call, failure: `${reasonOf(error)} (${errorCode(error)})` });
    }
  }

  async #do(task: FrontTask): Promise<void> {
    switch (task.op) {
      case 'listen':
        this.#listen();
        break;
      case 'renew':
        this.#front.renew(task.certificate);
        break;
      case 'settle':
        break;
      case 'release':
        await this.#lines.released(task.id);
        break;
      case 'stop':
        await this.#stop(task.force);
    }
  }

  #listen(): void {
    const { port, config, certificate } = this.#start;
    this.#front.listen({ port, host: config.host, shared: true, certificate });
  }

  async #stop(force: boolean): Promise<void> {
    await this.#front.stop(force);
    await this.#tracer?.stop();
    await this.#log.end();
  }
}

/** Collects the uses of keys and posts them from time to time. */
function postUses(post: PostReport): NoteUse {
  const uses = keyUses();
  const noteUses = async (noted: ReadonlyMap<string, number>) => post({ report: 'key-uses', uses: noted });
  setInterval(() => void uses.save({ noteUses }), frontLimits.usesPostedEveryMs);
  return uses.note;
}

/** Passes the requests of the pages about accounts to the main thread, which answers each by a message. */
function remoteDesk(post: PostReport) {
  const waiting = new Map<number, PromiseWithResolvers<AccountReply>>();
  let lastCall = 0;
  const answer: AccountDesk = (request) => {
    const call = ++lastCall;
    const open = Promise.withResolvers<AccountReply>();
    waiting.set(call, open);
    post({ report: 'account', call, request });
    return open.promise;
  };
  /** @param reply null if the main thread failed, and has logged why */
  const finish = (call: number, reply: AccountReply | null) => {
    const open = waiting.get(call);
    waiting.delete(call);
    if (reply === null) open?.reject(new Error('The main thread failed to answer.'));
    else open?.resolve(reply);
  };
  return { answer, finish };
}
