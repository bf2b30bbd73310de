/**
 * Tests OpenRefine on a table of 500 rows: reconcile, judge, extend; once with an account whose limits allow it, once
 * within the default limits. Part of `npm run test:long`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { isInstalled } from '../support/programs.ts';
import { createAccount, leiJson } from '../support/run-lei.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type Cell, type OpenRefine, startOpenRefine } from './openrefine.ts';
import { dirtyTable, type Table } from './table.ts';

const rowCount = 500;
const withOpenRefine = isInstalled('openrefine');

let service: TestService;
let refine: OpenRefine;
let table: Table;

beforeAll(async () => {
  if (!withOpenRefine) return;
  service = await startTestService({
    environment: { LEI_LIMITS: 'enforce', LEI_LOG_REQUESTS: 'all', LEI_LOG_LEVEL: 'info' },
  });
  [refine, table] = await Promise.all([startOpenRefine(), dirtyTable(service.dataDir, rowCount)]);
}, 180_000);
afterAll(async () => {
  if (!withOpenRefine) return;
  await refine.stop();
  await service.stop();
});

/** The figures that docs/reconcile.md shows. */
function say(figures: Readonly<Record<string, number>>): void {
  process.stderr.write(`${JSON.stringify(figures)}\n`);
}

function candidates(cell: Cell | undefined): number {
  return cell?.r?.c?.length ?? 0;
}

/** The address of the service with the token of a new account. */
async function addressFor(email: string, ...limits: readonly string[]): Promise<string> {
  await createAccount(service.dataDir, email, ...limits);
  const { json } = await leiJson(service.dataDir, 'keys', 'create', email, '--reconcile');
  const secret = /lei_reconcile_\w{38}/.exec(JSON.stringify(json))?.[0];
  return `${service.baseUrl}/reconcile/${secret}`;
}

async function reconcile(project: string, address: string): Promise<readonly (Cell | undefined)[]> {
  const { identifierSpace, schemaSpace, defaultTypes } = JSON.parse(await (await fetch(address)).text());
  await refine.change(project, 'reconcile', {
    columnName: 'company',
    config: {
      mode: 'standard-service',
      service: address,
      identifierSpace,
      schemaSpace,
      type: defaultTypes[0],
      autoMatch: true,
      columnDetails: [{ column: 'country', propertyName: 'Country', propertyID: 'country' }],
      limit: 0,
    },
  });
  return (await refine.rows(project)).map((row) => row['company']);
}

describe.skipIf(!withOpenRefine)('OpenRefine', () => {
  test('reconciles, judges and extends 500 rows with an account whose limits allow it', async () => {
    const address = await addressFor(
      'large@example.com',
      '--daily',
      '100000',
      '--burst-search',
      '6000',
      '--burst-lookup',
      '6000',
    );
    const project = await refine.create('companies', table.csv);
    const startedAt = performance.now();
    const cells = await reconcile(project, address);
    const seconds = (performance.now() - startedAt) / 1000;
    const matched = cells.map((cell) => (cell?.r?.j === 'matched' ? cell.r.m.id : null));
    const count = (is: (row: number) => boolean) => table.meant.filter((_, row) => is(row)).length;
    const figures = {
      rows: cells.length,
      'in the data': count((row) => table.meant[row] !== null),
      matched: count((row) => matched[row] !== null),
      'matched rightly': count((row) => matched[row] !== null && matched[row] === table.meant[row]),
      'with candidates to choose from': count((row) => matched[row] === null && candidates(cells[row]) > 0),
      seconds: Math.round(seconds * 10) / 10,
    };
    say(figures);
    expect(figures.rows).toBe(rowCount);
    expect(figures['matched rightly'] / figures.matched).toBeGreaterThan(0.95);
    expect(figures['matched rightly'] / figures['in the data']).toBeGreaterThan(0.75);

    await judgeFirst(project, address, cells);
    await refine.change(project, 'extend-data', {
      baseColumnName: 'company',
      endpoint: address,
      identifierSpace: 'x',
      schemaSpace: 'x',
      columnInsertIndex: 1,
      extension: {
        properties: [
          { id: 'country', name: 'Country' },
          { id: 'status', name: 'Status' },
        ],
      },
    });
    expect(await refine.columns(project)).toEqual(['company', 'Country', 'Status', 'country']);
    const rows = await refine.rows(project);
    const extended = rows.filter(({ company }) => company?.r?.j === 'matched');
    expect(extended.length).toBe(figures.matched + 1);
    for (const { Country, Status } of extended) {
      expect(Country?.v).toMatch(/^[A-Z]{2}$/);
      expect(Status?.v).toMatch(/^(?:ACTIVE|INACTIVE|NULL)$/);
    }
    const others = rows.filter(({ company }) => company?.r?.j !== 'matched');
    expect(others.every(({ Country }) => (Country?.v ?? null) === null)).toBe(true);
  }, 300_000);

  /** Takes the first candidate of the first row that has several. */
  async function judgeFirst(project: string, address: string, cells: readonly (Cell | undefined)[]) {
    const row = cells.findIndex((cell) => cell?.r?.j !== 'matched' && candidates(cell) > 0);
    const { id, name } = cells[row]?.r?.c[0] ?? {};
    await refine.change(project, 'recon-judge-one-cell', {
      row: String(row),
      cell: '0',
      judgment: 'matched',
      identifierSpace: 'x',
      schemaSpace: 'x',
      service: address,
      id,
      name,
      types: 'LegalEntity',
    });
    const judged = (await refine.rows(project))[row]?.['company'];
    expect(judged?.r).toMatchObject({ j: 'matched', m: { id } });
  }

  test('within the default limits continues by itself after each minute, waiting as long as a refusal asks', async () => {
    const address = await addressFor('small@example.com');
    const few = table.csv.split('\n').slice(0, 101).join('\n');
    const project = await refine.create('companies within limits', few);
    const before = (await service.logText()).length;
    const startedAt = performance.now();
    const cells = await reconcile(project, address);
    const seconds = (performance.now() - startedAt) / 1000;
    const statuses = (await service.logText()).slice(before).match(/"status":\d+/g) ?? [];
    const refused = statuses.filter((status) => status.endsWith('429')).length;
    const matched = cells.filter((cell) => cell?.r?.j === 'matched').length;
    const untouched = cells.filter((cell) => cell?.r === undefined).length;
    say({ rows: cells.length, matched, untouched, requests: statuses.length, refused, seconds });
    expect(refused).toBeGreaterThan(0);
    expect(untouched).toBe(0);
    expect(seconds).toBeGreaterThan(30);
  }, 300_000);
});
