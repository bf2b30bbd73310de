/** The process that looks at a publication before a thread of the service does, on a real one. */
import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { inspectInProcess } from '../../../src/front/publication/inspect-publication.ts';
import { layout } from '../../../src/publication/layout.ts';
import { company, operator } from '../../loader/publishing.ts';
import { childOf, endNow } from '../../support/child-process.ts';

const someone = operator();
const { manifest } = await someone.load({ at: '2024-05-04T00:00:00Z', companies: [company(1)] });
const inspect = inspectInProcess(someone.dataDir);

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'an inspection that %s ends, which was for the service as well, takes no sound publication for damaged',
  async (signal) => {
    const outcome = inspect(manifest.id);
    endNow(childOf(process.pid), signal);
    expect(await outcome).toBeNull();
  },
);

test('what ends the process otherwise is a fault of the publication, named', async () => {
  const outcome = inspect(manifest.id);
  endNow(childOf(process.pid), 'SIGSEGV');
  expect(await outcome).toBe('reading it ended a process (signal SIGSEGV)');
});

test('a publication that can not be opened is told of in the words of what opened it', async () => {
  const { companies, publication } = layout(someone.dataDir);
  const other = '20240504T000000Z-00000000';
  cpSync(publication(manifest.id), publication(other), { recursive: true });
  expect(await inspect(other)).toBe(`${companies(other)} is of publication ${manifest.id}, not of ${other}.`);
});

test('an inspection that can not even be started is a reason too, and no rejection', async () => {
  expect(await inspectInProcess('no\0path')(manifest.id)).toStartWith('it could not be inspected: ');
});
