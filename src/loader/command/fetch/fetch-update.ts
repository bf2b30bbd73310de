/**
 * Finds and downloads an update: ask the publishers for the newest files, choose those that are needed, download them.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import type { Config } from '../../../config.ts';
import { kindsByFile, mappingTable } from '../../../lei/identifier-kinds.ts';
import { removeEntry } from '../../../publication/entries.ts';
import type { SourceKind } from '../../../publication/manifest.ts';
import { type MappingName, mappingNames } from '../../../settings/rules.ts';
import { type Choice, chooseFiles, type FetchWish, type HeldTimes, type Mapping } from './choose-files.ts';
import { type DownloadResult, download } from './download.ts';
import { FetchFailure } from './failures.ts';
import { latestMapping, latestMicList, latestPublish } from './publishers.ts';
import type { Transport } from './transport.ts';

/** The addresses of the publishers, and which of their mappings are wanted. */
type Publishers = Pick<Config, 'goldenCopyUrl' | 'mappingUrl' | 'micListUrl' | 'updateMappings'>;

export interface FetchedFile extends DownloadResult {
  readonly name: string;
  /** Records, as the publisher announces them; null if it does not say. */
  readonly records: number | null;
}

export interface DownloadProgress {
  readonly file: string;
  /** Downloaded bytes of this file. */
  readonly bytes: number;
  /** Null if the publisher does not say. */
  readonly bytesInAll: number | null;
}

/** Asks the publishers for the newest files and chooses those that are needed. @throws FetchFailure */
export async function findUpdate(
  transport: Transport,
  publishers: Publishers,
  held: HeldTimes | null,
  wish: FetchWish,
): Promise<Choice> {
  const publish = await latestPublish(transport, publishers.goldenCopyUrl);
  const { found, failed } = await findMappings(transport, publishers);
  const choice = chooseFiles(publish, found, held, wish);
  for (const missed of failed) leaveOut(transport, choice, held, missed);
  if (choice.mode === 'full') warnOfLosses(transport, found, held);
  refuseSharedNames(choice);
  return choice;
}

/** Downloads are kept by name, so two files with one name would be confused. */
function refuseSharedNames({ files }: Choice): void {
  for (const [index, { name, url }] of files.entries()) {
    const other = files.slice(0, index).find((file) => file.name === name);
    if (other === undefined) continue;
    throw new FetchFailure(
      'unexpected-answer',
      `${other.url} and ${url} are two files with the same name, ${name}.`,
    );
  }
}

/**
 * Downloads the chosen files, one after the other. A dispensable one that is unavailable is left out, unless nothing
 * else is left.
 * @throws FetchFailure
 */
export async function fetchUpdate(
  transport: Transport,
  choice: Choice,
  folder: string,
  progress: (fetching: DownloadProgress) => void,
): Promise<FetchedFile[]> {
  await dropOthers(folder, choice);
  const fetched: FetchedFile[] = [];
  let missed: FetchFailure | null = null;
  for (const file of choice.files) {
    try {
      const { name, records, bytes: bytesInAll } = file;
      const arrived = (bytes: number) => progress({ file: name, bytes, bytesInAll });
      fetched.push({ ...(await download(transport, file, folder, arrived)), name, records });
    } catch (error) {
      if (!(error instanceof FetchFailure) || !choice.dispensable.includes(file)) throw error;
      transport.say(`${error.message} The update goes on without ${file.name}.`);
      missed = error;
    }
  }
  if (fetched.length === 0 && missed !== null) throw missed;
  return fetched;
}

/** Deletes downloads of earlier updates that were never loaded: they would fill the disk while loads keep failing. */
async function dropOthers(folder: string, { files }: Choice): Promise<void> {
  if (!existsSync(folder)) return;
  const wanted = new Set(files.map(({ name }) => name));
  for (const entry of readdirSync(folder)) {
    const name = entry.replace(/\.part(\.json)?$/, '');
    if (!wanted.has(name)) await removeEntry(folder, entry);
  }
}

/** Deletes the downloads once they are loaded: the publication contains their data. */
export function cleanDownloads(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A mapping that could not be found. */
interface MissedMapping {
  readonly name: MappingName;
  readonly failure: FetchFailure;
}

async function findMappings(
  transport: Transport,
  publishers: Publishers,
): Promise<{ found: Mapping[]; failed: MissedMapping[] }> {
  const found: Mapping[] = [];
  const failed: MissedMapping[] = [];
  for (const name of publishers.updateMappings) {
    try {
      const file =
        name === 'mic-list'
          ? await latestMicList(transport, publishers.micListUrl)
          : await latestMapping(transport, publishers.mappingUrl, name);
      found.push({ kind: kindOf(name), file });
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      failed.push({ name, failure: error });
    }
  }
  return { found, failed };
}

function kindOf(name: MappingName): SourceKind {
  return kindsByFile.find((kind) => mappingTable[kind].file === name) ?? 'mic-list';
}

/** A missing mapping stops an update only if data that is served now would be lost. */
function leaveOut(
  transport: Transport,
  choice: Choice,
  held: HeldTimes | null,
  { name, failure }: MissedMapping,
): void {
  if (choice.mode === 'full' && held?.contentDates[kindOf(name)] !== undefined) {
    throw new FetchFailure(
      failure.code,
      `${failure.message} A full load without it would remove the ${name} data that is served now. To allow that, remove ${name} from LEI_UPDATE_MAPPINGS.`,
    );
  }
  transport.say(`${failure.message} The update goes on without new ${name} data.`);
}

function warnOfLosses(transport: Transport, found: readonly Mapping[], held: HeldTimes | null): void {
  for (const name of mappingNames) {
    const kind = kindOf(name);
    if (held?.contentDates[kind] !== undefined && !found.some((mapping) => mapping.kind === kind)) {
      transport.say(`The active publication has ${name} data, but LEI_UPDATE_MAPPINGS does not name it.`);
    }
  }
}
