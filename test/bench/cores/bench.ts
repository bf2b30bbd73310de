/**
 * The `cores` part of the bench: measures the service with more and more fronts and query threads, beside as many bare
 * servers, with the load generator on separate cores.
 */
import { join } from 'node:path';
import { captureAnswers } from '../harness/capture-answers.ts';
import { splitCores, usableCores } from '../harness/cores.ts';
import { type BenchData, startBareServers } from '../harness/data.ts';
import type { Server } from '../harness/processes.ts';
import { createQuestions, type Questions } from '../harness/questions.ts';
import type { Report } from '../harness/report.ts';
import { startServicesBeside } from '../harness/services-beside.ts';
import { generatorCeiling } from './ceiling.ts';
import { latencyAtHalf } from './half.ts';
import { oneFront } from './one-front.ts';
import { type Chosen, isChosen, measuredKinds, type Row, rowsFor } from './rows.ts';
import { scaling } from './scaling.ts';

export interface CoresOptions extends Chosen {
  readonly seconds: number;
  readonly rounds: number;
}

/** What all sections measure with. */
export interface Setting {
  readonly cores: readonly number[];
  readonly questions: Questions;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly rounds: number;
}

/** A service with as many bare servers as it has fronts. */
export interface Pair {
  readonly row: Row;
  readonly service: Server;
  readonly bare: Server;
}

export async function benchCores(data: BenchData, report: Report, options: CoresOptions): Promise<void> {
  const setting: Setting = {
    ...options,
    cores: usableCores(),
    questions: createQuestions(data.entities, data.seed),
    headers: { Authorization: `Bearer ${data.key}` },
  };
  tellSplit(report, setting.cores);
  const pairs = await startPairs(data, setting, rowsFor(setting.cores.length, options));
  try {
    await generatorCeiling(report, pairs, setting);
    const tops = await scaling(report, pairs, setting);
    await latencyAtHalf(report, tops, setting);
  } finally {
    await stopAll(pairs.flatMap(({ service, bare }) => [service, bare]));
  }
  if (!isChosen(options)) await oneFront(report, data, setting);
}

export async function stopAll(servers: readonly Server[]): Promise<void> {
  await Promise.all([...new Set(servers)].map((server) => server.stop()));
}

async function startPairs(
  data: BenchData,
  { questions, headers }: Setting,
  rows: readonly Row[],
): Promise<Pair[]> {
  const captured = join(data.folder, 'captured-cores.json');
  const services = await startServicesBeside(
    data,
    rows.map(({ fronts, workers, byDefault }) =>
      byDefault ? {} : { LEI_FRONTS: String(fronts), LEI_WORKERS: String(workers) },
    ),
  );
  const asks = measuredKinds.flatMap((kind) => questions[kind]);
  for (const service of services.slice(0, 1)) await captureAnswers(service, asks, headers, captured);
  const bare = new Map<number, Server>();
  for (const { fronts } of rows) {
    if (!bare.has(fronts)) bare.set(fronts, await startBareServers(fronts, captured));
  }
  return rows.flatMap((row, place) => {
    const [service, beside] = [services[place], bare.get(row.fronts)];
    return service === undefined || beside === undefined ? [] : { row, service, bare: beside };
  });
}

function tellSplit(report: Report, cores: readonly number[]): void {
  const { server, generator, apart } = splitCores(cores, 1 / 2);
  report.heading('Who has which cores');
  report.text(
    apart
      ? `The servers have cores ${server.join(', ')} and the load generator has ${generator.join(', ')}, a process on each. It has a quarter of them while it asks the service for the mix, and an eighth while it asks for searches; the service then has the others.`
      : `**Made on ${cores.length} ${cores.length === 1 ? 'core' : 'cores'}, which servers and load generator share.** How look-ups, searches and the mix grow with fronts and query threads is therefore not shown, nor is a latency without the generator beside it. What is shown: that every row works, what a request costs in processor time, which threads are busy, and what more query threads cost one front. With four cores or more, and \`taskset\`, the generator has cores of its own.`,
  );
}
