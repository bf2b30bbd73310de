/** Reads the command lines of the bench programs. */
import { parseArgs } from 'node:util';
import { reasonOf } from '../../../src/errors.ts';

/** Reads a whole number above 0. @throws naming the option */
export function positive(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} must be a whole number above 0, not ${JSON.stringify(text)}.`);
}

/**
 * Reads the command line of a program whose options are whole numbers, as `--rounds 4`. Ends the program with a message
 * and status 2 on any other command line.
 * @param absent the value of each option that is not given
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
