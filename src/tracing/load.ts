/** Loads OpenTelemetry, which takes time and memory, only if traces are configured. */
import type { TraceSettings } from '../operations-settings.ts';
import type { Tracer } from '../ports/tracer.ts';

export async function loadTracer(settings: TraceSettings | null, version: string): Promise<Tracer | null> {
  if (settings === null) return null;
  const { createTracer } = await import('./opentelemetry.ts');
  return createTracer(settings, version);
}
