/**
 * Publishes a sealed publication: uploads the segments that the store lacks, then the shipment that lists them. Nobody
 * sees anything before the shipment is there; an interrupted publish resumes. A shipment that is there never changes,
 * because an announcement names it by its digest; publishing again only mends objects.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Layout, manifestFile } from '../publication/layout.ts';
import type { Manifest, SealedFile } from '../publication/manifest.ts';
import { bytesOf, filesIn } from '../publication/manifest-facts.ts';
import { readManifest } from '../publication/sealed.ts';
import { sealedDigester } from '../publication/segment-digests.ts';
import { shippingLimits } from './limits.ts';
import { type ListedObject, StoreFailure, type WritableStore } from './object-store.ts';
import {
  differenceName,
  digestOf,
  inParallel,
  packDifference,
  packWhole,
  readSegment,
  segmentCount,
  wholeName,
} from './segments.ts';
import {
  objectsOf,
  readShipment,
  type Segment,
  type Shipment,
  type ShippedFile,
  shipmentBytes,
  shipmentName,
  shipmentVersion,
} from './shipment.ts';

/** A difference that is larger than this part of the whole segment is not kept. */
const worthwhileShare = 0.5;

export interface PublishResult {
  readonly id: string;
  /** The publication that differences were made from; null for none. */
  readonly base: string | null;
  /** SHA-256 of the shipment, by which an announcement names it. */
  readonly shipment: string;
  readonly segments: number;
  /** Bytes of all segments when each is fetched whole. */
  readonly wholeBytes: number;
  /** Bytes to fetch for a node that has the base; equals `wholeBytes` without one. */
  readonly changedBytes: number;
  readonly uploadedObjects: number;
  readonly uploadedBytes: number;
}

type UploadTally = { objects: number; bytes: number };

/**
 * @param progress receives the number of bytes read so far, and of all
 * @throws StoreFailure, or the system's error if a file can't be read
 */
export async function publish(
  store: WritableStore,
  layout: Layout,
  manifest: Manifest,
  progress: (bytes: number, all: number) => void = () => {},
): Promise<PublishResult> {
  const known = await shipmentThere(store, manifest.id);
  const base = await shipmentThere(store, known === null ? manifest.basedOn : known.base);
  const present = soundObjects(await store.list('objects/'), [base, known]);
  const uploaded: UploadTally = { objects: 0, bytes: 0 };
  if (known !== null && objectsOf(known).every(([name]) => present.has(name)))
    return published(known, base, uploaded);
  const baseHere = base !== null && readManifest(layout, base.id).outcome === 'sound' ? base : null;
  const put = uploader(store, present, uploaded);
  let done = 0;
  const shipped = (bytes: number) => {
    done += bytes;
    progress(done, bytesOf(manifest));
  };
  const files: ShippedFile[] = [];
  for (const file of filesOf(manifest))
    files.push(await shipFile({ layout, id: manifest.id, base: baseHere, put, shipped }, file));
  if (known !== null) return published(known, base, uploaded);
  const shipment = { version: shipmentVersion, id: manifest.id, base: baseHere?.id ?? null, files };
  await store.write(shipmentName(shipment.id), shipmentBytes(shipment));
  return published(shipment, baseHere, uploaded);
}

/** The shipment of an earlier run; null if there is none, or a damaged one, which is of no use. */
async function shipmentThere(store: WritableStore, id: string | null): Promise<Shipment | null> {
  if (id === null) return null;
  try {
    return (await readShipment(store, id))?.shipment ?? null;
  } catch (error) {
    if (error instanceof StoreFailure && error.code === 'damaged-source') return null;
    throw error;
  }
}

/**
 * The sizes of the objects in the store, without those that have another size than a shipment names: they are damaged.
 * @param shipments a later one overrides earlier ones
 */
function soundObjects(
  listed: ReadonlyMap<string, ListedObject>,
  shipments: readonly (Shipment | null)[],
): ReadonlyMap<string, number> {
  const named = new Map(shipments.flatMap((shipment) => (shipment === null ? [] : objectsOf(shipment))));
  const sizes = [...listed].map(([name, { bytes }]) => [name, bytes] as const);
  return new Map(sizes.filter(([name, bytes]) => (named.get(name) ?? bytes) === bytes));
}

function published(shipment: Shipment, base: Shipment | null, uploaded: UploadTally): PublishResult {
  return {
    id: shipment.id,
    base: base?.id ?? null,
    shipment: digestOf(shipmentBytes(shipment)),
    ...sizesOf(shipment, base),
    uploadedObjects: uploaded.objects,
    uploadedBytes: uploaded.bytes,
  };
}

interface FileToShip {
  readonly name: string;
  /** The digest it was sealed with; null for the manifest, which contains no digest of itself. */
  readonly sealed: SealedFile | null;
}

/** The manifest is last, because it makes a folder a publication. */
function filesOf(manifest: Manifest): readonly FileToShip[] {
  return [...filesIn(manifest), { name: manifestFile, sealed: null }];
}

/** Uploads an object unless it is already there. @returns the size of the object */
type Put = (name: string, pack: () => Uint8Array) => Promise<number>;

function uploader(store: WritableStore, present: ReadonlyMap<string, number>, tally: UploadTally): Put {
  return async (name, pack) => {
    const known = present.get(name);
    if (known !== undefined) return known;
    const packed = pack();
    await store.write(name, packed);
    tally.objects++;
    tally.bytes += packed.length;
    return packed.length;
  };
}

interface PublishParts {
  readonly layout: Layout;
  readonly id: string;
  /** The publication, here and in the store, that differences are made from; null for none. */
  readonly base: Shipment | null;
  readonly put: Put;
  /** Receives the bytes of each segment that is done. */
  readonly shipped: (bytes: number) => void;
}

/** Reads the file once, so that the digest is of the uploaded bytes. @throws StoreFailure if it was damaged */
async function shipFile(
  { layout, id, base, put, shipped }: PublishParts,
  { name, sealed }: FileToShip,
): Promise<ShippedFile> {
  const path = layout.fileOf(id, name);
  const earlier = base?.files.find((file) => file.name === name)?.segments ?? [];
  const file = await open(path);
  const baseFile = base === null || earlier.length === 0 ? null : await open(layout.fileOf(base.id, name));
  try {
    const { size: bytes } = await file.stat();
    const segments: Segment[] = new Array(segmentCount(bytes));
    const digester = fileDigester(sealed);
    const read = readInOrder(file, segments.length, digester.update);
    await inParallel(read, shippingLimits.segmentsAtATime, async ([index, segment]) => {
      const readBase = baseFile === null ? null : () => readSegment(baseFile, index);
      segments[index] = await shipSegment(segment, earlier[index] ?? null, readBase, put);
      shipped(segment.length);
    });
    const { sha256, asSealed } = digester.digests();
    if (sealed === null || asSealed === sealed.sha256) return { name, bytes, sha256, segments };
    throw new StoreFailure(
      'damaged-source',
      `${path} has changed since it was sealed: its SHA-256 is now ${asSealed}.`,
    );
  } finally {
    await Promise.all([file.close(), baseFile?.close()]);
  }
}

/** @param take receives each segment before it is passed on */
async function* readInOrder(file: FileHandle, segments: number, take: (segment: Uint8Array) => void) {
  for (let index = 0; index < segments; index++) {
    const segment = await readSegment(file, index);
    take(segment);
    yield [index, segment] as const;
  }
}

/** Computes the digest of a whole file, which a node checks, and the one that it was sealed with. */
function fileDigester(sealed: SealedFile | null) {
  const hash = createHash('sha256');
  const bySegment = sealed?.segmentBytes === undefined ? null : sealedDigester();
  return {
    update(segment: Uint8Array): void {
      hash.update(segment);
      bySegment?.update(segment);
    },
    digests() {
      const sha256 = hash.digest('hex');
      return { sha256, asSealed: bySegment?.digest() ?? sha256 };
    },
  };
}

/** @param readBase reads the base's segment; null if there is none */
async function shipSegment(
  segment: Uint8Array,
  before: Segment | null,
  readBase: (() => Promise<Uint8Array>) | null,
  put: Put,
): Promise<Segment> {
  const digest = digestOf(segment);
  const whole = await put(wholeName(digest), () => packWhole(segment));
  if (before === null || readBase === null || before.digest === digest) {
    return { digest, whole, difference: null };
  }
  const base = await readBase();
  // Use no dictionary: the file has changed since it was published.
  if (digestOf(base) !== before.digest) return { digest, whole, difference: null };
  const packed = packDifference(segment, base);
  if (packed.length > whole * worthwhileShare) return { digest, whole, difference: null };
  const bytes = await put(differenceName(digest, before.digest), () => packed);
  return { digest, whole, difference: { base: before.digest, bytes } };
}

function sizesOf(shipment: Shipment, base: Shipment | null) {
  const known = new Set(base?.files.flatMap(({ segments }) => segments.map(({ digest }) => digest)));
  const segments = shipment.files.flatMap((file) => file.segments);
  const changed = segments.filter(({ digest }) => !known.has(digest));
  const wholeBytes = sum(segments.map(({ whole }) => whole));
  const changedBytes = sum(changed.map(({ whole, difference }) => difference?.bytes ?? whole));
  return { segments: segments.length, wholeBytes, changedBytes: base === null ? wholeBytes : changedBytes };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
