/**
 * Tests front and query threads that end at random moments under load: only the open requests of a front are lost, and
 * each thread is replaced. `THREAD_ENDS=100` in the environment ends as many; `npm run test:long` does so.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { lineLimits } from '../../src/dispatch/limits.ts';
import { controlClient } from '../../src/protocol/control-client.ts';
import { layout } from '../../src/publication/layout.ts';
import { createAccount } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { watchWorkers, workersOf } from '../support/started-workers.ts';

const ends = Number(process.env['THREAD_ENDS'] ?? 2);
/** A thread takes seconds to be replaced on a busy machine. */
const timeoutMs = 120_000 + 60_000 * ends;
const fronts = 2;
const queries = 2;
const connections = 16;
const daily = 1_000_000;
/** DEUTSCHE BANK AKTIENGESELLSCHAFT. */
const lei = '7LTWFZYICNSX8D621K86';
const paths = [`/api/v1/lei/${lei}`, `/api/v1/lei/${lei}/relationships`, '/api/v1/search?q=bank&limit=3'];

let service: TestService;
let key: Record<string, string>;

beforeAll(async () => {
  watchWorkers();
  service = await startTestService({
    environment: { LEI_FRONTS: String(fronts), LEI_WORKERS: String(queries), LEI_LIMITS: 'enforce' },
    lends: false,
  });
  const own = ['--daily', String(daily), '--burst-lookup', '1000000', '--burst-search', '1000000'];
  const { secret } = await createAccount(service.dataDir, 'load@example.com', ...own);
  key = { Authorization: `Bearer ${secret}` };
});
afterAll(() => service.stop());
afterAll(() => {
  for (const line of told) process.stdout.write(`${line}\n`);
});

/** The results of each test, for runs with many ends. */
const told: string[] = [];

function tell(role: string, { answered, lost, late }: Seen, tookMs: readonly number[]): void {
  const sorted = tookMs.toSorted((one, other) => one - other).map(Math.round);
  told.push(
    `${ends} ${role} ended: ${answered} answers, ${lost} requests lost, ${late} too late; ` +
      `replaced after ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`,
  );
}

interface Seen {
  answered: number;
  /** Requests without an answer. */
  lost: number;
  /** Questions past their deadline. */
  late: number;
  readonly wrong: string[];
}

/** Between two requests of a connection: a replacement lasts longer, and should not wait for processor time. */
const pauseMs = 5;

/** Sends requests over many connections until it is told to stop. */
function traffic() {
  const seen: Seen = { answered: 0, lost: 0, late: 0, wrong: [] };
  const expected = new Map<string, string>();
  let going = true;
  const connection = async (number: number) => {
    for (let index = number; going; index++) {
      await Bun.sleep(pauseMs);
      const path = paths[index % paths.length] ?? '';
      const answer = await service
        .fetch(path, { headers: key })
        .then(async (response) => {
          const text = await response.text();
          // A front that is terminated in the middle of a request: its server answers without it.
          return response.headers.has('x-request-id') ? `${response.status} ${text}` : null;
        })
        .catch(() => null);
      if (answer === null) {
        seen.lost++;
        continue;
      }
      seen.answered++;
      if (answer.includes('took too long')) {
        seen.late++;
        continue;
      }
      const right = expected.get(path) ?? answer;
      expected.set(path, right);
      if (answer !== right || !answer.startsWith('200 ')) seen.wrong.push(`${path}: ${answer.slice(0, 200)}`);
    }
  };
  const all = Promise.all(Array.from({ length: connections }, (_, number) => connection(number)));
  return {
    seen,
    async stop() {
      going = false;
      await all;
      return seen;
    },
  };
}

/**
 * Resolves once another thread answers in place of this one, and some requests have been answered since.
 * @returns milliseconds until the other was there
 */
async function replaced(ended: Worker, seen: { readonly answered: number }): Promise<number> {
  const control = controlClient(layout(service.dataDir));
  const began = performance.now();
  const until = async (reached: () => boolean | Promise<boolean>) => {
    while (!(await reached())) {
      if (performance.now() - began > 60_000)
        throw new Error('No other thread took the place of the one that ended.');
      await Bun.sleep(5);
    }
  };
  await until(() => ![...workersOf('front.ts'), ...workersOf('query.ts')].includes(ended));
  await until(async () => {
    const reply = await control.send({ op: 'status' });
    return Bun.deepEquals(Object(Object(reply).value).threads, { fronts, queries });
  });
  const tookMs = performance.now() - began;
  const { answered } = seen;
  await until(() => seen.answered > answered + 2 * connections);
  return tookMs;
}
/** On a very busy machine a thread takes seconds to start, and questions pass their deadline meanwhile. */
const isTooBusy = (tookMs: readonly number[]) => Math.max(...tookMs) > lineLimits.questionTimeoutMs / 2;

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

test(
  `${ends} query threads that end under load cost no request`,
  async () => {
    const load = traffic();
    const tookMs: number[] = [];
    for (let end = 0; end < ends; end++) {
      await Bun.sleep(Math.random() * 100);
      const ended = pick(workersOf('query.ts'));
      ended.terminate();
      tookMs.push(await replaced(ended, load.seen));
    }
    const { answered, lost, late, wrong } = await load.stop();
    tell('query threads', load.seen, tookMs);
    expect(wrong).toEqual([]);
    expect({ lost, late: isTooBusy(tookMs) ? 0 : late, answered: answered > ends }).toEqual({
      lost: 0,
      late: 0,
      answered: true,
    });
  },
  timeoutMs,
);

test(
  `${ends} fronts that end under load cost only their open requests; no count is lost, and no lock stays closed`,
  async () => {
    const before = await leftOfDay();
    const load = traffic();
    const tookMs: number[] = [];
    for (let end = 0; end < ends; end++) {
      await Bun.sleep(Math.random() * 100);
      const ended = pick(workersOf('front.ts'));
      ended.terminate();
      tookMs.push(await replaced(ended, load.seen));
    }
    const { answered, lost, wrong } = await load.stop();
    tell('fronts', load.seen, tookMs);
    expect(wrong).toEqual([]);
    expect(lost).toBeLessThanOrEqual(ends * connections);
    const used = before - (await leftOfDay()) - 1;
    expect(used).toBeGreaterThanOrEqual(answered);
    // The client repeats a request whose kept connection was closed.
    expect(used).toBeLessThanOrEqual(answered + lost + ends * connections);
  },
  timeoutMs,
);

async function leftOfDay(): Promise<number> {
  const { headers } = await service.fetch(paths[0] ?? '', { headers: key });
  return Number(/"daily";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}
