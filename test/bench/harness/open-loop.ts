/**
 * Sends an open loop: requests leave on a timetable, whether or not earlier ones are answered, like those of many
 * independent users. Latency counts from the time on the timetable and so includes waiting for a connection and for the
 * generator itself; leaving that out is known as coordinated omission. Every answer is checked.
 *
 * It is a separate program: `bun open-loop.ts` reads an {@link OpenLoopOrder} on standard input and prints an {@link
 * OpenLoopResult}. Requests of one millisecond leave together at its end, and the generator sleeps in between: one that
 * spins takes a whole processor away from the server.
 */
import type { Socket } from 'bun';
import { reasonOf } from '../../../src/errors.ts';
import { Answer } from './answer.ts';
import { countLatency, noLatencies } from './latency-buckets.ts';
import { endsWithUs } from './processes.ts';

export interface OpenLoopOrder {
  /** http or https, with an optional path before those of `asks`. This machine must trust the certificate. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asks: readonly { readonly path: string; readonly proof: string }[];
  /** The timetable: stretches of constant or steadily changing rate. */
  readonly stretches: readonly Stretch[];
  /**
   * Seconds at the start without latencies, 0 by default: opening connections and compiling the generator's code takes
   * longer than most answers. Answers are checked and counted all the same.
   */
  readonly warmUpSeconds?: number;
  /** Seconds to wait for answers after the last departure, 5 by default. Later answers count as failed. */
  readonly drainSeconds?: number;
  /** The most requests that may wait for a connection or an answer. Any further request counts as failed. */
  readonly outstandingMost: number;
  /**
   * The most connections; by default as many as requests may wait. The generator opens one if none is idle: without a
   * limit, a server that is late for a moment would have to accept hundreds at once and be late for longer.
   */
  readonly connectionsMost?: number;
}

export interface Stretch {
  readonly seconds: number;
  /** Requests per second at the start and at the end of the stretch. */
  readonly from: number;
  readonly to: number;
}

export interface OpenLoopResult {
  readonly sent: number;
  readonly answered: number;
  /** From the start of the timetable to its end, or to a later last answer. */
  readonly perSecond: number;
  /** The number of answers after the warm-up, which the percentiles are computed from. */
  readonly latencies: number;
  readonly latencyMs: Percentiles;
  /** Latencies and slips in buckets, to be added to those of other generators. */
  readonly latencyBuckets: readonly number[];
  readonly slipBuckets: readonly number[];
  /** The delay of the generator itself: figures below it mean nothing. */
  readonly slipMs: Percentiles;
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers with status 200 whose body was wrong, cut off, or different from another with the same entity tag. */
  readonly wrong: number;
  /** Requests without status 200. `lost` has the reasons for those without any answer. */
  readonly failed: number;
  readonly lost: Readonly<Record<string, number>>;
}

/** Null without any values. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly most: number | null;
}

interface Line {
  socket: Socket<Line> | null;
  /** Whether requests may be sent; with TLS, after the handshake. */
  open: boolean;
  ended: boolean;
  /** The unanswered departure, by its index in the timetable. */
  waiting: number | null;
  /** The received part of an answer; null before the first byte. */
  received: Buffer | null;
}

/** A percentile by nearest rank: the smallest value that such a share of all values does not exceed. */
export function percentiles(values: Float64Array): Percentiles {
  values.sort();
  const at = (share: number) => values[Math.ceil(values.length * share) - 1] ?? null;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), most: at(1) };
}

/** The departures, in whole milliseconds from the start. */
function timetable(stretches: readonly Stretch[]): Float64Array {
  const times: number[] = [];
  let startMs = 0;
  for (const { seconds, from, to } of stretches) {
    // The n-th departure of a linear ramp solves from·t + (to − from)·t²/2s = n.
    const slope = (to - from) / (2 * seconds);
    const count = Math.floor(((from + to) / 2) * seconds);
    for (let n = 0; n < count; n++) {
      const t = slope === 0 ? n / from : (Math.sqrt(from * from + 4 * slope * n) - from) / (2 * slope);
      times.push(Math.ceil(startMs + t * 1000));
    }
    startMs += seconds * 1000;
  }
  return Float64Array.from(times);
}

/** A list of figures in memory that is allocated before the first one, so that adding costs nothing. */
class Figures {
  private readonly values: Float64Array;
  private count = 0;

  constructor(most: number) {
    this.values = new Float64Array(most);
  }

  add(value: number): void {
    this.values[this.count++] = value;
  }

  all(): Float64Array {
    return this.values.slice(0, this.count);
  }
}

/** A question as it is sent, with the texts that its answers must contain. */
interface Question {
  readonly request: Buffer;
  readonly proof: Buffer;
  /** Digests of the bodies received, by entity tag. Questions of one path share them. */
  readonly bodies: Map<string, number | bigint>;
}

function questionsOf({ asks, headers }: OpenLoopOrder, { host, pathname }: URL): Question[] {
  const prefix = pathname.replace(/\/+$/, '');
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const bodies = new Map(asks.map(({ path }) => [path, new Map<string, number | bigint>()]));
  return asks.map(({ path, proof }) => ({
    request: Buffer.from(`GET ${prefix}${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    proof: Buffer.from(proof),
    bodies: bodies.get(path) ?? new Map(),
  }));
}

class Generator {
  private readonly order: OpenLoopOrder;
  private readonly base: URL;
  private readonly connectionsMost: number;
  private readonly questions: readonly Question[];
  private readonly times: Float64Array;
  private startedMs = 0;
  private readonly idle: Line[] = [];
  /** Departures that wait for a connection. */
  private readonly queue: number[] = [];
  private queueHead = 0;
  private readonly latencies: Figures;
  private readonly slips: Figures;
  private readonly statuses = new Map<number, number>();
  private outstanding = 0;
  private lines = 0;
  /** Latencies of later departures are kept. */
  private keptFromMs = 0;
  private wrong = 0;
  private failed = 0;
  private readonly lost = new Map<string, number>();
  private sent = 0;
  private done = 0;
  private lastAnswerMs = 0;

  constructor(order: OpenLoopOrder) {
    this.order = order;
    this.base = new URL(order.baseUrl);
    this.connectionsMost = order.connectionsMost ?? order.outstandingMost;
    this.questions = questionsOf(order, this.base);
    this.times = timetable(order.stretches);
    this.latencies = new Figures(this.times.length);
    this.slips = new Figures(this.times.length);
  }

  async run(): Promise<OpenLoopResult> {
    this.startedMs = performance.now() + 50;
    this.keptFromMs = this.startedMs + (this.order.warmUpSeconds ?? 0) * 1000;
    for (let departure = 0; departure < this.times.length; departure++) {
      const early = this.dueMs(departure) - performance.now();
      if (early > 0) await Bun.sleep(Math.ceil(early));
      this.depart(departure);
      // Late departures leave at once, but answers are read in between.
      if (departure % 64 === 63) await immediate();
    }
    const drainSeconds = this.order.drainSeconds ?? 5;
    const deadline = performance.now() + drainSeconds * 1000;
    while (this.outstanding > 0 && performance.now() < deadline) await Bun.sleep(1);
    while (this.outstanding > 0) this.fail(`no answer within ${drainSeconds} s of the last departure`);
    const wholeMs = this.order.stretches.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
    return this.result(Math.max(wholeMs, this.lastAnswerMs - this.startedMs) / 1000);
  }

  private dueMs(departure: number): number {
    return this.startedMs + (this.times[departure] ?? 0);
  }

  private depart(departure: number): void {
    this.sent++;
    this.outstanding++;
    if (this.outstanding > this.order.outstandingMost) {
      this.fail(`not sent: ${this.order.outstandingMost} were waiting`);
      return;
    }
    const line = this.idle.pop();
    if (line !== undefined) this.send(line, departure);
    else {
      this.queue.push(departure);
      if (this.lines < this.connectionsMost) this.connect();
    }
  }

  private connect(): void {
    this.lines++;
    const line: Line = { socket: null, open: false, ended: false, waiting: null, received: null };
    const { protocol, hostname: bracketed, port } = this.base;
    const secure = protocol === 'https:';
    const hostname = bracketed.replace(/^\[(.*)\]$/, '$1');
    const opened = (socket: Socket<Line>) => {
      line.socket = socket;
      line.open = true;
      this.free(line);
    };
    Bun.connect({
      hostname,
      port: Number(port || (secure ? 443 : 80)),
      data: line,
      ...(secure ? { tls: { serverName: hostname } } : {}),
      socket: {
        open: (socket) => (secure ? undefined : opened(socket)),
        handshake: (socket, trusted, error) =>
          trusted ? opened(socket) : this.lose(line, error?.message ?? 'the certificate is not trusted'),
        data: (_socket, chunk) => this.receive(line, chunk),
        close: () => this.lose(line, 'the connection was closed'),
        error: (_socket, error) => this.lose(line, error.message),
      },
    }).catch((error: unknown) => this.lose(line, reasonOf(error)));
  }

  private fail(reason: string): void {
    this.failed++;
    this.outstanding--;
    this.lost.set(reason, (this.lost.get(reason) ?? 0) + 1);
  }

  /** A closed connection fails its request; one that never opened fails the request it was opened for. */
  private lose(line: Line, reason: string): void {
    if (line.ended) return;
    line.ended = true;
    this.lines--;
    const neverOpened = !line.open && this.queued > 0;
    if (neverOpened) this.queueHead++;
    if (neverOpened || line.waiting !== null) this.fail(reason);
    line.waiting = null;
    const index = this.idle.indexOf(line);
    if (index >= 0) this.idle.splice(index, 1);
    // Opens another for waiting requests: no later departure may do so.
    if (this.lines < this.queued && this.lines < this.connectionsMost) this.connect();
  }

  private get queued(): number {
    return this.queue.length - this.queueHead;
  }

  private free(line: Line): void {
    const next = this.queue[this.queueHead];
    if (next === undefined) {
      this.queue.length = 0;
      this.queueHead = 0;
      this.idle.push(line);
      return;
    }
    this.queueHead++;
    this.send(line, next);
  }

  private send(line: Line, departure: number): void {
    line.waiting = departure;
    const dueMs = this.dueMs(departure);
    if (dueMs >= this.keptFromMs) this.slips.add(performance.now() - dueMs);
    const question = this.questionOf(departure);
    if (question !== undefined) line.socket?.write(question.request);
  }

  private questionOf(departure: number): Question | undefined {
    return this.questions[departure % this.questions.length];
  }

  private receive(line: Line, chunk: Buffer): void {
    const received = line.received === null ? chunk : Buffer.concat([line.received, chunk]);
    const answer = Answer.whole(received);
    line.received = answer === null ? received : null;
    if (answer !== null) this.answered(line, answer);
  }

  private answered(line: Line, answer: Answer): void {
    const { waiting } = line;
    if (waiting === null) return;
    this.done++;
    this.lastAnswerMs = performance.now();
    const dueMs = this.dueMs(waiting);
    if (dueMs >= this.keptFromMs) this.latencies.add(this.lastAnswerMs - dueMs);
    const { status } = answer;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status !== 200) this.failed++;
    else if (!this.right(waiting, answer)) this.wrong++;
    line.waiting = null;
    this.outstanding--;
    if (answer.closes) {
      this.lose(line, 'the connection was closed');
      line.socket?.end();
    } else this.free(line);
  }

  /** Checks that bodies with the same strong entity tag are equal. */
  private right(departure: number, { body, tag }: Answer): boolean {
    const question = this.questionOf(departure);
    if (question === undefined || !body.includes(question.proof) || body.at(-1) !== closingBrace)
      return false;
    if (tag === null) return true;
    const digest = Bun.hash(body);
    const known = question.bodies.get(tag);
    if (known === undefined) question.bodies.set(tag, digest);
    return known === undefined || known === digest;
  }

  private result(seconds: number): OpenLoopResult {
    const [latencies, slips] = [this.latencies.all(), this.slips.all()];
    return {
      sent: this.sent,
      answered: this.done,
      perSecond: this.done / seconds,
      latencies: latencies.length,
      latencyMs: percentiles(latencies),
      latencyBuckets: inBuckets(latencies),
      slipMs: percentiles(slips),
      slipBuckets: inBuckets(slips),
      statuses: Object.fromEntries([...this.statuses].map(([status, count]) => [String(status), count])),
      wrong: this.wrong,
      failed: this.failed,
      lost: Object.fromEntries(this.lost),
    };
  }
}

function inBuckets(values: Float64Array): number[] {
  const buckets = noLatencies();
  for (const value of values) countLatency(buckets, value);
  return buckets;
}

const closingBrace = '}'.charCodeAt(0);

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs the generator in a process of its own, apart from the work of the bench.
 * @param prefix the beginning of its command line, for example to choose its cores
 */
export async function openLoop(
  order: OpenLoopOrder,
  prefix: readonly string[] = [],
): Promise<OpenLoopResult> {
  const child = endsWithUs(
    Bun.spawn([...prefix, process.execPath, import.meta.path], {
      stdin: new Blob([JSON.stringify(order)]),
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error('the open-loop generator failed');
  const result: OpenLoopResult = JSON.parse(output);
  return result;
}

if (import.meta.main) {
  const order: OpenLoopOrder = JSON.parse(await Bun.stdin.text());
  process.stdout.write(JSON.stringify(await new Generator(order).run()));
  process.exit(0);
}
