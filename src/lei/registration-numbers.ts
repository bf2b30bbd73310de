/**
 * Compares numbers of registers by their parts: the letters before the digits, the digits, and what follows. People
 * leave out zeros (SC12345 for SC012345), put a country in front (DK12345674), or add the court (HRB 4711 München).
 */
import { countryCodes } from './codes.ts';

/** A number of a register, by its parts. */
export interface RegistrationNumber {
  /** Letters in front that tell numbers apart (SC, HRB, CHE); empty if there are none. */
  readonly prefix: string;
  /** All digits, without zeros in front. */
  readonly digits: string;
  /** A letter or two right behind the digits, such as a check letter; empty if there is none. */
  readonly suffix: string;
  /** Whether it is a number of a tax office by its form: a country's code and eight digits or more. */
  readonly isTaxNumber: boolean;
}

/** Letters in front that every number of their register may have or lack. */
const silentPrefixes = new Set([
  ...countryCodes,
  ...(
    'NO NR NUM NUMBER NUMERO REG REGNO REGNR REGISTER REGISTRATION ID RCS SIREN SIRET CVR ORG ORGNR KVK FN UID VAT TVA IVA ' +
    'CRN CIN CUI EL UK ATU CHE ICO OIB MB NIF CIF NIPC KRS REGON NIP BCE KBO HE ABN ACN NZBN UEN BRN CR EIN LLC COMPANY ' +
    'ROC RUC RFC NIT CNPJ OGRN INN EDRPOU BRNO'
  ).split(' '),
]);

/** Null for a text without a digit. */
export function readRegistrationNumber(text: string): RegistrationNumber | null {
  const upper = text.normalize('NFKC').toUpperCase();
  const found = /^([^\p{N}]*)([\p{N}][\p{N}\s./-]*)(.*)$/su.exec(upper);
  if (found === null) return null;
  const [, before = '', middle = '', behind = ''] = found;
  const prefix = before.replace(/[^\p{L}]+/gu, '');
  const digits = middle.replace(/[^\p{N}]+/gu, '');
  const rest = behind.replace(/[^\p{L}\p{N}]+/gu, '');
  // "1234567A" and "FN 123456 a" have a letter behind; "HRB 4711 München" has a court there.
  const suffix = /\d/.test(rest) || rest.length <= 2 ? rest : '';
  const isSilent = silentPrefixes.has(prefix);
  return {
    prefix: isSilent ? '' : prefix,
    digits: digits.replace(/^0+(?=.)/, ''),
    suffix,
    isTaxNumber: isSilent && prefix.length <= 3 && prefix !== '' && digits.length >= 8,
  };
}

/** The relation of two companies by their numbers. */
type NumberAgreement = 'same' | 'different' | 'incomparable';

/** Numbers that are only written otherwise are the same; those of another kind can't be compared. */
export function compareNumbers(one: RegistrationNumber, other: RegistrationNumber): NumberAgreement {
  if (one.digits === other.digits && areLike(one.prefix, other.prefix) && areLike(one.suffix, other.suffix)) {
    return 'same';
  }
  return one.isTaxNumber !== other.isTaxNumber && one.prefix !== other.prefix ? 'incomparable' : 'different';
}

function areLike(one: string, other: string): boolean {
  return one === other || one === '' || other === '';
}

/** Other ways in which a register may have written a number, to look it up by; without the number itself. */
export function otherSpellings(text: string, country: string | null): readonly string[] {
  const number = readRegistrationNumber(text);
  if (number === null || number.digits.length < 3) return [];
  const { prefix, digits, suffix } = number;
  const spellings = [prefix + digits + suffix, digits + suffix, digits];
  if (prefix === '' && country === 'DE') spellings.push(`HRB${digits}`, `HRA${digits}`);
  return [...new Set(spellings)].filter((each) => each !== text && each.length >= 3);
}
