import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from './folders.ts';

test('a file that goes on listening to a signal fails, although its tests pass', async () => {
  const folder = temporaryFolder('listening');
  await Bun.write(
    join(folder, 'listening.test.ts'),
    `import { test } from 'bun:test'; test('passes', () => void process.on('SIGHUP', () => {}));`,
  );
  const preload = `--preload=${join(import.meta.dir, 'no-listener-left.ts')}`;
  const ran = Bun.spawn([process.execPath, 'test', preload], { cwd: folder, stderr: 'pipe' });
  const printed = await ran.stderr.text();
  expect({ code: await ran.exited, passed: printed.includes('1 pass') }).toEqual({ code: 1, passed: true });
  expect(printed).toContain('signals that this file still listens to');
  expect(printed).toContain('"SIGHUP"');
});
