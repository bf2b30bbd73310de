/**
 * Open loop: requests leave on a timetable, whether or not earlier ones are answered, as the requests of many
 * independent users do. Latency counts from the moment the timetable names, so that time spent waiting for a free
 * connection, or for the generator itself, is never left out ("coordinated omission"). Every answer is checked.
 *
 * A program of its own: `bun open-loop.ts` reads an {@link OpenLoopOrder} on standard input and prints an
 * {@link OpenLoopResult}. What is due within the same millisecond leaves together at its end, and in between the
 * generator sleeps: one that spins takes a whole processor, and where there are two, half of what the server has.
 */
import type { Socket } from 'bun';

export interface OpenLoopOrder {
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly asks: readonly { readonly path: string; readonly proof: string }[];
  /** The timetable: stretches of constant or steadily changing rate. */
  readonly stretches: readonly Stretch[];
  /**
   * Seconds at the start whose latencies are left out, 0 if absent: in them connections are opened and the generator's
   * own code is compiled, which takes longer than most answers. Its answers are checked and counted like all others.
   */
  readonly warmUpSeconds?: number;
  /** Requests waiting for a connection or an answer at most; beyond it a request counts as failed. */
  readonly outstandingMost: number;
  /** Statuses that count as right beside 200, as 429 where a quota is tested. */
  readonly alsoRight?: readonly number[];
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
  readonly perSecond: number;
  /** How many of the answers came after the warm-up: what the percentiles are of. */
  readonly latencies: number;
  readonly latencyMs: Percentiles;
  /** How late the generator itself was: figures below it mean nothing. */
  readonly slipMs: Percentiles;
  readonly statuses: Readonly<Record<string, number>>;
  /** 200s whose body did not hold what it must. */
  readonly wrong: number;
  readonly failed: number;
}

export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly most: number;
}

interface Waiting {
  readonly index: number;
  readonly dueMs: number;
}

interface Line {
  socket: Socket<Line> | null;
  waiting: Waiting | null;
  received: Buffer;
}

const drainMs = 5_000;

function percentiles(values: Float64Array): Percentiles {
  values.sort();
  const at = (share: number) => values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), most: values.at(-1) ?? 0 };
}

/** Departures in whole milliseconds from the start. */
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

class Generator {
  private readonly order: OpenLoopOrder;
  private readonly requests: readonly string[];
  private readonly idle: Line[] = [];
  private readonly queue: Waiting[] = [];
  private queueHead = 0;
  private readonly latencies: number[] = [];
  private readonly slips: number[] = [];
  private readonly statuses = new Map<number, number>();
  private outstanding = 0;
  private lines = 0;
  /** Latencies of what is due from here on are kept. */
  private keptFromMs = 0;
  private wrong = 0;
  private failed = 0;
  private sent = 0;
  private done = 0;

  constructor(order: OpenLoopOrder) {
    this.order = order;
    const headers = Object.entries(order.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    this.requests = order.asks.map(
      ({ path }) => `GET ${path} HTTP/1.1\r\nHost: ${order.host}:${order.port}\r\n${headers}\r\n`,
    );
  }

  async run(): Promise<OpenLoopResult> {
    const times = timetable(this.order.stretches);
    const started = performance.now() + 50;
    this.keptFromMs = started + (this.order.warmUpSeconds ?? 0) * 1000;
    for (let n = 0; n < times.length; n++) {
      const dueMs = started + (times[n] ?? 0);
      const early = dueMs - performance.now();
      if (early > 0) await Bun.sleep(Math.ceil(early));
      this.depart({ index: n % this.requests.length, dueMs });
      // Late departures go at once; answers must still be read in between.
      if (n % 64 === 63) await immediate();
    }
    const deadline = performance.now() + drainMs;
    while (this.outstanding > 0 && performance.now() < deadline) await Bun.sleep(1);
    this.failed += this.outstanding;
    return this.result((performance.now() - started) / 1000);
  }

  private depart(waiting: Waiting): void {
    this.sent++;
    if (this.outstanding >= this.order.outstandingMost) {
      this.failed++;
      return;
    }
    this.outstanding++;
    const line = this.idle.pop();
    if (line !== undefined) this.send(line, waiting);
    else {
      this.queue.push(waiting);
      if (this.lines < this.order.outstandingMost) this.connect();
    }
  }

  private connect(): void {
    this.lines++;
    const line: Line = { socket: null, waiting: null, received: Buffer.alloc(0) };
    const { host: hostname, port } = this.order;
    const lost = () => this.lose(line);
    Bun.connect({
      hostname,
      port,
      data: line,
      socket: {
        open: (socket) => {
          line.socket = socket;
          this.free(line);
        },
        data: (_socket, chunk) => this.receive(line, chunk),
        close: lost,
        error: lost,
      },
    }).catch(lost);
  }

  /** A connection that ends takes its request with it; it counts as failed. */
  private lose(line: Line): void {
    if (line.waiting !== null) {
      this.failed++;
      this.outstanding--;
    }
    line.waiting = null;
    const index = this.idle.indexOf(line);
    if (index >= 0) this.idle.splice(index, 1);
    this.lines--;
    if (this.queue.length > this.queueHead) this.connect();
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

  private send(line: Line, waiting: Waiting): void {
    line.waiting = waiting;
    if (waiting.dueMs >= this.keptFromMs) this.slips.push(performance.now() - waiting.dueMs);
    line.socket?.write(this.requests[waiting.index] ?? '');
  }

  private receive(line: Line, chunk: Buffer): void {
    const received = line.received.length === 0 ? chunk : Buffer.concat([line.received, chunk]);
    const bodyStart = received.indexOf('\r\n\r\n') + 4;
    const length = bodyStart < 4 ? Number.POSITIVE_INFINITY : contentLength(received, bodyStart);
    if (received.length < bodyStart + length) {
      line.received = received === chunk ? Buffer.from(chunk) : received;
      return;
    }
    line.received = Buffer.alloc(0);
    this.answered(line, received, bodyStart);
  }

  private answered(line: Line, received: Buffer, bodyStart: number): void {
    const { waiting } = line;
    if (waiting === null) return;
    this.done++;
    if (waiting.dueMs >= this.keptFromMs) this.latencies.push(performance.now() - waiting.dueMs);
    const status = digitsAt(received, statusStart);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const proof = this.order.asks[waiting.index]?.proof ?? '';
    if (status === 200 && received.indexOf(proof, bodyStart) < 0) this.wrong++;
    if (status !== 200 && !(this.order.alsoRight ?? []).includes(status)) this.failed++;
    line.waiting = null;
    this.outstanding--;
    this.free(line);
  }

  private result(seconds: number): OpenLoopResult {
    return {
      sent: this.sent,
      answered: this.done,
      perSecond: this.done / seconds,
      latencies: this.latencies.length,
      latencyMs: percentiles(Float64Array.from(this.latencies)),
      slipMs: percentiles(Float64Array.from(this.slips)),
      statuses: Object.fromEntries([...this.statuses].map(([status, count]) => [String(status), count])),
      wrong: this.wrong,
      failed: this.failed,
    };
  }
}

/** In `HTTP/1.1 200`. */
const statusStart = 9;
const lengthHeader = '\r\nContent-Length: ';

/** Bytes of the body; chunked bodies are not sent by any server here. */
function contentLength(received: Buffer, bodyStart: number): number {
  const at = received.indexOf(lengthHeader);
  if (at >= 0 && at < bodyStart) return digitsAt(received, at + lengthHeader.length);
  // Servers may spell it otherwise.
  const head = received.toString('latin1', 0, bodyStart);
  return Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
}

/** The whole number that begins at `at`. */
function digitsAt(bytes: Buffer, at: number): number {
  let number = 0;
  for (let index = at; ; index++) {
    const digit = (bytes[index] ?? 0) - 48;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs the generator as a process of its own, so that its work and the bench's don't mix. */
export async function openLoop(order: OpenLoopOrder): Promise<OpenLoopResult> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify(order)]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
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
