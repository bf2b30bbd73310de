/** The tables of a publication. Those of the search index are apart; their names begin with `search`. */
import { byKind, type IdentifierKind, identifierKinds } from '../lei/identifier-kinds.ts';
import { type BytesTable, bytesTable, type Environment, type TextTable, textTable } from '../lmdb.ts';

/** Identifier → entity numbers, in LEI order. */
type IdentifierTables = Readonly<Record<IdentifierKind, BytesTable>>;

export interface Tables extends IdentifierTables {
  /** JSON texts by name: see {@link file://./meta.ts}. */
  readonly meta: TextTable;
  /** LEI → entity number × 2, plus 1 where it has a record. */
  readonly directory: BytesTable;
  /** Entity number → packed company, or the LEI alone. */
  readonly entities: TextTable;
  /** Entity number → packed mappings. */
  readonly mappings: TextTable;
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
  readonly changes: TextTable;
}

/** Opens every table; while building, makes those that are missing. Throws where a sealed environment lacks one. */
export function openTables(environment: Environment): Tables {
  return {
    meta: textTable(environment, 'meta', 'string'),
    directory: bytesTable(environment, 'directory', 'uint32'),
    entities: textTable(environment, 'entities', 'uint32'),
    mappings: textTable(environment, 'mappings', 'uint32'),
    relationships: textTable(environment, 'relationships', 'uint32'),
    relationshipsOf: bytesTable(environment, 'relationshipsOf', 'uint32'),
    exceptionCodes: bytesTable(environment, 'exceptionCodes', 'uint32'),
    exceptions: textTable(environment, 'exceptions', 'uint32'),
    micList: textTable(environment, 'micList', 'string'),
    changes: textTable(environment, 'changes', 'binary'),
    ...byKind(identifierKinds, (kind) => bytesTable(environment, kind, 'uint32')),
  };
}
