/**
 * Runs every attack of this folder, one after the other: `bun test/attacks/run.ts [--only name,…] [--rounds N] [--seed
 * N] [--keep FOLDER]`. Prints what each tried and its faults. The exit status is 1 if there was a fault, and 2 for wrong usage.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/errors.ts';
import { type Attack, roundsDefault, runAttack } from './attack.ts';

const usage = `Usage: bun test/attacks/run.ts [--only name,…] [--rounds N] [--seed N] [--keep FOLDER]
  --only    the attacks to run, by name (default: all)
  --rounds  how long each goes on (default ${roundsDefault})
  --seed    the same seed tries the same things in the same order (default 1)
  --keep    keeps the companies that attacks generate in a folder, and uses those that it holds`;

/** The attacks that files of a folder export as `attack`, by name. */
export async function attacksIn(folder: string): Promise<Attack[]> {
  const names = readdirSync(folder).filter((name) => isAttackFile(name));
  const modules: unknown[] = await Promise.all(names.sort().map((name) => import(join(folder, name))));
  return modules.flatMap((module) => (hasAttack(module) ? [module.attack] : []));
}

/** All but this file, which would wait for itself. */
function isAttackFile(name: string): boolean {
  return name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'run.ts';
}

function hasAttack(module: unknown): module is { readonly attack: Attack } {
  return typeof module === 'object' && module !== null && 'attack' in module;
}

/** @throws if an option or the name of an attack is wrong */
function chosenFrom(attacks: readonly Attack[], args: string[]) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { rounds: text, seed: text, only: text, keep: text } });
  const only = values.only?.split(',');
  const unknown = only?.find((name) => !attacks.some((attack) => attack.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no attack ${unknown}. There are ${attacks.map(({ name }) => name).join(', ')}.`,
    );
  }
  return {
    chosen: only === undefined ? attacks : attacks.filter(({ name }) => only.includes(name)),
    rounds: wholeNumber('--rounds', values.rounds, roundsDefault),
    seed: wholeNumber('--seed', values.seed, 1),
    kept: values.keep ?? null,
  };
}

/** @throws if the text of an option is not a whole number of at least 1 */
function wholeNumber(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${option} must be a whole number from 1 to 999999999, not ${text}.`);
}

async function run(): Promise<number> {
  const attacks = await attacksIn(import.meta.dir);
  let call: ReturnType<typeof chosenFrom>;
  try {
    call = chosenFrom(attacks, process.argv.slice(2));
  } catch (error) {
    console.error(`${reasonOf(error)}\n${usage}`);
    return 2;
  }
  let held = 0;
  for (const attack of call.chosen) if (await runAttack(attack, call.rounds, call.seed, call.kept)) held++;
  console.log(`${held} of ${call.chosen.length} attacks held.`);
  return held === call.chosen.length ? 0 : 1;
}

if (import.meta.main) process.exit(await run());
