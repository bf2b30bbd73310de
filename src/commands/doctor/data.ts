/** Checks the data folder: disk, active publication, every publication, state, clock. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { clauseOf, reasonOf } from '../../errors.ts';
import { publicationDifference } from '../../loader/digest/difference.ts';
import { fileInTheWay, freeBytes, notAFolder } from '../../publication/files.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { bytesOf } from '../../publication/manifest-facts.ts';
import { parsedOrNull } from '../../publication/parsed-or-null.ts';
import { type Pointer, readPointer } from '../../publication/pointer.ts';
import { readManifest, sealedIds } from '../../publication/sealed.ts';
import { inspectInProcess } from '../../serve/swap/inspect-publication.ts';
import { counted } from '../result-texts.ts';
import { doctorLimits, type Finding, findings, size } from './finding.ts';

/** The state of the data folder, read once. */
interface DataFolder {
  readonly layout: Layout;
  /** Null if there is none or it can't be read. */
  readonly pointer: Pointer | null;
  /** The publications that can be served, judged by their manifests. */
  readonly manifests: readonly Manifest[];
  /** The findings about them: one for the pointer, one for each publication. */
  readonly found: readonly Finding[];
}

/** The settings on which the publication of a first start depends. */
type Start = Pick<Config, 'sample' | 'publicationSource'>;

export async function lookAtPublications(layout: Layout, config: Start): Promise<DataFolder> {
  const read = pointerIn(layout, config);
  const manifests: Manifest[] = [];
  const found: Finding[] = [...read.found];
  const inspect = inspectInProcess(layout.dataDir);
  for (const id of listed(layout, found)) {
    const reading = readManifest(layout, id);
    if (reading.outcome !== 'sound') found.push(unusable(id === read.pointer?.id, reading));
    else {
      manifests.push(reading.manifest);
      found.push(
        inspected(reading.manifest, (await inspect(id)) ?? (await difference(layout, reading.manifest))),
      );
    }
  }
  return { layout, pointer: read.pointer, manifests, found };
}

/** Ids of the sealed publications; none, and a finding, if the folder can't be read. */
function listed(layout: Layout, found: Finding[]): readonly string[] {
  try {
    return sealedIds(layout);
  } catch (error) {
    const reason = fileInTheWay(error) ?? `The publications can't be listed: ${clauseOf(error)}.`;
    found.push(findings('publication').wrong(reason));
    return [];
  }
}

function pointerIn(layout: Layout, config: Start): { pointer: Pointer | null; found: readonly Finding[] } {
  const { ok, note, wrong } = findings('active');
  try {
    const pointer = readPointer(layout);
    if (pointer === null)
      return { pointer, found: [note(`No publication is active, so the service ${withoutData(config)}`)] };
    if (existsSync(layout.manifest(pointer.id)))
      return { pointer, found: [ok(`${pointer.id}, since ${pointer.activatedAt}.`)] };
    const gone = `active.json names ${pointer.id}, but the data folder does not have it. lei publications lists the publications; activate one with lei activate ID.`;
    return { pointer, found: [wrong(gone)] };
  } catch (error) {
    const reason = fileInTheWay(error) ?? `${clauseOf(error)}; lei activate ID replaces it.`;
    return { pointer: null, found: [wrong(reason)] };
  }
}

/** What the service does without an active publication. */
function withoutData({ sample, publicationSource }: Start): string {
  if (publicationSource !== null) return 'waits for the announced one.';
  const next = sample ? 'loads the bundled sample at its first start' : 'answers 503';
  return `${next}. Load data with lei update or lei load FILE….`;
}

type Unusable = Exclude<ReturnType<typeof readManifest>, { readonly outcome: 'sound' }>;

function unusable(isActive: boolean, { outcome, message }: Unusable): Finding {
  const { note, wrong } = findings('publication');
  if (isActive || outcome === 'damaged') return wrong(message);
  return note(`${message} If you don't need it, delete it with lei prune.`);
}

/** A sentence if bytes of its files are not the sealed ones; null if all are. */
async function difference(layout: Layout, manifest: Manifest): Promise<string | null> {
  try {
    return await publicationDifference(layout, manifest);
  } catch (error) {
    return `its files can't be read: ${reasonOf(error)}`;
  }
}

/** @param problem what a process reported that read samples of it, or what differs from the sealed bytes */
function inspected(manifest: Manifest, problem: string | null): Finding {
  const { ok, wrong } = findings('publication');
  const { id, counts } = manifest;
  if (problem !== null)
    return wrong(`${id} can't be served: ${problem.replace(/\.$/, '')}; lei verify ${id} checks all of it.`);
  return ok(
    `${id}: ${counted(counts.entities, 'company', 'companies')}, ${size(bytesOf(manifest))}; every byte is the sealed one.`,
  );
}

export function lookAtDisk({ layout, manifests }: Pick<DataFolder, 'layout' | 'manifests'>): Finding {
  const { ok, note, wrong } = findings('disk');
  const inTheWay = notAFolder(layout.dataDir);
  if (inTheWay !== null) return wrong(inTheWay);
  const folder = existingFolder(layout.dataDir);
  const { publications, staging, downloads } = layout;
  const within = [publications, staging, downloads, ...manifests.map(({ id }) => layout.publication(id))];
  const unwritable = whyUnwritable([folder, ...within.filter(isFolder)]);
  if (unwritable !== null) return wrong(unwritable);
  const free = freeBytes(folder);
  const largest = Math.max(0, ...manifests.map(bytesOf));
  const needed = largest * doctorLimits.growth + doctorLimits.loadBytesMin;
  const has = `${size(free)} free at ${folder}`;
  if (free < needed) {
    const advice = manifests.length > 1 ? 'lei prune --keep 1 makes room.' : 'Make room.';
    return wrong(`${has}; the next load needs ${size(needed)}. ${advice}`);
  }
  const kept = doctorLimits.freeBytesMin;
  if (free < needed + kept)
    return note(
      `${has}: enough for lei load, which needs ${size(needed)}; lei update stops where less than ${size(kept)} would stay free.`,
    );
  const all = doctorLimits.firstLoadBytes;
  if (free < all && largest < all / 10)
    return note(`${has}: enough for the data here; all of GLEIF's data needs ${size(all)}.`);
  return ok(`${has}; the next load needs ${size(needed)}.`);
}

/** A sentence about the first folder that this user can't write to, as after a load by another user; null if there is none. */
function whyUnwritable(folders: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      return `This user can't write to ${folder}: ${clauseOf(error)}.`;
    }
  }
  return null;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** The folder itself, or its nearest existing parent. */
function existingFolder(path: string): string {
  return existsSync(path) ? path : existingFolder(dirname(path));
}

/** A separate process, with the same settings, reads the state: lmdb ends a process that reads a damaged file. */
export async function lookAtState({ state }: Layout): Promise<Finding> {
  const { ok, note, wrong } = findings('state');
  try {
    // On a full disk lmdb may leave an empty file.
    if ((statSync(join(state, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0) === 0)
      return note(`There are no accounts yet; the service or lei accounts create will create ${state}.`);
  } catch (error) {
    return wrong(fileInTheWay(error) ?? `${state} can't be read: ${clauseOf(error)}.`);
  }
  const script = new URL('../../cli.ts', import.meta.url).pathname;
  const reader = Bun.spawn([process.execPath, script, 'keys', 'list', '--json'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: doctorLimits.stateTimeoutMs,
  });
  const [text, code] = [await new Response(reader.stdout).text(), await reader.exited];
  const told = parsedOrNull(text);
  if (code === 0 && Array.isArray(told)) return ok(`${state} can be read: ${counted(told.length, 'key')}.`);
  if (reader.signalCode !== null)
    return wrong(`${state} is damaged: reading it crashed a process (${reader.signalCode}).`);
  return wrong(failureIn(told) ?? `${state} can't be read.`);
}

/** Whether this data folder holds a copy of the shared state, with which the service can start without it. */
export function hasCopy({ state }: Layout): boolean {
  return existsSync(join(state, 'shared', 'data.mdb'));
}

/** With a shared state this data folder holds a copy of it. */
export function lookAtCopy(layout: Layout): Finding {
  const { ok, note } = findings('state');
  if (hasCopy(layout))
    return ok(
      `Accounts are in the shared state; ${join(layout.state, 'shared')} holds the copy with which this node goes on without it.`,
    );
  return note(
    `Accounts are in the shared state; this node has no copy yet, so its first start needs the shared state.`,
  );
}

/** The message of a command that failed with `--json`. */
function failureIn(told: unknown): string | null {
  if (typeof told !== 'object' || told === null || !('error' in told)) return null;
  const { error } = told;
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : null;
}

export function lookAtClock({ pointer, manifests }: DataFolder, now: Date): Finding {
  const { ok, wrong } = findings('clock');
  const clock = `The clock says ${now.toISOString()}`;
  const past = [pointer?.activatedAt ?? '', ...manifests.map(({ builtAt }) => builtAt)].sort().at(-1) ?? '';
  if (Date.parse(past) > now.getTime() + doctorLimits.clockBehindMs)
    return wrong(
      `${clock}, which is before ${past}, when a publication was built or activated here. Set the clock, best by NTP.`,
    );
  const source =
    manifests
      .map(({ sourcePublishedAt }) => sourcePublishedAt)
      .sort()
      .at(-1) ?? '';
  if (Date.parse(source) > now.getTime() + doctorLimits.sourceAheadMs)
    return wrong(
      `${clock}, more than a day before ${source}, when data here was published. Set the clock, best by NTP.`,
    );
  return ok(`${clock}, later than everything in the data folder.`);
}
