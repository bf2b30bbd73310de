/**
 * Tests loads over a publication of format 3, made by commit 4587458e: its times are texts, and its company file has columns
 * of an earlier format. test/fixtures/earlier-times/README.md says how it was made.
 */
import { beforeAll, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { layout } from '../../src/publication/layout.ts';
import { companyFileVersion } from '../../src/store/company-file-layout.ts';
import { atOnce } from '../../src/store/steps.ts';
import { jsonIn } from '../support/answers.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { generatedFiles } from '../support/two-publications.ts';
import { type Operator, operator } from './publishing.ts';

const id = '20261005T160000Z-a358588b';
const size = 40;
const lenient = { skippedGates: ['entity-count'] as const };
let files: { readonly full: string[]; readonly days: readonly string[][] };

beforeAll(async () => {
  const generated = (name: string, ...options: readonly string[]) =>
    generatedFiles(join(temporaryFolder('earlier-times'), name), size, '--seed', '7', ...options);
  const day = (number: string) => generated(`day-${number}`, '--delta', '--changes', '10', '--day', number);
  files = { full: await generated('full'), days: [await day('1'), await day('2')] };
});

/** With the publication of the earlier version. */
function earlier(): Operator {
  const someone = operator();
  cpSync(join(import.meta.dir, '..', 'fixtures', 'earlier-times'), someone.dataDir, { recursive: true });
  return someone;
}

/** With what this version makes of the same files. */
async function sameByThisVersion(): Promise<Operator> {
  const someone = operator();
  await someone.loadFiles(files.full);
  await someone.loadFiles(files.days[0] ?? [], { delta: true });
  return someone;
}

/** All companies without provenance, their changes without versions, and lists in some orders. */
async function contentOf(someone: Operator) {
  const reader = await someone.open();
  const listed = (field: 'created' | 'name') =>
    atOnce(
      reader.lists.list({
        ...{ conditions: [], first: null, skip: 0, limit: 1000 },
        order: [{ field, isDescending: false }],
      }),
    ).entities.map((entity) => reader.summary(entity).lei);
  const leis = listed('name');
  const content = {
    leis,
    byAge: listed('created'),
    companies: leis.map((lei) => {
      const company = reader.company(reader.find(lei)?.entity ?? 0);
      return company === null ? null : { ...jsonIn(company.json), provenance: null };
    }),
    relationships: leis.map((lei) =>
      reader.relationships(reader.find(lei)?.entity ?? 0).asStart.map(({ json }) => json),
    ),
    changes: leis.map((lei) =>
      (reader.changes(lei, null, 100)?.items ?? []).map((item) => ({
        ...JSON.parse(item),
        datasetVersion: '',
      })),
    ),
  };
  await reader.close();
  return content;
}

test('is refused with advice by what serves or checks it', async () => {
  const { dataDir } = earlier();
  const { code, json } = await leiJson(dataDir, 'verify');
  const path = layout(dataDir).companies(id);
  expect({ code, json }).toMatchObject({
    code: 1,
    json: {
      error: {
        code: 'company-file-format',
        message: `${path} has format 6; this program reads ${companyFileVersion}. Load the data again with it.`,
      },
    },
  });
  expect((await leiJson(dataDir, 'publications')).json).toMatchObject([
    { id, state: 'other-format', problem: expect.stringContaining('Load the data again') },
  ]);
});

test.each(['a delta', 'a full set'])(
  '%s over it gives what it gives over one of this version, history included',
  async (kind) => {
    const [upgraded, fresh] = [earlier(), await sameByThisVersion()];
    for (const someone of [upgraded, fresh]) {
      if (kind === 'a delta') await someone.loadFiles(files.days[1] ?? [], { delta: true });
      else await someone.loadFiles(files.full, lenient);
    }
    const [one, other] = [await contentOf(upgraded), await contentOf(fresh)];
    expect(one).toEqual(other);
    expect(one.changes.flat().length).toBeGreaterThan(5);
    const reader = await upgraded.open();
    expect((await verifySealed(layout(upgraded.dataDir), reader.id, () => {})).problems).toEqual([]);
    await reader.close();
  },
);
