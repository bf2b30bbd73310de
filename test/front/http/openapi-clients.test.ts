/** Clients that generators make from the description compile under strict TypeScript, and talk to the running service. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { temporaryFolder } from '../../support/folders.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { root } from '../../support/source-tree.ts';

let service: TestService;
let source: string;
beforeAll(async () => {
  service = await startTestService();
  source = await (await service.fetch('/openapi.json')).text();
});
afterAll(() => service.stop());

/** What both programs print. */
const expected = {
  name: 'DEUTSCHE BANK AKTIENGESELLSCHAFT',
  bic: 'DEUTDEFFXXX',
  pages: 3,
  refused: 'limit must be a whole number from 1 to 100.',
  missing: 404,
};

/** Compiles `client.ts` and what it imports, and runs it. `more`: compiler options beyond `strict`. */
async function compileAndRun(folder: string, program: string, more: object = {}): Promise<unknown> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'client.ts'), program);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...strict, ...more }, include: ['*.ts'] }),
  );
  const compiled = Bun.spawnSync([join(folder, 'node_modules', '.bin', 'tsc'), '-p', folder]);
  expect(compiled.stdout.toString()).toBe('');
  expect(compiled.exitCode).toBe(0);
  const run = Bun.spawn([process.execPath, join(folder, 'client.ts'), service.baseUrl], { stdout: 'pipe' });
  const printed: unknown = JSON.parse(await run.stdout.text());
  expect(await run.exited).toBe(0);
  return printed;
}

function newFolder(name: string): string {
  const folder = temporaryFolder(name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

test('types made by openapi-typescript, used with openapi-fetch', async () => {
  const folder = newFolder('openapi-typescript');
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(source)));
  expect(await compileAndRun(folder, withOpenapiFetch, stricter)).toEqual(expected);
}, 60_000);

test('a client made by @hey-api/openapi-ts', async () => {
  const folder = newFolder('hey-api');
  const input = join(folder, 'openapi.json');
  writeFileSync(input, source);
  await createClient({
    input,
    output: join(folder, 'api'),
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  expect(await compileAndRun(folder, withHeyApi)).toEqual(expected);
}, 60_000);

const strict = {
  target: 'ESNext',
  module: 'Preserve',
  moduleResolution: 'bundler',
  lib: ['ESNext', 'DOM', 'DOM.Iterable'],
  types: ['bun-types'],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  skipLibCheck: true,
};
/** A generator's own run-time code need not keep these; the types of the description do. */
const stricter = {
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
};

/** Code that an engineer would write with the generated types, without casts. */
const withOpenapiFetch = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type Company = components['schemas']['Company'];
type Problem = components['schemas']['Problem'];
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

const company = await client.GET('/api/v1/lei/{lei}', { params: { path: { lei: '7LTWFZYICNSX8D621K86' } } });
const data: Company | undefined = company.data?.data;
const name: string | undefined = data?.entity.legalName.name;

const byBic = await client.GET('/api/v1/bic/{bic}', { params: { path: { bic: 'DEUTDEFF' } } });

let pages = 0;
let cursor: string | undefined;
do {
  const query = { q: 'bank', limit: 2, ...(cursor === undefined ? {} : { cursor }) };
  const page = await client.GET('/api/v1/search', { params: { query } });
  cursor = page.data?.links.next;
  pages++;
} while (cursor !== undefined && pages < 3);

const wrong = await client.GET('/api/v1/search', { params: { query: { q: 'bank', limit: 0 } } });
const problem: Problem | undefined = wrong.error;
const missing = await client.GET('/api/v1/qcc/{qcc}', { params: { path: { qcc: 'QAA0000000' } } });

console.log(
  JSON.stringify({
    name,
    bic: byBic.data?.data.bic,
    pages,
    refused: problem?.detail,
    missing: missing.error?.status,
  }),
);
`;

/** The same with the generated functions. */
const withHeyApi = `
import { getBic, getCompanyByLei, getQcc, searchCompanies } from './api';
import { client } from './api/client.gen';

client.setConfig({ baseUrl: process.argv[2] ?? '' });

const company = await getCompanyByLei({ path: { lei: '7LTWFZYICNSX8D621K86' } });
const name: string | undefined = company.data?.data.entity.legalName.name;
const byBic = await getBic({ path: { bic: 'DEUTDEFF' } });

let pages = 0;
let cursor: string | undefined;
do {
  const query = { q: 'bank', limit: 2, ...(cursor === undefined ? {} : { cursor }) };
  const page: Awaited<ReturnType<typeof searchCompanies>> = await searchCompanies({ query });
  cursor = page.data?.links.next;
  pages++;
} while (cursor !== undefined && pages < 3);

const wrong = await searchCompanies({ query: { q: 'bank', limit: 0 } });
const missing = await getQcc({ path: { qcc: 'QAA0000000' } });

console.log(
  JSON.stringify({
    name,
    bic: byBic.data?.data.bic,
    pages,
    refused: wrong.error?.detail,
    missing: missing.error?.status,
  }),
);
`;
