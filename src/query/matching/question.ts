/** Prepares the texts of a match question for comparison. */
import { isLei } from '../../lei/identifiers.ts';
import { identifierKey } from '../../lei/names/name-terms.ts';
import type { KnownOfCompany } from '../../protocol/ext-questions.ts';
import { searchTextMax } from '../../protocol/questions.ts';
import { type ComparedName, comparedName } from './name-likeness.ts';
import type { Registration } from './profile.ts';

export interface AskedCompany {
  readonly name: string | null;
  readonly compared: ComparedName | null;
  readonly country: string | null;
  readonly city: ComparedName | null;
  readonly registration: Registration | null;
  /** Null if none is given, or it can't be read. */
  readonly lei: string | null;
}

export function askedCompany(question: KnownOfCompany): AskedCompany {
  const name = textOf(question.name);
  const city = textOf(question.city);
  const lei = textOf(question.lei)?.toUpperCase() ?? null;
  return {
    name,
    compared: name === null ? null : comparedName(name),
    country: textOf(question.country)?.toUpperCase() ?? null,
    city: city === null ? null : comparedName(city),
    registration: registrationOf(textOf(question.registrationNumber)),
    lei: lei !== null && isLei(lei) ? lei : null,
  };
}

function textOf(value: string | null): string | null {
  const text = value?.slice(0, 2 * searchTextMax).trim() ?? '';
  return text === '' ? null : [...text].slice(0, searchTextMax).join('');
}

function registrationOf(text: string | null): Registration | null {
  if (text === null) return null;
  const [, authority = null, written = ''] = /^(RA\d{6})?[\s:/-]*(.*)$/is.exec(text) ?? [];
  const number = identifierKey(written);
  return number === '' ? null : { authority: authority?.toUpperCase() ?? null, number };
}
