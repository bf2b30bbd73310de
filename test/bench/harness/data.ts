/** The data of a bench: generated and loaded once by the product's own commands, and kept for the next run. */
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
import { companyFileVersion } from '../../../src/store/company-file.ts';
import { indexFormatVersion } from '../../../src/store/search/format.ts';
import { createAccount } from '../../support/run-lei.ts';
import { minute } from './machine.ts';
import { type Finished, runToEnd, type Server, startServer } from './processes.ts';

const source = join(import.meta.dir, '..', '..', '..', 'src');
const cli = join(source, 'cli.ts');

/** Of what is loaded: a publication of others can't be served. */
const formats = `companies-${companyFileVersion}-index-${indexFormatVersion}`;

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
export interface Measured extends Omit<Finished, 'output'> {
  /** UTC, to the minute: reports of later runs show the same figures. */
  readonly at: string;
}

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
  // What goes with a publication stands in its folder.
  const loaded = await once(join(folder, `loaded-${formats}.json`), () => {
    rmSync(dataDir, { recursive: true, force: true });
    return runToEnd(lei('load', ...filesIn(files)), { LEI_DATA_DIR: dataDir });
  });
  await activateWhatWasLoaded(dataDir);
  const key = await onceText(join(dataDir, 'bench-key'), async () => {
    const limits = ['--daily', '1000000000', '--burst-lookup', '1000000000', '--burst-search', '1000000000'];
    return (await createAccount(dataDir, 'bench@example.com', ...limits)).secret;
  });
  return { entities, seed, folder, files, dataDir, generated, loaded, key };
}

/** An interrupted swap under load leaves the next day active, whose answers are others. */
async function activateWhatWasLoaded(dataDir: string): Promise<void> {
  const active = () => readPointer(layout(dataDir))?.id ?? '';
  const loaded = await onceText(join(dataDir, 'bench-publication'), async () => active());
  if (active() !== loaded) await runToEnd(lei('activate', loaded), { LEI_DATA_DIR: dataDir });
}

/** A first load of the same data set in another format, measured once; what was loaded is not kept. */
export async function loadAs(
  format: 'xml' | 'json',
  { entities, seed, folder }: BenchData,
): Promise<{ loaded: Measured; megabytes: number }> {
  // As often as the CSV beside which it is shown.
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

/** Another generator makes other data: what an earlier one left must not be asked about. */
function generatorDigest(): string {
  const sources = join(source, 'generate');
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

/** Measures at first, and remembers it in a file. */
export async function once(path: string, run: () => Promise<Finished>): Promise<Measured> {
  const text = await onceText(path, async () => JSON.stringify(measuredOf(await run())));
  const measured: Omit<Measured, 'at'> = JSON.parse(text);
  return { ...measured, at: minute(statSync(path).mtime) };
}

function measuredOf({ seconds, cpuSeconds, peakMb }: Finished): Omit<Measured, 'at'> {
  return { seconds, cpuSeconds, peakMb };
}

/** The file gets its name when it is whole: half a file would be taken for a result on every later run. */
async function onceText(path: string, make: () => Promise<string>): Promise<string> {
  if (!existsSync(path)) {
    writeFileSync(`${path}.part`, await make());
    renameSync(`${path}.part`, path);
  }
  return readFileSync(path, 'utf8');
}

/** What `with-bun.sh` chose for the bench itself, which is not what it chooses for a service of more threads. */
const chosenAnew = { BUN_JSC_heapGrowthMaxIncrease: '', BUN_JSC_heapGrowthFunctionThresholdInMB: '' };

/** The service as an operator runs it: limits enforced, one query thread a core beside the front. */
export function startService(
  data: Pick<BenchData, 'dataDir'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return startServer('service', ['sh', join(source, 'with-bun.sh'), cli, 'serve'], {
    ...chosenAnew,
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
