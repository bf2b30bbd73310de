/** Defines an attack on the real service or its commands, and runs one. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../../src/errors.ts';
import { createRandom } from '../bench/search/random.ts';
import { type Served, serve } from '../support/serve.ts';

export interface AttackOptions {
  /** How long to continue: the header comment of each attack says what one round is. */
  readonly rounds: number;
  /** The same seed tries the same things in the same order. */
  readonly seed: number;
  /** Takes a line about the current attempt. */
  readonly say: (line: string) => void;
  /** Its own; empty and removed after the attack, unless it is kept. */
  readonly folder: string;
}

export interface AttackResult {
  /** The number of hostile inputs, connections or moments that were tried. */
  readonly tried: number;
  /** A sentence for each fault: what was sent, what came back, what would be right. */
  readonly wrong: readonly string[];
}

export interface Attack {
  /** Short, lower case, as `--only` takes it. */
  readonly name: string;
  /** Starts the attacked program itself and ends it again. Rejects only if the attack could not run at all. */
  run(options: AttackOptions): Promise<AttackResult>;
}

/** The default number of rounds: all attacks together take a few minutes. */
export const roundsDefault = 20;

/** The most sentences printed for one attack; the rest are counted. */
const wrongShownMax = 20;

/**
 * Runs an attack and prints what it tried and the faults.
 * @param kept the folder that keeps what attacks make, such as companies; null if nothing is kept
 * @returns whether no fault was found
 */
export async function runAttack(
  attack: Attack,
  rounds: number,
  seed: number,
  kept: string | null = null,
): Promise<boolean> {
  const startedAt = performance.now();
  const say = (line: string) => console.log(`  ${attack.name}: ${line}`);
  const options = { rounds, seed, say };
  const run = kept === null ? runInFolder(attack, options) : runInKept(attack, options, kept);
  const { tried, wrong } = await run.catch((error: unknown) => ({
    tried: 0,
    wrong: [`It could not run: ${reasonOf(error)}`],
  }));
  const held = wrong.length === 0 && tried > 0;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${held ? 'held ' : 'WRONG'} ${attack.name}: ${tried} tried, ${wrong.length} wrong, ${seconds} s`,
  );
  for (const sentence of wrong.slice(0, wrongShownMax)) console.log(`  ${sentence}`);
  if (wrong.length > wrongShownMax) console.log(`  … and ${wrong.length - wrongShownMax} more`);
  return held;
}

/** Runs an attack in a folder of its own. */
export async function runInFolder(
  attack: Attack,
  options: Omit<AttackOptions, 'folder'>,
): Promise<AttackResult> {
  const folder = mkdtempSync(join(tmpdir(), `lei-attack-${attack.name}-`));
  try {
    return await attack.run({ ...options, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runInKept(
  attack: Attack,
  options: Omit<AttackOptions, 'folder'>,
  kept: string,
): Promise<AttackResult> {
  const folder = join(kept, attack.name);
  mkdirSync(folder, { recursive: true });
  return attack.run({ ...options, folder });
}

/** Runs a service for the time of an attack on it. Within a run of the tests, the bundled sample is loaded once for all. */
export async function whileServing<Result>(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  work: (served: Served) => Promise<Result>,
): Promise<Result> {
  if (environment['LEI_SAMPLE'] === 'on' && process.env['TESTS_SHARED'] !== undefined) {
    // Folders of tests exist for tests only.
    await (await import('../support/service.ts')).copySample(dataDir);
  }
  const served = await serve(dataDir, environment);
  try {
    return await work(served);
  } finally {
    served.kill('SIGTERM');
    await served.exited;
  }
}

/** Gives the next number that looks random, from 0 to below 1. */
export type Random = () => number;

/** Numbers that look random, the same for the same seed. */
export function randomOf(seed: number): Random {
  return createRandom(seed).number;
}

/** @returns a whole number from 0 to below `bound` */
export function below(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}

/** @throws if there are no items */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}
