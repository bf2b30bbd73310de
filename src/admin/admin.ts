/** Answers at the admin address: `/livez` (is the service alive), `/readyz` (is it ready) and `/metrics`. */
import { beatsOf, type MetricsMemory } from '../metrics/blocks.ts';
import { processReadings } from '../metrics/process-readings.ts';
import { metricsContentType, metricsText } from '../metrics/text.ts';
import type { AdminAddress } from '../operations-settings.ts';
import { type ServiceFacts, serviceReadings } from './readings.ts';
import { type AdminPage, type AdminPages, type AdminServer, plainText, startAdminServer } from './server.ts';

interface AdminParts {
  readonly address: AdminAddress;
  readonly memory: MetricsMemory;
  /** Updates the main thread's own figures. */
  readonly beat: () => void;
  /** Why the service should get no requests; empty if it should get them. */
  readonly unready: () => readonly string[];
  readonly facts: () => ServiceFacts;
  /** When the process started, epoch milliseconds. */
  readonly startedAt: number;
}

export function startAdmin(parts: AdminParts): Promise<AdminServer> {
  const { memory, beat, unready, facts, startedAt } = parts;
  const pages: AdminPages = new Map([
    ['/livez', () => livePage(beatsOf(memory), Date.now())],
    ['/readyz', () => probePage(unready())],
    [
      '/metrics',
      () => {
        beat();
        const readings = [...serviceReadings(facts()), ...processReadings(startedAt)];
        return { status: 200, contentType: metricsContentType, body: metricsText(memory, readings) };
      },
    ],
  ]);
  return startAdminServer(parts.address, pages);
}

/** A thread without a sign of life for this long is stuck. */
const beatMsMax = 5_000;

interface Beat {
  readonly thread: string;
  /** The last sign of life, epoch milliseconds. */
  readonly at: number;
}

/** A line for each thread that is stuck. */
export function livePage(beats: readonly Beat[], now: number): AdminPage {
  return probePage(
    beats
      .filter(({ at }) => now - at > beatMsMax)
      .map(({ thread, at }) => `${thread}: no answer for ${((now - at) / 1_000).toFixed(1)} s`),
  );
}

/** 200 `ok`, or 503 with a line for each fault. */
export function probePage(faults: readonly string[]): AdminPage {
  const healthy = faults.length === 0;
  const lines = healthy ? ['ok'] : faults;
  return { status: healthy ? 200 : 503, contentType: plainText, body: `${lines.join('\n')}\n` };
}
