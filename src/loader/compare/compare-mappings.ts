/** Finds which identifiers came to a company, and which went, in tables that both publications loaded. */
import { mappingField } from '../../lei/change-kinds.ts';
import { kindsBySlot, type MappingKind } from '../../lei/identifier-kinds.ts';
import type { BytesTable, ReadTransaction } from '../../lmdb.ts';
import type { SourceKind } from '../../publication/manifest.ts';
import { type IsinRow, isinRows, isinRowsOf, isinsInRow } from '../../store/isin-lists.ts';
import { isinsShown, mappingValues } from '../../store/mapping-record.ts';
import { type StoredCompanies, textOfRow } from '../../store/stored-companies.ts';
import type { Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import type { Entities } from '../build/entities.ts';
import type { ChangeLog } from './change-log.ts';

interface MappingComparison {
  readonly base: Base;
  /** The companies of this load. */
  readonly now: StoredCompanies;
  readonly tables: Tables;
  readonly entities: Entities;
  readonly log: ChangeLog;
  /** Kinds of files in this load. */
  readonly kinds: ReadonlySet<SourceKind>;
  /** Kinds of files that the base comes from. */
  readonly baseKinds: ReadonlySet<SourceKind>;
  readonly full: boolean;
}

/** The most identifiers in one item of the history, which a page shows whole. */
const identifiersPerItemMax = 1_000;
const entitiesPerUnmap = 250_000;

/**
 * Compares the companies that have a record in both publications; of the others, items of kinds `created` and `removed`
 * say enough.
 */
export function compareMappings(comparison: MappingComparison): void {
  const { base, entities, kinds, baseKinds, now } = comparison;
  const compared = kindsBySlot.filter((kind) => kinds.has(kind) && baseKinds.has(kind));
  if (compared.length === 0) return;
  for (let entity = 1; entity <= entities.last; entity++) {
    if (entity % entitiesPerUnmap === 0) {
      base.unmap();
      now.unmap();
    }
    const company = differingCompany(comparison, entity);
    if (company !== null) compareCompany(comparison, compared, company);
  }
}

/** Null for a company without a record in one of the publications, or whose mappings can't differ. */
function differingCompany(comparison: MappingComparison, entity: number): ComparedCompany | null {
  const { base, now, tables, entities } = comparison;
  const known = numberInBase(comparison, entity);
  if (known === 0) return null;
  const before = textOfRow(base.companies.mappings(known)) ?? '';
  const after = textOfRow(now.mappings(entity)) ?? '';
  if (before === after && !hasLongList(after)) return null;
  const hadRecord = entities.inBase(entity)?.hasRecord === true;
  if (!(hadRecord && entities.hasRecord(entity))) return null;
  const { isinLists: table } = base.tables;
  return {
    lei: entities.lei(entity),
    before: { text: before, table, entity: known, transaction: base.transaction },
    after: { text: after, table: tables.isinLists, entity, transaction: undefined },
  };
}

/** 0 for none. A copy keeps the numbers of its base. */
function numberInBase({ base, entities, full }: MappingComparison, entity: number): number {
  if (full) return entities.inBase(entity)?.entity ?? 0;
  return entity > base.meta.lastEntity ? 0 : entity;
}

/** The mappings of a company in one of the publications. */
interface Side {
  readonly text: string;
  /** Of the ISINs beyond those that the text shows; null in a publication of an earlier version. */
  readonly table: BytesTable | null;
  readonly entity: number;
  readonly transaction: ReadTransaction | undefined;
}

interface ComparedCompany {
  readonly lei: string;
  readonly before: Side;
  readonly after: Side;
}

function compareCompany(
  { log }: MappingComparison,
  compared: readonly MappingKind[],
  { lei, before, after }: ComparedCompany,
): void {
  for (const kind of compared) {
    const [known, now] =
      kind === 'isin'
        ? differingIsins(before, after)
        : [mappingValues(before.text, kind), mappingValues(after.text, kind)];
    for (const part of partsOf(difference(known, now), difference(now, known))) {
      log.changed(lei, [{ field: mappingField(kind), ...part }]);
    }
  }
}

function difference(values: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return values.filter((value) => !known.has(value));
}

/** What went and what came, in parts of limited size. */
function* partsOf(from: readonly string[], to: readonly string[]) {
  for (let at = 0; at < Math.max(from.length, to.length); at += identifiersPerItemMax) {
    const end = at + identifiersPerItemMax;
    yield { from: from.slice(at, end), to: to.slice(at, end) };
  }
}

function hasLongList(text: string): boolean {
  const { count, shown } = isinsShown(text);
  return count > shown.length;
}

/** The ISINs before and after, without those in blocks that both have: of a long list, a day changes few. */
function differingIsins(before: Side, after: Side): readonly [readonly string[], readonly string[]] {
  const [known, now] = [blocksOf(before), blocksOf(after)];
  return known === null || now === null ? [[], []] : [isinsBeyond(known, now), isinsBeyond(now, known)];
}

type Blocks = ReadonlyMap<string, IsinRow>;

/** By their first ISIN. Null if a publication of an earlier version shows only the first ones. */
function blocksOf({ text, table, entity, transaction }: Side): Blocks | null {
  const isLong = hasLongList(text);
  if (isLong && table === null) return null;
  const rows =
    isLong && table !== null
      ? isinRowsOf(table, entity, transaction)
      : isinRows(entity, Buffer.from(isinsShown(text).shown.join(''), 'latin1'));
  return new Map(Array.from(rows, (row) => [row.key.toString('latin1', 4), row]));
}

function isinsBeyond(blocks: Blocks, others: Blocks): readonly string[] {
  return [...blocks].flatMap(([first, row]) =>
    others.get(first)?.value.equals(row.value) === true ? [] : [...isinsInRow(row)],
  );
}
