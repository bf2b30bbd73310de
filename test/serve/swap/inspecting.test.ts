/** Tests the process that inspects a publication before the threads of the service open it, on a real publication. */
import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { layout } from '../../../src/publication/layout.ts';
import { inspectInProcess } from '../../../src/serve/swap/inspect-publication.ts';
import { company, operator } from '../../loader/publishing.ts';
import { childOf, endNow } from '../../support/child-process.ts';

const someone = operator();
const { manifest } = await someone.load({ at: '2024-05-04T00:00:00Z', companies: [company(1)] });
const inspect = inspectInProcess(someone.dataDir);

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'an inspection ended by %s, as when the service ends, does not report a sound publication as damaged',
  async (signal) => {
    const outcome = inspect(manifest.id);
    endNow(childOf(process.pid), signal);
    expect(await outcome).toBeNull();
  },
);

test('any other end of the process is reported as a fault of the publication, with its cause', async () => {
  const outcome = inspect(manifest.id);
  endNow(childOf(process.pid), 'SIGSEGV');
  expect(await outcome).toBe('reading it crashed a process (signal SIGSEGV)');
});

test("a publication that cannot be opened is reported with the reader's own message", async () => {
  const { companies, publication } = layout(someone.dataDir);
  const other = '20240504T000000Z-00000000';
  cpSync(publication(manifest.id), publication(other), { recursive: true });
  expect(await inspect(other)).toBe(`${companies(other)} is of publication ${manifest.id}, not of ${other}.`);
});

test('an inspection that cannot be started is reported as a fault, not as a rejected promise', async () => {
  expect(await inspectInProcess('no\0path')(manifest.id)).toStartWith('it could not be inspected: ');
});
