import { afterAll, describe, expect, test } from 'bun:test';
import { rawRequest } from '../support/raw-socket.ts';
import { company, firstId, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());
const get = (path: string) => rawRequest(service.port, 'GET', path);

describe('identifiers', () => {
  const right = [
    ['/api/v1/lei/213800E5Z6QRDSMZMK84', { kind: 'company', lei: '213800E5Z6QRDSMZMK84' }],
    ['/api/v1/lei/213800e5z6qrdsmzmk84', { kind: 'company', lei: '213800E5Z6QRDSMZMK84' }],
    ['/api/v1/lei/%32%31%33800E5Z6QRDSMZMK84', { kind: 'company', lei: '213800E5Z6QRDSMZMK84' }],
    [
      '/api/v1/lei/213800e5z6qrdsmzmk84/relationships',
      { kind: 'relationships', lei: '213800E5Z6QRDSMZMK84' },
    ],
    [
      '/api/v1/lei/213800e5z6qrdsmzmk84/changes?limit=3',
      { kind: 'changes', lei: '213800E5Z6QRDSMZMK84', after: null, limit: 3 },
    ],
    ['/api/v1/bic/deutdeff', { kind: 'bic', value: 'DEUTDEFF' }],
    ['/api/v1/bic/DEUTDEFFXXX', { kind: 'bic', value: 'DEUTDEFFXXX' }],
    ['/api/v1/isin/de0005140008', { kind: 'isin', value: 'DE0005140008' }],
    ['/api/v1/mic/xetr', { kind: 'mic', value: 'XETR' }],
    ['/api/v1/gem/e100000001096', { kind: 'gem', value: 'E100000001096' }],
    ['/api/v1/qcc/qgbc4n1y8v', { kind: 'qcc', value: 'QGBC4N1Y8V' }],
  ] as const;

  test('are upper-cased and decoded before the look-up', async () => {
    for (const [path, question] of right) {
      expect([path, (await get(path)).status]).toEqual([path, 200]);
      expect(service.questions.at(-1)).toEqual(question);
    }
  });

  test('appear in canonical form in links.self', async () => {
    const { body } = await get('/api/v1/lei/%32%31%33800e5z6qrdsmzmk84/changes?limit=3');
    expect(JSON.parse(body).links).toEqual({ self: `${company.path}/changes?limit=3` });
  });

  const wrong = [
    // Syntax: too short, too long, letters for check digits, spaces, other characters, other scripts.
    ['lei', '213800E5Z6QRDSMZMK8'],
    ['lei', '213800E5Z6QRDSMZMK844'],
    ['lei', '213800E5Z6QRDSMZMKAB'],
    ['lei', '%20213800E5Z6QRDSMZMK84'],
    ['lei', '213800E5Z6QRDSMZMK84%20'],
    ['lei', '213800E5Z6QRDSMZ-K84'],
    ['lei', '２１３８００E5Z6QRDSMZMK84'],
    ['lei', '213800E5Z6QRDSMZM%C4%B184'],
    // Check digits.
    ['lei', '213800E5Z6QRDSMZMK85'],
    ['lei', '213800E5Z6QRDSMZKM84'],
    ['isin', 'DE000514000'],
    ['isin', '1E0005140008'],
    ['isin', 'DE0005140009'],
    ['bic', 'DEUTDEF'],
    ['bic', 'DEUTDEFFXX'],
    ['bic', 'DEUT1EFF'],
    ['mic', 'XET'],
    ['mic', 'XETRA'],
    ['mic', 'XE.R'],
    ['gem', 'E200000001096'],
    ['gem', 'E10000000109'],
    ['qcc', 'QGBC4N1Y8'],
    ['qcc', 'XGBC4N1Y8V'],
    ['qcc', 'QGBC4N1Y8I'],
    // Encodings.
    ['lei', '213800E5Z6QRDSMZMK84%2F'],
    ['lei', '..%2F213800E5Z6QRDSMZMK84'],
    ['lei', 'a%2Fb'],
    ['lei', '%'],
    ['lei', '%zz'],
    ['lei', '%ff'],
    ['lei', '%00'],
    ['lei', '%0d%0aX-Injected:%201'],
    ['lei', '213800E5Z6QRDSMZMK84%00'],
    ['lei', '213800E5Z6QRDSMZMK84;v=1'],
    ['mic', '%E2%82%AC'],
  ] as const;

  test('of wrong syntax or with wrong check digits get 400 with the parameter and the right form', async () => {
    for (const [kind, value] of wrong) {
      const answer = await get(`/api/v1/${kind}/${value}`);
      expect([value, answer.status]).toEqual([value, 400]);
      const problem = JSON.parse(answer.body);
      expect(problem.type).toBe(`${service.baseUrl}/problems/invalid-identifier`);
      expect(problem.errors).toEqual([{ parameter: kind, detail: problem.detail }]);
      expect(problem.detail.length).toBeGreaterThan(20);
    }
    expect(service.questions).toEqual([]);
  });

  test('that are wrong get a detail about the syntax or the check digits, whichever is wrong', async () => {
    const detail = async (path: string) => JSON.parse((await get(path)).body).detail;
    expect(await detail('/api/v1/lei/213800E5Z6QRDSMZMK8')).toContain('20 characters');
    expect(await detail('/api/v1/lei/213800E5Z6QRDSMZMK85')).toContain('check digits');
    expect(await detail('/api/v1/isin/DE0005140009')).toContain('check digit');
  });

  test('that are wrong are reported together with wrong parameters', async () => {
    const problem = JSON.parse((await get('/api/v1/lei/123?x=1')).body);
    expect(problem.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(['lei', 'x']);
  });

  test('of 16 kB get 400 like any other, with a short body', async () => {
    const answer = await get(`/api/v1/lei/${'A'.repeat(15_800)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.length).toBeLessThan(2000);
  });

  test('that are well-formed but unknown get 404 with the identifier and the dataset version', async () => {
    service.scene.answer = () => ({ outcome: 'not-found' });
    for (const [path, named] of [
      ['/api/v1/lei/213800e5z6qrdsmzmk84', 'LEI 213800E5Z6QRDSMZMK84'],
      ['/api/v1/bic/deutdeff', 'BIC DEUTDEFF'],
      ['/api/v1/qcc/QGBC4N1Y8V', 'QCC QGBC4N1Y8V'],
    ] as const) {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({
        type: `${service.baseUrl}/problems/not-found`,
        detail: `${named} was not found in dataset version ${firstId}.`,
      });
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    }
  });
});

describe('paths', () => {
  test('that are unknown get a 404 problem: no identifier, a slash too many, another case, dots', async () => {
    const paths = [
      '/api',
      '/api/',
      '/api/v1',
      '/api/v1/',
      '/api/v1/lei',
      '/api/v1/lei/',
      '/api/v1/lei/213800E5Z6QRDSMZMK84/',
      '/api/v1//lei/213800E5Z6QRDSMZMK84',
      '//api/v1/lei/213800E5Z6QRDSMZMK84',
      '/api/v1/LEI/213800E5Z6QRDSMZMK84',
      '/API/v1/status',
      '/api/v1/lei/213800E5Z6QRDSMZMK84/parents',
      '/api/v1/lei/213800E5Z6QRDSMZMK84/relationships/x',
      '/api/v1/status/',
      '/api/v1/search/bank',
      '/api/v1/%6Cei/213800E5Z6QRDSMZMK84',
    ];
    for (const path of paths) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(JSON.parse(answer.body).type).toBe(`${service.baseUrl}/problems/not-found`);
    }
    expect(service.questions).toEqual([]);
  });
});
