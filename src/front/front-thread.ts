/** Runs inside a front thread: builds its front from what the main thread sends. */
import packageJson from '../../package.json' with { type: 'json' };
import { keyUses, type NoteUse } from '../accounts/access/key-ring.ts';
import { ThreadLines } from '../dispatch/thread-lines.ts';
import { createLog, type Log, logCollector, logObserver } from '../log/log.ts';
import { blockOf } from '../metrics/blocks.ts';
import { meteringObserver, startHeartbeat } from '../metrics/meter.ts';
import type { Ledger } from '../ports/ledger.ts';
import { joinObservers, measuring, nobody, type Tracer } from '../ports/observer.ts';
import type { JoinLedger } from '../ports/state.ts';
import { expectFreeing } from '../protocol/json-bytes.ts';
import { answer, type CallHandlers, CallingEnd } from '../threads/calls.ts';
import { loadTracer } from '../tracing/load.ts';
import { createFront } from './front.ts';
import { ServedPublications } from './serving.ts';
import {
  absoluteNow,
  type FromFrontThread,
  type FrontCalls,
  type FrontStart,
  type MainCalls,
  nameOfFront,
  type ToFrontThread,
} from './thread-calls.ts';

const usesPostedEveryMs = 500;

/** @returns the receiver of messages; the first must be the call `start` */
export function runFront(
  joinLedger: JoinLedger,
  post: (message: FromFrontThread) => void,
): (message: ToFrontThread) => void {
  expectFreeing();
  const main = new CallingEnd<MainCalls>(post);
  let running: ReturnType<typeof build> | null = null;
  const started = () => {
    if (running === null) throw new Error('A front thread was called before it had started.');
    return running;
  };
  const handlers: CallHandlers<FrontCalls> = {
    async start(start) {
      const ledger = await joinLedger(start.ledger, start.number);
      const { traces, logLevel } = start.config;
      const log = createLog(logLevel, { post: (text) => main.tell('log', [text]) });
      const tracer = await loadTracer(traces, packageJson.version, logCollector(log));
      running = build(start, { ledger, tracer, log }, main);
    },
    listen(port, certificate) {
      const { front, config } = started();
      front.listen({ port, host: config.host, shared: true, certificate });
    },
    renew: (certificate) => started().front.renew(certificate),
    forgetEarlier: () => started().front.forgetEarlier(),
    settle() {},
    threadJoined: (thread, line) => started().lines.join(thread, line),
    threadLeft: (thread) => started().lines.leave(thread),
    adopt: (news) => started().front.adopt(news),
    served: (now) => started().served.adopt(now),
    release: (id) => started().lines.released(id),
    drain: () => started().front.drain(),
    async stop(force) {
      const { front, tracer, log } = started();
      await front.stop(force);
      await tracer?.stop();
      await log.end();
    },
  };
  return (message) => {
    if ('op' in message) void answer(handlers, message, post);
    else main.receive(message);
  };
}

interface ThreadParts {
  readonly ledger: Ledger;
  /** Null if no traces are sent. */
  readonly tracer: Tracer | null;
  readonly log: Log;
}

function build(start: FrontStart, { ledger, tracer, log }: ThreadParts, main: CallingEnd<MainCalls>) {
  const { number, config, secrets, serviceStartedAt } = start;
  const block = start.metrics === null ? null : blockOf(start.metrics, nameOfFront(start.place));
  const metering = block === null ? nobody : meteringObserver(block);
  const tracing = tracer === null ? [] : [measuring];
  const observer = joinObservers([logObserver(log, config.logRequests), metering, ...tracing]);
  const stuck = (thread: number) => main.tell('stuck', [thread]);
  const lines = new ThreadLines({ front: number, observer, stuck });
  if (block !== null) startHeartbeat(block, () => lines.unanswered());
  const served = new ServedPublications();
  const front = createFront({
    config,
    secrets,
    ledger,
    pool: lines,
    publications: served,
    accountDesk: (request) => main.call('account', [request]),
    noteUse: collectUses(main),
    log,
    observer,
    tracer,
    uptimeMs: () => absoluteNow() - serviceStartedAt,
  });
  return { config, front, lines, served, log, tracer };
}

/** Collects the uses of keys and tells them from time to time. */
function collectUses(main: CallingEnd<MainCalls>): NoteUse {
  const uses = keyUses();
  const noteUses = async (noted: ReadonlyMap<string, number>) => main.tell('keyUses', [noted]);
  setInterval(() => void uses.save({ noteUses }), usesPostedEveryMs);
  return uses.note;
}
