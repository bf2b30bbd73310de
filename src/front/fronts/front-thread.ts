/** The inside of a front thread: builds its front from what the main thread sends. */
import { errorCode, reasonOf } from '../../errors.ts';
import { blockOf } from '../../metrics/blocks.ts';
import { startHeartbeat } from '../../metrics/heartbeat.ts';
import { meteringObserver } from '../../metrics/meter.ts';
import { joinObservers, nobody } from '../../ports/observer.ts';
import type { JoinLedger } from '../../ports/state.ts';
import { expectFreeing } from '../../protocol/free-memory.ts';
import { createFront, type Front } from '../front.ts';
import { createLog } from '../log.ts';
import { logObserver } from '../log-observer.ts';
import type { SignupDesk, SignupOutcome } from '../pages/signup/desk.ts';
import { ServedView } from '../publication/served-now.ts';
import { ThreadLines } from '../threads/thread-lines.ts';
import { nameOfFront } from './fronts.ts';
import { frontLimits } from './limits.ts';
import { absoluteNow, type FrontCommand, type FrontReport, type FrontStart } from './messages.ts';

export type PostReport = (report: FrontReport) => void;

/** @returns the receiver of commands, of which `start` is the first */
export function runFront(joinLedger: JoinLedger, post: PostReport): (command: FrontCommand) => void {
  expectFreeing();
  let running: RunningFront | null = null;
  return (command) => {
    if (command.op === 'start') running = new RunningFront(command, joinLedger, post);
    else running?.obey(command);
  };
}

type Later = Exclude<FrontCommand, { op: 'start' }>;

class RunningFront {
  readonly #start: FrontStart;
  readonly #post: PostReport;
  readonly #lines: ThreadLines;
  readonly #served = new ServedView();
  readonly #signups: RemoteSignups;
  readonly #front: Front;

  constructor(start: FrontStart, joinLedger: JoinLedger, post: PostReport) {
    const { number, config, secrets, serviceStartedAt } = start;
    const log = createLog(config.logLevel, { post: (text) => post({ report: 'log', text }) });
    const block = start.metrics === null ? null : blockOf(start.metrics, nameOfFront(start.place));
    const metering = block === null ? nobody : meteringObserver(block);
    const observer = joinObservers([logObserver(log, config.logRequests), metering]);
    this.#start = start;
    this.#post = post;
    this.#signups = new RemoteSignups(post);
    this.#lines = new ThreadLines({
      front: number,
      observer,
      stuck: (thread) => post({ report: 'stuck', thread }),
    });
    if (block !== null) startHeartbeat(block, () => this.#lines.unanswered());
    this.#front = createFront({
      config,
      secrets,
      ledger: joinLedger(start.ledger, number),
      pool: this.#lines,
      publications: this.#served,
      signups: this.#signups,
      noteUse: postUses(post),
      log,
      observer,
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
        this.#listen();
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
      case 'drain':
        this.#front.drain();
        break;
      case 'stop':
        void this.#stop(command.force);
    }
  }

  #listen(): void {
    const { port, config } = this.#start;
    try {
      this.#front.listen({ port, host: config.host, shared: true });
      this.#post({ report: 'listening' });
    } catch (error) {
      this.#post({ report: 'not-listening', code: errorCode(error), message: reasonOf(error) });
    }
  }

  async #release(id: string): Promise<void> {
    await this.#lines.released(id);
    this.#post({ report: 'released', id });
  }

  async #stop(force: boolean): Promise<void> {
    await this.#front.stop(force);
    this.#post({ report: 'stopped' });
  }
}

/** The desk in the main thread, asked by messages. */
class RemoteSignups implements SignupDesk {
  readonly #post: PostReport;
  readonly #waiting = new Map<number, PromiseWithResolvers<SignupOutcome>>();
  #lastCall = 0;

  constructor(post: PostReport) {
    this.#post = post;
  }

  signUp(request: Parameters<SignupDesk['signUp']>[0]): Promise<SignupOutcome> {
    const call = ++this.#lastCall;
    const waiting = Promise.withResolvers<SignupOutcome>();
    this.#waiting.set(call, waiting);
    this.#post({ report: 'sign-up', call, request });
    return waiting.promise;
  }

  finish(call: number, outcome: SignupOutcome | null): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (outcome === null) waiting?.reject(new Error('The main thread could not make the account.'));
    else waiting?.resolve(outcome);
  }
}

/** Gathers the uses of keys and posts them now and then. */
function postUses(post: PostReport): (keyId: string, second: number) => void {
  let uses = new Map<string, number>();
  setInterval(() => {
    if (uses.size === 0) return;
    post({ report: 'key-uses', uses });
    uses = new Map();
  }, frontLimits.usesPostedEveryMs);
  return (keyId, second) => void uses.set(keyId, second);
}
