/**
 * The one door to OpenTelemetry: makes spans of requests and sends them by OTLP over HTTP. Its packages read the
 * settings of the exporter (endpoint, headers, timeout, compression) and of the resource from the environment
 * themselves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer as Spans,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { reasonOf } from '../errors.ts';
import type { CollectorWatch, RequestSeen, RequestTrace, Tracer } from '../ports/observer.ts';
import type { SamplerName, TraceSettings } from '../settings/traces.ts';

const name = 'lei-service';

/** A stop does not wait longer for a collector that does not answer; its last spans are lost. */
const stopTimeoutMs = 2_000;

export function createTracer(
  { protocol, sampler, share, delayMs }: TraceSettings,
  version: string,
  watch: CollectorWatch,
): Tracer {
  const exporter = telling(protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter(), watch);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: samplers[sampler](share),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  });
  const spans = provider.getTracer(name, version);
  return {
    begin: (request, startedAt) => begin(spans, request, startedAt),
    stop: () => Promise.race([provider.shutdown().catch(() => undefined), pause(stopTimeoutMs)]),
  };
}

/** Passes spans on, and tells when the collector stops taking them and when it takes them again. */
function telling(exporter: SpanExporter, watch: CollectorWatch): SpanExporter {
  let areLost = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code === ExportResultCode.FAILED;
        if (failed !== areLost) watch(failed ? reasonOf(result.error) : null);
        areLost = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

const samplers: Readonly<Record<SamplerName, (share: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (share) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
};

/** Reads `traceparent` and `tracestate`. */
const traceContext = new W3CTraceContextPropagator();
const fromHeaders = {
  get: (headers: Headers, key: string) => headers.get(key) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

function begin(spans: Spans, request: Request, startedAt: number): RequestTrace | null {
  const parent = traceContext.extract(ROOT_CONTEXT, request.headers, fromHeaders);
  const span = spans.startSpan('request', { kind: SpanKind.SERVER, startTime: epoch(startedAt) }, parent);
  return span.isRecording() ? sampledRequest(spans, span, trace.setSpan(parent, span)) : null;
}

/** Spans need epoch times. */
function epoch(moment: number): number {
  return performance.timeOrigin + moment;
}

function sampledRequest(spans: Spans, span: Span, context: Context): RequestTrace {
  /** When the last question was answered and making the response began. */
  let madeFrom: number | null = null;
  const child = (spanName: string, from: number, to: number, kind?: string) => {
    const attributes = kind === undefined ? {} : { 'lei.question': kind };
    spans.startSpan(spanName, { startTime: epoch(from), attributes }, context).end(epoch(to));
  };
  return {
    traceId: span.spanContext().traceId,
    question(kind, askedAt, answeredAt, answerMs) {
      const begunAt = Math.max(askedAt, answeredAt - answerMs);
      child('wait', askedAt, begunAt, kind);
      child('query', begunAt, answeredAt, kind);
      madeFrom = answeredAt;
    },
    end(seen) {
      const now = performance.now();
      if (madeFrom !== null) child('render', madeFrom, now);
      span.setAttributes(attributesOf(seen));
      // A 4xx is not an error of the server (OpenTelemetry's conventions).
      if (seen.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(epoch(now));
    },
  };
}

/**
 * Uses the names of OpenTelemetry's conventions where they exist. Leaves out all texts of the caller, which may contain
 * a key.
 */
function attributesOf({ method, route, status, operation, caller, datasetVersion, bytes }: RequestSeen) {
  return {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'http.response.body.size': bytes,
    'lei.operation': operation,
    ...(caller === null ? {} : { 'lei.caller': caller }),
    ...(datasetVersion === null ? {} : { 'lei.dataset_version': datasetVersion }),
  };
}
