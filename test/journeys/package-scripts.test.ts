/** Tests the README's commands under a package manager that is told to end by `kill`, a container or Ctrl-C. */
import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';
import { heard, startInGroup } from '../support/process-group.ts';

const signals = join(import.meta.dir, '..', '..', 'src', 'commands', 'signals.ts');

let manager: ReturnType<typeof startInGroup> | null = null;
afterEach(async () => {
  if (manager !== null) endGroup(manager.pid);
  await manager?.exited;
  manager = null;
});

/** Whatever a package manager leaves running is in its group, and would run longer than the tests. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

/** @returns the address that the service prints */
async function address(output: ReadableStream<Uint8Array>): Promise<string> {
  return /http:\S+/.exec(await heard(output, /Listening on http:\S+ /))?.[0] ?? '';
}

/** It closes its port first and removes the control socket among the last. */
async function hasEndedInOrder(url: string, dataDir: string): Promise<boolean> {
  const isSilent = await fetch(`${url}/robots.txt`).then(
    () => false,
    () => true,
  );
  return isSilent && !existsSync(layout(dataDir).controlSocket);
}

const npm = Bun.which('npm');
const commands = [
  ['bun run start', [process.execPath, 'run', 'start']],
  ['bun run lei serve', [process.execPath, 'run', 'lei', 'serve']],
  ...(npm === null ? [] : [['npm start', [npm, 'start']] as const]),
] as const;

describe.each(commands)('a service that was started with %s', (_, command) => {
  test('stops in order if only the package manager is told to', async () => {
    const dataDir = temporaryFolder('scripts');
    const started = startInGroup(dataDir, command);
    manager = started;
    const url = await address(started.stdout);
    started.kill('SIGTERM');
    expect(await started.exited).toBe(0);
    expect(await hasEndedInOrder(url, dataDir)).toBe(true);
  });

  test('stops in order at Ctrl-C, which reaches both processes and which the manager passes on once more', async () => {
    const dataDir = temporaryFolder('scripts');
    const started = startInGroup(dataDir, command);
    manager = started;
    const url = await address(started.stdout);
    process.kill(-started.pid, 'SIGINT');
    await started.exited;
    expect(await hasEndedInOrder(url, dataDir)).toBe(true);
  });
});

test.each([
  [10, 0],
  [150, 130],
  [10_000, 130],
])('a second signal after %i ms ends a command with status %i', async (later, code) => {
  const script = `
    import { onInterrupt } from ${JSON.stringify(signals)};
    let now = 0;
    onInterrupt(new Error('interrupted'), () => (now += ${later}));
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGINT', 'SIGINT');
    process.exit(0);`;
  const ran = Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore', stderr: 'inherit' });
  expect(await ran.exited).toBe(code);
});
