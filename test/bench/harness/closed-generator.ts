/**
 * The project's own closed-loop generator, a separate program: each connection asks again as soon as it has its answer.
 * It reads only status, length and end of an answer, so that it takes as little processor time as wrk.
 *
 * `bun closed-generator.ts` reads a {@link GeneratorOrder} on the first line of standard input, opens its connections,
 * prints `ready`, begins at the second line, and prints a {@link GeneratorResult}.
 */
import type { Socket } from 'bun';
import { countLatency, noLatencies } from './latency-buckets.ts';

export interface GeneratorOrder {
  /** http, with an optional path before those of `paths`. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  /** The index of the first path to ask for, different for each of several generators. */
  readonly first: number;
  readonly connections: number;
  readonly seconds: number;
  /** A loop goes on beyond its seconds until it has so many answers. Absent for none. */
  readonly answersLeast?: number;
}

export interface GeneratorResult {
  /** Answers within the time. */
  readonly requests: number;
  readonly seconds: number;
  /** Processor time of the generator itself. */
  readonly cpuSeconds: number;
  /** Statuses other than 200, lost connections, and connections that never got an answer. */
  readonly failures: number;
  readonly latencies: readonly number[];
}

interface Line {
  /** Bytes of the answer that have not arrived yet; infinite for a body in chunks. */
  missing: number;
  /** The last received bytes of a body in chunks. */
  tail: Buffer;
  /** The received part of a head; null for none. */
  head: Buffer | null;
  askedAt: number;
  answers: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const contentLength = /\r\ncontent-length: *(\d+)/i;
const inChunks = /\r\ntransfer-encoding: *chunked/i;
/** The end of a body in chunks. JSON on one line contains no such bytes. */
const lastChunk = Buffer.from('\r\n0\r\n\r\n');
const ok = Buffer.from('HTTP/1.1 200');

class ClosedGenerator {
  readonly #order: GeneratorOrder;
  readonly #requests: readonly Buffer[];
  readonly #lines: Line[] = [];
  readonly #sockets: Socket<Line>[] = [];
  readonly #latencies = noLatencies();
  #next: number;
  #answers = 0;
  #failures = 0;
  #running = false;
  readonly #enough = Promise.withResolvers<void>();

  constructor(order: GeneratorOrder) {
    this.#order = order;
    this.#next = order.first;
    const { host, pathname } = new URL(order.baseUrl);
    const lines = Object.entries({ Host: host, ...order.headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const prefix = pathname.replace(/\/+$/, '');
    this.#requests = order.paths.map((path) =>
      Buffer.from(`GET ${prefix}${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    );
  }

  async connect(): Promise<void> {
    const { hostname, port } = new URL(this.#order.baseUrl);
    const opened = Array.from({ length: this.#order.connections }, () =>
      Bun.connect<Line>({
        hostname,
        port: Number(port || 80),
        data: { missing: 0, tail: lastChunk, head: null, askedAt: 0, answers: 0 },
        socket: {
          data: (socket, chunk) => this.#receive(socket, chunk),
          close: () => this.#lost(),
          error: () => this.#lost(),
        },
      }),
    );
    this.#sockets.push(...(await Promise.all(opened)));
    this.#lines.push(...this.#sockets.map(({ data }) => data));
  }

  async run(): Promise<GeneratorResult> {
    const [before, began] = [process.cpuUsage(), performance.now()];
    this.#running = true;
    for (const socket of this.#sockets) this.#ask(socket, performance.now());
    const enough = this.#order.answersLeast === undefined ? undefined : this.#enough.promise;
    await Promise.all([Bun.sleep(this.#order.seconds * 1000), enough]);
    this.#running = false;
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(before);
    const silent = this.#lines.filter(({ answers }) => answers === 0).length;
    return {
      requests: this.#answers,
      seconds,
      cpuSeconds: (user + system) / 1e6,
      failures: this.#failures + silent,
      latencies: this.#latencies,
    };
  }

  #lost(): void {
    if (this.#running) this.#failures++;
  }

  #ask(socket: Socket<Line>, now: number): void {
    const request = this.#requests[this.#next++ % this.#requests.length];
    socket.data.askedAt = now;
    if (request !== undefined) socket.write(request);
  }

  #receive(socket: Socket<Line>, chunk: Buffer): void {
    const line = socket.data;
    if (line.missing > 0) takeRest(line, chunk);
    else this.#begin(line, line.head === null ? chunk : Buffer.concat([line.head, chunk]));
    if (line.missing > 0 || line.head !== null) return;
    const now = performance.now();
    if (!this.#running) return;
    if (++this.#answers === this.#order.answersLeast) this.#enough.resolve();
    line.answers++;
    countLatency(this.#latencies, now - line.askedAt);
    this.#ask(socket, now);
  }

  /** The first bytes of an answer, as far as received. */
  #begin(line: Line, received: Buffer): void {
    const end = received.indexOf(headEnd);
    line.head = end < 0 ? received : null;
    if (end < 0) return;
    if (received.compare(ok, 0, ok.length, 0, ok.length) !== 0) this.#failures++;
    line.missing = bodyLength(received.toString('latin1', 0, end + 2));
    line.tail = Buffer.alloc(0);
    takeRest(line, received.subarray(end + headEnd.length));
  }
}

function bodyLength(head: string): number {
  const length = contentLength.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  if (inChunks.test(head)) return Number.POSITIVE_INFINITY;
  throw new Error('An answer has neither Content-Length nor chunks.');
}

/** Takes received bytes of a body. */
function takeRest(line: Line, received: Buffer): void {
  line.missing -= received.length;
  if (line.missing !== Number.POSITIVE_INFINITY) return;
  const { length } = lastChunk;
  line.tail = Buffer.concat([line.tail, received.subarray(-length)]).subarray(-length);
  if (line.tail.equals(lastChunk)) line.missing = 0;
}

if (import.meta.main) {
  const lines = console[Symbol.asyncIterator]();
  const order: GeneratorOrder = JSON.parse((await lines.next()).value);
  const generator = new ClosedGenerator(order);
  await generator.connect();
  process.stdout.write('ready\n');
  await lines.next();
  process.stdout.write(`${JSON.stringify(await generator.run())}\n`);
  process.exit(0);
}
