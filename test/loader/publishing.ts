/** Publishes small data sets in GLEIF's own forms and loads them with the real pipeline into their own data folder. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../src/lei/relationship.ts';
import { exceptionCategories } from '../../src/lei/relationship-codes.ts';
import type { LoadOutcome, LoadRequest } from '../../src/loader/load-request.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import type { ColumnsQuery } from '../../src/store/columns/list-query.ts';
import { openEnvironment } from '../../src/store/open-publication.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { atOnce } from '../../src/store/steps.ts';
import { jsonIn } from '../support/answers.ts';
import { temporaryFolder } from '../support/folders.ts';
import { loadHere } from '../support/load-here.ts';
import { exceptionTree, goldenCopyFile, level1Tree, relationshipTree } from './gleif-files.ts';
import type { Tree } from './parse/writing.ts';

/** The n-th LEI of the tests, with right check digits. */
export function lei(n: number): string {
  const body = `TEST00${String(n).padStart(12, '0')}`;
  let remainder = 0;
  for (const character of `${body}00`) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return `${body}${String(98 - remainder).padStart(2, '0')}`;
}

const louLei = '529900F6BNUR3RJ2WH29';

export interface CompanyTraits {
  readonly name?: string;
  readonly city?: string;
  readonly country?: string;
  readonly status?: string;
  readonly updated?: string;
  readonly otherNames?: readonly string[];
  readonly legalForm?: string;
  readonly registeredAs?: string;
  readonly category?: LegalEntityRecord['entity']['category'];
}

/** A level 1 record with the values that a test gives, and plausible ones elsewhere. */
export function company(n: number, traits: CompanyTraits = {}): LegalEntityRecord {
  const { name = `Company Number ${n} Limited`, city = 'LONDON', country = 'GB', status = 'ISSUED' } = traits;
  const address = {
    language: 'en',
    addressLines: [`${n} Main Street`],
    addressNumber: null,
    addressNumberWithinBuilding: null,
    mailRouting: null,
    city,
    region: null,
    country,
    postalCode: 'EC1A 1AA',
  };
  return {
    lei: lei(n),
    entity: {
      legalName: { name, language: 'en' },
      otherNames: (traits.otherNames ?? []).map((other) => ({
        name: other,
        language: 'en',
        type: 'PREVIOUS_LEGAL_NAME',
      })),
      transliteratedOtherNames: [],
      legalAddress: address,
      headquartersAddress: address,
      otherAddresses: [],
      transliteratedOtherAddresses: [],
      registeredAt: { id: 'RA000585', other: null },
      registeredAs: traits.registeredAs ?? String(10_000_000 + n),
      jurisdiction: country,
      category: traits.category ?? 'GENERAL',
      subCategory: null,
      legalForm: { id: traits.legalForm ?? 'B6ES', other: null },
      associatedEntity: null,
      status: 'ACTIVE',
      creationDate: '2001-02-03T00:00:00Z',
      expiration: { date: null, reason: null },
      successorEntities: [],
      eventGroups: [],
    },
    registration: {
      status,
      initialRegistrationDate: '2014-01-01T00:00:00Z',
      lastUpdateDate: traits.updated ?? '2024-01-01T00:00:00Z',
      nextRenewalDate: '2025-01-01T00:00:00Z',
      managingLou: louLei,
    },
    validation: {
      corroborationLevel: 'FULLY_CORROBORATED',
      validatedAt: { id: 'RA000585', other: null },
      validatedAs: String(10_000_000 + n),
      otherValidationAuthorities: [],
      conformityFlag: 'CONFORMING',
    },
  };
}

export interface RelationshipTraits {
  readonly type?: string;
  readonly status?: string;
  readonly updated?: string;
}

export function relationship(
  start: number,
  end: number,
  traits: RelationshipTraits = {},
): RelationshipRecord {
  return {
    start: lei(start),
    end: lei(end),
    relationship: {
      type: traits.type ?? 'IS_DIRECTLY_CONSOLIDATED_BY',
      status: traits.status ?? 'ACTIVE',
      periods: [{ type: 'RELATIONSHIP_PERIOD', startDate: '2016-01-01T00:00:00Z', endDate: null }],
      qualifiers: [{ dimension: 'ACCOUNTING_STANDARD', category: 'IFRS' }],
      quantifiers: [],
      validation: { sources: 'FULLY_CORROBORATED', documents: 'ACCOUNTS_FILING', reference: null },
      registration: {
        status: 'PUBLISHED',
        initialRegistrationDate: '2017-06-01T00:00:00Z',
        lastUpdateDate: traits.updated ?? '2024-01-01T00:00:00Z',
        nextRenewalDate: '2025-01-01T00:00:00Z',
        managingLou: louLei,
      },
    },
  };
}

export function exception(n: number, side: 'direct' | 'ultimate', reason: string): ExceptionRecord {
  return {
    lei: lei(n),
    exception: { category: exceptionCategories[side], reasons: [reason], references: [] },
  };
}

export interface Deletable<T> {
  readonly kept?: readonly T[];
  readonly deleted?: readonly T[];
}

/** One published set of all three families and the mapping files; absent ones are not published. */
export interface Publishing {
  /** UTC. */
  readonly at: string;
  /** Start of the window; null for a full set. */
  readonly since?: string;
  readonly companies?: readonly LegalEntityRecord[];
  readonly relationships?: Deletable<RelationshipRecord>;
  readonly exceptions?: Deletable<ExceptionRecord>;
  readonly isins?: readonly (readonly [n: number, isin: string])[];
  readonly bics?: readonly (readonly [n: number, bic: string])[];
  readonly ocids?: readonly (readonly [n: number, ocid: string])[];
}

/** Writes the files of one set into a new folder and returns their paths. */
export function publish(folder: string, publishing: Publishing): string[] {
  mkdirSync(folder, { recursive: true });
  const target = mkdtempSync(join(folder, 'files-'));
  const { at, since = null } = publishing;
  const stamp = at.slice(0, 16).replace(/[-:]/g, '').replace('T', '-');
  const files: string[] = [];
  const add = (name: string, text: string) => {
    files.push(join(target, name));
    writeFileSync(join(target, name), text);
  };
  const addGoldenCopy = (family: 'lei2' | 'rr' | 'repex', records: readonly Tree[]) =>
    add(
      `${stamp}-gleif-goldencopy-${family}.xml`,
      goldenCopyFile(family, records, { contentDate: at, deltaStart: since }),
    );
  const trees = <T>(
    { kept = [], deleted = [] }: Deletable<T>,
    treeOf: (record: T, deletedAt?: string) => Tree,
  ) => [...kept.map((record) => treeOf(record)), ...deleted.map((record) => treeOf(record, at))];
  const { companies, relationships, exceptions } = publishing;
  if (companies !== undefined) addGoldenCopy('lei2', companies.map(level1Tree));
  if (relationships !== undefined) addGoldenCopy('rr', trees(relationships, relationshipTree));
  if (exceptions !== undefined) addGoldenCopy('repex', trees(exceptions, exceptionTree));
  const day = stamp.replace('-', 'T');
  const pairs = (kind: string, list: readonly (readonly [number, string])[] | undefined) => {
    if (list === undefined) return;
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    const lines = list.map(([n, value]) => `${lei(n)},${quoted(value)}\n`);
    add(`${kind.toLowerCase()}-lei-${day}00.csv`, `LEI,${kind}\n${lines.join('')}`);
  };
  pairs('ISIN', publishing.isins);
  pairs('BIC', publishing.bics);
  pairs('OpenCorporatesID', publishing.ocids);
  return files;
}

/** The n-th ISIN of the tests, with a right Luhn digit. */
export function isin(n: number): string {
  const body = `XS${String(n).padStart(9, '0')}`;
  const digits = [...body].map((character) => Number.parseInt(character, 36)).join('');
  let sum = 0;
  [...digits].reverse().forEach((digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  });
  return `${body}${(10 - (sum % 10)) % 10}`;
}

export function bic(n: number): string {
  return `TEST${'GB'}2L${String(n).padStart(3, '0')}`;
}

export interface Operator {
  readonly dataDir: string;
  /** Messages of all loads so far. */
  readonly messages: string[];
  /** Publishes, loads and activates. */
  load(publishing: Publishing, request?: Partial<LoadRequest>): Promise<LoadOutcome>;
  loadFiles(files: readonly string[], request?: Partial<LoadRequest>): Promise<LoadOutcome>;
  /** The active publication, opened without a time limit for searches; closed by the test. */
  open(): Promise<PublicationReader>;
}

/** An operator with their own data folder. */
export function operator(): Operator {
  const dataDir = temporaryFolder('loading');
  const paths = layout(dataDir);
  const messages: string[] = [];
  const loadFiles = (files: readonly string[], request?: Partial<LoadRequest>) =>
    loadHere(dataDir, files, request, { message: (message) => void messages.push(message) });
  return {
    dataDir,
    messages,
    loadFiles,
    load: (publishing, request) => loadFiles(publish(dataDir, publishing), request),
    async open() {
      const id = readPointer(paths)?.id ?? '';
      return openEnvironment(paths.publication(id), id);
    },
  };
}

/** The parsed JSON of a company; null if it has none. */
export function companyOf(reader: PublicationReader, n: number) {
  const entry = reader.find(lei(n));
  const text = entry === null ? null : reader.company(entry.entity);
  return text === null ? null : jsonIn(text.json);
}

/** All changes of a company, newest first. */
export function changesOf(reader: PublicationReader, n: number): Record<string, unknown>[] {
  return (reader.changes(lei(n), null, 1000)?.items ?? []).map((item) => JSON.parse(item));
}

/** Lists whose answers are compared. */
const listsAsked: readonly Pick<ColumnsQuery, 'conditions' | 'order'>[] = [
  { conditions: [], order: [] },
  { conditions: [{ is: 'value', field: 'country', values: ['GB', 'XK'], isExcluded: false }], order: [] },
  {
    conditions: [{ is: 'value', field: 'registrationStatus', values: ['LAPSED'], isExcluded: true }],
    order: [{ field: 'country', isDescending: true }],
  },
  {
    conditions: [{ is: 'time', field: 'updated', from: Date.parse('2024-01-15T00:00:00Z') / 1000, to: null }],
    order: [{ field: 'updated', isDescending: false }],
  },
];

/** All answers of a publication about some companies, except what may depend on how it was made. */
export function answersOf(
  reader: PublicationReader,
  numbers: readonly number[],
  identifiers: readonly string[],
) {
  return {
    companies: numbers.map((n) => {
      const company = companyOf(reader, n);
      return company === null ? null : { ...company, provenance: null };
    }),
    relationships: numbers.map((n) => {
      const entry = reader.find(lei(n));
      if (entry === null) return [];
      const { asStart, asEnd } = reader.relationships(entry.entity);
      return [...asStart, ...asEnd]
        .map(({ start, end, json }) => `${reader.summary(start).lei} ${reader.summary(end).lei} ${json}`)
        .sort();
    }),
    lists: listsAsked.map((asked) => {
      const list = atOnce(reader.lists.list({ ...asked, first: null, skip: 0, limit: 100 }));
      return { total: list.total, leis: list.entities.map((entity) => reader.summary(entity).lei) };
    }),
    exceptions: numbers.map((n) => {
      const entry = reader.find(lei(n));
      return entry === null ? { direct: null, ultimate: null } : reader.exceptions(entry.entity);
    }),
    isins: numbers.map((n) => {
      const entry = reader.find(lei(n));
      return entry === null ? [] : reader.isins(entry.entity, null, 1000)?.items;
    }),
    identifiers: identifiers.map((value) =>
      reader
        .entitiesOf(value.includes('/') ? 'ocid' : value.startsWith('XS') ? 'isin' : 'bic', value)
        .map((entity) => reader.summary(entity).lei),
    ),
    searches: ['company', 'limited', 'company number 1', 'renamed'].map((q) => {
      const outcome = reader.search.search({ q, country: null, status: null, after: null, limit: 100 });
      return outcome.outcome !== 'hits'
        ? outcome
        : {
            total: outcome.total,
            hits: outcome.hits.map((hit) => ({ ...hit, entity: reader.summary(hit.entity).lei })),
          };
    }),
    countries: [...reader.countries],
  };
}
