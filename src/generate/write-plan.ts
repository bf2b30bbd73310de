/** Writes one file of a data set. */
import { join } from 'node:path';
import { publishedAt, secondsPerDay } from './dates.ts';
import type { DayOfChanges } from './delta.ts';
import type { FileFormat } from './files/golden-copy.ts';
import { textChunks, writeZip } from './files/zip-writer.ts';
import { deltaPlans, type FilePlan, fullPlans } from './plans.ts';
import type { World } from './world.ts';

export interface GenerateOptions {
  readonly entities: number;
  readonly seed: number;
  /** The files of a following day instead of the full set; null for the full set. */
  readonly delta: DayOfChanges | null;
  readonly format: FileFormat;
  readonly folder: string;
  /** Cores to use; without it, one file is written after the other. */
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

export function plansOf(world: World, { delta, format }: GenerateOptions): readonly FilePlan[] {
  return delta === null ? fullPlans(world, format) : deltaPlans(world, format, delta);
}

/** A piece of a file's text, in UTF-8, and the number of rows of its part up to its end. */
export interface Chunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly part: number;
  readonly rows: number;
}

/** The chunks of a part: the same whichever thread makes them, so that the archive is the same. */
export function* chunksOf(plan: FilePlan, part: number): Generator<Chunk> {
  let rows = 0;
  const text = plan.text(part, (count) => {
    rows = count;
  });
  for (const bytes of textChunks(text)) yield { bytes, part, rows };
}

/** Makes every part in the calling thread. */
export function* allChunks(plan: FilePlan): Generator<Chunk> {
  for (let part = 0; part < plan.parts; part++) yield* chunksOf(plan, part);
}

/**
 * @param chunks of all parts, in order
 * @throws the system's error if the file can't be written
 */
export async function writePlan(
  plan: FilePlan,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  options: GenerateOptions,
  progress: Progress,
): Promise<GeneratedFile> {
  const { archive, member } = plan.name;
  let before = 0;
  let last: Pick<Chunk, 'part' | 'rows'> = { part: 0, rows: 0 };
  const time = publishedAt + (options.delta?.day ?? 0) * secondsPerDay;
  const large = options.entities * plan.rowBytes > 2 ** 31;
  async function* reported() {
    for await (const { bytes, part, rows } of chunks) {
      if (part !== last.part) before += last.rows;
      last = { part, rows };
      progress(archive, before + rows);
      yield bytes;
    }
  }
  const bytes = await writeZip(join(options.folder, archive), { name: member, time, large }, reported());
  return { name: archive, rows: before + last.rows, bytes };
}
