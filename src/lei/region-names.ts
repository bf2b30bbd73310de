/** Names the subdivisions of countries (ISO 3166-2). */
import { subdivisionsOfIso } from './places-of-iso.ts';

let names: ReadonlyMap<string, string> | null = null;

/** `FR-IDF` → `Île-de-France`; null for a code that the standard does not have. */
export function regionName(code: string): string | null {
  names ??= new Map(subdivisionsOfIso().map(({ code, name }) => [code, name]));
  return names.get(code) ?? null;
}
