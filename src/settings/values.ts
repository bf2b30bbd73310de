/** The forms of a setting's value. A reader records what is wrong with a value and goes on, so that all faults show. */

import { ipAddresses } from '../ip-addresses.ts';
import { quoted } from '../terminal-text.ts';
import {
  contactLink,
  encodedCredentials,
  hasCredentials,
  isHttpUrl,
  withoutPerhapsCredentials,
} from '../urls.ts';

/** Receives what a reader has to say about the value of one setting. */
export interface Remarks {
  /**
   * Records that the value is not allowed.
   * @param right completes "… but must be"
   * @param shown the part of the value that is wrong; by default all of it
   */
  fault(right: string, shown?: string): void;
  /** Records a whole sentence about a value that is allowed. */
  warn(sentence: string): void;
}

/** Reads a trimmed value; of a wrong one it returns anything of its type. */
export type ReadValue<Value> = (value: string, remarks: Remarks) => Value;

/** The faults and warnings of a reading. */
export interface Findings {
  readonly faults: string[];
  readonly warnings: string[];
}

export function remarksOn(name: string, value: string, { faults, warnings }: Findings): Remarks {
  return {
    fault(right, shown = value) {
      faults.push(`${name} is ${quoted(withoutPerhapsCredentials(shown))} but must be ${right}.`);
    },
    warn: (sentence) => void warnings.push(sentence),
  };
}

export const text: ReadValue<string> = (value) => value;

/** Null for none. */
export const optionalText: ReadValue<string | null> = (value) => value || null;

export function whole(min: number, max: number): ReadValue<number> {
  return (value, { fault }) => {
    if (/^\d{1,13}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    fault(`a whole number from ${min} to ${max}`);
    return Number.NaN;
  };
}

/** A share from 0 to 1. */
export const share: ReadValue<number> = (value, { fault }) => {
  const read = Number(value);
  if (/^\d*\.?\d+(e-?\d+)?$/i.test(value) && read >= 0 && read <= 1) return read;
  fault('a share from 0 to 1');
  return 0;
};

export function choice<const Option extends string>(
  ...options: readonly [Option, ...Option[]]
): ReadValue<Option> {
  return (value, { fault }) => {
    const lower = value.toLowerCase();
    const chosen = options.find((option) => option === lower);
    if (chosen === undefined) fault(`one of ${options.join(', ')}`, lower);
    return chosen ?? options[0];
  };
}

const switched = choice('on', 'off');
export const onOff: ReadValue<boolean> = (value, remarks) => switched(value, remarks) === 'on';

/** An http(s) URL as written. */
export const httpUrl: ReadValue<string> = (value, { fault }) => {
  if (!isHttpUrl(value)) fault('an http(s) URL');
  return value;
};

/** An http(s) URL to which the service appends paths; without a trailing slash. */
export const urlStart: ReadValue<string> = (value, { fault }) => {
  if (!isHttpUrl(value) || /[?#\s]/.test(value))
    fault('an http(s) URL without query and fragment, since paths are appended to it');
  return encodedCredentials(value).replace(/\/+$/, '');
};

/** Refuses a user name and a password in a value that everybody sees. */
export function publicly<Value>(read: ReadValue<Value>): ReadValue<Value> {
  return (value, remarks) => {
    const result = read(value, remarks);
    if (hasCredentials(value))
      remarks.fault('an http(s) URL without user name and password, since it is public');
    return result;
  };
}

/** An http(s) URL to which the service appends paths, without user name and password; null for none. */
export const publicUrlStart: ReadValue<string | null> = (value, remarks) =>
  value === '' ? null : publicly(urlStart)(value, remarks);

/** The link of an operator's contact; null for none. */
export const contact: ReadValue<string | null> = (value, { fault }) => {
  const link = value === '' ? null : contactLink(value);
  if (value !== '' && link === null) fault('an e-mail address or an http(s) URL');
  return link;
};

/** The values of a list that commas separate, without empty ones. */
export function listed(value: string): readonly string[] {
  return value.split(',').flatMap((part) => part.trim() || []);
}

/** A host that a server may listen on: a name or an address, without brackets. */
export function isListenHost(value: string): boolean {
  const isName = /^[\w.-]+$/.test(value) && URL.canParse(`http://${value}`);
  return isName || ipAddresses().isValid(value);
}
