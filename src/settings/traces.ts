/** Reads OpenTelemetry's own variables, as far as this service reads them. Its packages read the others. */
import { isHttpUrl } from '../urls.ts';
import { type Findings, type Remarks, remarksOn, share } from './values.ts';

export interface TraceSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: SamplerName;
  /** For samplers by ratio, 0 to 1. */
  readonly share: number;
  /** How long spans are collected before they are sent. */
  readonly delayMs: number;
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
export function readTraceSettings(
  environment: Readonly<Record<string, string | undefined>>,
  findings: Findings,
): TraceSettings | null {
  const text = (name: string) => environment[name]?.trim() ?? '';
  const read = <Value>(
    name: string,
    standard: string,
    reader: (value: string, remarks: Remarks) => Value,
  ) => {
    const value = text(name) || standard;
    return reader(value, remarksOn(name, value, findings));
  };
  const own = (name: string) => (text(`OTEL_EXPORTER_OTLP_TRACES_${name}`) === '' ? '' : 'TRACES_');
  const endpoint = `OTEL_EXPORTER_OTLP_${own('ENDPOINT')}ENDPOINT`;
  if (text(endpoint) === '' || text('OTEL_SDK_DISABLED').toLowerCase() === 'true') return null;
  read(endpoint, '', checkEndpoint);
  return {
    protocol: read(`OTEL_EXPORTER_OTLP_${own('PROTOCOL')}PROTOCOL`, 'http/protobuf', readProtocol),
    sampler: read('OTEL_TRACES_SAMPLER', traceDefaults.sampler, readSampler),
    share: read('OTEL_TRACES_SAMPLER_ARG', traceDefaults.share, share),
    delayMs: read('OTEL_BSP_SCHEDULE_DELAY', traceDefaults.delayMs, readDelay),
  };
}

function checkEndpoint(value: string, { fault }: Remarks): void {
  if (!isHttpUrl(value)) fault('an http(s) URL, such as http://127.0.0.1:4318');
}

function readProtocol(value: string, { fault }: Remarks): TraceSettings['protocol'] {
  if (value === 'http/protobuf' || value === 'http/json') return value;
  fault('http/protobuf or http/json');
  return 'http/protobuf';
}

function readSampler(value: string, { fault }: Remarks): SamplerName {
  const known = samplers.find((each) => each === value);
  if (known === undefined) fault(`one of ${samplers.join(', ')}`);
  return known ?? traceDefaults.sampler;
}

function readDelay(value: string, { fault }: Remarks): number {
  const delay = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(delay <= traceDelayMsMax)) fault(`milliseconds from 0 to ${traceDelayMsMax}`);
  return delay;
}
