/**
 * Reads the settings: the environment becomes one frozen {@link Config}. All faults are reported together, each with
 * the variable, its value and what is allowed.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { kindsByFile, mappingTable } from './lei/identifier-kinds.ts';
import {
  type Fault,
  isListenHost,
  type OperationsSettings,
  readOperationsSettings,
  readSource,
  unreachableHost,
} from './operations-settings.ts';
import {
  contactLink,
  encodedCredentials,
  hasCredentials,
  hostInUrl,
  isHttpUrl,
  withoutPerhapsCredentials,
} from './urls.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const workersMax = 256;
const frontsMax = 64;
/** The most publications that a service keeps. Each query thread has them open, and one more during a swap. */
export const keptPublicationsMax = 8;
/**
 * The greatest quotas, for everybody and for one account: requests per UTC day, and requests of one kind per minute.
 */
export const quotaMax = { daily: 1e12, burst: 1e9 } as const;
/** The greatest limit of the sign-up page. */
const signupsPerDayMax = 1e6;
/** Fewer characters may be guessed. */
const cursorSecretCharacters = 32;

export interface Config extends OperationsSettings {
  readonly port: number;
  readonly host: string;
  /** An absolute path. */
  readonly dataDir: string;
  readonly fronts: number;
  readonly workers: number;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The path of the base URL, without a trailing slash; '' if it has none. A proxy publishes the service below it. */
  readonly basePath: string;
  /** Valid CIDR ranges or addresses. */
  readonly trustedProxies: readonly string[];
  readonly anonymousDaily: number;
  readonly accountDaily: number;
  readonly burstLookup: number;
  readonly burstSearch: number;
  /** Pages with data, and suggestions, per client in any 60 seconds. */
  readonly pagesBurst: number;
  readonly limitsMode: 'enforce' | 'shadow' | 'off';
  /** 2 to {@link keptPublicationsMax}. */
  readonly keepPublications: number;
  readonly sample: boolean;
  /** The source of announced publications to follow, as a URL that may contain a password; null for none. */
  readonly publicationSource: string | null;
  readonly signup: boolean;
  /** Accounts that the sign-up page creates per UTC day. */
  readonly signupLimits: {
    readonly byClient: number;
    readonly byNetwork: number;
    readonly inAll: number;
  };
  readonly licenseNotice: string;
  readonly sourceUrl: string;
  /** The operator's contact: a `mailto:` or http(s) link that the description and the pages show. */
  readonly contact: string | null;
  readonly cursorSecret: string | null;
  /** The key with which `lei mcp` asks a service; null for none. */
  readonly key: string | null;
  readonly logLevel: LogLevel;
  readonly compression: boolean;
  /** Tolerated share of bad rows over one whole load, 0 to 1. */
  readonly maxBadRows: number;
  /** The service that `lei update` asks for new files. */
  readonly goldenCopyUrl: string;
  readonly mappingUrl: string;
  readonly micListUrl: string;
  /** Host names that `lei update` may follow links and redirects to, besides GLEIF's and the publishers'. */
  readonly downloadHosts: readonly string[];
  /** The mapping files that `lei update` downloads besides the golden copy. */
  readonly updateMappings: readonly MappingName[];
}

/** The mapping files that can be downloaded besides the golden copy, as LEI_UPDATE_MAPPINGS names them. */
export const mappingNames = [...kindsByFile.map((kind) => mappingTable[kind].file), 'mic-list'] as const;
export type MappingName = (typeof mappingNames)[number];

export interface ConfigReading {
  readonly config: Config;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable with its default, as in the README. Computed ones are described in words. */
export const variables = {
  LEI_PORT: '3000',
  LEI_HOST: '127.0.0.1',
  LEI_DATA_DIR: './data',
  LEI_FRONTS: 'one for up to three usable cores, otherwise half of them, at most 64',
  LEI_WORKERS: 'cores − 1, at least 1',
  LEI_BASE_URL: 'http://HOST:PORT, https with TLS',
  LEI_TRUSTED_PROXIES: '',
  LEI_ANONYMOUS_DAILY: '100',
  LEI_ACCOUNT_DAILY: '1000',
  LEI_BURST_LOOKUP: '300',
  LEI_BURST_SEARCH: '60',
  LEI_PAGES_BURST: '240',
  LEI_LIMITS: 'enforce',
  LEI_KEEP_PUBLICATIONS: '2',
  LEI_SAMPLE: 'on',
  LEI_PUBLICATION_SOURCE: '',
  LEI_SHARED_STATE: '',
  LEI_SHARED_DOWN: 'share',
  LEI_NODE: "the host's name",
  LEI_SIGNUP: 'on',
  LEI_SIGNUP_CLIENT_DAILY: '10',
  LEI_SIGNUP_NETWORK_DAILY: '30',
  LEI_SIGNUP_DAILY: '1000',
  LEI_LICENSE_NOTICE: 'LEI data © GLEIF, published under CC0 1.0.',
  LEI_SOURCE_URL: 'https://www.gleif.org/en/lei-data/gleif-golden-copy',
  LEI_CONTACT: '',
  LEI_CURSOR_SECRET: '',
  LEI_KEY: '',
  LEI_LOG_LEVEL: 'info',
  LEI_LOG_REQUESTS: 'errors,slow:1000',
  LEI_ADMIN: '',
  LEI_TLS_CERT: '',
  LEI_TLS_KEY: '',
  LEI_KEEP_ALIVE_SECONDS: '75',
  LEI_DRAIN_SECONDS: '0',
  LEI_COMPRESSION: 'on',
  LEI_MAX_BAD_ROWS: '0.001',
  LEI_GOLDEN_COPY_URL: 'https://goldencopy.gleif.org/api/v2/golden-copies/publishes',
  LEI_MAPPING_URL: 'https://mapping.gleif.org/api/v2',
  LEI_MIC_LIST_URL: 'https://www.iso20022.org/sites/default/files/ISO10383_MIC/ISO10383_MIC.csv',
  LEI_DOWNLOAD_HOSTS: '',
  LEI_UPDATE_MAPPINGS: mappingNames.join(','),
} as const;
type Variable = keyof typeof variables;

/** Reads and checks the environment. A caller must not use the config of a reading with faults. */
export function readConfig(environment: Environment): ConfigReading {
  const faults: string[] = [];
  const warnings = unknownVariables(environment);
  const { fault, text, whole, choice, onOff, url, urlStart, shown } = readers(environment, faults);
  const host = readHost(text('LEI_HOST'), fault);
  const port = readPort(environment, fault, warnings);
  const operations = readOperationsSettings({ environment, port, text, whole, choice, fault, faults });
  const ownAddress = `${operations.tls === null ? 'http' : 'https'}://${hostInUrl(host)}:${port}`;
  if (text('LEI_BASE_URL', '') === '') warnings.push(...unreachableHost(host, ownAddress));
  const config: Config = Object.freeze({
    port,
    host,
    dataDir: resolve(text('LEI_DATA_DIR')),
    ...threadCounts(whole),
    ...operations,
    ...publicAddress(shown('LEI_BASE_URL', urlStart('LEI_BASE_URL', ownAddress))),
    trustedProxies: readProxies(text('LEI_TRUSTED_PROXIES'), fault),
    anonymousDaily: whole('LEI_ANONYMOUS_DAILY', 0, quotaMax.daily),
    accountDaily: whole('LEI_ACCOUNT_DAILY', 0, quotaMax.daily),
    burstLookup: whole('LEI_BURST_LOOKUP', 0, quotaMax.burst),
    burstSearch: whole('LEI_BURST_SEARCH', 0, quotaMax.burst),
    pagesBurst: whole('LEI_PAGES_BURST', 0, quotaMax.burst),
    limitsMode: choice('LEI_LIMITS', ['enforce', 'shadow', 'off']),
    keepPublications: keptPublications(whole('LEI_KEEP_PUBLICATIONS', 1, 1000), warnings),
    sample: onOff('LEI_SAMPLE'),
    publicationSource: readSource(text('LEI_PUBLICATION_SOURCE'), fault),
    signup: onOff('LEI_SIGNUP'),
    signupLimits: {
      byClient: whole('LEI_SIGNUP_CLIENT_DAILY', 1, signupsPerDayMax),
      byNetwork: whole('LEI_SIGNUP_NETWORK_DAILY', 1, signupsPerDayMax),
      inAll: whole('LEI_SIGNUP_DAILY', 1, signupsPerDayMax),
    },
    licenseNotice: text('LEI_LICENSE_NOTICE'),
    sourceUrl: shown('LEI_SOURCE_URL', url('LEI_SOURCE_URL')),
    contact: readContact(shown('LEI_CONTACT', text('LEI_CONTACT')), fault),
    cursorSecret: readSecret(text('LEI_CURSOR_SECRET'), warnings),
    key: text('LEI_KEY') || null,
    logLevel: choice('LEI_LOG_LEVEL', ['debug', 'info', 'warn', 'error']),
    compression: onOff('LEI_COMPRESSION'),
    maxBadRows: readShare(text('LEI_MAX_BAD_ROWS'), fault),
    goldenCopyUrl: urlStart('LEI_GOLDEN_COPY_URL'),
    mappingUrl: urlStart('LEI_MAPPING_URL'),
    micListUrl: encodedCredentials(url('LEI_MIC_LIST_URL')),
    downloadHosts: readHosts(text('LEI_DOWNLOAD_HOSTS'), fault),
    updateMappings: readMappings(text('LEI_UPDATE_MAPPINGS'), fault),
  });
  return { config, faults, warnings };
}

/** One reader for each form of setting. A fault is recorded, and reading continues. */
function readers(environment: Environment, faults: string[]) {
  const fault = (name: string, value: string, right: string) => {
    faults.push(`${name} is ${JSON.stringify(withoutPerhapsCredentials(value))} but must be ${right}.`);
  };
  const text = (name: Variable, fallback: string = variables[name]) => environment[name]?.trim() || fallback;
  const whole = (name: Variable, min: number, max: number, fallback?: string) => {
    const value = text(name, fallback);
    if (/^\d{1,13}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    fault(name, value, `a whole number from ${min} to ${max}`);
    return Number.NaN;
  };
  const choice = <T extends string>(name: Variable, options: readonly [T, ...T[]]): T => {
    const value = text(name).toLowerCase();
    const chosen = options.find((option) => option === value);
    if (chosen === undefined) fault(name, value, `one of ${options.join(', ')}`);
    return chosen ?? options[0];
  };
  const onOff = (name: Variable) => choice(name, ['on', 'off']) === 'on';
  const url = (name: Variable) => readUrl(name, text(name), fault);
  /** A URL to which the service appends paths. */
  const urlStart = (name: Variable, fallback?: string) => {
    const value = text(name, fallback);
    if (!isHttpUrl(value) || /[?#\s]/.test(value))
      fault(name, value, 'an http(s) URL without query and fragment, since paths are appended to it');
    return encodedCredentials(value).replace(/\/+$/, '');
  };
  const shown = (name: Variable, value: string) => {
    if (hasCredentials(value))
      fault(name, value, 'an http(s) URL without user name and password, since it is public');
    return value;
  };
  return { fault, text, whole, choice, onOff, url, urlStart, shown };
}

/** A refused base URL has no path. */
function publicAddress(baseUrl: string): Pick<Config, 'baseUrl' | 'basePath'> {
  const path = URL.canParse(baseUrl) ? new URL(baseUrl).pathname : '';
  return { baseUrl, basePath: path.replace(/\/+$/, '') };
}

/**
 * Default numbers of fronts and query threads, within what the settings accept; decision 043 has the rule.
 * @param cores that can be used
 */
export function threadsByDefault(cores: number): Pick<Config, 'fronts' | 'workers'> {
  return {
    fronts: cores <= 3 ? 1 : Math.min(cores >> 1, frontsMax),
    workers: Math.min(Math.max(1, cores - 1), workersMax),
  };
}

/** Fronts and query threads. @param whole reads a whole number, or returns the given default */
function threadCounts(
  whole: (name: Variable, min: number, max: number, fallback: string) => number,
): Pick<Config, 'fronts' | 'workers'> {
  const { fronts, workers } = threadsByDefault(availableParallelism());
  return {
    fronts: whole('LEI_FRONTS', 1, frontsMax, String(fronts)),
    workers: whole('LEI_WORKERS', 1, workersMax, String(workers)),
  };
}

/** Returns the default for a wrong host, so that the base URL made of it is not reported as well. */
function readHost(value: string, fault: Fault): string {
  if (isListenHost(value)) return value;
  fault('LEI_HOST', value, 'an IP address or a host name, without scheme, port or path');
  return variables.LEI_HOST;
}

function readPort(environment: Environment, fault: Fault, warnings: string[]): number {
  let name = 'LEI_PORT';
  let value = environment['LEI_PORT']?.trim() ?? '';
  if (value.startsWith('tcp://')) {
    warnings.push(
      `LEI_PORT is ${JSON.stringify(value)}, a value that container platforms inject; it is ignored.`,
    );
    value = '';
  }
  if (value === '') {
    name = 'PORT';
    value = environment['PORT']?.trim() ?? '';
  }
  if (value === '') return Number(variables.LEI_PORT);
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value);
  fault(name, value, 'a port number from 0 to 65535');
  return Number(variables.LEI_PORT);
}

/** Cursors keep reading the previous publication, so a load keeps at least two; `lei prune --keep 1` deletes it. */
function keptPublications(wanted: number, warnings: string[]): number {
  const used = Math.min(Math.max(2, wanted), keptPublicationsMax);
  const warn = (why: string) => warnings.push(`LEI_KEEP_PUBLICATIONS is ${wanted}, but ${why}.`);
  if (wanted < used)
    warn('cursors need the previous publication, so 2 is used; lei prune --keep 1 deletes it');
  if (wanted > used) warn(`a service keeps at most ${used} open and deletes the others, so ${used} is used`);
  return used;
}

function readUrl(name: Variable, value: string, fault: Fault): string {
  if (!isHttpUrl(value)) fault(name, value, 'an http(s) URL');
  return value;
}

function listed(value: string): string[] {
  return value.split(',').flatMap((part) => part.trim() || []);
}

function readProxies(value: string, fault: Fault): readonly string[] {
  const proxies = listed(value);
  for (const proxy of proxies) {
    if (!ipaddr.isValidCIDR(proxy) && !ipaddr.isValid(proxy)) {
      fault('LEI_TRUSTED_PROXIES', proxy, 'addresses or CIDR ranges separated by commas, such as 10.0.0.0/8');
    }
  }
  return proxies;
}

function readContact(value: string, fault: Fault): string | null {
  if (value === '') return null;
  const link = contactLink(value);
  if (link === null) fault('LEI_CONTACT', value, 'an e-mail address or an http(s) URL');
  return link;
}

function readSecret(value: string, warnings: string[]): string | null {
  if (value === '') return null;
  if (value.length < cursorSecretCharacters) {
    const right = `with ${cursorSecretCharacters} or more, chosen at random, nobody can guess it`;
    warnings.push(`LEI_CURSOR_SECRET has only ${value.length} characters; ${right}.`);
  }
  return value;
}

function readShare(value: string, fault: Fault): number {
  const share = Number(value);
  if (/^\d*\.?\d+(e-?\d+)?$/i.test(value) && share >= 0 && share <= 1) return share;
  fault('LEI_MAX_BAD_ROWS', value, 'a share from 0 to 1');
  return 0;
}

/** As in a URL: lower-case, international names encoded, IPv6 addresses in brackets. */
function readHosts(value: string, fault: Fault): readonly string[] {
  const hosts = listed(value);
  for (const host of hosts) {
    const right = 'host names or addresses separated by commas, without scheme and port';
    if (!isHost(host)) fault('LEI_DOWNLOAD_HOSTS', host, right);
  }
  return hosts.filter(isHost).map((host) => new URL(`http://${hostInUrl(host)}`).hostname);
}

function isHost(value: string): boolean {
  const isName = !/[/:@?#\s\\]/.test(value) && URL.canParse(`http://${value}`);
  return isName || ipaddr.isValid(value);
}

/** `none` for no mappings at all. */
function readMappings(value: string, fault: Fault): readonly MappingName[] {
  const wanted = value === 'none' ? [] : value.split(',').map((part) => part.trim());
  const odd = wanted.find((name) => !mappingNames.some((known) => known === name));
  if (odd !== undefined) {
    fault(
      'LEI_UPDATE_MAPPINGS',
      odd,
      `none, or one or more of ${mappingNames.join(', ')}, separated by commas`,
    );
  }
  return mappingNames.filter((known) => wanted.includes(known));
}

function unknownVariables(environment: Environment): string[] {
  const known = Object.keys(variables);
  return Object.keys(environment)
    .filter((name) => name.startsWith('LEI_') && !known.includes(name))
    .map((name) => `${name} is not a setting of this service; did you mean ${nearest(name, known)}?`);
}

function nearest(name: string, known: readonly string[]): string {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? 'LEI_PORT';
}

/** Levenshtein distance of two short names. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
