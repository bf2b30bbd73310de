/** Countries (ISO 3166-1) and their subdivisions (ISO 3166-2), with the names of the package iso-3166. */
import { iso31661 } from 'iso-3166/1.js';

interface NamedCode {
  readonly code: string;
  readonly name: string;
}

/** LEI records also use XK, which ISO leaves to its users. */
const kosovo: NamedCode = { code: 'XK', name: 'Kosovo' };

const byCode = (a: NamedCode, b: NamedCode) => (a.code < b.code ? -1 : 1);

/** By code, with XK. */
export const countriesOfIso: readonly NamedCode[] = [
  ...iso31661.map(({ alpha2, name }) => ({ code: alpha2, name })),
  kosovo,
].sort(byCode);

/** The list of 5,000 subdivisions takes 70 ms to read, so it is read when it is needed. */
const readSubdivisions = (): typeof import('iso-3166/2.js') => require('iso-3166/2.js');

let subdivisions: readonly NamedCode[] | null = null;

/** By code. */
export function subdivisionsOfIso(): readonly NamedCode[] {
  subdivisions ??= readSubdivisions()
    .iso31662.map(({ code, name }) => ({ code, name }))
    .sort(byCode);
  return subdivisions;
}
