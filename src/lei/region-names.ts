/** Names the subdivisions of countries (ISO 3166-2). */
import { subdivisionsOfIso } from './places-of-iso.ts';

const names = new Map(subdivisionsOfIso.map(({ code, name }) => [code, name]));

/** `FR-IDF` → `Île-de-France`; null for a code that the standard does not have. */
export function regionName(code: string): string | null {
  return names.get(code) ?? null;
}
