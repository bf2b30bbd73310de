/** Tests commands whose output can't be written because the reader has gone or the disk is full. */
import { afterAll, expect, test } from 'bun:test';
import { closeSync, existsSync, openSync } from 'node:fs';
import { controlClient } from '../../src/protocol/control-client.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { company, publish } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { sayNotRun } from '../support/programs.ts';
import { cli } from '../support/run-lei.ts';

/** A file that refuses every byte. */
const refusing = '/dev/full';
const there = existsSync(refusing);
if (!there) sayNotRun(`tests of commands whose output can't be written: this system has no ${refusing}`);
const full = there ? openSync(refusing, 'w') : null;
afterAll(() => {
  if (full !== null) closeSync(full);
});

/** @returns the exit status, and what the command wrote to the other stream */
async function runInto(dataDir: string, closed: 'stdout' | 'stderr', ...args: readonly string[]) {
  const ran = Bun.spawn([process.execPath, cli, ...args], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    stdout: closed === 'stdout' ? full : 'pipe',
    stderr: closed === 'stderr' ? full : 'pipe',
  });
  const other = closed === 'stdout' ? ran.stderr : ran.stdout;
  const text = other instanceof ReadableStream ? await new Response(other).text() : '';
  return { code: await ran.exited, text };
}

test.skipIf(!there)(
  'a load whose messages cannot be written continues, prints its result and succeeds',
  async () => {
    const dataDir = temporaryFolder('closed-output');
    const files = publish(dataDir, { at: '2024-05-04T00:00:00Z', companies: [company(1)] });
    const { code, text } = await runInto(dataDir, 'stderr', 'load', ...files, '--json');
    const id = readPointer(layout(dataDir))?.id;
    expect(JSON.parse(text)).toMatchObject({ publication: { id, active: true } });
    expect(code).toBe(0);
  },
);

test.skipIf(!there)(
  'a result that cannot be written is reported without a stack trace, with exit status 1',
  async () => {
    const dataDir = temporaryFolder('closed-output');
    for (const args of [['publications'], ['publications', '--json'], ['load', 'missing.zip', '--json']]) {
      const { code, text } = await runInto(dataDir, 'stdout', ...args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(text).toMatch(/^lei: The result could not be written completely: ENOSPC: .*\.$/m);
      expect(text).not.toMatch(/\n\s+at /);
    }
  },
);

test.skipIf(!there)(
  'a service whose log and output go to a full disk keeps answering, and stops in order on a signal',
  async () => {
    const dataDir = temporaryFolder('closed-output');
    const control = controlClient(layout(dataDir));
    const service = Bun.spawn([process.execPath, cli, 'serve'], {
      env: { ...process.env, LEI_DATA_DIR: dataDir, LEI_PORT: '0', LEI_SAMPLE: 'off' },
      stdout: full,
      stderr: full,
    });
    while ((await control.send({ op: 'ping' })) === 'not-running') await Bun.sleep(50);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  },
);
