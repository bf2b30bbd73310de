import { expect, test } from 'bun:test';
import { endpoints } from '../../../src/front/http/endpoints.ts';
import { noParameters } from '../../../src/front/http/parameters.ts';
import { isSlow } from '../../../src/protocol/questions.ts';

test('what counts as a look-up is answered first, and what counts as a search waits behind it', () => {
  const windows = endpoints.map(({ window }) => window);
  const slow = endpoints.map(({ question }) => isSlow(question('A', noParameters, null)));
  expect(slow).toEqual(windows.map((window) => window === 'search'));
  expect(windows.filter((window) => window === 'search')).toHaveLength(3);
});
