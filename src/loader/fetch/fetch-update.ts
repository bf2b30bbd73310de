/**
 * The road of an update from the publishers to the folder of downloads:
 *
 *     what is newest?  ──►  what of it is needed?  ──►  bring it here
 */
import { rmSync } from 'node:fs';
import { type MappingName, mappingNames } from '../../config.ts';
import type { SourceKind } from '../../publication/manifest.ts';
import { type Choice, chooseFiles, type Held, type Mapping, type Wish } from './choose-files.ts';
import { download } from './download.ts';
import { FetchFailure } from './fetch-failure.ts';
import { latestMapping, latestMicList, latestPublish, type PublishedFile } from './publishers.ts';
import type { Transport } from './transport.ts';

export interface Publishers {
  readonly goldenCopyUrl: string;
  readonly mappingUrl: string;
  readonly micListUrl: string;
  readonly mappings: readonly MappingName[];
}

export interface FetchedFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  /** What the publisher says it holds; null where it does not say. */
  readonly records: number | null;
  /** False where it was in the folder already. */
  readonly fetched: boolean;
}

export interface Fetching {
  readonly file: string;
  /** Bytes of this file that are here. */
  readonly bytes: number;
  /** Null where the publisher does not say. */
  readonly bytesInAll: number | null;
}

/** Asks the publishers what is newest and decides what is needed. @throws FetchFailure */
export async function findUpdate(
  transport: Transport,
  publishers: Publishers,
  held: Held | null,
  wish: Wish,
): Promise<Choice> {
  const publish = await latestPublish(transport, publishers.goldenCopyUrl);
  const { found, failed } = await findMappings(transport, publishers);
  const choice = chooseFiles(publish, found, held, wish);
  for (const { name, failure } of failed) leaveOut(transport, choice, held, name, failure);
  if (choice.mode === 'full') warnOfLosses(transport, found, held);
  return choice;
}

/** Brings the chosen files here, one after the other. @throws FetchFailure */
export async function fetchUpdate(
  transport: Transport,
  choice: Choice,
  folder: string,
  progress: (fetching: Fetching) => void,
): Promise<FetchedFile[]> {
  const fetched: FetchedFile[] = [];
  for (const file of choice.files) fetched.push(await fetchFile(transport, file, folder, progress));
  return fetched;
}

/** Deletes what was downloaded, once it is loaded: the publication holds it all. */
export function cleanDownloads(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

async function fetchFile(
  transport: Transport,
  file: PublishedFile,
  folder: string,
  progress: (fetching: Fetching) => void,
): Promise<FetchedFile> {
  const { path, bytes, fetched } = await download(transport, file, folder, (here) =>
    progress({ file: file.name, bytes: here, bytesInAll: file.bytes }),
  );
  return { path, name: file.name, bytes, records: file.records, fetched };
}

interface Missed {
  readonly name: MappingName;
  readonly failure: FetchFailure;
}

async function findMappings(
  transport: Transport,
  publishers: Publishers,
): Promise<{ found: Mapping[]; failed: Missed[] }> {
  const found: Mapping[] = [];
  const failed: Missed[] = [];
  for (const name of publishers.mappings) {
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
  return name === 'oc' ? 'ocid' : name;
}

/** A mapping that can't be had stops only the update that would lose what is served now. */
function leaveOut(
  transport: Transport,
  choice: Choice,
  held: Held | null,
  name: MappingName,
  failure: FetchFailure,
): void {
  if (choice.mode === 'full' && held?.contentDates[kindOf(name)] !== undefined) {
    throw new FetchFailure(
      failure.code,
      `${failure.message} Full files without it would lose the ${name} data served now; to do that, leave ${name} out of LEI_UPDATE_MAPPINGS.`,
    );
  }
  transport.say(`${failure.message} The update goes on without new ${name} data.`);
}

function warnOfLosses(transport: Transport, found: readonly Mapping[], held: Held | null): void {
  for (const name of mappingNames) {
    const kind = kindOf(name);
    if (held?.contentDates[kind] !== undefined && !found.some((mapping) => mapping.kind === kind)) {
      transport.say(`The active publication has ${name} data, which LEI_UPDATE_MAPPINGS leaves out.`);
    }
  }
}
