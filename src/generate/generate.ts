/** Writes a synthetic data set in GLEIF's own file formats: the table of contents of the generator. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExpectedFailure } from '../errors.ts';
import { publishedAt } from './dates.ts';
import { micListText } from './files/mic-list.ts';
import { markets } from './mappings.ts';
import { type FilePlan, micListName } from './plans.ts';
import { writeInThreads } from './threads/write-in-threads.ts';
import { createWorld, type World } from './world.ts';
import {
  allChunks,
  type GeneratedFile,
  type GenerateOptions,
  type Progress,
  plansOf,
  writePlan,
} from './write-plan.ts';

export const entitiesLeast = 1;
export const entitiesMost = 20_000_000;

/**
 * The folder, inside the target folder, where files are written until all of them are complete: half a data set looks
 * like a set without relationships. A shell's `*` skips its name. If it exists, files beside it come from an
 * interrupted run.
 */
const unfinishedName = '.unfinished';

/**
 * Writes a data set into a new or empty folder, replacing the remains of an interrupted run.
 * @throws ExpectedFailure if the folder contains anything else, which would be loaded together with these files; and the
 * system's error if a file can't be written, after removing the files begun
 */
export async function generate(options: GenerateOptions, progress: Progress): Promise<GeneratedFile[]> {
  const { folder } = options;
  const world = createWorld(options.seed, options.entities);
  const plans = plansOf(world, options);
  const names = [
    ...plans.map(({ name }) => name.archive),
    ...(options.delta !== null ? [] : [micListName(publishedAt)]),
  ];
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).includes(unfinishedName)) await removeFrom(folder, names);
  if ((await readdir(folder)).length > 0) {
    throw new ExpectedFailure(
      'folder-not-empty',
      `${folder} is not empty; give a new folder, so that it holds nothing but the generated files.`,
    );
  }
  const unfinished = join(folder, unfinishedName);
  try {
    await mkdir(unfinished);
    const files = await writeFiles(world, plans, { ...options, folder: unfinished }, progress);
    for (const { name } of files) await rename(join(unfinished, name), join(folder, name));
    await rm(unfinished, { recursive: true });
    return files;
  } catch (error) {
    await removeFrom(folder, names);
    throw error;
  }
}

/** Removes the unfinished files last: while they exist, the others are known to be incomplete. */
async function removeFrom(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
  await rm(join(folder, unfinishedName), { recursive: true, force: true });
}

async function writeFiles(
  world: World,
  plans: readonly FilePlan[],
  options: GenerateOptions,
  progress: Progress,
): Promise<GeneratedFile[]> {
  const files =
    options.threads === undefined || options.threads < threadsToWrite
      ? await writeInTurn(plans, options, progress)
      : await writeInThreads(plans, options.threads - 1, options, progress);
  if (options.delta === null) files.push(await writeMicList(world, options.folder));
  return files;
}

/** The fewest cores with which files are written in threads: writing and compressing one file fill two. */
const threadsToWrite = 3;

async function writeInTurn(
  plans: readonly FilePlan[],
  options: GenerateOptions,
  progress: Progress,
): Promise<GeneratedFile[]> {
  const files: GeneratedFile[] = [];
  for (const plan of plans) files.push(await writePlan(plan, allChunks(plan), options, progress));
  return files;
}

async function writeMicList(world: World, folder: string): Promise<GeneratedFile> {
  const lines = [...micListText(world, markets(world))];
  const content = lines.join('');
  const name = micListName(publishedAt);
  await writeFile(join(folder, name), content);
  return { name, rows: lines.length - 1, bytes: Buffer.byteLength(content) };
}
