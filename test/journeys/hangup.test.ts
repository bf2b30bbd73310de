/** Tests what happens to commands and services when their terminal is closed. */
import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { company, publish } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { heard, startInGroup } from '../support/process-group.ts';
import { cli } from '../support/run-lei.ts';

const signals = join(import.meta.dir, '..', '..', 'src', 'commands', 'signals.ts');
const outliving = ['sh', '-c', 'trap "" HUP; exec "$@"', 'sh'];

let command: ReturnType<typeof start> | null = null;
afterEach(async () => {
  command?.kill('SIGKILL');
  await command?.exited;
  command = null;
});

/** @param before a command that starts the program */
function start(dataDir: string, before: readonly string[], ...args: readonly string[]) {
  return startInGroup(dataDir, [...before, process.execPath, cli, ...args]);
}

function closeTerminal({ pid }: { readonly pid: number }): void {
  process.kill(-pid, 'SIGHUP');
}

/** So many that a load of them still runs when the terminal is closed after its first words. */
const companies = Array.from({ length: 800 }, (_, index) => company(index + 1));

describe('a load whose terminal is closed', () => {
  const load = (before: readonly string[]) => {
    const dataDir = temporaryFolder('hangup');
    const files = publish(temporaryFolder('hangup'), { at: '2024-05-04T00:00:00Z', companies });
    const started = start(dataDir, before, 'load', ...files, '--json');
    const ended = async () => {
      const printed: unknown = await new Response(started.stdout).json();
      return { code: await started.exited, printed, paths: layout(dataDir) };
    };
    return { started, ended };
  };

  test('ends and says that nothing was changed', async () => {
    const { started, ended } = load([]);
    command = started;
    await heard(started.stderr, /\n/);
    closeTerminal(started);
    const { code, printed, paths } = await ended();
    expect({ code, printed }).toMatchObject({ code: 1, printed: { error: { code: 'interrupted' } } });
    expect(sealedIds(paths)).toEqual([]);
  });

  test('runs to its end if it was started with nohup', async () => {
    const { started, ended } = load(outliving);
    command = started;
    await heard(started.stderr, /\n/);
    closeTerminal(started);
    const { code, paths } = await ended();
    expect(code).toBe(0);
    expect(sealedIds(paths)).toEqual([readPointer(paths)?.id ?? '']);
  });
});

test('a load that gets several hang-up signals is interrupted once and ends in order', () => {
  // In a process of its own: others that listen to the signal would get it, too.
  const script = `
    import { onInterrupt } from ${JSON.stringify(signals)};
    let now = 0;
    const interrupt = onInterrupt(new Error('interrupted'), () => (now += 10_000));
    process.emit('SIGHUP', 'SIGHUP');
    process.emit('SIGHUP', 'SIGHUP');
    interrupt[Symbol.dispose]();
    console.log(interrupt.signal.reason.message, process.listenerCount('SIGHUP'));`;
  const ran = Bun.spawnSync([process.execPath, '-e', script], { stderr: 'inherit' });
  expect({ code: ran.exitCode, printed: ran.stdout.toString() }).toEqual({
    code: 0,
    printed: 'interrupted 0\n',
  });
});

describe('a service whose terminal is closed', () => {
  test('stops in order', async () => {
    const started = start(temporaryFolder('hangup'), [], 'serve');
    command = started;
    await heard(started.stdout, /Listening on/);
    closeTerminal(started);
    expect(await started.exited).toBe(0);
  });

  test('stops in order even after several hang-up signals, from the system and the shell', async () => {
    const started = start(temporaryFolder('hangup'), [], 'serve');
    command = started;
    await heard(started.stdout, /Listening on/);
    const telling = setInterval(() => closeTerminal(started), 1);
    const code = await started.exited.finally(() => clearInterval(telling));
    expect(code).toBe(0);
  });

  test('keeps answering if it was started with nohup', async () => {
    const started = start(temporaryFolder('hangup'), outliving, 'serve');
    command = started;
    const line = await heard(started.stdout, /Listening on .*\n/);
    closeTerminal(started);
    const url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    expect((await fetch(`${url}/robots.txt`)).status).toBe(200);
    expect(started.exitCode).toBeNull();
  });
});
