/** Defines the metrics that are read on request, from the service and from its process. */
import { readdirSync, readFileSync } from 'node:fs';
import { counter, gauge, type MetricReading } from '../../metrics/text.ts';
import type { FollowingFacts, StoreFacts } from '../../ports/fleet.ts';

/** The service's own figures at this moment. Times are epoch milliseconds; null if there is none. */
export interface ServiceFacts {
  readonly version: string;
  readonly ready: boolean;
  readonly publication: {
    readonly id: string;
    readonly sourcePublishedAt: number;
    readonly activatedAt: number;
    readonly companies: number;
    readonly bytes: number;
  } | null;
  /** Publications found damaged. */
  readonly damagedPublications: number;
  /** Bytes that the service may still write to the disk of the data folder; null while it starts. */
  readonly diskFreeBytes: number | null;
  /** When every byte of the active publication was last found to be the sealed one. */
  readonly checkedAt: number | null;
  /** How many threads of each role run. */
  readonly threads: Readonly<Record<string, number>>;
  readonly updatedAt: number | null;
  /** Callers that requests are counted for. */
  readonly ledgerCallers: number;
  readonly ledgerSavedAt: number | null;
  /** Time at which the HTTPS certificate expires. */
  readonly certificateEndsAt: number | null;
  /** The store that the nodes of a fleet share; null if there is none. */
  readonly store: StoreFacts | null;
  /** The followed announcement; null if none is followed. */
  readonly following: FollowingFacts | null;
}

/** 0 means that the moment has not come, as in Prometheus' own metrics. */
export function serviceReadings(facts: ServiceFacts): readonly MetricReading[] {
  const { version, publication, threads } = facts;
  const build = { version, bun: Bun.version };
  return [
    gauge('lei_build_info', 'The running version; always 1.', [{ labels: build, value: 1 }]),
    gauge('lei_ready', 'Whether /readyz answers 200.', Number(facts.ready)),
    ...publicationReadings(publication),
    gauge(
      'lei_publications_damaged',
      'Publications found damaged while they were served, until they are deleted or activated again.',
      facts.damagedPublications,
    ),
    moment(
      'lei_publication_checked',
      'Time at which every byte of the active publication was last found to be the sealed one.',
      facts.checkedAt,
    ),
    ...diskReadings(facts),
    gauge('lei_threads', 'Running threads, by role.', by('role', threads)),
    moment('lei_update_last_success', 'Time of the last successful lei update.', facts.updatedAt),
    gauge('lei_ledger_callers', 'Callers whose requests are counted.', facts.ledgerCallers),
    moment('lei_ledger_saved', 'Time at which the counts were last saved.', facts.ledgerSavedAt),
    moment('lei_certificate_end', 'Time at which the HTTPS certificate expires.', facts.certificateEndsAt),
    ...(facts.store === null ? [] : storeReadings(facts.store)),
    ...(facts.following === null ? [] : followingReadings(facts.following)),
  ];
}

function diskReadings({ diskFreeBytes }: Pick<ServiceFacts, 'diskFreeBytes'>): readonly MetricReading[] {
  if (diskFreeBytes === null) return [];
  return [gauge('lei_disk_free_bytes', 'Free space on the disk of the data folder.', diskFreeBytes)];
}

function storeReadings(facts: StoreFacts): readonly MetricReading[] {
  const { lost, nodes, calls, failedCalls, callSeconds, requests, refusedFromMemory } = facts;
  return [
    gauge('lei_shared_state_up', 'Whether this node reaches the shared state.', lost === null ? 1 : 0),
    gauge('lei_shared_state_nodes', 'Nodes seen last, including this one.', nodes),
    counter(
      'lei_shared_state_calls_total',
      'Calls to the shared state that count requests, by outcome.',
      by('outcome', { answered: calls, failed: failedCalls }),
    ),
    counter('lei_shared_state_call_seconds_total', 'Total time of the answered calls.', callSeconds),
    counter(
      'lei_shared_state_requests_total',
      'Requests in the answered calls, including refunds.',
      requests,
    ),
    counter(
      'lei_shared_state_refused_from_memory_total',
      'Requests refused without a call, since the shared state had just refused the caller.',
      refusedFromMemory,
    ),
    counter(
      'lei_shared_state_decided_alone_total',
      'Requests that this node decided while the shared state was unavailable.',
      by('outcome', { admitted: facts.admittedAlone, refused: facts.refusedAlone }),
    ),
  ];
}

function followingReadings(following: FollowingFacts): readonly MetricReading[] {
  const { generation, readAt, behindSince, fetchedAt, fetchedBytes, fetches } = following;
  const behindSeconds = behindSince === null ? 0 : (Date.now() - behindSince) / 1_000;
  return [
    gauge(
      'lei_announcement_generation',
      'The generation of the announcement that is known here.',
      generation,
    ),
    moment('lei_announcement_read', 'Time at which the announcement was last read.', readAt),
    gauge(
      'lei_announcement_behind_seconds',
      'Seconds for which the announced publication has not been the served one; 0 while it is served.',
      behindSeconds,
    ),
    moment('lei_fetch_last_success', 'Time of the last fetch of a publication.', fetchedAt),
    counter(
      'lei_fetched_bytes_total',
      'Bytes of publications fetched, in their compressed form.',
      fetchedBytes,
    ),
    counter(
      'lei_fetches_total',
      'Fetches of publications, by outcome.',
      by('outcome', { ok: fetches.ok, failed: fetches.failed }),
    ),
  ];
}

function publicationReadings(publication: ServiceFacts['publication']): readonly MetricReading[] {
  const named = publication === null ? [] : [{ labels: { dataset_version: publication.id }, value: 1 }];
  return [
    gauge('lei_publication_info', 'The active publication; always 1.', named),
    moment(
      'lei_publication_source',
      'Time at which the data of the active publication was published.',
      publication?.sourcePublishedAt ?? null,
    ),
    moment(
      'lei_publication_activated',
      'Time at which the active publication was activated here.',
      publication?.activatedAt ?? null,
    ),
    gauge('lei_publication_companies', 'Companies in the active publication.', publication?.companies ?? 0),
    gauge('lei_publication_bytes', 'Size of the active publication on the disk.', publication?.bytes ?? 0),
  ];
}

/** A sample for each value of a label. */
function by(label: string, values: Readonly<Record<string, number>>) {
  return Object.entries(values).map(([value, number]) => ({ labels: { [label]: value }, value: number }));
}

function moment(name: string, help: string, at: number | null): MetricReading {
  return gauge(`${name}_timestamp_seconds`, help, (at ?? 0) / 1_000);
}

/**
 * The names are those of the Prometheus client libraries. Only Linux provides all of the figures.
 * @param startedAt epoch milliseconds
 */
export function processReadings(startedAt: number): readonly MetricReading[] {
  const { user, system } = process.cpuUsage();
  const readings = [
    counter('process_cpu_seconds_total', 'User and system CPU time spent.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory size.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'Start time since the Unix epoch.', startedAt / 1_000),
    gauge('process_virtual_memory_bytes', 'Virtual memory size.', virtualBytes()),
    gauge('process_open_fds', 'Open file descriptors.', openDescriptors()),
    gauge('process_max_fds', 'Maximum number of open file descriptors.', descriptorsMax()),
  ];
  return readings.filter(({ samples }) => samples.length > 0);
}

function virtualBytes(): number | null {
  const kibibytes = /^VmSize:\s+(\d+)/m.exec(tryRead('/proc/self/status'))?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
}

function descriptorsMax(): number | null {
  const value = /^Max open files\s+(\d+)/m.exec(tryRead('/proc/self/limits'))?.[1];
  return value === undefined ? null : Number(value);
}

function openDescriptors(): number | null {
  try {
    // Without the one that reads the folder.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}

function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
