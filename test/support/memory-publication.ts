/** Provides publications in memory, for tests of questions rather than of storage. */
import type { ChangeKind } from '../../src/lei/change-kinds.ts';
import type { MappingKind } from '../../src/lei/identifier-kinds.ts';
import { noticesOf } from '../../src/lei/notices.ts';
import type { RelationshipRecord } from '../../src/lei/relationship.ts';
import type { JsonBytes } from '../../src/protocol/json-bytes.ts';
import { queryLimits } from '../../src/query/limits.ts';
import type {
  EntityNumber,
  EntitySummary,
  NameText,
  PublicationReader,
} from '../../src/store/publication-reader.ts';
import type { SearchOutcome, SearchQuery } from '../../src/store/search/search-reader.ts';

export interface MemoryCompany {
  readonly lei: string;
  /** Null for a company that is only mentioned. */
  readonly name: string | null;
  readonly country?: string;
  readonly city?: string;
  readonly otherNames?: readonly NameText[];
  /** The kinds of identifiers in its record. */
  readonly mapped?: readonly MappingKind[];
  readonly direct?: string;
  readonly ultimate?: string;
}

export interface MemoryChange {
  readonly lei: string;
  readonly kind: ChangeKind;
  readonly at: string;
}

export interface MemoryContent {
  readonly id: string;
  readonly companies: readonly MemoryCompany[];
  readonly relationships?: readonly RelationshipRecord[];
  /** Rows of the mapping files. */
  readonly mappings?: readonly { kind: MappingKind; value: string; lei: string }[];
  readonly micList?: Readonly<Record<string, { operatingMic: string; json: string }>>;
  /** JSON texts by LEI, newest first. A removed company may have some. */
  readonly changes?: Readonly<Record<string, readonly string[]>>;
  /** The changes of all companies, oldest first, and the oldest time from which they can be asked. */
  readonly feed?: { readonly oldest: string; readonly changes: readonly MemoryChange[] };
  readonly search?: (query: SearchQuery) => SearchOutcome;
}

function noIndex(): never {
  throw new Error('A publication in memory has no search index.');
}

const noHits = (): SearchOutcome => ({ outcome: 'hits', total: 0, hits: [], next: null });

export function memoryPublication(content: MemoryContent): PublicationReader {
  const { companies, relationships = [], mappings = [], micList = {}, changes = {} } = content;
  const { oldest, changes: feed } = content.feed ?? { oldest: '', changes: [] };
  const numberOf = (lei: string) => companies.findIndex((company) => company.lei === lei) + 1;
  const companyOf = (entity: number): MemoryCompany => {
    const company = companies[entity - 1];
    if (company === undefined) throw new Error(`No entity ${entity}.`);
    return company;
  };
  const stored = relationships.map(({ start, end, relationship }) => {
    const json = JSON.stringify(relationship);
    return {
      start: numberOf(start),
      end: numberOf(end),
      type: relationship.type,
      status: relationship.status,
      lastUpdateDate: relationship.registration.lastUpdateDate ?? '',
      json,
      put: (out: JsonBytes) => out.text(json),
    };
  });
  let reads = 0;
  /** A summary is invalid after the next read, as in a real publication. */
  const reading =
    <Given extends unknown[], Result>(read: (...given: Given) => Result) =>
    (...given: Given): Result => {
      reads++;
      return read(...given);
    };
  return {
    id: content.id,
    search: {
      search: content.search ?? noHits,
      all: noIndex,
      withWords: noIndex,
      withInitials: noIndex,
      weightOf: () => null,
      shareIn: () => 0,
      suggest: noHits,
    },
    lists: {
      list() {
        throw new Error('A publication in memory has no columns.');
      },
      matching() {
        throw new Error('A publication in memory has no columns.');
      },
      *values() {
        yield;
        return new Set();
      },
      isExact: () => false,
    },
    gleif: {
      putRecord: () => false,
      values: () => [],
      hasWords: () => false,
      *relationCounts() {
        yield;
        return new Map();
      },
      codeList: () => [],
    },
    companyPath: '/api/v1/lei/',
    lastEntity: companies.length,
    countries: new Set(companies.map(({ country }) => country).filter((code) => code !== undefined)),
    find: reading((lei: string) => {
      const entity = numberOf(lei);
      return entity === 0 ? null : { entity, hasRecord: companyOf(entity).name !== null };
    }),
    facts() {
      throw new Error('A publication in memory has no packed records.');
    },
    company(entity) {
      const { lei, name, mapped = [] } = companyOf(entity);
      if (name === null) return null;
      const json = JSON.stringify({ lei, name, publication: content.id });
      return { json: Buffer.from(json), notices: noticesOf(mapped) };
    },
    summary: reading((entity: EntityNumber) => {
      const read = reads;
      return summaryOf(companyOf(entity), () => {
        if (reads !== read) throw new Error('A summary was asked after something else had been read.');
      });
    }),
    relationships: reading((entity: EntityNumber) => ({
      asStart: stored.filter(({ start }) => start === entity),
      asEnd: stored.filter(({ end }) => end === entity),
      free: () => undefined,
    })),
    *relationshipsInSteps(entity) {
      yield;
      return this.relationships(entity);
    },
    exceptions: reading((entity: EntityNumber) => {
      const { direct = null, ultimate = null } = companyOf(entity);
      return { direct, ultimate };
    }),
    entitiesOf: reading((kind: MappingKind, value: string) =>
      mappings.filter((row) => row.kind === kind && row.value === value).map(({ lei }) => numberOf(lei)),
    ),
    isins(entity, after, limit) {
      const isOurs = (row: { kind: MappingKind; lei: string }) =>
        row.kind === 'isin' && row.lei === companyOf(entity).lei;
      const all = [...new Set(mappings.filter(isOurs).map(({ value }) => value))].sort();
      const rest = all.filter((isin) => after === null || isin > after);
      const items = rest.slice(0, limit);
      return { total: all.length, items, next: items.length < rest.length ? (items.at(-1) ?? null) : null };
    },
    micListEntry: reading((mic: string) => micList[mic] ?? null),
    changes(lei, after, limit) {
      const items = changes[lei] ?? (numberOf(lei) > 0 ? [] : null);
      if (items === null) return null;
      const start = after === null ? 0 : Number(after);
      const end = start + limit;
      return { items: items.slice(start, end), next: end < items.length ? String(end) : null };
    },
    changesSince({ since, leis, kinds, after, limit }) {
      if (since < oldest) return { outcome: 'refused', detail: `is too old: the oldest is ${oldest}` };
      const isAsked = ({ at, lei, kind }: MemoryChange) =>
        at > since &&
        (leis.length === 0 || leis.includes(lei)) &&
        (kinds.length === 0 || kinds.includes(kind));
      const items = feed.filter(isAsked).map((change) => JSON.stringify(change));
      const end = Number(after ?? 0) + limit;
      return {
        outcome: 'page',
        since: content.id,
        items: items.slice(end - limit, end),
        next: end < items.length ? String(end) : null,
      };
    },
    close: async () => {},
  };
}

/** A publication large enough for a thread to practise on; a failing search shows that it does. */
export function practisedPublication(id: string): PublicationReader {
  const companies = Array.from({ length: queryLimits.companiesPerPractised }, (_, index) => ({
    lei: `MANY${String(index).padStart(16, '0')}`,
    name: `Practised ${index}`,
  }));
  const search = ({ q }: SearchQuery): SearchOutcome => {
    if (q.startsWith('Practis')) throw new Error(`It was asked for ${q}.`);
    return { outcome: 'hits', total: 0, hits: [], next: null };
  };
  return memoryPublication({ id, companies, search });
}

/** @param check throws if the summary is no longer valid */
function summaryOf(
  { lei, name, country = 'DE', city = 'BERLIN', otherNames = [] }: MemoryCompany,
  check: () => void,
): EntitySummary {
  const known = name !== null;
  const fields = {
    lei,
    name,
    country: known ? country : null,
    jurisdiction: known ? country : null,
    city: known ? city : null,
    entityStatus: known ? 'ACTIVE' : null,
    registrationStatus: known ? 'ISSUED' : null,
    lastUpdateDate: known ? '2024-01-01T00:00:00Z' : null,
    initialRegistrationDate: known ? '2014-01-01T00:00:00Z' : null,
  };
  const names = [{ name, type: 'LEGAL_NAME' }, ...otherNames];
  return {
    get lei() {
      check();
      return lei;
    },
    get name() {
      check();
      return name;
    },
    put(out, field) {
      check();
      out.text(JSON.stringify(fields[field]));
    },
    putName(out, number) {
      check();
      if (!known) throw new Error(`${lei} has no record and no names.`);
      out.text(JSON.stringify(names[number] ?? names[0]));
    },
  };
}
