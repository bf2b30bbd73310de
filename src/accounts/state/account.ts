/** Checks the details in an application for an account. */
import type { Applicant } from '../../ports/account-directory.ts';
import { stateLimits } from './limits.ts';

/** Read for the first application, and only this file: the whole package has a hundred. */
const readIsEmail = (): typeof import('validator/lib/isEmail.js') => require('validator/lib/isEmail.js');

export type ApplicantField = keyof Applicant;
export interface ApplicantFault {
  readonly field: ApplicantField;
  /** What is wrong and what is allowed. */
  readonly detail: string;
}
type ApplicantCheck =
  | { readonly ok: true; readonly value: Applicant }
  | { readonly ok: false; readonly faults: readonly ApplicantFault[] };

/**
 * Characters that forge what an operator reads: control and format characters (direction marks, zero-width characters,
 * tags), line separators, code points without a character, and letters that show nothing. Variation selectors are
 * allowed: names of Japanese companies have them.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/** Checks the typed details, and reports all faults at once. */
export function checkApplicant(given: Applicant): ApplicantCheck {
  const value: Applicant = {
    email: given.email.trim(),
    company: oneLine(given.company),
    use: oneLine(given.use),
  };
  const faults: ApplicantFault[] = [];
  if (!isEmailAddress(value.email)) {
    faults.push({ field: 'email', detail: 'Enter an e-mail address, such as name@example.com.' });
  }
  const text = (field: 'company' | 'use', name: string, charactersMax: number) => {
    const fault = textFault(value[field], name, charactersMax);
    if (fault !== null) faults.push({ field, detail: fault });
  };
  text('company', 'company name', stateLimits.companyCharactersMax);
  text('use', 'intended use', stateLimits.useCharactersMax);
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
}

type KeyNameCheck =
  | { readonly ok: true; readonly name: string | null }
  | { readonly ok: false; readonly detail: string };

/** Checks the name of a key. An empty text means no name. */
export function checkKeyName(given: string): KeyNameCheck {
  const name = oneLine(given);
  if (name === '') return { ok: true, name: null };
  const detail = textFault(name, 'name of a key', stateLimits.keyNameCharactersMax);
  return detail === null ? { ok: true, name } : { ok: false, detail };
}

function isEmailAddress(text: string): boolean {
  // Check the length first, because it is cheap. A quoted local part may contain nearly anything, and nobody has one.
  return (
    text.length <= stateLimits.emailCharactersMax &&
    isPlain(text) &&
    readIsEmail().default(text, { blacklisted_chars: '"' })
  );
}

function textFault(text: string, name: string, charactersMax: number): string | null {
  if (text === '') return `Enter the ${name}.`;
  if (text.length > charactersMax) {
    return `The ${name} has ${text.length} characters; at most ${charactersMax} are allowed.`;
  }
  if (!isPlain(text)) {
    return `The ${name} contains an invisible or a control character. Use only letters, digits, spaces and punctuation.`;
  }
  return null;
}

/**
 * Whether an operator sees every character. A lone surrogate, which is not a character, makes the check of addresses
 * throw.
 */
function isPlain(text: string): boolean {
  return text.isWellFormed() && !unseen.test(text);
}

/** Turns the line breaks of a text area into spaces. */
function oneLine(text: string): string {
  return text.replace(/[\t\r\n ]+/g, ' ').trim();
}

/** Two spellings of one address are one account. */
export function canonicalEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
