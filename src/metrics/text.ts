/** Writes metrics in Prometheus' text format, version 0.0.4. */
import {
  blockOf,
  bucketBounds,
  histogramCells,
  type MetricFamily,
  type MetricsBlock,
  type MetricsMemory,
  type MetricType,
  sumCell,
} from './blocks.ts';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** A metric that is read when somebody requests the metrics. */
export interface MetricReading {
  readonly name: string;
  readonly help: string;
  readonly type: Exclude<MetricType, 'histogram'>;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a reading. A number is the one sample; null is none. */
type SampleList = readonly Sample[] | number | null;

export function counter(name: string, help: string, samples: SampleList): MetricReading {
  return { name, help, type: 'counter', samples: listed(samples) };
}

export function gauge(name: string, help: string, samples: SampleList): MetricReading {
  return { name, help, type: 'gauge', samples: listed(samples) };
}

function listed(samples: SampleList): readonly Sample[] {
  if (samples === null) return [];
  return typeof samples === 'number' ? [{ value: samples }] : samples;
}

/** The metrics of all threads, and those read now. */
export function metricsText(memory: MetricsMemory, readings: readonly MetricReading[]): string {
  return [...threadLines(memory), ...readings.flatMap(readingLines), ''].join('\n');
}

function threadLines(memory: MetricsMemory): string[] {
  const blocks = memory.threads.map((thread) => blockOf(memory, thread));
  return Object.values(blocks[0]?.families ?? {}).flatMap((family) => [
    ...head(family),
    ...(family.perThread
      ? perThread(family, memory.threads, blocks)
      : samplesOf(family, summed(family, blocks))),
  ]);
}

function head({ name, help, type }: Pick<MetricReading, 'name' | 'help'> & { readonly type: MetricType }) {
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
}

function readingLines(reading: MetricReading): string[] {
  const lines = reading.samples.map(({ labels = {}, value }) =>
    line(reading.name, Object.entries(labels), value),
  );
  return [...head(reading), ...lines];
}

/** A thread without a heartbeat has not started, so it shows nothing. */
function perThread(
  { name, offset }: MetricFamily,
  threads: readonly string[],
  blocks: readonly MetricsBlock[],
): string[] {
  return blocks.flatMap(({ cells, beat }, index) =>
    beat[0] === 0 ? [] : [line(name, [['thread', threads[index] ?? '']], cells[offset] ?? 0)],
  );
}

function summed({ offset, cells: count }: MetricFamily, blocks: readonly MetricsBlock[]): Float64Array {
  const sums = new Float64Array(count);
  for (const { cells } of blocks) {
    for (let cell = 0; cell < count; cell++) sums[cell] = (sums[cell] ?? 0) + (cells[offset + cell] ?? 0);
  }
  return sums;
}

function samplesOf({ name, type, labels, sparse }: MetricFamily, sums: Float64Array): string[] {
  const width = type === 'histogram' ? histogramCells : 1;
  const lines: string[] = [];
  for (let first = 0; first < sums.length; first += width) {
    if (sparse && sums[first] === 0) continue;
    const named = labelsAt(labels, first / width);
    if (type === 'histogram') lines.push(...histogramLines(name, named, sums.subarray(first, first + width)));
    else lines.push(line(name, named, sums[first] ?? 0));
  }
  return lines;
}

type Labels = readonly (readonly [name: string, value: string])[];

/** The labels of a sample: the last label's values change fastest. */
function labelsAt(labels: MetricFamily['labels'], index: number): Labels {
  let rest = index;
  const named = labels.toReversed().map(({ name, values }): Labels[number] => {
    const value = values[rest % values.length] ?? '';
    rest = Math.floor(rest / values.length);
    return [name, value];
  });
  return named.reverse();
}

function histogramLines(name: string, labels: Labels, cells: Float64Array): string[] {
  let count = 0;
  const bounds = [...bucketBounds.map(String), '+Inf'];
  const buckets = bounds.map((bound, index) => {
    count += cells[index] ?? 0;
    return line(`${name}_bucket`, [...labels, ['le', bound]], count);
  });
  return [...buckets, line(`${name}_sum`, labels, cells[sumCell] ?? 0), line(`${name}_count`, labels, count)];
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = labels.map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
