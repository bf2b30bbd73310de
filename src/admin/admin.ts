/** Answers at the admin address: `/livez`, `/readyz` and `/metrics`. */
import { beatsOf, type MetricsMemory } from '../metrics/blocks.ts';
import { processReadings } from '../metrics/process-readings.ts';
import { metricsContentType, metricsText } from '../metrics/text.ts';
import type { AdminAddress } from '../operations-settings.ts';
import { livePage, readyPage } from './health.ts';
import { type ServiceFacts, serviceReadings } from './readings.ts';
import { type AdminPages, type AdminServer, startAdminServer } from './server.ts';

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
    ['/readyz', () => readyPage(unready())],
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
