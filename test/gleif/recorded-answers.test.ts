/**
 * Compares the answers of GLEIF's API over recorded data with what GLEIF's own service answered, member by member. The
 * table says for each difference why it must be.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gleifBase } from '../../src/gleif/routes.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { recordings, requestOf } from './recorded/documents.ts';
import { writeGoldenCopy } from './recorded/golden-copy.ts';

let service: TestService;

beforeAll(async () => {
  const dataDir = temporaryFolder('recorded');
  const files = writeGoldenCopy(temporaryFolder('recorded-files'));
  const loaded = await leiJson(dataDir, 'load', '--published-at', '2025-05-15T00:00:00Z', ...files);
  expect(loaded.code).toBe(0);
  // A delta keeps the code lists, and everything else that it does not replace.
  const mappings = files.filter((file) => file.endsWith('bic.csv'));
  const grown = await leiJson(
    dataDir,
    'load',
    '--delta',
    '--published-at',
    '2025-05-15T00:00:00Z',
    ...mappings,
  );
  expect([grown.code, grown.stderr]).toEqual([0, expect.any(String)]);
  const status = await runLei(dataDir, 'status');
  expect(status.stdout).toContain('Code list    registration-authorities, authorities.csv');
  expect(status.stdout).toContain('Code list    official-organizational-roles, roles.csv');
  service = await startTestService({
    dataDir,
    environment: { LEI_GLEIF_BASE_URL: 'https://api.gleif.org/api/v1' },
  });
});
afterAll(() => service.stop());

/** A member whose value differs; `at` is its path without positions in lists. */
interface Difference {
  readonly file: string;
  readonly at: string;
  readonly recorded: unknown;
  readonly ours: unknown;
}

interface Explained {
  /** Recordings, by their names. */
  readonly in: RegExp;
  readonly at: RegExp;
  readonly why: string;
}

const counted = /^(meta\.pagination\.(from|to|total|lastPage)|links\.(next|last)|data\[\])$/;

const table: readonly Explained[] = [
  {
    in: /^lei_records\//,
    at: /\.attributes\.spglobal$/,
    why: 'No open file has the numbers of S&P Global.',
  },
  {
    in: /^lei_records\//,
    at: /\.attributes\.gem$/,
    why: 'GLEIF added the member after the answers were recorded.',
  },
  {
    in: /^lei_records\/.*-children/,
    at: /^data\[order\]$/,
    why: 'Two companies were registered in the same second; how GLEIF orders them is unknown, here it is by LEI.',
  },
  {
    in: /^(lei_records\/.*-children|relationships\/.*-child-relationships|isins\/)/,
    at: counted,
    why: 'Only the first page of each list was recorded: what stands on the others is in no file of this test.',
  },
  {
    in: /^(relationships|reporting_exceptions)\//,
    at: /^data(\[\])?\.id$/,
    why: 'Ids have a number and a digest that only GLEIF has; clients take ids for opaque.',
  },
  {
    in: /^relationships\//,
    at: /\.attributes\.validFrom$/,
    why: 'The golden copy does not say since when GLEIF has had this version of a relationship.',
  },
  {
    in: /^isins\//,
    at: /^data\[\]\.id$/,
    why: 'No open file has the ids of ISINs; clients take ids for opaque.',
  },
  {
    in: /^field_modifications\//,
    at: counted,
    why: 'The history of a service begins with its first load, and this one has loaded once.',
  },
  {
    in: /^lei_issuers\//,
    at: /\.attributes\.(marketingName|website|accreditationDate)$/,
    why: 'No open file has marketing names, web sites and days of accreditation.',
  },
  {
    in: /^lei_issuers\/lei_(record_issuer|issuers_all)/,
    at: /\.attributes\.name$/,
    why: 'The name is that of the record; GLEIF keeps a spelling of its own for some issuers.',
  },
  {
    in: /^lei_issuers\/lei_issuers_all/,
    at: counted,
    why: 'Issuers are those that manage a record of the publication, and few of all records were recorded.',
  },
  {
    in: /^lei_issuers\/lei_issuer_jurisdictions/,
    at: counted,
    why: 'No open file says for which jurisdictions an issuer is accredited.',
  },
  {
    in: /^(countries|jurisdictions)\//,
    at: /\.attributes\.name$/,
    why: 'Names are those of the package iso-3166, which writes no "(the)".',
  },
  {
    in: /^(jurisdictions|regions)\/.*_all/,
    at: counted,
    why: 'The package iso-3166 has another edition of ISO 3166-2.',
  },
  {
    in: /^regions\//,
    at: /\.attributes\.names\[\]\.language$/,
    why: 'The package iso-3166 does not say in which language a name is.',
  },
  {
    in: /^(official_organizational_roles|registration_authorities)\/.*_all/,
    at: counted,
    why: 'The loaded lists have the entries that were recorded only.',
  },
  {
    in: /^fields\//,
    at: /^(data|data\[\]|meta\.pagination\.(to|total)|errors)$/,
    why: 'The list has the fields that this service filters and sorts by.',
  },
  {
    in: /^fields\//,
    at: /\.attributes\.sortable$/,
    why: 'Lists are not sorted by everything that GLEIF sorts by.',
  },
  {
    in: /^(auto|fuzzy)_completions\//,
    at: /^data\[\]$/,
    why: 'Completions come from the names of all companies, and few of them were recorded.',
  },
  {
    in: /^(registration_agents|vlei_issuers)\//,
    at: /^(data|meta|links|errors)$/,
    why: 'No open file has registration agents and vLEI issuers.',
  },
];

test('answers are the recorded ones, but for what no open file holds', async () => {
  const differences: Difference[] = [];
  for (const { file, document } of recordings()) {
    const response = await service.fetch(gleifBase + requestOf(file));
    compare(document, await response.json(), (at, recorded, ours) =>
      differences.push({ file, at, recorded, ours }),
    );
  }
  const unexplained = differences.filter(
    ({ file, at }) => !table.some((row) => row.in.test(file) && row.at.test(at)),
  );
  const groups = Map.groupBy(unexplained, ({ file, at }) => `${file.replace(/[A-Z0-9]{20}/, 'LEI')} ${at}`);
  const shown = Array.from(
    groups,
    ([name, [first, ...more]]) =>
      `${name}: ${JSON.stringify(first?.recorded)?.slice(0, 150)} | ${JSON.stringify(first?.ours)?.slice(0, 150)} (${more.length} more)`,
  );
  expect(shown).toEqual([]);
  const idle = table.filter(
    (row) => !differences.some(({ file, at }) => row.in.test(file) && row.at.test(at)),
  );
  expect(idle).toEqual([]);
}, 600_000);

test('registration authorities are found by their jurisdictions', async () => {
  const found = async (filter: string) => {
    const response = await service.fetch(`${gleifBase}/registration-authorities?filter${filter}`);
    const { data }: { readonly data: readonly { readonly id: string }[] } = JSON.parse(await response.text());
    return data.map(({ id }) => id);
  };
  expect(await found('[countryCode]=dz')).toContain('RA000003');
  expect(await found('[countryCode]=!DZ&page[size]=100')).not.toContain('RA000003');
  expect(await found('[country]=algeria')).toContain('RA000003');
  expect(await found('[jurisdiction]=Algeria')).toContain('RA000003');
});

type Report = (at: string, recorded: unknown, ours: unknown) => void;

function compare(recorded: unknown, ours: unknown, report: Report, at = ''): void {
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    compareLists(recorded, ours, report, at);
    return;
  }
  const [before, after] = [membersOf(recorded), membersOf(ours)];
  if (before === null || after === null) {
    if (!Bun.deepEquals(recorded, ours)) report(at, recorded, ours);
    return;
  }
  const [order, ourOrder] = [
    [...before.keys()].filter((name) => after.has(name)),
    [...after.keys()].filter((name) => before.has(name)),
  ];
  if (!Bun.deepEquals(order, ourOrder)) report(`${at}[members]`, order, ourOrder);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    compare(before.get(name), after.get(name), report, at === '' ? name : `${at}.${name}`);
  }
}

/** Resources are compared with those of their id, whatever their order; everything else in order. */
function compareLists(
  recorded: readonly unknown[],
  ours: readonly unknown[],
  report: Report,
  at: string,
): void {
  const keys = [recorded, ours].map((list) => list.map((item, index) => keyOf(item) ?? String(index)));
  const [before = [], after = []] = keys;
  if (isOrdered(before) && !Bun.deepEquals(before, after)) report(`${at}[order]`, before, after);
  for (const key of new Set([...before, ...after])) {
    const [first, second] = [recorded[before.indexOf(key)], ours[after.indexOf(key)]];
    if (first === undefined || second === undefined) report(`${at}[]`, first, second);
    else compare(first, second, report, `${at}[]`);
  }
}

/** Records are listed in an order that clients know. */
function isOrdered(keys: readonly string[]): boolean {
  return keys.every((key) => /^lei-records [A-Z0-9]{20}$/.test(key));
}

/** What two answers call a resource alike; null for what is none. */
function keyOf(item: unknown): string | null {
  const members = membersOf(item);
  const type = members?.get('type');
  const attributes = membersOf(members?.get('attributes'));
  if (typeof type !== 'string' || attributes === null) return null;
  if (type === 'isins') return String(attributes.get('isin'));
  return `${type} ${String(members?.get('id')).split('|').slice(0, 3).join('|')}`;
}

function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}
