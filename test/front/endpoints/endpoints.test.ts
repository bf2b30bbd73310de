import { expect, test } from 'bun:test';
import { noParameters } from '../../../src/front/endpoints/parameters.ts';
import { allEndpoints, dataEndpoints } from '../../../src/front/endpoints/table.ts';
import { isSlow } from '../../../src/protocol/questions.ts';

const context = { id: 'A', baseUrl: 'http://x' };

test('look-ups are the questions answered first, searches are the ones that wait behind them', () => {
  const windows = dataEndpoints.map(({ cost }) => cost.window);
  const slow = dataEndpoints.map(({ question }) => isSlow(question('A', noParameters, null, context)));
  expect(slow).toEqual(windows.map((window) => window === 'search'));
  expect(windows.filter((window) => window === 'search')).toHaveLength(3);
});

test('operation ids and paths are unique', () => {
  for (const member of ['operationId', 'template'] as const) {
    const values = allEndpoints.map((endpoint) => endpoint[member]);
    expect(new Set(values).size).toBe(values.length);
  }
});
