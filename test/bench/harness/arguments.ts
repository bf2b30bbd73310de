/** What the programs of the bench read from their command lines. */

/** A whole number above 0. @throws naming the option */
export function positive(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} must be a whole number above 0, not ${JSON.stringify(text)}.`);
}
