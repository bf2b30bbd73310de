/** Tests that a test which waits in vain ends with the reason. */
import { expect, test } from 'bun:test';
import { until } from './steady-load.ts';
import { setVariables } from './variables.ts';

async function failure(...waiting: Parameters<typeof until>): Promise<unknown> {
  const restore = setVariables({ TEST_TIMEOUT_MS: '50' });
  try {
    return await until(...waiting).catch((error: unknown) => error);
  } finally {
    restore();
  }
}

test('waiting in vain ends, and says where and for what', async () => {
  const answers: string[] = [];
  const error = await failure(() => answers.length > 0);
  expect(error).toMatchObject({ message: '0.04 seconds were not enough for: () => answers.length > 0' });
  expect(error instanceof Error && error.stack).toContain(import.meta.path);
});

test('waiting for a condition that gives no answer ends too', async () => {
  const error = await failure(() => new Promise<boolean>(() => undefined), 'an answer');
  expect(error).toMatchObject({ message: '0.04 seconds were not enough for: an answer' });
});
