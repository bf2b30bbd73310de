/** Defines the tables of a publication, without those of the search index, whose names begin with `search`. */
import { byKind, type IdentifierKind, identifierKinds } from '../lei/identifier-kinds.ts';
import {
  type BytesTable,
  bytesTable,
  type Environment,
  knownBytesTable,
  knownTextTable,
  type TextTable,
  textTable,
} from '../lmdb.ts';

/** Identifier → entity numbers, in LEI order. */
type IdentifierTables = Readonly<Record<IdentifierKind, BytesTable>>;

interface CommonTables extends IdentifierTables {
  /** JSON texts by name: see {@link file://./meta.ts}. */
  readonly meta: TextTable;
  /** Relationship number → packed relationship. */
  readonly relationships: TextTable;
  /** Entity number → relationship numbers as start and as end. */
  readonly relationshipsOf: BytesTable;
  /** Pages of exception codes by entity number. */
  readonly exceptionCodes: BytesTable;
  /** Exception code → JSON members `"reasons":[…],"references":[…]`. */
  readonly exceptions: TextTable;
  /** MIC → operating MIC, then JSON of a MicListEntry. */
  readonly micList: TextTable;
  /** Changes and snapshots: see {@link file://./change-records.ts}. */
  readonly changes: TextTable;
}

/** The companies of a publication of an earlier version; now they are in the company file. */
interface CompanyTables {
  /** LEI → entity number × 2, plus 1 if it has a record. */
  readonly directory: BytesTable;
  /** Entity number → packed company, or the LEI alone. */
  readonly entities: BytesTable;
  /** Entity number → packed mappings. */
  readonly mappings: BytesTable;
}
export const companyTables = ['directory', 'entities', 'mappings'] as const;

/** Tables that a publication of an earlier version may lack, which is not served then. */
interface LaterTables {
  /** Entity number and an ISIN → the ISINs from that one on: see {@link file://./isin-lists.ts}. */
  readonly isinLists: BytesTable;
  /** The changes by version: see {@link file://./change-order.ts}. */
  readonly changeOrder: BytesTable;
}

/** A table that a publication may lack and still be served: then nothing is found in it. */
interface NewestTables {
  /** Hash of an OpenCorporates id → entity numbers: see {@link file://./mapping-record.ts}. */
  readonly ocid: BytesTable;
  /** Name of a list and code → JSON of its attributes: see {@link file://./code-lists.ts}. */
  readonly codeLists: TextTable;
}

/** The tables while a publication is built. */
export interface Tables extends CommonTables, LaterTables, NewestTables {}

type OrNull<T> = { readonly [Name in keyof T]: T[Name] | null };

/** The tables of a publication that is read for answers. */
export type ServedTables = CommonTables & LaterTables & OrNull<NewestTables>;

/** The tables of a publication of any version, on which a load builds. */
export type SealedTables = CommonTables & OrNull<LaterTables & NewestTables>;

/** Opens every table for building, and creates missing ones. */
export function openTables(environment: Environment): Tables {
  return {
    ...openCommon(environment),
    ...byKind(laterTables, (name) => bytesTable(environment, name, 'binary')),
    ocid: bytesTable(environment, 'ocid', 'uint32'),
    codeLists: textTable(environment, 'codeLists', 'string'),
  };
}

/** Opens the tables for answers. Throws if the environment lacks one that answers need. */
export function openServedTables(environment: Environment): ServedTables {
  return {
    ...openCommon(environment),
    ...byKind(laterTables, (name) => bytesTable(environment, name, 'binary')),
    ...knownNewest(environment),
  };
}

/** Opens the tables of any version for reading. Throws if the environment lacks one that every version writes. */
export function openSealedTables(environment: Environment): SealedTables {
  return {
    ...openCommon(environment),
    ...byKind(laterTables, (name) => knownBytesTable(environment, name, 'binary')),
    ...knownNewest(environment),
  };
}

/** Opens the tables of companies. Throws if the environment lacks one, as those of this version do. */
export function openCompanyTables(environment: Environment): CompanyTables {
  return byKind(companyTables, (name) => bytesTable(environment, name, 'uint32'));
}

const laterTables = ['isinLists', 'changeOrder'] as const;

function knownNewest(environment: Environment): OrNull<NewestTables> {
  return {
    ocid: knownBytesTable(environment, 'ocid', 'uint32'),
    codeLists: knownTextTable(environment, 'codeLists', 'string'),
  };
}

function openCommon(environment: Environment): CommonTables {
  return {
    meta: textTable(environment, 'meta', 'string'),
    relationships: textTable(environment, 'relationships', 'uint32'),
    relationshipsOf: bytesTable(environment, 'relationshipsOf', 'uint32'),
    exceptionCodes: bytesTable(environment, 'exceptionCodes', 'uint32'),
    exceptions: textTable(environment, 'exceptions', 'uint32'),
    micList: textTable(environment, 'micList', 'string'),
    changes: textTable(environment, 'changes', 'binary'),
    ...byKind(identifierKinds, (kind) => bytesTable(environment, kind, 'uint32')),
  };
}
