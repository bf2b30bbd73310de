/** What the programs of the bench read from their command lines. */
import { parseArgs } from 'node:util';
import { reasonOf } from '../../../src/errors.ts';

/** A whole number above 0. @throws naming the option */
export function positive(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} must be a whole number above 0, not ${JSON.stringify(text)}.`);
}

/**
 * For programs that take whole numbers alone, as `--rounds 4`: what each is where it is absent. Ends the program with a
 * sentence and status 2 where something else stands on the command line.
 */
export function wholeNumbers<Name extends string>(
  absent: Readonly<Record<Name, number>>,
): (name: Name) => number {
  const options = Object.fromEntries(Object.keys(absent).map((name) => [name, { type: 'string' } as const]));
  try {
    const { values } = parseArgs({ options });
    const given = new Map(Object.entries(values).map(([name, text]) => [name, positive(name, String(text))]));
    return (name) => given.get(name) ?? absent[name];
  } catch (error) {
    console.error(reasonOf(error));
    process.exit(2);
  }
}
