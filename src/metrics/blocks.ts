/**
 * Defines the metrics that threads count themselves, and allocates the memory that they count in: one block each, in
 * one SharedArrayBuffer. A cell of a block is a 64-bit float with one writer, its thread, so counting is a plain
 * addition. The main thread adds the blocks up on request.
 */

/** Upper bounds of every histogram's buckets, in seconds. */
export const bucketBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** A histogram's cells: a bucket for each bound, one for everything above, then the sum in seconds. */
export const histogramCells = bucketBounds.length + 2;
export const sumCell = histogramCells - 1;

/** Each status has its own cell, so that no answer is left out; those that never occurred are not shown. */
export const statusMin = 100;
const statusMax = 599;
export const statusCount = statusMax - statusMin + 1;

export type MetricType = 'counter' | 'gauge' | 'histogram';

interface Label {
  readonly name: string;
  readonly values: readonly string[];
}

interface SampleRules {
  /** Whether each thread has its own sample, under the label `thread`, instead of one for their sum. */
  readonly perThread?: boolean;
  /** Whether samples at zero are left out. */
  readonly sparse?: boolean;
}

export interface MetricFamily extends SampleRules {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  /** The cells follow the order of the values, the last label's changing fastest. */
  readonly labels: readonly Label[];
  /** The first cell in a block, and how many there are. */
  readonly offset: number;
  readonly cells: number;
}

/** The possible labels, fixed at the start: no label takes a value from a caller. */
export interface LabelNames {
  /** Operation ids, then the names for pages and for unknown addresses. */
  readonly operations: readonly string[];
  /** Kinds of questions to query threads. */
  readonly kinds: readonly string[];
}

/** The label of a request to an operation that is not listed. */
export const otherOperation = 'unknown';
export const policies = ['daily', 'lookup', 'search', 'pages'] as const;
export const outcomes = ['ok', 'failed'] as const;
export const roles = ['front', 'query'] as const;

/** The families, and how many cells a block has for them. */
function createFamilies({ operations, kinds }: LabelNames) {
  const { counter, gauge, histogram, cells } = allotment();
  const operation = { name: 'operation', values: operations };
  const statuses = Array.from({ length: statusCount }, (_, index) => String(statusMin + index));
  const kind = { name: 'kind', values: kinds };
  const outcome = { name: 'outcome', values: outcomes };
  const families = {
    requests: counter(
      'lei_http_requests_total',
      'Requests answered, by operation and status.',
      [operation, { name: 'status', values: statuses }],
      { sparse: true },
    ),
    requestSeconds: histogram(
      'lei_http_request_duration_seconds',
      'Time from the arrival of a request to its answer.',
      [operation],
    ),
    inFlight: gauge('lei_http_requests_in_flight', 'Requests without an answer yet.'),
    limited: counter('lei_rate_limited_total', 'Requests refused with 429, by the quota they exceed.', [
      { name: 'policy', values: policies },
    ]),
    unauthorized: counter('lei_unauthorized_total', 'Requests refused with 401.'),
    answerSeconds: histogram('lei_query_duration_seconds', 'Time that a query thread spent on an answer.', [
      kind,
    ]),
    waitSeconds: histogram('lei_query_wait_seconds', 'Time that a question waited for a query thread.', [
      kind,
    ]),
    queue: gauge('lei_query_queue_length', 'Questions that no query thread has answered yet.'),
    lag: gauge(
      'lei_event_loop_lag_seconds',
      'How late the event loop of a thread ran a timer: the worst of the last 15 seconds.',
      [],
      { perThread: true },
    ),
    restarts: counter('lei_thread_restarts_total', 'Threads that ended by themselves and were replaced.', [
      { name: 'role', values: roles },
    ]),
    swaps: counter('lei_swaps_total', 'Swaps to another publication.', [outcome]),
    loads: counter('lei_loads_total', 'Loads that reported to the service, by outcome.', [outcome]),
  };
  return { families, cells: cells() };
}

/** Assigns each family its cells, one after the other. */
function allotment() {
  let next = 0;
  const allot =
    (type: MetricType) =>
    (name: string, help: string, labels: readonly Label[] = [], shown: SampleRules = {}): MetricFamily => {
      const width = type === 'histogram' ? histogramCells : 1;
      const cells = labels.reduce((product, { values }) => product * values.length, width);
      const offset = next;
      next += cells;
      return { name, help, type, labels, ...shown, offset, cells };
    };
  return {
    counter: allot('counter'),
    gauge: allot('gauge'),
    histogram: allot('histogram'),
    cells: () => next,
  };
}

/** The distance in bytes between blocks, so that no two threads share a cache line. */
const gapBytes = 128;
const cellBytes = Float64Array.BYTES_PER_ELEMENT;

/** The counters of a thread, as plain data that crosses to a worker. */
export interface MetricsMemory {
  readonly memory: SharedArrayBuffer;
  readonly names: LabelNames;
  /** The threads, in the order of the blocks. */
  readonly threads: readonly string[];
}

export interface MetricsBlock {
  readonly families: ReturnType<typeof createFamilies>['families'];
  readonly cells: Float64Array;
  /** Epoch milliseconds of the thread's last sign of life, in a separate cell; 0 before the first. */
  readonly beat: Float64Array;
}

export function createMetricsMemory(names: LabelNames, threads: readonly string[]): MetricsMemory {
  const bytes = threads.length * strideOf(createFamilies(names).cells);
  return { memory: new SharedArrayBuffer(bytes), names, threads };
}

/** Bytes from one block to the next: a block contains the cells of the families, then the heartbeat. */
function strideOf(cells: number): number {
  const bytes = (cells + 1) * cellBytes;
  return Math.ceil((bytes + gapBytes) / gapBytes) * gapBytes;
}

/** @param thread one of those that the memory was made for */
export function blockOf({ memory, names, threads }: MetricsMemory, thread: string): MetricsBlock {
  const index = threads.indexOf(thread);
  if (index < 0) throw new Error(`There is no block for the thread ${thread}.`);
  const { families, cells } = createFamilies(names);
  const start = index * strideOf(cells);
  return {
    families,
    cells: new Float64Array(memory, start, cells),
    beat: new Float64Array(memory, start + cells * cellBytes, 1),
  };
}

/** Resets the gauges of a thread that has ended: its requests have ended with it. */
export function clearGauges({ families, cells }: MetricsBlock): void {
  for (const { offset } of [families.inFlight, families.queue, families.lag]) cells[offset] = 0;
}

/** The last sign of life of each thread that has given one, epoch milliseconds. */
export function beatsOf(memory: MetricsMemory): readonly { readonly thread: string; readonly at: number }[] {
  return memory.threads
    .map((thread) => ({ thread, at: blockOf(memory, thread).beat[0] ?? 0 }))
    .filter(({ at }) => at > 0);
}
