/** Runs inside a front thread: builds its front from what the main thread sends. */
import packageJson from '../../package.json' with { type: 'json' };
import { keyUses, type NoteUse } from '../accounts/access/key-ring.ts';
import type { AccountDesk, AccountReply } from '../accounts/desk/account-desk.ts';
import { ThreadLines } from '../dispatch/thread-lines.ts';
import { errorCode, reasonOf } from '../errors.ts';
import { createLog, logObserver } from '../log/log.ts';
import { blockOf } from '../metrics/blocks.ts';
import { meteringObserver, startHeartbeat } from '../metrics/meter.ts';
import type { Ledger } from '../ports/ledger.ts';
import { joinObservers, measuring, nobody } from '../ports/observer.ts';
import type { JoinLedger } from '../ports/state.ts';
import type { Tracer } from '../ports/tracer.ts';
import { expectFreeing } from '../protocol/free-memory.ts';
import { loadTracer } from '../tracing/load.ts';
import { createFront } from './front.ts';
import { Serving } from './serving.ts';
import {
  absoluteNow,
  type FrontCall,
  type FrontCommand,
  type FrontReport,
  type FrontStart,
  type FrontTask,
  nameOfFront,
} from './thread-messages.ts';

type PostReport = (report: FrontReport) => void;

const usesPostedEveryMs = 500;

/** @returns the receiver of commands, of which `start` is the first */
export function runFront(joinLedger: JoinLedger, post: PostReport): (command: FrontCommand) => void {
  expectFreeing();
  let obey: ((command: Later) => void) | null = null;
  /** Commands that arrived before the ledger was joined and the tracer loaded. */
  const early: Later[] = [];
  const begin = async (start: FrontStart) => {
    const ledger = await joinLedger(start.ledger, start.number);
    const tracer = await loadTracer(start.config.traces, packageJson.version);
    const running = build(start, ledger, tracer, post);
    obey = (command) => obeyed(running, command, post);
    for (const command of early.splice(0)) obey(command);
  };
  return (command) => {
    if (command.op === 'start') void begin(command);
    else if (obey === null) early.push(command);
    else obey(command);
  };
}

type Later = Exclude<FrontCommand, { op: 'start' }>;
type Running = ReturnType<typeof build>;

/** @param tracer null if no traces are sent */
function build(start: FrontStart, ledger: Ledger, tracer: Tracer | null, post: PostReport) {
  const { number, config, secrets, serviceStartedAt } = start;
  const log = createLog(config.logLevel, { post: (text) => post({ report: 'log', text }) });
  const block = start.metrics === null ? null : blockOf(start.metrics, nameOfFront(start.place));
  const metering = block === null ? nobody : meteringObserver(block);
  const tracing = tracer === null ? [] : [measuring];
  const observer = joinObservers([logObserver(log, config.logRequests), metering, ...tracing]);
  const stuck = (thread: number) => post({ report: 'stuck', thread });
  const lines = new ThreadLines({ front: number, observer, stuck });
  if (block !== null) startHeartbeat(block, () => lines.unanswered());
  const served = new Serving();
  const desk = remoteDesk(post);
  const front = createFront({
    config,
    secrets,
    ledger,
    pool: lines,
    publications: served,
    accountDesk: desk.answer,
    noteUse: postUses(post),
    log,
    observer,
    tracer,
    uptimeMs: () => absoluteNow() - serviceStartedAt,
  });
  return { start, front, lines, served, desk, log, tracer };
}

function obeyed(running: Running, command: Later, post: PostReport): void {
  const { front, lines, served, desk } = running;
  switch (command.op) {
    case 'thread-joined':
      lines.join(command.thread, command);
      break;
    case 'thread-left':
      lines.leave(command.thread);
      break;
    case 'accounts':
      front.adopt(command.news);
      break;
    case 'served':
      served.adopt(command.now);
      break;
    case 'account-answered':
      desk.finish(command.call, command.reply);
      break;
    case 'forget-earlier':
      void front.forgetEarlier();
      break;
    case 'drain':
      front.drain();
      break;
    default:
      void perform(running, command, post);
  }
}

/** Does a task and reports how it ended. */
async function perform(running: Running, command: FrontCall, post: PostReport): Promise<void> {
  const { call } = command;
  try {
    await done(running, command);
    post({ report: 'done', call, failure: null });
  } catch (error) {
    post({ report: 'done', call, failure: `${reasonOf(error)} (${errorCode(error)})` });
  }
}

async function done({ start, front, lines, log, tracer }: Running, task: FrontTask): Promise<void> {
  switch (task.op) {
    case 'listen': {
      const { port, config, certificate } = start;
      front.listen({ port, host: config.host, shared: true, certificate });
      break;
    }
    case 'renew':
      front.renew(task.certificate);
      break;
    case 'settle':
      break;
    case 'release':
      await lines.released(task.id);
      break;
    case 'stop':
      await front.stop(task.force);
      await tracer?.stop();
      await log.end();
  }
}

/** Collects the uses of keys and posts them from time to time. */
function postUses(post: PostReport): NoteUse {
  const uses = keyUses();
  const noteUses = async (noted: ReadonlyMap<string, number>) => post({ report: 'key-uses', uses: noted });
  setInterval(() => void uses.save({ noteUses }), usesPostedEveryMs);
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
