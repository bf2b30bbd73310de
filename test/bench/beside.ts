/**
 * Compares the service with its alternatives on the same machine: SQLite with FTS5 and PostgreSQL with pg_trgm, each
 * behind `Bun.serve`. All get the same data and questions in one run; the bench first compares the answers.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readThrough } from '../../src/publication/files.ts';
import { failuresAre, inTurn, type Round, ratioOf, typical } from './harness/closed-loop.ts';
import { type BenchData, startBenchServer, startService } from './harness/data.ts';
import type { Server } from './harness/processes.ts';
import { type Ask, createQuestions, type Kind, type Questions } from './harness/questions.ts';
import { barPlot, figure, type Report, spread } from './harness/report.ts';
import { type Cluster, startCluster } from './servers/postgres-cluster.ts';
import { buildSqlite } from './servers/sqlite.ts';

export interface BesideOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

const asked = ['look-up', 'relationships', 'ISIN', 'search', 'mix'] as const satisfies readonly Kind[];
/** Few connections and long turns: one search takes the other servers up to seconds. */
const patient = { connections: 8, turns: 4 };
const compared = 100;

interface Contender {
  readonly label: string;
  readonly server: Server;
}

export async function benchBeside(data: BenchData, report: Report, options: BesideOptions): Promise<void> {
  const questions = createQuestions(data.entities, data.seed);
  const headers = { Authorization: `Bearer ${data.key}` };
  report.heading('Beside SQLite and PostgreSQL');
  const cluster = await startCluster(data.files, data.folder);
  const contenders: Contender[] = [];
  try {
    contenders.push({ label: 'the service', server: await startService(data) });
    const sqlite = await startSqlite(data, report);
    if (sqlite !== null) contenders.push({ label: 'SQLite + FTS5', server: sqlite });
    if (cluster === null) report.text('PostgreSQL is not installed here, so it is missing.');
    else contenders.push({ label: 'PostgreSQL + pg_trgm', server: await overCluster(cluster) });
    const agreements = await agreement(contenders, questions, headers);
    agreementTable(report, agreements);
    const servers = contenders.map(({ server }) => server);
    const results: Result[] = [];
    for (const kind of asked) {
      const turns = { ...turnsFor(kind, options), warmUpSeconds, headers };
      const rounds = await inTurn(servers, questions[kind], turns);
      contenders.forEach(({ label }, index) => {
        results.push({ kind, label, index, rounds });
      });
    }
    resultTable(report, results, options);
  } finally {
    await Promise.all(contenders.map(({ server }) => server.stop()));
    await cluster?.stop();
  }
}

/** Long enough to read the rows of nearly all questions. */
const warmUpSeconds = 5;

function turnsFor(kind: Kind, options: BesideOptions): BesideOptions {
  if (kind !== 'search' && kind !== 'mix') return options;
  const { connections, turns } = patient;
  const rounds = Math.ceil(options.rounds / 2);
  return { connections, rounds, seconds: options.seconds * turns };
}

interface Result {
  readonly kind: Kind;
  readonly label: string;
  /** Its index among the servers of each round; the service is the first. */
  readonly index: number;
  readonly rounds: readonly Round[];
}

/**
 * SQLite over the generated files, whose database is built once; null, with a note in the report, if SQLite is missing.
 */
export async function startSqlite(
  { folder, files }: Pick<BenchData, 'folder' | 'files'>,
  report: Report,
): Promise<Server | null> {
  if (Bun.which('sqlite3') === null) {
    report.text('`sqlite3` is not installed here, so SQLite is missing.');
    return null;
  }
  const path = join(folder, 'beside.sqlite');
  if (!existsSync(path)) await buildSqlite(files, path);
  // Reads a database of an earlier run into memory, as the service does with its publication.
  await readThrough(path, AbortSignal.timeout(120_000));
  return startBenchServer('sqlite', path);
}

/** Counts the processes of the database as the server's. */
async function overCluster(cluster: Cluster): Promise<Server> {
  const server = await startBenchServer('postgres', String(cluster.port));
  return { ...server, alsoPids: [cluster.pid] };
}

interface Agreement {
  readonly label: string;
  readonly kind: Kind;
  readonly same: number;
  readonly of: number;
}

/** The content of an answer of any shape: its LEIs except the one asked for, sorted. */
function leisIn(body: string, asked: string): string {
  const leis = new Set(body.match(/"lei":"[0-9A-Z]{20}"/g) ?? []);
  leis.delete(`"lei":"${asked}"`);
  return [...leis].sort().join(' ');
}

async function bodyOf(server: Server, ask: Ask, headers: Readonly<Record<string, string>>): Promise<string> {
  return (await fetch(server.url + ask.path, { headers })).text();
}

/** Companies are equal if their records are, relationships and ISINs if their LEIs are. */
function sameAnswer(ask: Ask, ours: string, theirs: string): boolean {
  if (ask.kind === 'look-up') {
    const parse = (body: string) => {
      const { data } = JSON.parse(body);
      const { label: _, ...legalForm } = data.entity.legalForm;
      return { lei: data.lei, entity: { ...data.entity, legalForm }, registration: data.registration };
    };
    return Bun.deepEquals(parse(ours), parse(theirs));
  }
  if (ask.kind === 'search') return theirs.includes(`"lei":"${ask.lei}"`);
  return leisIn(ours, ask.value) === leisIn(theirs, ask.value);
}

async function agreement(
  contenders: readonly Contender[],
  questions: Questions,
  headers: Readonly<Record<string, string>>,
): Promise<Agreement[]> {
  const [service] = contenders;
  if (service === undefined) return [];
  const agreements: Agreement[] = [];
  for (const { label, server } of contenders) {
    for (const kind of ['look-up', 'relationships', 'ISIN', 'search'] as const) {
      let same = 0;
      const asks = questions[kind].slice(0, compared);
      for (const ask of asks) {
        const [ours, theirs] = await Promise.all([
          bodyOf(service.server, ask, headers),
          bodyOf(server, ask, headers),
        ]);
        if (sameAnswer(ask, ours, theirs)) same++;
      }
      agreements.push({ label, kind, same, of: asks.length });
    }
  }
  return agreements;
}

function agreementTable(report: Report, agreements: readonly Agreement[]): void {
  report.text(
    'The answers are compared first. Look-ups must return the same whole record, and relationships and ISINs the same LEIs. A search must find the company whose name the question was made from among the first 20.',
  );
  report.table(
    ['Server', 'Question', 'Same or found', 'Of'],
    agreements.map(({ label, kind, same, of }) => [label, kind, same, of]),
  );
}

function resultTable(
  report: Report,
  results: readonly Result[],
  { rounds, seconds, connections }: BesideOptions,
): void {
  report.text(
    `The servers take turns of ${seconds} s in ${rounds} rounds, over ${connections} connections (searches and the mix: turns ${patient.turns} times as long, half the rounds, ${patient.connections} connections). A turn begins when no server is busy with an earlier one. Each server is warmed up for ${warmUpSeconds} s before the first round, because the data of all three is larger than the memory and the disk is not to be measured. Every figure is the median of the rounds. Ratios are made within each round, with the lowest and the highest in brackets. The service enforces limits and checks a real key; the others do neither. ${failuresAre}`,
  );
  report.table(
    [
      'Question',
      'Server',
      'Requests /s',
      'Service ÷ this',
      'p50 ms',
      'p99 ms',
      'CPU µs a request',
      'Failures',
    ],
    results.map(({ kind, label, index, rounds: measured }) => {
      const result = typical(measured, index);
      return [
        kind,
        label,
        figure(result.perSecond),
        index === 0 ? '' : spread(ratioOf(measured, 0, index)),
        figure(result.p50Ms),
        figure(result.p99Ms),
        figure(result.cpuMicrosPerRequest),
        result.failures,
      ];
    }),
  );
  const shown = results.filter(({ kind }) => kind === 'search' || kind === 'look-up');
  const bars = shown.map(({ kind, label, index, rounds: measured }) => ({
    label: `${kind}, ${label}`,
    value: typical(measured, index).perSecond,
  }));
  report.plot('beside', 'Beside SQLite and PostgreSQL', barPlot('Requests per second', '/s', bars));
}
