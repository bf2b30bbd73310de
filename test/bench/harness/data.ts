/** The data of a bench: generated and loaded once by the product's own commands, and kept for the next run. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexFormatVersion } from '../../../src/store/search/format.ts';
import { createAccount } from '../../support/run-lei.ts';
import { type Finished, runToEnd, type Server, startServer } from './processes.ts';

const cli = join(import.meta.dir, '..', '..', '..', 'src', 'cli.ts');

export interface BenchData {
  readonly entities: number;
  readonly seed: number;
  /** Where everything of this size is kept. */
  readonly folder: string;
  readonly files: string;
  readonly dataDir: string;
  readonly generated: Measured;
  readonly loaded: Measured;
  /** A key with limits nobody reaches, which are enforced all the same. */
  readonly key: string;
}

/** What a command took when it was run for the first time. */
export type Measured = Omit<Finished, 'output'>;

export function lei(...args: readonly string[]): readonly string[] {
  return [process.execPath, cli, ...args];
}

/** Generates and loads the data of a size, or finds it where an earlier run left it. */
export async function prepareData(entities: number, seed: number, root?: string): Promise<BenchData> {
  const folder = join(root ?? join(tmpdir(), 'lei-bench'), `${entities}-${seed}-${generatorDigest()}`);
  const [files, dataDir] = [join(folder, 'files'), join(folder, 'data')];
  mkdirSync(folder, { recursive: true });
  const generated = await once(join(folder, 'generated.json'), () => {
    rmSync(files, { recursive: true, force: true });
    return runToEnd(lei('generate', '--entities', String(entities), '--seed', String(seed), '--out', files));
  });
  // A publication of another format can't be served. What goes with it stands in its folder.
  const loaded = await once(join(folder, `loaded-index-${indexFormatVersion}.json`), () => {
    rmSync(dataDir, { recursive: true, force: true });
    return runToEnd(lei('load', ...filesIn(files)), { LEI_DATA_DIR: dataDir });
  });
  const key = await onceText(join(dataDir, 'bench-key'), async () => {
    const limits = ['--daily', '1000000000', '--burst-lookup', '1000000000', '--burst-search', '1000000000'];
    return (await createAccount(dataDir, 'bench@example.com', ...limits)).secret;
  });
  return { entities, seed, folder, files, dataDir, generated, loaded, key };
}

/** A first load of the same data set in another format, measured once; what was loaded is not kept. */
export async function loadAs(
  format: 'xml' | 'json',
  { entities, seed, folder }: BenchData,
): Promise<{ loaded: Measured; megabytes: number }> {
  const text = await onceText(join(folder, `loaded-${format}.json`), async () => {
    const [files, dataDir] = [join(folder, `files-${format}`), join(folder, `data-${format}`)];
    for (const each of [files, dataDir]) rmSync(each, { recursive: true, force: true });
    const size = ['--entities', String(entities), '--seed', String(seed)];
    await runToEnd(lei('generate', ...size, '--format', format, '--out', files));
    const loaded = measuredOf(await runToEnd(lei('load', ...filesIn(files)), { LEI_DATA_DIR: dataDir }));
    const megabytes = sizeOf(files) / 1e6;
    for (const each of [files, dataDir]) rmSync(each, { recursive: true });
    return JSON.stringify({ loaded, megabytes });
  });
  const known: { loaded: Measured; megabytes: number } = JSON.parse(text);
  return known;
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

/** Another generator makes other data: what an earlier one left must not be asked about. */
function generatorDigest(): string {
  const sources = join(import.meta.dir, '..', '..', '..', 'src', 'generate');
  const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(sources, name), 'utf8'));
  return Bun.hash(texts.join('')).toString(36).slice(0, 8);
}

/** Bytes of a file or of everything below a folder. */
export function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

async function once(path: string, run: () => Promise<Finished>): Promise<Measured> {
  const text = await onceText(path, async () => JSON.stringify(measuredOf(await run())));
  const measured: Measured = JSON.parse(text);
  return measured;
}

function measuredOf({ seconds, cpuSeconds, peakMb }: Finished): Measured {
  return { seconds, cpuSeconds, peakMb };
}

async function onceText(path: string, make: () => Promise<string>): Promise<string> {
  if (!existsSync(path)) writeFileSync(path, await make());
  return readFileSync(path, 'utf8');
}

/** The service as an operator runs it: limits enforced, one query thread a core beside the front. */
export function startService(
  data: Pick<BenchData, 'dataDir'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return startServer('service', lei('serve'), {
    LEI_DATA_DIR: data.dataDir,
    LEI_PORT: '0',
    LEI_LOG_LEVEL: 'warn',
    ...environment,
  });
}

/** A server of test/bench/servers. */
export function startBenchServer(name: string, ...args: readonly string[]): Promise<Server> {
  const script = join(import.meta.dir, '..', 'servers', `${name}.ts`);
  return startServer(name, [process.execPath, script, ...args]);
}
