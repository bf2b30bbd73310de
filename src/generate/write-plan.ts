/** Writes one file of a data set. */
import { join } from 'node:path';
import { publishedAt, secondsPerDay } from './dates.ts';
import type { DayOfChanges } from './delta.ts';
import type { Format } from './files/golden-copy.ts';
import { textChunks } from './files/text-chunks.ts';
import { writeZip } from './files/zip-writer.ts';
import { deltaPlans, fullPlans, type Plan } from './plans.ts';
import type { World } from './world.ts';

export interface GenerateOptions {
  readonly entities: number;
  readonly seed: number;
  /** The files of a following day instead of the full set; null for the full set. */
  readonly delta: DayOfChanges | null;
  readonly format: Format;
  readonly folder: string;
  /** Cores to fill; without it, one file is written after the other. */
  readonly threads?: number;
}

export interface GeneratedFile {
  readonly name: string;
  /** Rows or records, header lines not counted. */
  readonly rows: number;
  /** On disk. */
  readonly bytes: number;
}

/** Called after every chunk with the file and the number of its rows written. */
export type Progress = (file: string, rows: number) => void;

export function plansOf(world: World, { delta, format }: GenerateOptions): readonly Plan[] {
  return delta === null ? fullPlans(world, format) : deltaPlans(world, format, delta);
}

/** @throws the system's error where the file can't be written */
export async function writePlan(
  plan: Plan,
  options: GenerateOptions,
  progress: Progress,
): Promise<GeneratedFile> {
  let rows = 0;
  const text = plan.text((count) => {
    rows = count;
  });
  const { archive, member } = plan.name;
  const time = publishedAt + (options.delta?.day ?? 0) * secondsPerDay;
  const large = options.entities * plan.rowBytes > 2 ** 31;
  const reported = reporting(textChunks(text), () => progress(archive, rows));
  const bytes = await writeZip(join(options.folder, archive), { name: member, time, large }, reported);
  return { name: archive, rows, bytes };
}

function* reporting(chunks: Iterable<Uint8Array>, report: () => void): Generator<Uint8Array> {
  for (const chunk of chunks) {
    report();
    yield chunk;
  }
}
