/** Prepares the data of a bench: the product's own commands generate and load it once, and later runs reuse it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layout } from '../../../src/publication/layout.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { companyFileVersion } from '../../../src/store/company-file-layout.ts';
import { indexFormatVersion } from '../../../src/store/search/format.ts';
import { createAccount } from '../../support/run-lei.ts';
import { minute } from './machine.ts';
import { type Finished, runToEnd, type Server, startServer } from './processes.ts';

const source = join(import.meta.dir, '..', '..', '..', 'src');
const cli = join(source, 'cli.ts');

/** The formats of the loaded publication; the service serves no others. */
const formats = `companies-${companyFileVersion}-index-${indexFormatVersion}`;

export interface BenchData {
  readonly entities: number;
  readonly seed: number;
  /** The folder with everything of this size. */
  readonly folder: string;
  readonly files: string;
  readonly dataDir: string;
  readonly generated: Measured;
  readonly loaded: Measured;
  /** A key with limits that are enforced but never reached. */
  readonly key: string;
  /** Settings that the caller of the bench chose for every service. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The cost of the first run of a command. */
export interface Measured extends Pick<Finished, 'seconds' | 'cpuSeconds' | 'peakMb'> {
  /** UTC, to the minute. Reports of later runs show the same figures. */
  readonly at: string;
}

export function lei(...args: readonly string[]): readonly string[] {
  return [process.execPath, cli, ...args];
}

/** Generates and loads the data of a size, or reuses those of an earlier run. */
export async function prepareData(entities: number, seed: number, root?: string): Promise<BenchData> {
  const folder = join(root ?? join(tmpdir(), 'lei-bench'), `${entities}-${seed}-${generatorDigest()}`);
  const [files, dataDir] = [join(folder, 'files'), join(folder, 'data')];
  mkdirSync(folder, { recursive: true });
  const generated = await once(join(folder, 'generated.json'), () => {
    rmSync(files, { recursive: true, force: true });
    return runToEnd(lei('generate', '--entities', String(entities), '--seed', String(seed), '--out', files));
  });
  // Files of a publication are in its folder.
  const loaded = await once(join(folder, `loaded-${formats}.json`), () => {
    rmSync(dataDir, { recursive: true, force: true });
    return runToEnd(lei('load', ...filesIn(files)), { LEI_DATA_DIR: dataDir });
  });
  await activateWhatWasLoaded(dataDir);
  const key = await keyOf(dataDir);
  return { entities, seed, folder, files, dataDir, generated, loaded, key };
}

function keyOf(dataDir: string): Promise<string> {
  return onceText(join(dataDir, 'bench-key'), async () => {
    const limits = ['--daily', '1000000000', '--burst-lookup', '1000000000', '--burst-search', '1000000000'];
    return (await createAccount(dataDir, 'bench@example.com', ...limits)).secret;
  });
}

export interface SampleData extends Pick<BenchData, 'folder' | 'dataDir' | 'key'> {
  /** Every company that has a record. */
  readonly leis: readonly string[];
}

/** Loads the bundled sample of real records, or reuses that of an earlier run. */
export async function prepareSample(root = join(tmpdir(), 'lei-bench')): Promise<SampleData> {
  const sources = filesIn(join(source, '..', 'data', 'sample')).filter((path) => !path.endsWith('.md'));
  const digest = Bun.hash(sources.map((path) => readFileSync(path, 'latin1')).join('')).toString(36);
  const folder = join(root, `sample-${formats}-${digest.slice(0, 8)}`);
  const dataDir = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  await once(join(folder, 'loaded.json'), () => {
    rmSync(dataDir, { recursive: true, force: true });
    return runToEnd(lei('load', ...sources), { LEI_DATA_DIR: dataDir });
  });
  const { output } = await runToEnd(lei('export'), { LEI_DATA_DIR: dataDir });
  const leis = Array.from(output.matchAll(/^\{"lei":"([0-9A-Z]{20})"/gm), ([, found]) => found ?? '');
  return { folder, dataDir, leis, key: await keyOf(dataDir) };
}

/** Activates the full set again where an interrupted swap left the next day active. */
async function activateWhatWasLoaded(dataDir: string): Promise<void> {
  const active = () => readPointer(layout(dataDir))?.id ?? '';
  const loaded = await onceText(join(dataDir, 'bench-publication'), async () => active());
  if (active() !== loaded) await runToEnd(lei('activate', loaded), { LEI_DATA_DIR: dataDir });
}

/** Measures a first load of the data set in another format once, and deletes the result. */
export async function loadAs(
  format: 'xml' | 'json',
  { entities, seed, folder }: BenchData,
): Promise<{ loaded: Measured; megabytes: number }> {
  // As often as the CSV load that it is compared with.
  const path = join(folder, `loaded-${format}-${formats}.json`);
  const text = await onceText(path, async () => {
    const [files, dataDir] = [join(folder, `files-${format}`), join(folder, `data-${format}`)];
    for (const each of [files, dataDir]) rmSync(each, { recursive: true, force: true });
    const size = ['--entities', String(entities), '--seed', String(seed)];
    await runToEnd(lei('generate', ...size, '--format', format, '--out', files));
    const loaded = await runToEnd(lei('load', ...filesIn(files)), { LEI_DATA_DIR: dataDir });
    const megabytes = sizeOf(files) / 1e6;
    for (const each of [files, dataDir]) rmSync(each, { recursive: true });
    return JSON.stringify({ loaded: measuredOf(loaded), megabytes });
  });
  const known: { loaded: Omit<Measured, 'at'>; megabytes: number } = JSON.parse(text);
  return { ...known, loaded: { ...known.loaded, at: minute(statSync(path).mtime) } };
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

/** Deletes data of an earlier generator, which do not match the questions. */
function generatorDigest(): string {
  const sources = join(source, 'generate');
  const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(sources, name), 'utf8'));
  return Bun.hash(texts.join('')).toString(36).slice(0, 8);
}

/** The bytes of a file, or of all files below a folder. */
export function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Measures once and keeps the result in a file. */
export async function once(path: string, run: () => Promise<Finished>): Promise<Measured> {
  const text = await onceText(path, async () => JSON.stringify(measuredOf(await run())));
  const measured: Omit<Measured, 'at'> = JSON.parse(text);
  return { ...measured, at: minute(statSync(path).mtime) };
}

function measuredOf({ seconds, cpuSeconds, peakMb }: Finished): Omit<Measured, 'at'> {
  return { seconds, cpuSeconds, peakMb };
}

/** Writes a file and then renames it: later runs would take half a file for a result. */
async function onceText(path: string, make: () => Promise<string>): Promise<string> {
  if (!existsSync(path)) {
    writeFileSync(`${path}.part`, await make());
    renameSync(`${path}.part`, path);
  }
  return readFileSync(path, 'utf8');
}

/** The settings that `with-bun.sh` chose for the bench; a service with more threads needs others. */
const chosenAnew = {
  BUN_JSC_heapGrowthMaxIncrease: '',
  BUN_JSC_heapGrowthFunctionThresholdInMB: '',
  MIMALLOC_PURGE_DELAY: '',
};

/** Starts the service as an operator does: limits enforced, threads by default unless the caller chose them. */
export function startService(
  data: Pick<BenchData, 'dataDir' | 'settings'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return startServer('service', ['sh', join(source, 'with-bun.sh'), cli, 'serve'], {
    ...chosenAnew,
    LEI_DATA_DIR: data.dataDir,
    LEI_PORT: '0',
    LEI_LOG_LEVEL: 'warn',
    ...data.settings,
    ...environment,
  });
}

/** Starts a server of test/bench/servers. */
export function startBenchServer(name: string, ...args: readonly string[]): Promise<Server> {
  const script = join(import.meta.dir, '..', 'servers', `${name}.ts`);
  return startServer(name, [process.execPath, script, ...args]);
}

/** Starts several bare servers on one port, as one server with helpers. */
export async function startBareServers(count: number, captured: string): Promise<Server> {
  const first = await startBenchServer('bare', captured, '0');
  const port = new URL(first.url).port;
  const others: Server[] = [];
  for (let more = 1; more < count; more++) others.push(await startBenchServer('bare', captured, port));
  return {
    ...first,
    alsoPids: others.map(({ pid }) => pid),
    async stop() {
      await Promise.all([first, ...others].map((server) => server.stop()));
    },
  };
}
