/**
 * Fetches a published publication into a data folder. It takes the segments that an earlier publication here has,
 * fetches the others (as differences if it has their base), and checks every digest. The publication appears in one
 * rename once it is complete. An interrupted fetch resumes.
 */
import type { Dirent } from 'node:fs';
import { constants, type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeEntry } from '../publication/entries.ts';
import { markFetched } from '../publication/fetched.ts';
import { digestFile, freeBytesMin, lackOfSpace } from '../publication/files.ts';
import { type Layout, manifestFile } from '../publication/layout.ts';
import { parsedOrNull } from '../publication/parsed-or-null.ts';
import { deletePublication, newerFormat, readManifest, sealedIds } from '../publication/sealed.ts';
import { withTries } from '../waits.ts';
import { shippingLimits } from './limits.ts';
import { damagedObject, type ObjectStore, StoreFailure } from './object-store.ts';
import {
  differenceName,
  digestOf,
  inParallel,
  readSegment,
  unpack,
  wholeName,
  writeSegment,
} from './segments.ts';
import { notPublished, readShipment, type Segment, type Shipment, type ShippedFile } from './shipment.ts';

interface FetchResult {
  readonly id: string;
  /** The local publication whose segments were used; null for none. */
  readonly base: string | null;
  readonly segments: number;
  /** Segments that the base, or an interrupted fetch, had. */
  readonly keptSegments: number;
  readonly fetchedBytes: number;
}

/**
 * @param sha256 of the shipment, as the announcement names it; null to accept any
 * @param pause waits between two tries of an object
 * @throws StoreFailure if the store is away, damaged or has no such publication; the system's error if a file can't be
 * written. The publications here have then not changed.
 */
export async function fetchPublication(
  store: ObjectStore,
  layout: Layout,
  id: string,
  sha256: string | null,
  pause: PauseFor = Bun.sleep,
): Promise<FetchResult> {
  const read = await readShipment(store, id, sha256);
  if (read === null) throw new StoreFailure('bad-source', notPublished(store, id));
  const { shipment } = read;
  const base = baseHere(layout, shipment);
  const incoming = await prepareFolder(layout, shipment);
  const tally = { segments: 0, keptSegments: 0, fetchedBytes: 0 };
  for (const file of manifestFirst(shipment)) {
    const basePath = base === null ? null : layout.fileOf(base, file.name);
    const path = join(incoming, file.name);
    await fetchFile({ store, pause, tally }, file, path, basePath);
    if (file.name === manifestFile) await refuseNewer(id, path);
  }
  await takeOver(layout, id, incoming);
  return { id, base, ...tally };
}

/** The manifest says whether this version reads the publication, before gigabytes are fetched. */
function manifestFirst({ files }: Shipment): readonly ShippedFile[] {
  const isManifest = ({ name }: ShippedFile) => name === manifestFile;
  return files.toSorted((a, b) => Number(isManifest(b)) - Number(isManifest(a)));
}

async function refuseNewer(id: string, manifest: string): Promise<void> {
  const newer = newerFormat(id, parsedOrNull(await readFile(manifest, 'utf8')));
  if (newer !== null) throw new StoreFailure('bad-source', newer);
}

/** The shipment's base if it is here, otherwise the newest publication. */
function baseHere(layout: Layout, { id, base }: Shipment): string | null {
  const here = sealedIds(layout).filter((each) => each !== id);
  const wanted = here.find((each) => each === base);
  return wanted ?? here[0] ?? null;
}

/** Keeps the files of an interrupted fetch of the same publication, and removes others. */
async function prepareFolder(layout: Layout, { id, files }: Shipment): Promise<string> {
  await mkdir(layout.incomings, { recursive: true });
  await removeEntries(layout.incomings, (entry) => entry.name !== id || !entry.isDirectory());
  const folder = await makeFolder(layout.incomings, id);
  const names = new Set<string>(files.map(({ name }) => name));
  await removeEntries(folder, (entry) => !names.has(entry.name) || !entry.isFile());
  const wanted = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const lack = lackOfSpace(layout.dataDir, 'The publication', wanted, freeBytesMin);
  if (lack !== null) throw new StoreFailure('no-space', lack);
  return folder;
}

async function removeEntries(folder: string, isUseless: (entry: Dirent) => boolean): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (isUseless(entry)) await removeEntry(folder, entry.name);
}

/** Waits so many milliseconds. */
type PauseFor = (milliseconds: number) => Promise<void>;

interface FetchParts {
  readonly store: ObjectStore;
  readonly pause: PauseFor;
  readonly tally: { segments: number; keptSegments: number; fetchedBytes: number };
}

async function fetchFile(
  fetching: FetchParts,
  { name, bytes, sha256, segments }: ShippedFile,
  path: string,
  basePath: string | null,
): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW);
  const base = basePath === null ? null : await open(basePath).catch(() => null);
  try {
    await file.truncate(bytes);
    await inParallel(segments.entries(), shippingLimits.segmentsAtATime, async ([index, segment]) => {
      fetching.tally.segments++;
      await placeSegment({ ...fetching, file, base }, index, segment);
    });
    await file.sync();
  } finally {
    await Promise.all([file.close(), base?.close()]);
  }
  if ((await digestFile(path)) === sha256) return;
  await rm(path, { force: true });
  throw new StoreFailure(
    'damaged-source',
    `${fetching.store.address}: the segments of ${name} do not add up to the file.`,
  );
}

interface FetchingFile extends FetchParts {
  readonly file: FileHandle;
  readonly base: FileHandle | null;
}

async function placeSegment(fetching: FetchingFile, index: number, segment: Segment): Promise<void> {
  const { tally, file, base } = fetching;
  if (digestOf(await readSegment(file, index)) === segment.digest) {
    tally.keptSegments++;
    return;
  }
  const before = base === null ? null : await readSegment(base, index);
  const beforeDigest = before === null ? '' : digestOf(before);
  if (before !== null && beforeDigest === segment.digest) {
    tally.keptSegments++;
    await writeSegment(file, index, before);
    return;
  }
  const dictionary = segment.difference?.base === beforeDigest ? before : null;
  const { bytes, fetched } = await fetchSegment(fetching, segment, dictionary);
  tally.fetchedBytes += fetched;
  await writeSegment(file, index, bytes);
}

/** @param dictionary the base of the segment's difference; null fetches it whole */
async function fetchSegment(
  { store, pause }: FetchParts,
  { digest, whole, difference }: Segment,
  dictionary: Uint8Array | null,
): Promise<{ readonly bytes: Uint8Array; readonly fetched: number }> {
  return withTries({ pauseAfter, pause }, async (tries) => {
    // If the difference can't be had, the whole segment may be.
    const asDifference = tries === 1 && dictionary !== null && difference !== null;
    const name = asDifference ? differenceName(digest, difference.base) : wholeName(digest);
    const size = asDifference ? difference.bytes : whole;
    const stored = await store.read(name, size);
    if (stored === null) throw damagedObject(store.address, name, 'is missing; lei publish uploads it again');
    const bytes = unpack(stored.bytes, asDifference ? dictionary : null, digest);
    if (bytes === null)
      throw damagedObject(
        store.address,
        name,
        'does not have the content that its name states; remove it there, then lei publish uploads it again',
      );
    return { bytes, fetched: stored.bytes.length };
  });
}

/** Doubles, and differs between nodes. */
function pauseAfter(error: unknown, failed: number): number {
  if (failed === shippingLimits.triesMax) throw error;
  return shippingLimits.retryPauseMs * 2 ** (failed - 1) * (0.5 + Math.random());
}

/** Marks the complete folder as fetched, moves it to the publications, and checks that it can be read there. */
async function takeOver(layout: Layout, id: string, incoming: string): Promise<void> {
  await mkdir(layout.publications, { recursive: true });
  // A folder without a manifest is the rest of a deletion.
  await removeEntry(layout.publications, id);
  markFetched(layout, incoming);
  await rename(incoming, layout.publication(id));
  const reading = readManifest(layout, id);
  if (reading.outcome === 'sound') return;
  await deletePublication(layout, id);
  throw new StoreFailure('damaged-source', `The fetched publication can't be served: ${reading.message}`);
}
