/** Tests that the description passes linters, matches every answer, and generates a working client. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readConfig } from '../../src/config.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { endpointAt } from '../api/endpoint-at.ts';
import { exactly } from '../api/ext/described.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startTestService, type TestService } from '../support/service.ts';

interface DescribedContent {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: { readonly instance: string } }>>;
}
interface Described {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, DescribedContent>>;
  readonly $ref?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly example?: string;
  readonly schema: object & { readonly default?: number };
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly responses: Readonly<Record<string, Described>>;
}
interface Description {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly object[];
  readonly 'x-headers-of-every-answer': Readonly<Record<string, unknown>>;
  readonly 'x-headers-of-every-counted-answer': Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Described>>;
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** Counts requests, so that answers have the rate-limit headers, but refuses none. */
const environment = { LEI_LIMITS: 'shadow' };
let service: TestService;
let source: string;
let description: Description;
beforeAll(async () => {
  service = await startTestService({ environment });
  source = await (await service.fetch('/openapi.json')).text();
  description = JSON.parse(source);
});
afterAll(() => service.stop());

const operations = () => Object.entries(description.paths).map(([path, item]) => ({ path, ...item.get }));

/** A described response, with its reference resolved. */
function responseOf(operation: Operation, status: number): Described {
  const described = operation.responses[String(status)];
  const name = described?.$ref?.split('/').at(-1);
  const response = name === undefined ? described : description.components.responses[name];
  if (response === undefined) throw new Error(`${operation.operationId} does not describe ${status}.`);
  return response;
}

describe('the description', () => {
  test('is OpenAPI 3.1, version 1.0.0, with exactly the expected operations, parameters and statuses', () => {
    expect(description.openapi).toMatch(/^3\.1\.\d$/);
    expect(description.info.version).toBe('1.0.0');
    expect(description.servers.map(({ url }) => url)).toEqual([service.baseUrl]);
    const counted = '200 304 400 401 404 429 503';
    const names = ({ parameters = [] }: Operation) =>
      parameters.map(({ $ref }) => $ref.split('/').at(-1)).join(' ');
    expect(
      operations().map((operation) => [
        operation.operationId,
        operation.path,
        names(operation),
        Object.keys(operation.responses).join(' '),
      ]),
    ).toEqual([
      ['getCompanyByLei', '/api/v1/lei/{lei}', 'lei', counted],
      ['getCompanyRelationships', '/api/v1/lei/{lei}/relationships', 'lei', counted],
      ['getCompanyChanges', '/api/v1/lei/{lei}/changes', 'lei cursor limit', counted],
      ['searchCompanies', '/api/v1/search', 'q country status cursor limit', counted],
      ['getBIC', '/api/v1/bic/{bic}', 'bic', counted],
      ['getISIN', '/api/v1/isin/{isin}', 'isin', counted],
      ['getMIC', '/api/v1/mic/{mic}', 'mic', counted],
      ['getGEM', '/api/v1/gem/{gem}', 'gem', counted],
      ['getQCC', '/api/v1/qcc/{qcc}', 'qcc', counted],
      ['getStatus', '/api/v1/status', '', '200 304 503'],
    ]);
  });

  test('passes the recommended rules with one warning: status has no 4xx to describe', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, config, absoluteRef: '/openapi.json' });
    expect(problems.map(({ ruleId, location: [where] }) => `${ruleId} ${where?.pointer ?? ''}`)).toEqual([
      // The status endpoint reads nothing that a client could get wrong; see src/decisions/052.
      'operation-4xx-response #/paths/~1api~1v1~1status/get/responses',
    ]);
  });

  test.each([
    ['InvalidPage', 'invalid-cursor', '/api/v1/search?q=bank&cursor=altered'],
    ['InvalidPage', 'invalid-parameter', '/api/v1/search?q=bank&limit=0'],
    ['InvalidIdentifier', 'invalid-identifier', '/api/v1/lei/213800E5Z6QRDSMZMK85'],
    ['Unauthorized', 'unauthorized', '/api/v1/search?q=bank'],
  ])('shows in %s an example of %s that equals the service’s answer', async (response, name, path) => {
    const headers = { Authorization: 'Bearer none' };
    const sent: object = JSON.parse(
      await (await service.fetch(path, name === 'unauthorized' ? { headers } : {})).text(),
    );
    const content = description.components.responses[response]?.content?.['application/problem+json'];
    const example = content?.examples?.[name]?.value;
    expect<unknown>(example).toEqual({ ...sent, instance: example?.instance });
  });

  test('has an example for each required parameter, and the sample answers it', async () => {
    for (const { operationId, path, parameters = [] } of operations()) {
      const address = new URL(path, service.baseUrl);
      for (const { $ref } of parameters) {
        const parameter = description.components.parameters[$ref.split('/').at(-1) ?? ''];
        if (parameter?.required !== true) continue;
        const { name, example = '' } = parameter;
        if (parameter.in === 'query') address.searchParams.set(name, example);
        else address.pathname = path.replace(`{${name}}`, example);
      }
      expect([operationId, (await fetch(address)).status]).toEqual([operationId, 200]);
    }
  });

  test('says that a key is optional everywhere and that the status endpoint takes none', () => {
    expect(description.security).toEqual([{}, { bearer: [] }]);
    const own = operations().filter(({ security }) => security !== undefined);
    expect(own.map(({ operationId, security }) => [operationId, security])).toEqual([['getStatus', []]]);
  });

  const lei = '213800E5Z6QRDSMZMK84';
  test.each<[string, (string | number)[], (string | number)[]]>([
    [
      'lei',
      [lei, lei.toLowerCase()],
      [lei.slice(1), `${lei}4`, `${lei.slice(0, 18)}AB`, `${'A-'.repeat(9)}84`],
    ],
    [
      'bic',
      ['DEUTDEFF', 'deutdeffxxx', '12ABDE3F'],
      ['DEUTDEF', 'DEUTDEFFX', 'DEUTDEFFXXXX', 'DEUT1EFF', 'DEU-DEFF'],
    ],
    [
      'isin',
      ['DE0005140008', 'de0005140008'],
      ['DE000514000', 'DE00051400081', '1E0005140008', 'DE000514000A'],
    ],
    ['mic', ['XETR', 'xetr', '4AXE'], ['XET', 'XETRA', 'XE.R']],
    [
      'gem',
      ['E100000001096', 'e100000001096'],
      ['E200000001096', 'E10000000109', 'E1000000010961', 'E10000000109A'],
    ],
    [
      'qcc',
      ['QSGM6KFM4H', 'qsgm6kfm4h', 'QAB0189AHJ', 'QABKMNPQYX'],
      [
        'QSGM6KFM4',
        'QSGM6KFM4HH',
        'XSGM6KFM4H',
        'Q1GM6KFM4H',
        'QSGM6KFM4I',
        'QSGM6KFM4L',
        'QSGM6KFM4O',
        'QSGM6KFM4Z',
      ],
    ],
    ['q', ['ab', '!!', 'a'.repeat(500)], ['a', 'a'.repeat(501)]],
    ['country', ['DE', 'de'], ['D', 'DEU', '00', 'é1']],
    ['status', ['ISSUED', 'DUPLICATE', 'issued', 'Pending_Archival'], ['NONE', 'ISSUED,LAPSED', 'ıssued']],
    ['cursor', [], ['', 'a b', 'a.b', 'a=']],
    ['limit', [1, 100], [0, 101, 1.5, -1]],
  ])('has a schema of %s that accepts and refuses the same as the service', async (name, right, wrong) => {
    const parameter = description.components.parameters[name];
    if (parameter === undefined) throw new Error(`${name} is not described.`);
    const validate = new Ajv2020({ strict: false }).compile(parameter.schema);
    for (const value of [...right, ...wrong]) {
      const query = new URLSearchParams({ q: 'bank', [name]: String(value) });
      const path = parameter.in === 'path' ? `/api/v1/${name}/${value}` : `/api/v1/search?${query}`;
      const { status } = await service.fetch(path);
      const taken = right.includes(value);
      expect([value, validate(value), status !== 400]).toEqual([value, taken, taken]);
    }
  });

  test('states the default limit of a page, and its cursor pattern accepts the service’s cursors', async () => {
    const { cursor, limit } = description.components.parameters;
    const { data, links } = JSON.parse(await (await service.fetch('/api/v1/search?q=bank')).text());
    expect(data.items).toHaveLength(limit?.schema.default ?? 0);
    expect(new Ajv2020({ strict: false }).validate(cursor?.schema ?? false, links.next)).toBe(true);
  });

  test('states the limits that the service enforces, and none with LEI_LIMITS=off', () => {
    const described = (settings: Readonly<Record<string, string>>) =>
      JSON.stringify(openApiDocument(readConfig(settings).config, 'http://localhost'));
    expect(described({ LEI_LIMITS: 'off' })).toContain('does not limit requests');
    expect(described({ LEI_LIMITS: 'shadow' })).toContain('counts and reports, and does not refuse');
    const limits = {
      LEI_ANONYMOUS_DAILY: '11',
      LEI_ACCOUNT_DAILY: '22',
      LEI_BURST_LOOKUP: '33',
      LEI_BURST_SEARCH: '44',
    };
    const enforced = described({ LEI_LIMITS: 'enforce', ...limits });
    for (const words of [
      '11 requests a UTC day for each client',
      '22 a UTC day over all keys',
      '33 identifier',
      '44 searches',
      'is 429',
    ])
      expect(enforced).toContain(words);
  });

  test('may be cached, and gets 304 for its own tag', async () => {
    const response = await service.fetch('/openapi.json');
    const etag = response.headers.get('etag') ?? '';
    expect(response.headers.get('content-type')).toBe('application/json');
    const again = await service.fetch('/openapi.json', { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
  });
});

/** Validators of the described bodies, by their path in the document. */
function createValidators() {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv);
  ajv.addSchema(exactly(description), 'description');
  const absolute = (schema: object): object =>
    JSON.parse(JSON.stringify(exactly(schema)).replaceAll('"#/', '"description#/'));
  const made = new Map<string, ValidateFunction>();
  return (schema: object): ValidateFunction => {
    const key = JSON.stringify(schema);
    let validate = made.get(key);
    if (validate === undefined) {
      validate = ajv.compile(absolute(schema));
      made.set(key, validate);
    }
    return validate;
  };
}

/** Headers of HTTP itself, which a description leaves out. */
const transport = ['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive'];

async function createChecker() {
  const validatorOf = createValidators();
  const seen = new Map<string, number>();
  const byId = new Map(operations().map((operation) => [operation.operationId, operation]));
  /** Sends a request and throws if the answer does not match the description. */
  const check = async (from: TestService, path: string, init: RequestInit = {}) => {
    const response = await from.fetch(path, init);
    const operation = byId.get(endpointAt(path.split('?')[0] ?? '')?.operationId ?? '');
    if (operation === undefined) throw new Error(`${path} is not described.`);
    const described = responseOf(operation, response.status);
    const own = Object.keys(described.headers ?? {});
    const always = [...Object.keys(description['x-headers-of-every-answer']), ...own];
    const counted = Object.keys(description['x-headers-of-every-counted-answer']);
    const quotas = operation.operationId === 'getStatus' ? [] : counted;
    const names = [...always, ...quotas].map((name) => name.toLowerCase());
    const undescribed = [...response.headers.keys()].filter(
      (name) =>
        ![...names, 'etag', 'last-modified', 'retry-after'].includes(name) && !transport.includes(name),
    );
    expect([path, undescribed]).toEqual([path, []]);
    // Only pages with a next page have a Link header.
    const missing = names.filter((name) => name !== 'link' && !response.headers.has(name));
    expect([path, missing]).toEqual([path, []]);
    const key = `${operation.operationId} ${response.status}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const text = await response.text();
    if (response.status === 304) {
      expect(text).toBe('');
      return null;
    }
    const content = described.content?.[response.headers.get('content-type') ?? ''];
    if (content === undefined) throw new Error(`${path} answered an undescribed media type.`);
    const validate = validatorOf(content.schema);
    if (!validate(JSON.parse(text))) {
      throw new Error(`${path}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
    }
    return JSON.parse(text);
  };
  return { check, seen };
}

type Check = Awaited<ReturnType<typeof createChecker>>['check'];

async function searchLeis(check: Check): Promise<Set<string>> {
  const leis = new Set<string>();
  for (const q of ['bank', '银行', 'gmbh', 'société', 'fund', 'holding a', 'ltd', 'коммерческий']) {
    const body = await check(service, `/api/v1/search?q=${encodeURIComponent(q)}&limit=40`);
    for (const item of body.data.items) leis.add(item.lei);
  }
  return leis;
}

/** A company, its relatives and changes, and the way back to it from each of its identifiers. */
async function walkCompany(lei: string, check: Check): Promise<void> {
  const company = await check(service, `/api/v1/lei/${lei}`);
  await check(service, `/api/v1/lei/${lei}/relationships`);
  await check(service, `/api/v1/lei/${lei}/changes`);
  const { bic, mic, gem, qcc, isin } = company.data.mappings;
  for (const [kind, values] of Object.entries({ bic, mic, gem, qcc, isin: isin.first })) {
    for (const value of values.slice(0, 2)) {
      const { data } = await check(service, `/api/v1/${kind}/${value}`);
      expect(data.entities.map((entity: { lei: string }) => entity.lei)).toContain(lei);
    }
  }
}

describe('every answer while reading through the sample', () => {
  test('matches its schema, in a described status, with only described headers', async () => {
    const { check, seen } = await createChecker();
    const leis = await searchLeis(check);
    expect(leis.size).toBeGreaterThan(100);
    // The companies that the sample's README recommends.
    for (const lei of ['7LTWFZYICNSX8D621K86', '54930053HGCFWVHYZX42', 'ZZZWS8Y6XVKM0Q9RJQ79']) leis.add(lei);
    for (const lei of leis) await walkCompany(lei, check);
    await check(service, '/api/v1/gem/E100000001096');
    await check(service, '/api/v1/qcc/QSGM6KFM4H');
    await check(service, '/api/v1/status');
    for (const { operationId } of operations())
      expect([operationId, seen.has(`${operationId} 200`)]).toEqual([operationId, true]);
  });

  test('that refuses a request is a described problem, for each status of each operation', async () => {
    const { check, seen } = await createChecker();
    const empty = await startTestService({ dataDir: temporaryFolder('empty'), environment });
    const spent = await startTestService({
      environment: { LEI_LIMITS: 'enforce', LEI_ANONYMOUS_DAILY: '0' },
    });
    const known = '213800E5Z6QRDSMZMK84';
    const unknown = '5493006MHB84DD0ZWV18';
    const paths = {
      getCompanyByLei: [`/api/v1/lei/${known}`, '/api/v1/lei/123', `/api/v1/lei/${unknown}`],
      getCompanyRelationships: [
        `/api/v1/lei/${known}/relationships`,
        '/api/v1/lei/123/relationships',
        `/api/v1/lei/${unknown}/relationships`,
      ],
      getCompanyChanges: [
        `/api/v1/lei/${known}/changes`,
        `/api/v1/lei/${known}/changes?cursor=x`,
        `/api/v1/lei/${unknown}/changes`,
      ],
      searchCompanies: ['/api/v1/search?q=bank', '/api/v1/search?q=a&limit=x', null],
      getBIC: ['/api/v1/bic/DEUTDEFF', '/api/v1/bic/D', '/api/v1/bic/ZZZZZZZZ'],
      getISIN: ['/api/v1/isin/DE0005140008', '/api/v1/isin/D', '/api/v1/isin/US0000000002'],
      getMIC: ['/api/v1/mic/XETR', '/api/v1/mic/D', '/api/v1/mic/0000'],
      getGEM: ['/api/v1/gem/E100000001096', '/api/v1/gem/D', '/api/v1/gem/E199999999999'],
      getQCC: ['/api/v1/qcc/QSGM6KFM4H', '/api/v1/qcc/D', '/api/v1/qcc/QAA0000000'],
    } as const;
    for (const [operationId, [good, wrong, missing]] of Object.entries(paths)) {
      await check(service, good, { headers: { 'If-None-Match': '*' } });
      await check(service, wrong);
      if (missing !== null) await check(service, missing);
      await check(service, good, { headers: { Authorization: 'Bearer nonsense' } });
      await check(spent, good);
      await check(empty, good);
      const expected = missing === null ? [304, 400, 401, 429, 503] : [304, 400, 401, 404, 429, 503];
      for (const status of expected) {
        expect([operationId, status, seen.has(`${operationId} ${status}`)]).toEqual([
          operationId,
          status,
          true,
        ]);
      }
    }
    await check(empty, '/api/v1/status');
    expect(seen.has('getStatus 503')).toBe(true);
    await Promise.all([empty.stop(), spent.stop()]);
  });
});
