import { expect, test } from 'bun:test';
import { companies } from '../../src/api/ext/identifiers.ts';
import { allEndpoints, dataEndpoints } from '../../src/api/table.ts';
import { isSlow } from '../../src/protocol/questions.ts';

const context = { id: 'A', baseUrl: 'http://x' };

test('look-ups are the questions answered first, searches are the ones that wait behind them', () => {
  const windows = dataEndpoints.map(({ cost }) => cost.window);
  const given = { tail: '', query: () => new Map([['q', 'bank']]) };
  const slow = dataEndpoints.map(({ read }) => isSlow(read(given, [], 1).question('A', null, context)));
  expect(slow).toEqual(windows.map((window) => window === 'search'));
  expect(windows.filter((window) => window === 'search')).toHaveLength(3);
});

test('operation ids and paths are unique', () => {
  for (const member of ['operationId', 'template'] as const) {
    const values = allEndpoints.map((endpoint) => endpoint[member]);
    expect(new Set(values).size).toBe(values.length);
  }
});

test('a parsed request keeps its values, whatever is parsed after it', () => {
  const leis = ['5493001KJTIIGC8Y1R12', '213800E5Z6QRDSMZMK84'] as const;
  const [first, second] = leis.map((lei) =>
    companies.read({ tail: '', query: () => new Map([['lei', `${lei.toLowerCase()},x`]]) }, [], 100),
  );
  const items = [first, second].map((asked) => asked?.question('', null, context));
  const wrong = { value: 'x', problem: expect.stringContaining('invalid-identifier') };
  expect(items).toMatchObject(leis.map((lei) => ({ kind: 'batch', items: [lei, wrong] })));
  expect([first?.filters, second?.filters]).toEqual(leis.map((lei) => `lei=${lei},x`));
});
