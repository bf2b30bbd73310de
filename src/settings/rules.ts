/** Readers of single settings that have rules of their own. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { kindsByFile, mappingTable } from '../lei/identifier-kinds.ts';
import { type ReadValue, whole } from './values.ts';

export const workersMax = 256;
export const frontsMax = 64;

/**
 * Default numbers of fronts and query threads, within what the settings accept; decision 043 has the rule.
 * @param cores that can be used
 */
export function threadsByDefault(cores: number): { readonly fronts: number; readonly workers: number } {
  return {
    fronts: cores <= 3 ? 1 : Math.min(cores >> 1, frontsMax),
    workers: Math.min(Math.max(1, cores - 1), workersMax),
  };
}

/** Returns the default for a wrong port, so that no message shows an address made of it. */
export function port(standard: number): ReadValue<number> {
  return (value, { fault }) => {
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
    fault('a port number from 0 to 65535');
    return standard;
  };
}

/** Absolute; null for none. */
export const optionalPath: ReadValue<string | null> = (value) => (value === '' ? null : resolve(value));

/** The most publications that a service keeps. Each query thread has them open, and one more during a swap. */
export const keptPublicationsMax = 8;
const wantedPublicationsMax = 1_000;

/** Cursors keep reading the previous publication, so a load keeps at least two; `lei prune --keep 1` deletes it. */
export const keptPublications: ReadValue<number> = (value, remarks) => {
  const wanted = whole(1, wantedPublicationsMax)(value, remarks);
  const used = Math.min(Math.max(2, wanted), keptPublicationsMax);
  const warn = (why: string) => remarks.warn(`LEI_KEEP_PUBLICATIONS is ${wanted}, but ${why}.`);
  if (wanted < used)
    warn('cursors need the previous publication, so 2 is used; lei prune --keep 1 deletes it');
  if (wanted > used) warn(`a service keeps at most ${used} open and deletes the others, so ${used} is used`);
  return used;
};

/** Fewer characters may be guessed. */
const cursorSecretCharacters = 32;

/** Null for none. */
export const cursorSecret: ReadValue<string | null> = (value, { warn }) => {
  if (value === '') return null;
  if (value.length < cursorSecretCharacters) {
    const right = `with ${cursorSecretCharacters} or more, chosen at random, nobody can guess it`;
    warn(`LEI_CURSOR_SECRET has only ${value.length} characters; ${right}.`);
  }
  return value;
};

/** The host's name, without characters that a node's name must not contain. */
export function hostNodeName(): string {
  return hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 64);
}

/** Whether a text is the name of a node. */
export function isNodeName(value: string): boolean {
  return /^[\w.-]{1,64}$/.test(value);
}

export const nodeName: ReadValue<string> = (value, { fault }) => {
  if (!isNodeName(value)) fault('1 to 64 letters, digits, dots, hyphens and underscores');
  return value;
};

/** Which requests are logged. */
export interface RequestLogRule {
  readonly all: boolean;
  /** 4xx except 404 and 429, and 5xx. */
  readonly errors: boolean;
  /** Requests that take at least this many milliseconds; Infinity for none. */
  readonly slowMs: number;
}

export const requestLogRule: ReadValue<RequestLogRule> = (value, { fault }) => {
  const words = value.split(',').map((word) => word.trim().toLowerCase());
  const slow = words.map((word) => /^slow:(\d{1,9})$/.exec(word)?.[1]).filter((ms) => ms !== undefined);
  const known = words.every((word) => ['all', 'errors', 'off'].includes(word) || /^slow:\d{1,9}$/.test(word));
  if (!known)
    fault('all, errors, slow:MS (such as slow:1000) or off, or several of them separated by commas');
  else if (words.includes('off') && words.length > 1) fault('either off alone or a list without off');
  return {
    all: words.includes('all'),
    errors: words.includes('errors'),
    slowMs: Math.min(Number.POSITIVE_INFINITY, ...slow.map(Number)),
  };
};

/** The mapping files that can be downloaded besides the golden copy, as LEI_UPDATE_MAPPINGS names them. */
export const mappingNames = [...kindsByFile.map((kind) => mappingTable[kind].file), 'mic-list'] as const;
export type MappingName = (typeof mappingNames)[number];

/** `none` for no mappings at all. */
export const mappings: ReadValue<readonly MappingName[]> = (value, { fault }) => {
  const wanted = value === 'none' ? [] : value.split(',').map((part) => part.trim());
  const odd = wanted.find((name) => !mappingNames.some((known) => known === name));
  if (odd !== undefined)
    fault(`none, or one or more of ${mappingNames.join(', ')}, separated by commas`, odd);
  return mappingNames.filter((known) => wanted.includes(known));
};
