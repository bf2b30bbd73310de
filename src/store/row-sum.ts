/**
 * The sum of the checksums of all rows of a company file. The environment holds it, so that a row that is not the one a
 * load wrote is found even if its own checksum fits.
 */

/** Sums are exact below 2⁵³. */
const range = 2 ** 48;

export function withRow(sum: number, check: number): number {
  return (sum + check) % range;
}

export function withoutRow(sum: number, check: number): number {
  return (sum - check + range) % range;
}
