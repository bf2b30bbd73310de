/** Prepares the texts of a match question for comparison. */
import { readCountry } from '../../lei/countries.ts';
import { foldedWords } from '../../lei/names/fold.ts';
import { mayBeInitials } from '../../lei/names/name-terms.ts';
import { numbersIn } from '../../lei/names/ordinals.ts';
import { cityKey } from '../../lei/names/places.ts';
import { type NameReading, readingsOf } from '../../lei/names/readings.ts';
import { transliterated } from '../../lei/names/transliterate.ts';
import { readTypedLei } from '../../lei/names/typed-identifiers.ts';
import { readRegistrationNumber } from '../../lei/registration-numbers.ts';
import type { KnownOfCompany } from '../../protocol/ext-questions.ts';
import { searchTextMax } from '../../protocol/questions.ts';
import { type ComparedName, comparedName, comparedTransliteration } from './compared-name.ts';
import { withMistypedForm } from './mistyped-form.ts';
import { countryWords, type Registration } from './profile.ts';

/** A way to read the question's name, prepared for comparison. */
export interface AskedReading extends NameReading {
  readonly compared: ComparedName;
}

export interface AskedCompany {
  readonly name: string | null;
  /** The name as it stands, then as people may have meant it; none if nothing of it names a company. */
  readonly readings: readonly AskedReading[];
  /** The letters of a name that may be the initials of another one, in lower case: SEB; null for other names. */
  readonly acronym: string | null;
  /** ISO 3166-1 alpha-2; null if none is given, or it can't be read. */
  readonly country: string | null;
  readonly city: AskedCity | null;
  /** Words of the country and the city: a name that has or lacks them is hardly another one. */
  readonly placeWords: ReadonlySet<string>;
  readonly registration: Registration | null;
  /** The registration number as it is written, without the code of its register. */
  readonly registrationText: string;
  /** Null if none is given, or it can't be read. */
  readonly lei: string | null;
}

export interface AskedCity {
  /** The same for all names of a city. */
  readonly key: string;
  readonly compared: ComparedName;
}

export function askedCompany(question: KnownOfCompany): AskedCompany {
  const name = textOf(question.name);
  const city = textOf(question.city);
  const country = readCountry(textOf(question.country) ?? '');
  const { registration, text } = registrationOf(textOf(question.registrationNumber));
  const readings = name === null ? [] : askedReadings(name, country);
  return {
    name,
    readings,
    acronym: acronymIn(readings[0]),
    country,
    city: city === null ? null : { key: cityKey(city), compared: comparedName(city) },
    placeWords: new Set([...countryWords(country), ...foldedWords(city ?? '')]),
    registration,
    registrationText: text,
    lei: readTypedLei(textOf(question.lei) ?? ''),
  };
}

function askedReadings(name: string, country: string | null): readonly AskedReading[] {
  const askedNumbers = numbersIn(name);
  const readings = readingsOf(name).map((read) => ({
    ...read,
    compared: { ...comparedName(read.text), askedNumbers },
  }));
  return [
    ...readings,
    ...readings.flatMap(withFormMeant),
    ...readings.flatMap((reading) => inLatinLetters(reading, country)),
  ];
}

function acronymIn(reading: AskedReading | undefined): string | null {
  const [word = '', ...more] = reading?.compared.core ?? [];
  const isInCapitals = reading?.text.replace(/\P{L}/gu, '').startsWith(word.toUpperCase());
  return isInCapitals && more.length === 0 && mayBeInitials(word) ? word : null;
}

function withFormMeant(reading: AskedReading): readonly AskedReading[] {
  const compared = withMistypedForm(reading.compared);
  return compared === null ? [] : [{ ...reading, isAsItStands: false, compared }];
}

/** For companies whose record has only a name in Latin letters. */
function inLatinLetters(reading: AskedReading, country: string | null): readonly AskedReading[] {
  return transliterated(reading.compared.words.join(' '), country).map((latin) => ({
    ...reading,
    text: latin.text,
    isAsItStands: false,
    compared: {
      ...comparedTransliteration(latin),
      // A narrow field ends what was written, which may be shorter.
      text: reading.compared.text.length < latin.text.length ? reading.compared.text : latin.text,
      forms: reading.compared.forms,
      askedNumbers: reading.compared.askedNumbers,
    },
  }));
}

function textOf(value: string | null): string | null {
  const text = value?.slice(0, 2 * searchTextMax).trim() ?? '';
  return text === '' ? null : [...text].slice(0, searchTextMax).join('');
}

function registrationOf(text: string | null): { registration: Registration | null; text: string } {
  const [, authority, written = ''] = /^(RA\d{6})?[\s:/-]*(.*)$/is.exec(text ?? '') ?? [];
  const number = readRegistrationNumber(written);
  if (number === null) return { registration: null, text: '' };
  return { registration: { authority: authority?.toUpperCase() ?? null, number }, text: written };
}
