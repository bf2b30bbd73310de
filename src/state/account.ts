/** Checks the details that somebody gives to get an account. */
// The whole package would be a hundred files more to read at every start.
import isEmail from 'validator/lib/isEmail.js';
import type { Applicant } from '../ports/account-directory.ts';
import { stateLimits } from './limits.ts';

export type ApplicantField = keyof Applicant;
export interface ApplicantFault {
  readonly field: ApplicantField;
  /** What is wrong and what would be right. */
  readonly detail: string;
}
export type ApplicantCheck =
  | { readonly ok: true; readonly value: Applicant }
  | { readonly ok: false; readonly faults: readonly ApplicantFault[] };

/** Control characters, line separators, and the marks that turn the direction of text that follows. */
const invisible = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Checks what somebody typed; every fault is told at once. */
export function checkApplicant(given: Applicant): ApplicantCheck {
  const value: Applicant = {
    email: given.email.trim(),
    company: oneLine(given.company),
    use: oneLine(given.use),
  };
  const faults: ApplicantFault[] = [];
  if (!isEmailAddress(value.email)) {
    faults.push({ field: 'email', detail: 'Enter an e-mail address, like name@example.com.' });
  }
  const text = (field: 'company' | 'use', name: string, charactersMax: number) => {
    const fault = textFault(value[field], name, charactersMax);
    if (fault !== null) faults.push({ field, detail: fault });
  };
  text('company', 'company name', stateLimits.companyCharactersMax);
  text('use', 'intended use', stateLimits.useCharactersMax);
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
}

function isEmailAddress(text: string): boolean {
  // The library's own limit is on bytes of each part; the sum is ours to check first, as it is cheap.
  return text.length <= stateLimits.emailCharactersMax && isEmail(text);
}

function textFault(text: string, name: string, charactersMax: number): string | null {
  if (text === '') return `Enter the ${name}.`;
  if (text.length > charactersMax) {
    return `The ${name} has ${text.length} characters; at most ${charactersMax} are allowed.`;
  }
  if (invisible.test(text) || !text.isWellFormed()) {
    return `The ${name} has a control character in it; use letters, digits and punctuation only.`;
  }
  return null;
}

/** A text area sends line breaks, which are no fault of the writer's. */
function oneLine(text: string): string {
  return text.replace(/[\t\r\n ]+/g, ' ').trim();
}

/** Two spellings of one address are one account. */
export function canonicalEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
