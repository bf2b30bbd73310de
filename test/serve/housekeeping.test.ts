/** What the log says when the maintenance of the state fails. */
import { expect, test } from 'bun:test';
import { accessLimits } from '../../src/accounts/access/limits.ts';
import { ExpectedFailure } from '../../src/errors.ts';
import { noon, Opened } from '../support/open-access.ts';

const message =
  'Forgetting past days and sessions failed. The service tries again within an hour, and no request fails because of it.';

test.each([
  [
    'a shared state that is away, as a warning',
    new ExpectedFailure('shared-state-away', 'It is away.'),
    'warn',
  ],
  ['a bug, as an error', new Error('No such row.'), 'error'],
] as const)('past days that are not forgotten because of %s', async (_what, failure, level) => {
  const opened = await Opened.open();
  const usage = { ...opened.state.usage, forgetBefore: () => Promise.reject(failure) };
  const service = opened.accessOver({ ...opened.state, usage });
  for (let ticks = 0; ticks <= accessLimits.forgetFirstTick; ticks++) await service.tick(noon);
  expect(opened.logged).toEqual([{ level, message }]);
  await opened.close();
});
