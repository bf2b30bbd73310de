/** Reads the settings for operating the service: admin address, request log, TLS, traces, fleet. */
import { hostname } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { isHttpUrl, storeUrl } from './urls.ts';

/** Describes the value of a setting and what it must be. */
export type Fault = (name: string, value: string, right: string) => void;

/** The bounds of LEI_KEEP_ALIVE_SECONDS; the server can't wait longer. */
const keepAliveSecondsBounds = { min: 1, max: 240 } as const;
const drainSecondsMax = 3_600;

export interface OperationsSettings {
  readonly logRequests: RequestLogRule;
  /** Null for no admin server. */
  readonly admin: AdminAddress | null;
  /** Null for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Null if no traces are sent. */
  readonly traces: TraceSettings | null;
  /** The minimum time that an idle connection stays open. */
  readonly keepAliveSeconds: number;
  /** How long the service keeps accepting once it is told to stop. */
  readonly drainSeconds: number;
  /**
   * The store of a fleet's accounts, counts and secrets, as a URL that may contain a password; null for this data
   * folder.
   */
  readonly sharedState: string | null;
  /** What a node admits while the shared state is away: its share of each limit, or all of it. */
  readonly sharedDown: 'share' | 'full';
  /** The name of this node in its fleet. */
  readonly node: string;
}

/** The address of the admin server. */
export type AdminAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string };

/** Which requests are logged. */
export interface RequestLogRule {
  readonly all: boolean;
  /** 4xx except 404 and 429, and 5xx. */
  readonly errors: boolean;
  /** Requests that take at least this many milliseconds; Infinity for none. */
  readonly slowMs: number;
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** OpenTelemetry's own settings that this service reads. Its packages read the others. */
export interface TraceSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: SamplerName;
  /** For samplers by ratio, 0 to 1. */
  readonly share: number;
  /** How long spans are collected before they are sent. */
  readonly delayMs: number;
}

type Variable =
  | 'LEI_LOG_REQUESTS'
  | 'LEI_ADMIN'
  | 'LEI_TLS_CERT'
  | 'LEI_TLS_KEY'
  | 'LEI_KEEP_ALIVE_SECONDS'
  | 'LEI_DRAIN_SECONDS'
  | 'LEI_SHARED_STATE'
  | 'LEI_SHARED_DOWN'
  | 'LEI_NODE';

interface Reader {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The port of the service. */
  readonly port: number;
  /** The value of a setting, or its default. */
  readonly text: (name: Variable, fallback?: string) => string;
  readonly whole: (name: Variable, min: number, max: number) => number;
  readonly choice: <T extends string>(name: Variable, options: readonly [T, ...T[]]) => T;
  readonly fault: Fault;
  readonly faults: string[];
}

export function readOperationsSettings(reader: Reader): OperationsSettings {
  const { environment, port, text, whole, choice, fault, faults } = reader;
  const { min, max } = keepAliveSecondsBounds;
  const admin = readAdminAddress(text('LEI_ADMIN'), fault);
  refuseSharedPort(admin, port, faults);
  return {
    logRequests: readRequestLog(text('LEI_LOG_REQUESTS'), fault),
    admin,
    tls: readTlsFiles(text('LEI_TLS_CERT'), text('LEI_TLS_KEY'), faults),
    traces: readTraceSettings(environment, fault),
    keepAliveSeconds: whole('LEI_KEEP_ALIVE_SECONDS', min, max),
    drainSeconds: whole('LEI_DRAIN_SECONDS', 0, drainSecondsMax),
    sharedState: readSharedState(text('LEI_SHARED_STATE'), fault),
    sharedDown: choice('LEI_SHARED_DOWN', ['share', 'full']),
    node: readNodeName(text('LEI_NODE', hostNodeName()), fault),
  };
}

/** A host that a server may listen on: a name or an address, without brackets. */
export function isListenHost(value: string): boolean {
  const isName = /^[\w.-]+$/.test(value) && URL.canParse(`http://${value}`);
  return isName || ipaddr.isValid(value);
}

/** A service that listens on all addresses does not know which one clients use. */
export function unreachableHost(host: string, shown: string): string[] {
  if (!ipaddr.isValid(host) || ipaddr.parse(host).range() !== 'unspecified') return [];
  return [
    `LEI_HOST is ${JSON.stringify(host)}, so links and problem types show ${shown}, which no client can use: set LEI_BASE_URL to the public address.`,
  ];
}

/** Null for an empty text: no admin server. */
function readAdminAddress(value: string, fault: Fault): AdminAddress | null {
  if (value === '') return null;
  const right =
    'host:port, such as 127.0.0.1:9090 or [::1]:9090, or the path of a socket, such as /run/lei/admin.sock';
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]*)\]|([^/:]*)):(\d{1,5})$/.exec(value) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && isListenHost(host) && Number(digits) <= 65_535)
    return { kind: 'tcp', host, port: Number(digits) };
  if (value.includes('/') && !value.endsWith('/') && !value.includes('://'))
    return { kind: 'socket', path: isAbsolute(value) ? value : resolve(value) };
  fault('LEI_ADMIN', value, right);
  return null;
}

/** Metrics are for the operator only. Port 0 gives each server a different one. */
function refuseSharedPort(admin: AdminAddress | null, port: number, faults: string[]): void {
  if (admin?.kind !== 'tcp' || admin.port === 0 || admin.port !== port) return;
  faults.push(
    `LEI_ADMIN has the same port as LEI_PORT (${port}) but must have another, since the admin address must not be public.`,
  );
}

const logWords = 'all, errors, slow:MS (such as slow:1000) or off, or several of them separated by commas';

function readRequestLog(value: string, fault: Fault): RequestLogRule {
  const words = value.split(',').map((word) => word.trim().toLowerCase());
  const slow = words.map((word) => /^slow:(\d{1,9})$/.exec(word)?.[1]).filter((ms) => ms !== undefined);
  const known = words.every((word) => ['all', 'errors', 'off'].includes(word) || /^slow:\d{1,9}$/.test(word));
  if (!known) fault('LEI_LOG_REQUESTS', value, logWords);
  else if (words.includes('off') && words.length > 1)
    fault('LEI_LOG_REQUESTS', value, 'either off alone or a list without off');
  return {
    all: words.includes('all'),
    errors: words.includes('errors'),
    slowMs: Math.min(Number.POSITIVE_INFINITY, ...slow.map(Number)),
  };
}

/** Both or neither must be set. */
function readTlsFiles(certificate: string, key: string, faults: string[]): TlsFiles | null {
  if (certificate === '' && key === '') return null;
  if (certificate === '' || key === '') {
    const [set, missing] =
      certificate === '' ? ['LEI_TLS_KEY', 'LEI_TLS_CERT'] : ['LEI_TLS_CERT', 'LEI_TLS_KEY'];
    faults.push(`${set} is set but ${missing} is not: HTTPS needs both PEM files, HTTP neither.`);
    return null;
  }
  return { certificate: resolve(certificate), key: resolve(key) };
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** OpenTelemetry's defaults. */
const traceDefaults = { sampler: 'parentbased_always_on', share: '1', delayMs: '5000' } as const;
const traceDelayMsMax = 600_000;

/** Null if no endpoint is set: then nothing of OpenTelemetry is loaded. */
function readTraceSettings(
  environment: Readonly<Record<string, string | undefined>>,
  fault: Fault,
): TraceSettings | null {
  const text = (name: string) => environment[name]?.trim() ?? '';
  const ownName = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '';
  const name = ownName ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  if (text(name) === '' || text('OTEL_SDK_DISABLED').toLowerCase() === 'true') return null;
  if (!isHttpUrl(text(name))) fault(name, text(name), 'an http(s) URL, such as http://127.0.0.1:4318');
  return {
    protocol: readProtocol(text, fault),
    sampler: readSampler(text('OTEL_TRACES_SAMPLER') || traceDefaults.sampler, fault),
    share: readShareOf(text('OTEL_TRACES_SAMPLER_ARG') || traceDefaults.share, fault),
    delayMs: readDelay(text('OTEL_BSP_SCHEDULE_DELAY') || traceDefaults.delayMs, fault),
  };
}

function readSampler(value: string, fault: Fault): SamplerName {
  const known = samplers.find((each) => each === value);
  if (known === undefined) fault('OTEL_TRACES_SAMPLER', value, `one of ${samplers.join(', ')}`);
  return known ?? traceDefaults.sampler;
}

function readShareOf(value: string, fault: Fault): number {
  const share = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(share <= 1)) fault('OTEL_TRACES_SAMPLER_ARG', value, 'a share from 0 to 1');
  return share;
}

function readDelay(value: string, fault: Fault): number {
  const delay = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(delay <= traceDelayMsMax))
    fault('OTEL_BSP_SCHEDULE_DELAY', value, `milliseconds from 0 to ${traceDelayMsMax}`);
  return delay;
}

function readProtocol(text: (name: string) => string, fault: Fault): TraceSettings['protocol'] {
  const own = text('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL');
  const name = own === '' ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  const value = text(name) || 'http/protobuf';
  if (value === 'http/protobuf' || value === 'http/json') return value;
  fault(name, value, 'http/protobuf or http/json');
  return 'http/protobuf';
}

/** Messages show only the scheme of a wrong address: the rest may be a password. */
export function readSource(value: string, fault: Fault): string | null {
  if (value === '') return null;
  if (storeUrl(value) === null) {
    const scheme = URL.parse(value)?.protocol;
    fault(
      'LEI_PUBLICATION_SOURCE',
      scheme === undefined ? value : `${scheme}…`,
      'file:///folder, https://host/folder/ or s3://bucket/prefix',
    );
  }
  return value;
}

/** Messages show only the scheme of a wrong address, as above. */
function readSharedState(value: string, fault: Fault): string | null {
  if (value === '') return null;
  if (!isSharedStateUrl(value)) {
    fault(
      'LEI_SHARED_STATE',
      `${URL.parse(value)?.protocol ?? ''}…`,
      'redis://host:6379/0, or rediss://user:password@host:6379/0 for TLS, with special characters of the password percent-encoded',
    );
  }
  return value;
}

/** Whether a text is the address of a Redis or Valkey server, optionally followed by the number of a database. */
export function isSharedStateUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return false;
  const plain = /^\/?\d{0,5}$/.test(url.pathname) && url.search === '' && url.hash === '';
  return plain && isDecodable(url.username) && isDecodable(url.password);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The host's name, without characters that a node's name must not contain. */
function hostNodeName(): string {
  return hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 64);
}

function readNodeName(value: string, fault: Fault): string {
  if (!/^[\w.-]{1,64}$/.test(value))
    fault('LEI_NODE', value, '1 to 64 letters, digits, dots, hyphens and underscores');
  return value;
}
