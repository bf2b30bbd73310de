/** A shipment: the list of segments that a published publication consists of, `publications/ID.json` in a store. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { PublicationIdSchema } from '../publication/id-schema.ts';
import { manifestFile, sealedFiles } from '../publication/layout.ts';
import { shippingLimits } from './limits.ts';
import { damagedObject, type ObjectStore, StoreFailure } from './object-store.ts';
import { differenceName, digestOf, segmentCount, wholeName } from './segments.ts';

/** A store with shipments of a newer form is refused. */
export const shipmentVersion = 1;

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const bytes = Type.Integer({ minimum: 0 });
/** A packed segment is hardly larger than the segment; a node reads no more than this. */
const packedBytes = Type.Integer({ minimum: 0, maximum: 2 * shippingLimits.segmentBytes });

const SegmentSchema = Type.Object({
  digest: Digest,
  /** Size of the object with the complete segment. */
  whole: packedBytes,
  /** The difference from a segment of an earlier publication; null if it would save little. */
  difference: Type.Union([Type.Object({ base: Digest, bytes: packedBytes }), Type.Null()]),
});
export type Segment = Static<typeof SegmentSchema>;

const fileNames = [...sealedFiles, manifestFile];

const ShippedFileSchema = Type.Object({
  /** Its name in the publication's folder. */
  name: Type.Union(fileNames.map((name) => Type.Literal(name))),
  bytes,
  sha256: Digest,
  segments: Type.Array(SegmentSchema),
});
export type ShippedFile = Static<typeof ShippedFileSchema>;

const ShipmentSchema = Type.Object({
  version: Type.Integer(),
  id: PublicationIdSchema,
  /** The publication whose segments are the dictionaries of the differences; null for none. */
  base: Type.Union([PublicationIdSchema, Type.Null()]),
  files: Type.Array(ShippedFileSchema),
});
export type Shipment = Static<typeof ShipmentSchema>;

export const shipmentsPrefix = 'publications/';

export function shipmentName(id: string): string {
  return `${shipmentsPrefix}${id}.json`;
}

export function shipmentBytes(shipment: Shipment): Buffer {
  return Buffer.from(JSON.stringify(shipment));
}

/** The objects that a shipment names, with their sizes. */
export function objectsOf({ files }: Shipment): readonly (readonly [name: string, bytes: number])[] {
  return files
    .flatMap(({ segments }) => segments)
    .flatMap(({ digest, whole, difference }) => [
      [wholeName(digest), whole] as const,
      ...(difference === null ? [] : [[differenceName(digest, difference.base), difference.bytes] as const]),
    ]);
}

/** A sentence about a store without the shipment of a publication. */
export function notPublished({ address }: ObjectStore, id: string): string {
  return `${address} has no publication ${id}; lei publish ${id} --to … uploads it.`;
}

/**
 * A shipment, with the digest of its bytes. Null if the publication was not published there.
 * @param sha256 the digest that the announcement names; null to accept any
 * @throws StoreFailure `damaged-source`, or `bad-source` if it is of a newer form
 */
export async function readShipment(store: ObjectStore, id: string, sha256: string | null = null) {
  const name = shipmentName(id);
  const stored = await store.read(name, shippingLimits.shipmentBytesMax);
  if (stored === null) return null;
  const found = digestOf(stored.bytes);
  if (sha256 !== null && found !== sha256) {
    throw damagedObject(store.address, name, `has SHA-256 ${found}, not the announced ${sha256}`);
  }
  return { shipment: parse(store.address, id, stored.bytes), sha256: found };
}

/** @param address of the store, for messages */
function parse(address: string, id: string, read: Uint8Array): Shipment {
  const name = shipmentName(id);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(read).toString());
  } catch {
    throw damagedObject(address, name, 'is not JSON');
  }
  const newer = whatIsNewer(value);
  if (newer !== null)
    throw new StoreFailure(
      'bad-source',
      `${address}: ${name} ${newer}, made by a newer version of this program. Update this one to use it.`,
    );
  if (!Value.Check(ShipmentSchema, value) || value.id !== id || !hasAllSegments(value)) {
    throw damagedObject(address, name, `is not the shipment of ${id}`);
  }
  return value;
}

const AnyShipmentSchema = Type.Object({ version: Type.Number() });
const AnyFilesSchema = Type.Object({ files: Type.Array(Type.Object({ name: Type.String() })) });
/** A name that a file of a publication may have one day: it leads nowhere else. */
const fileName = /^[a-z][a-z-]*\.[a-z]+$/;

/** Checked first: a shipment of a newer version may have another shape, or files that this version does not know. */
function whatIsNewer(value: unknown): string | null {
  if (Value.Check(AnyShipmentSchema, value) && value.version > shipmentVersion)
    return `has version ${value.version}`;
  if (!Value.Check(AnyFilesSchema, value)) return null;
  const known: readonly string[] = fileNames;
  const unknown = value.files.find(({ name }) => fileName.test(name) && !known.includes(name));
  return unknown === undefined ? null : `has a file ${unknown.name}`;
}

function hasAllSegments({ files }: Shipment): boolean {
  const names = new Set(files.map(({ name }) => name));
  return (
    names.size === files.length &&
    files.every(({ bytes: size, segments }) => segments.length === segmentCount(size))
  );
}
