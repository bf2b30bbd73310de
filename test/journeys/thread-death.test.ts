/**
 * Tests a query thread that ends in the middle of a swap, under traffic, with real threads over real publications. The
 * test delays commands to the threads, so that it can end one at a chosen step.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Answer } from '../../src/protocol/questions.ts';
import { type Layout, layout } from '../../src/publication/layout.ts';
import { movePointer } from '../../src/publication/pointer.ts';
import { bringIntoMemory } from '../../src/serve/swap/bring-into-memory.ts';
import { ServicePublications } from '../../src/serve/swap/publications.ts';
import { type ThreadPort, workerThreads } from '../../src/serve/threads/pool-thread.ts';
import { QueryThreads } from '../../src/serve/threads/query-pool.ts';
import { type Operator, operator } from '../loader/publishing.ts';
import { asking, jsonIn } from '../support/answers.ts';
import { temporaryFolder } from '../support/folders.ts';
import { memoryLog } from '../support/log.ts';
import { companies, momentFiles } from '../support/moments.ts';

const versions: [string, string] = ['', ''];
let source: Operator;

beforeAll(async () => {
  source = operator();
  for (const moment of [0, 1] as const) {
    const files = momentFiles(moment);
    versions[moment] = (await source.loadFiles(files)).manifest.id;
    rmSync(dirname(files[0] ?? ''), { recursive: true });
  }
});

interface Running {
  readonly pool: QueryThreads;
  readonly publications: ServicePublications;
  readonly ports: ThreadPort[];
  readonly paths: Layout;
}
let running: Running;
/** Called with each call before it reaches its thread. */
let onCall: (op: string, values: readonly unknown[], port: ThreadPort) => void;

beforeEach(async () => {
  onCall = () => {};
  const dataDir = temporaryFolder('thread-death');
  cpSync(source.dataDir, dataDir, { recursive: true });
  const paths = layout(dataDir);
  // The second publication counts as new: no thread holds it yet.
  movePointer(paths, versions[0], new Date(), null);
  const ports: ThreadPort[] = [];
  const log = memoryLog();
  const spawn = workerThreads({ dataDir, basePath: '' });
  const pool: QueryThreads = new QueryThreads({
    threads: 2,
    log,
    giveUp: (id) => publications.giveUp(id),
    spawn(events) {
      const real = spawn(events);
      const port: ThreadPort = {
        ...real,
        calls: {
          call(op, values, memory) {
            onCall(op, values, port);
            return real.calls.call(op, values, memory);
          },
          tell: (op, values, memory) => real.calls.tell(op, values, memory),
        },
      };
      ports.push(port);
      return port;
    },
  });
  await pool.started;
  const publications = new ServicePublications({
    config: { keepPublications: 2 },
    layout: paths,
    threads: pool,
    // Every thread inspects what it opens.
    inspect: async () => null,
    bringIntoMemory: bringIntoMemory(paths, log, new AbortController().signal),
    log,
  });
  await publications.start();
  running = { pool, publications, ports, paths };
});
async function stop() {
  await running.publications.stop();
  await running.pool.end();
}

/** The fault of an answer about a company from the publication asked; null if there is none. */
function faultOf(version: string, names: readonly (string | null)[], answer: Answer): string | null {
  const expected = names[versions.indexOf(version)] ?? null;
  if (answer.outcome === 'not-found') return expected === null ? null : `${version}: not found`;
  if (answer.outcome !== 'found') return `${version}: ${JSON.stringify(answer)}`;
  const { name } = jsonIn(answer.data).entity.legalName;
  return name === expected ? null : `${version}: ${name} instead of ${expected}`;
}

/** Asks the active publication about every company over and over, several at once. */
function traffic({ pool, publications }: Running) {
  const faults: string[] = [];
  const seen = new Set<string>();
  let answered = 0;
  let going = true;
  const ask = asking(pool);
  const keepAsking = async () => {
    while (going) {
      for (const { lei, names } of Object.values(companies)) {
        const version = publications.serving.active()?.manifest.id ?? 'none';
        const fault = faultOf(version, names, await ask(version, { kind: 'company', lei }));
        if (fault !== null) faults.push(fault);
        seen.add(version);
        answered++;
      }
    }
  };
  const asked = Promise.all(Array.from({ length: 16 }, keepAsking));
  return async () => {
    going = false;
    await asked;
    return { faults, seen, answered };
  };
}

test('a query thread that ends is replaced although an earlier publication was removed', async () => {
  const { pool, publications, ports, paths } = running;
  try {
    expect(await publications.activate(versions[1])).toBeNull();
    expect(publications.serving.held(versions[0])).not.toBeNull();
    rmSync(paths.publication(versions[0]), { recursive: true });
    ports[0]?.terminate();
    while (ports.length < 3 || pool.available() < 2) await Bun.sleep(5);
    // Since one thread does not have it, no cursor and no rollback may use it.
    expect(publications.serving.held(versions[0])).toBeNull();
    expect(publications.serving.previous()).toEqual([]);
    expect(await publications.activate(versions[0])).toMatchObject({ code: 'missing' });
    const { lei, names } = companies.unchanged;
    const asked = Array.from({ length: 4 }, () => asking(pool)(versions[1], { kind: 'company', lei }));
    expect((await Promise.all(asked)).map((answer) => faultOf(versions[1], names, answer))).toEqual(
      asked.map(() => null),
    );
  } finally {
    await stop();
  }
});

describe('a query thread that ends in the middle of a swap', () => {
  const opens = (op: string, values: readonly unknown[]) => op === 'open' && values[0] === versions[1];
  const moments: readonly (readonly [string, (end: (port: ThreadPort) => void) => void])[] = [
    [
      'as the first that is told to open the next publication',
      (end) => {
        onCall = (op, values, port) => opens(op, values) && end(port);
      },
    ],
    [
      'while another opens the next publication',
      (end) => {
        onCall = (op, values, port) => {
          const other = running.ports.find((each) => each !== port);
          if (opens(op, values) && other !== undefined) end(other);
        };
      },
    ],
  ];
  for (const [when, arrange] of moments) {
    test(`${when} fails no question and mixes no answer`, async () => {
      try {
        const before = running.ports.length;
        const ended: ThreadPort[] = [];
        arrange((port) => {
          if (ended.length > 0) return;
          ended.push(port);
          port.terminate();
        });
        const stopTraffic = traffic(running);
        expect(await running.publications.activate(versions[1])).toBeNull();
        // The replacement answers from both publications too.
        while (running.pool.available() < 2) await Bun.sleep(5);
        for (const version of versions) {
          for (const { lei, names } of Object.values(companies)) {
            const answers = await Promise.all(
              Array.from({ length: 4 }, () => asking(running.pool)(version, { kind: 'company', lei })),
            );
            expect(answers.map((answer) => faultOf(version, names, answer))).toEqual([
              null,
              null,
              null,
              null,
            ]);
          }
        }
        const { faults, seen, answered } = await stopTraffic();
        expect(faults).toEqual([]);
        expect([...seen]).toEqual([...versions]);
        expect(answered).toBeGreaterThan(100);
        expect([ended.length, running.ports.length]).toEqual([1, before + 1]);
      } finally {
        await stop();
      }
    });
  }
});
