/** Defines an attack on the real service or its commands, and runs one. */
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/errors.ts';

export interface AttackOptions {
  /** How long to continue: the header comment of each attack says what one round is. */
  readonly rounds: number;
  /** The same seed tries the same things in the same order. */
  readonly seed: number;
  /** Takes a line about the current attempt. */
  readonly say: (line: string) => void;
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
 * @returns whether no fault was found
 */
export async function runAttack(attack: Attack, rounds: number, seed: number): Promise<boolean> {
  const startedAt = performance.now();
  const say = (line: string) => console.log(`  ${attack.name}: ${line}`);
  const { tried, wrong } = await attack
    .run({ rounds, seed, say })
    .catch((error: unknown) => ({ tried: 0, wrong: [`It could not run: ${reasonOf(error)}`] }));
  const held = wrong.length === 0 && tried > 0;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${held ? 'held ' : 'WRONG'} ${attack.name}: ${tried} tried, ${wrong.length} wrong, ${seconds} s`,
  );
  for (const sentence of wrong.slice(0, wrongShownMax)) console.log(`  ${sentence}`);
  if (wrong.length > wrongShownMax) console.log(`  … and ${wrong.length - wrongShownMax} more`);
  return held;
}

/**
 * The entry point at the end of an attack's file (`if (import.meta.main)`): runs the attack with `--rounds` and
 * `--seed`. The exit status is 1 if it found a fault.
 */
export async function runAlone(attack: Attack): Promise<void> {
  const { rounds, seed } = readRoundsAndSeed(process.argv.slice(2));
  if (!(await runAttack(attack, rounds, seed))) process.exitCode = 1;
}

function readRoundsAndSeed(args: string[]): { readonly rounds: number; readonly seed: number } {
  const { values } = parseArgs({ args, options: roundOptions });
  return {
    rounds: wholeNumber('--rounds', values.rounds, roundsDefault),
    seed: wholeNumber('--seed', values.seed, 1),
  };
}

export const roundOptions = { rounds: { type: 'string' }, seed: { type: 'string' } } as const;

/** @throws if the text of an option is not a whole number of at least 1 */
export function wholeNumber(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${option} must be a whole number from 1 to 999999999, not ${text}.`);
}

/**
 * Numbers that look random, the same for the same seed (mulberry32). @returns a function that gives the next, 0 to 1
 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
