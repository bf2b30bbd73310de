/**
 * Loads hostile files with the real `lei load`: GLEIF's own files damaged at random in every packing, and the tricks of
 * hostile-files-tricks.ts. A load must end soon and within bounded memory. It ends with a sound publication, or with
 * exit status 1 and a message that is safe to print. The active publication stays unchanged then, the staging folder is
 * empty and nothing is written elsewhere. One round loads nine files.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { deletePublication, sealedIds } from '../../src/publication/sealed.ts';
import { watchPeak } from '../bench/harness/processes.ts';
import { damaged, misspelt } from '../loader/parse/damage.ts';
import { fixtureBeginning, fixtures } from '../loader/parse/reading.ts';
import { zip } from '../loader/parse/zip.ts';
import { cli } from '../support/run-lei.ts';
import { type Attack, pick, type Random, randomOf } from './attack.ts';
import { type HostileFile, tricks } from './hostile-files-tricks.ts';

const filesPerRound = 9;
/** Loads that run at once, each in its own data folder. */
const atOnce = 2;
/** The most processor time that a load of a small hostile file may take: wall clock depends on what else runs. */
const loadMsMax = 30_000;
/** A load that hangs is killed, and has then no exit status. */
const hangMs = 10 * loadMsMax;
/** The most memory of a load's processes; a load of a sound small file takes a third of it. */
const memoryBytesMax = 768 * 1024 * 1024;

const originals = [
  '20240505-0000-gleif-goldencopy-lei2-intra-day.csv.zip',
  '20240505-0000-gleif-goldencopy-lei2-intra-day.json.zip',
  '20231106-gleif-lei2.xml',
  '20231106-gleif-rr.xml',
  '20231106-gleif-repex.xml',
  '20260123-0800-gleif-goldencopy-rr-golden-copy.csv',
];
/** Sound companies for a hostile file of another kind. */
const companion = join(fixtures, '20231106-gleif-lei2.xml');

/** Damages or misspells a file: uncompressed, inside sound compression, or the compression itself. */
async function damagedFile(random: Random): Promise<HostileFile> {
  const name = pick(random, originals);
  const original = await fixtureBeginning(name);
  const wound = random() < 0.5 ? damaged : misspelt;
  const wounded = wound(original, random);
  const packings = [
    () => wounded,
    () => zip({ name: 'a.csv', content: wounded }),
    () => gzipSync(wounded),
    () => damaged(zip({ name: 'a.csv', content: original }), random),
    () => damaged(gzipSync(original), random),
  ];
  return { what: `${name}, ${wound.name}`, content: pick(random, packings)() };
}

interface Loaded {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Processor time. */
  readonly ms: number;
  readonly memoryBytes: number;
}

async function load(dataDir: string, files: readonly string[]): Promise<Loaded> {
  const running = Bun.spawn([process.execPath, cli, 'load', ...files, '--json', ...skipped], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: hangMs,
  });
  const peak = watchPeak(running.pid);
  const [stdout, stderr] = await Promise.all([running.stdout.text(), running.stderr.text()]);
  const code = await running.exited;
  peak.end();
  // Of the command and of the loader process that it waited for.
  const ms = Number(running.resourceUsage()?.cpuTime.total ?? 0) / 1_000;
  return { code, stdout, stderr, ms, memoryBytes: peak.seen().residentMb * 2 ** 20 };
}
/** The most tolerant settings for a load: whatever is let through must come out sound. */
const skipped = [
  ...['--published-at', '2026-01-23T08:00:00Z', '--max-bad-rows', '1'],
  ...['--skip-gate', 'entity-count', 'resolvable-relationships'],
];

/** A data folder for successive loads, and its hostile files. */
interface Place {
  readonly folder: string;
  readonly dataDir: string;
}

function stateOf({ folder, dataDir }: Place) {
  const paths = layout(dataDir);
  return {
    active: readPointer(paths)?.id ?? '',
    sealed: sealedIds(paths),
    staged: readdirSync(paths.staging),
    beside: readdirSync(folder).sort(),
  };
}

/** Loads one hostile file. @returns the faults in the load's behaviour */
async function loadHostile(place: Place, { what, content, isRefused }: HostileFile): Promise<string[]> {
  const path = join(place.folder, 'hostile');
  writeFileSync(path, content);
  const before = stateOf(place);
  const loaded = await load(place.dataDir, [path, companion]);
  const after = stateOf(place);
  const wrong = [...faultsOfEnd(loaded), ...faultsOfMessages(loaded)];
  if (loaded.code === 0 && isRefused === true) wrong.push('was loaded');
  if (loaded.code !== 0 && !Bun.deepEquals(after, before)) {
    wrong.push(`left ${JSON.stringify(after)} where there was ${JSON.stringify(before)}`);
  }
  if (loaded.code === 0) wrong.push(...(await faultsOfActive(place, after, before)));
  return wrong.map((fault) => `${what}: the load ${fault}.`);
}

function faultsOfEnd({ code, stdout, stderr, ms, memoryBytes }: Loaded): string[] {
  const wrong: string[] = [];
  if (code !== 0 && code !== 1) wrong.push(`ended with ${code}: ${stderr.slice(-300)}`);
  if (ms > loadMsMax) wrong.push(`took ${(ms / 1000).toFixed(1)} s of processor time`);
  if (memoryBytes > memoryBytesMax) wrong.push(`took ${Math.round(memoryBytes / 2 ** 20)} MiB of memory`);
  const { error } = parsed(stdout);
  if (code === 1 && (error === null || error.code === 'internal' || error.message.length < 20)) {
    wrong.push(`has no clear message: ${stdout.slice(0, 300)}`);
  }
  return wrong;
}

function parsed(stdout: string): {
  readonly error: { readonly code: string; readonly message: string } | null;
} {
  try {
    const { error } = JSON.parse(stdout);
    return { error: typeof error?.message === 'string' ? error : null };
  } catch {
    return { error: null };
  }
}

function faultsOfMessages({ stdout, stderr }: Loaded): string[] {
  const unsafe = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u.exec(stdout + stderr);
  return unsafe === null ? [] : [`printed ${JSON.stringify(unsafe[0])} to the terminal`];
}

/**
 * Checks a load that published: the active publication is sound, and nothing else was written. Keeps that publication
 * only.
 */
async function faultsOfActive(place: Place, after: State, before: State): Promise<string[]> {
  const paths = layout(place.dataDir);
  const { sound, problems } = await verifySealed(paths, after.active, () => undefined);
  const wrong = sound ? [] : [`published what is not sound: ${problems.join(' ')}`];
  if (!Bun.deepEquals(after.beside, before.beside)) wrong.push(`wrote ${after.beside.join(', ')}`);
  for (const id of after.sealed) if (id !== after.active) await deletePublication(paths, id);
  return wrong;
}
type State = ReturnType<typeof stateOf>;

async function openPlace(parent: string, index: number): Promise<Place> {
  const folder = join(parent, String(index));
  const place = { folder, dataDir: join(folder, 'data') };
  mkdirSync(place.dataDir, { recursive: true });
  writeFileSync(join(folder, 'hostile'), readFileSync(companion));
  const { code, stdout } = await load(place.dataDir, [companion]);
  if (code !== 0) throw new Error(`a sound file does not load: ${stdout}`);
  return place;
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const random = randomOf(seed);
  const tried = rounds * filesPerRound;
  const files: HostileFile[] = [];
  for (let index = 0; index < tried; index++) {
    // Every trick comes before the damage, of which test/loader/fuzz.test.ts tries more.
    files.push(tricks[index]?.(random) ?? (await damagedFile(random)));
  }
  const wrong: string[] = [];
  const next = files.values();
  const lines = Array.from({ length: atOnce }, async (_, index) => {
    const place = await openPlace(folder, index);
    for (const file of next) wrong.push(...(await loadHostile(place, file)));
  });
  await Promise.all(lines);
  say(`${tried} files, ${Math.min(tricks.length, tried)} of them tricks`);
  return { tried, wrong };
};

export const attack: Attack = { name: 'hostile-files', run };
