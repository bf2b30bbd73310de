/** Builds one publication's tables from rows: the common part of a full load, a delta and a recovery of history. */

import { collectGarbage } from '../../bytes/memory.ts';
import type { Counts } from '../../lei/answers.ts';
import { laterOf } from '../../lei/dates.ts';
import { isLoadedList } from '../../lei/gleif-code-lists.ts';
import { byKind, identifierKinds, mappingKinds } from '../../lei/identifier-kinds.ts';
import { schemaVersion } from '../../lei/schema-version.ts';
import { type Environment, rowCount } from '../../lmdb.ts';
import { companiesIn } from '../../publication/layout.ts';
import type { SourceKind } from '../../publication/manifest.ts';
import { formatVersion } from '../../publication/manifest-facts.ts';
import { clearCodeList, putCode } from '../../store/code-lists.ts';
import { keyWidthOf } from '../../store/mapping-record.ts';
import type { Meta } from '../../store/meta-schema.ts';
import { emptyShape } from '../../store/packed-table.ts';
import { slotSeparator } from '../../store/packing.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import { companiesInFile } from '../../store/stored-companies.ts';
import { openTables, type Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import { carryChanges, createChangeLog, forgetOldOrder } from '../compare/change-log.ts';
import { compare } from '../compare/compare.ts';
import { compareMappings } from '../compare/compare-mappings.ts';
import type { SourceRow } from '../rows.ts';
import type { Source } from '../source.ts';
import { type CompanyListener, createCompanies, packedCompany } from './companies.ts';
import { CompanyRecords, type SharedRecords } from './company-records.ts';
import { openCompanyRows } from './company-rows.ts';
import { createEntities } from './entities.ts';
import { createExceptions } from './exceptions.ts';
import { createGrownEntities } from './grown/entities.ts';
import { createGrownRelationships } from './grown/relationships.ts';
import { createMappings } from './mappings.ts';
import type { Packer } from './packer.ts';
import { createRelationships, type Relationships } from './relationships.ts';

export interface BuildPlan {
  readonly id: string;
  /** Of the publication, which has the environment. */
  readonly folder: string;
  readonly environment: Environment;
  readonly sourcePublishedAt: string;
  /**
   * The publication that is compared with, and whose history is carried over; null for a first load or one over the
   * sample.
   */
  readonly base: Base | null;
  /** Kinds of files that the base comes from. */
  readonly baseKinds: ReadonlySet<SourceKind>;
  /** Whether the environment is a copy of the base that is to be changed. */
  readonly delta: boolean;
  readonly listener: CompanyListener;
  readonly packer: Packer;
}

/**
 * The outcome of a row: the first of its key in this load, one that replaced another of this load, one that was
 * superseded, or one that deleted a record.
 */
export type RowOutcome = 'stored' | 'replaced' | 'superseded' | 'deleted';

/** Receives each phase as it begins. */
export type BuildProgress = (phase: 'relationships' | 'companies' | 'comparing') => void;

/**
 * The description of a publication before its search index is made: it lacks only the results of a pass over its companies.
 */
export type Draft = Omit<Meta, 'countries' | 'counts'> & { readonly counts: Omit<Counts, 'entities'> };

export interface BuildResult {
  readonly counts: Counts;
  /** Codes of the countries of the legal addresses. */
  readonly countries: readonly string[];
  readonly resolvableRelationships: number;
}

/** The entities of a copy whose row in the company file or in the search index may have changed. */
export interface ChangedEntities {
  /** Their record, their identifiers or their children have changed. */
  readonly entities: ReadonlySet<number>;
  /** A direct child came or went, so the number of their children may have changed. */
  readonly parents: ReadonlySet<number>;
}

type Parts = ReturnType<typeof createParts>;

function createParts(plan: BuildPlan) {
  const { base, packer } = plan;
  const grown = plan.delta ? base : null;
  const tables = openTables(plan.environment);
  const versions: readonly string[] = [...(base?.meta.versions ?? []), plan.id];
  const records = new CompanyRecords(plan.folder, plan.delta);
  const { entities, relationships } =
    grown === null ? emptyParts(tables, records, plan) : grownParts(tables, records, grown);
  const contentDates: Record<string, string> = { ...grown?.meta.contentDates };
  return {
    plan,
    tables,
    grown,
    entities,
    relationships,
    records,
    companies: createCompanies(records, entities, {
      listener: plan.listener,
      version: versions.length - 1,
      base,
      few: grown !== null,
    }),
    exceptions: createExceptions(tables, entities, grown),
    mappings: createMappings(tables, entities, grown, packer),
    versions,
    files: [...(base?.meta.files ?? [])],
    kinds: new Set<SourceKind>(),
    contentDates,
  };
}

function emptyParts(tables: Tables, records: CompanyRecords, { base, packer }: BuildPlan) {
  const entities = createEntities(records, base, packer.memory);
  return { entities, relationships: createRelationships(tables, entities) };
}

function grownParts(tables: Tables, records: CompanyRecords, grown: Base) {
  const entities = createGrownEntities(records, grown);
  return { entities, relationships: createGrownRelationships(tables, entities, grown) };
}

export type Build = ReturnType<typeof createBuild>;

export function createBuild(plan: BuildPlan) {
  const parts = createParts(plan);
  plan.base?.unmap();
  let related: RelatedTables | null = null;
  let companies: WrittenCompanies | null = null;
  const relatedTables = () => {
    if (related === null) throw new Error('A build goes on before its relationships are written.');
    return related;
  };
  const writeOnce = async () => {
    companies ??= await writeCompanies(parts);
    return companies;
  };
  return {
    /** The following rows are from this file. */
    begin: (source: Source): void => beginFile(parts, source),
    take: (row: SourceRow): RowOutcome => takeRow(parts, row),
    /**
     * The facts that the search index needs beside the companies. Requested once the files of companies are read and
     * all companies are stored.
     */
    links: (): SearchLinks => {
      parts.companies.flush();
      return { directChildren: parts.relationships.directChildren(), bics: parts.mappings.bics() };
    },
    /**
     * Writes the relationships.
     * @param taken count of rows: what they leave behind is collected between the steps
     */
    relate(taken: number, progress: BuildProgress): void {
      parts.companies.flush();
      progress('relationships');
      related = { ...parts.relationships.write(), taken };
    },
    /** Writes the companies with their identifiers. */
    async write(progress: BuildProgress): Promise<void> {
      progress('companies');
      collectGarbage(relatedTables().taken);
      await writeOnce();
    },
    /** The records that this load brought; null if it brought identifiers too, which the rows of companies will have. */
    recordsAlone: (): SharedRecords | null => (parts.mappings.isPending() ? null : parts.records.shared()),
    /** Asked for after {@link relate}; with identifiers after {@link write}. */
    changed: (): ChangedEntities => changedEntities(parts),
    /**
     * Writes the other tables but the search index, and the companies if they are not written yet.
     * @returns the description of the publication so far
     */
    async finish(progress: BuildProgress): Promise<Draft> {
      const draft = await finish(parts, relatedTables(), writeOnce, progress);
      parts.records.remove();
      return draft;
    },
    /** Closes its file, finished or not. */
    end: () => parts.records.close(),
  };
}

function beginFile(parts: Parts, { kind, name, header }: Source): void {
  const { plan, tables, files, kinds, contentDates, mappings } = parts;
  const isFirst = !kinds.has(kind);
  kinds.add(kind);
  const newest = laterOf(contentDates[kind] ?? null, header.contentDate);
  if (newest !== null) contentDates[kind] = newest;
  if (kind === 'level-1') {
    const publishedAt = header.contentDate ?? plan.sourcePublishedAt;
    files.push({ source: provenanceSource(name), name, publishedAt });
  } else if (kind === 'mic-list') {
    if (isFirst) tables.micList.clearSync();
  } else if (isLoadedList(kind)) {
    if (isFirst) clearCodeList(tables.codeLists, kind);
  } else if (kind !== 'relationships' && kind !== 'reporting-exceptions') {
    mappings.begin(kind);
  }
}

export function provenanceSource(name: string): string {
  return /concatenated/i.test(name) ? 'GLEIF concatenated file, level 1' : 'GLEIF golden copy, level 1';
}

function takeRow(parts: Parts, row: SourceRow): RowOutcome {
  switch (row.kind) {
    case 'level-1':
      return parts.companies.put(packedCompany(row.record), parts.files.length - 1);
    case 'packed-level-1':
      return parts.companies.put(row, parts.files.length - 1);
    case 'relationships':
      return parts.relationships.put(row.record, row.deletedAt);
    case 'reporting-exceptions':
      return parts.exceptions.put(row.record, row.deletedAt);
    case 'mic-list': {
      const { mic, operatingMic, name, type, country, city, status } = row.record;
      const entry = JSON.stringify({ name, type, country, city, status });
      const isFirst = parts.tables.micList.get(mic) === undefined;
      parts.tables.micList.putSync(mic, `${operatingMic}${slotSeparator}${entry}`);
      return isFirst ? 'stored' : 'replaced';
    }
    case 'registration-authorities':
    case 'official-organizational-roles':
      return putCode(parts.tables.codeLists, row.kind, row.record) ? 'stored' : 'replaced';
    default:
      parts.mappings.put(row.kind, row.lei, row.value);
      return 'stored';
  }
}

interface RelatedTables extends ReturnType<Relationships['write']> {
  /** Count of rows that the build took. */
  readonly taken: number;
}

interface WrittenCompanies {
  /** Of the rows of companies. */
  readonly rowSum: number;
  /** Of the tables of identifiers. */
  readonly shapes: Meta['shapes'];
}

async function writeCompanies(parts: Parts): Promise<WrittenCompanies> {
  const rowSum = await writeRows(parts);
  const { directory: _, ...grownShapes } = parts.grown?.meta.shapes ?? emptyShapes();
  return { rowSum, shapes: await parts.mappings.writeTables(grownShapes) };
}

/** @returns the sum of all rows */
async function writeRows(parts: Parts): Promise<number> {
  const rows = openCompanyRows(parts.plan.folder, parts.plan.id, parts);
  try {
    await parts.mappings.writeRows(rows);
    return rows.finish();
  } finally {
    rows.close();
  }
}

async function finish(
  parts: Parts,
  { count: relationships, resolvable, taken }: RelatedTables,
  companies: () => Promise<WrittenCompanies>,
  progress: BuildProgress,
): Promise<Draft> {
  const { plan, entities } = parts;
  const { count: reportingExceptions, lastCode } = parts.exceptions.write();
  collectGarbage(taken);
  progress('comparing');
  const comparison = plan.base === null ? null : compareRecords(parts, plan.base);
  const { rowSum, shapes } = await companies();
  const changes = comparison === null ? 0 : compareIdentifiers(parts, comparison);
  return {
    id: plan.id,
    formatVersion,
    schemaVersion,
    sourcePublishedAt: plan.sourcePublishedAt,
    contentDates: parts.contentDates,
    versions: [...parts.versions],
    files: parts.files,
    counts: {
      relationships,
      reportingExceptions,
      changes,
      snapshots: plan.base?.meta.counts.snapshots ?? 0,
      ...byKind(identifierKinds, (kind) => shapes[kind].entries),
    },
    resolvableRelationships: resolvable,
    lastEntity: entities.last,
    lastRelationship: parts.relationships.last,
    lastException: lastCode,
    rowSum,
    shapes,
  };
}

function changedEntities({ plan, records, relationships, mappings, entities }: Parts): ChangedEntities {
  const parents = new Set(relationships.otherParents());
  const changed = new Set([...records.brought(), ...mappings.rewritten, ...parents]);
  for (let entity = (plan.base?.meta.lastEntity ?? 0) + 1; entity <= entities.last; entity++)
    changed.add(entity);
  return { entities: changed, parents };
}

function emptyShapes(): Meta['shapes'] {
  return byKind(mappingKinds, (kind) => emptyShape(keyWidthOf(kind)));
}

/** Writes what differs from the base, except in identifiers. @returns what is compared */
function compareRecords(parts: Parts, base: Base) {
  const { plan, tables, versions } = parts;
  const version = versions.length - 1;
  if (plan.delta) forgetOldOrder(tables, version);
  else carryChanges(base, tables, version);
  const moment = { at: plan.sourcePublishedAt, datasetVersion: plan.id, version };
  const log = createChangeLog(tables, moment);
  const comparison = { ...parts, base, log, full: !plan.delta };
  compare(comparison);
  return comparison;
}

/** The rows of companies are written. @returns the current number of change items */
function compareIdentifiers({ plan, tables }: Parts, comparison: ReturnType<typeof compareRecords>): number {
  const now = companiesInFile(companiesIn(plan.folder), plan.id);
  compareMappings({ ...comparison, now, baseKinds: plan.baseKinds });
  now.unmap();
  comparison.log.end();
  return rowCount(tables.changes) - comparison.base.meta.counts.snapshots;
}
