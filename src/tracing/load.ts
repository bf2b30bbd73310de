/** Loads OpenTelemetry, which takes time and memory, only if traces are configured. */

import type { CollectorWatch, Tracer } from '../ports/observer.ts';
import type { TraceSettings } from '../settings/traces.ts';

export async function loadTracer(
  settings: TraceSettings | null,
  version: string,
  watch: CollectorWatch,
): Promise<Tracer | null> {
  if (settings === null) return null;
  const { createTracer } = await import('./opentelemetry.ts');
  return createTracer(settings, version, watch);
}
