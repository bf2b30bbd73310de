/**
 * Tests commands beside a service in another container that has the same process id: both are process 1, or whichever
 * id the image starts with.
 */
import { dlopen } from 'bun:ffi';
import { expect, test } from 'bun:test';
import { closeSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { lockFile } from '../../src/publication/lock.ts';
import { company, operator } from '../loader/publishing.ts';
import { sayNotRun } from '../support/programs.ts';
import { cli, createAccount } from '../support/run-lei.ts';

type Fcntl = (file: number, command: number, argument: Buffer) => number;

/** Null on a system with another C library than the one whose constants and layout are below. */
function openFcntl(): Fcntl | null {
  try {
    return dlopen('libc.so.6', { fcntl: { args: ['int', 'int', 'ptr'], returns: 'int' } }).symbols.fcntl;
  } catch {
    return null;
  }
}
const fcntl = openFcntl();
if (fcntl === null)
  sayNotRun('a command with the process number of a service: the system has another C library');

/** Registers a process among lmdb's readers as lmdb does: `F_SETLK` of an `F_WRLCK` on the byte at its process id. */
function registerReader(file: number, pid: number): void {
  const wanted = Buffer.alloc(32);
  wanted.writeInt16LE(1, 0);
  wanted.writeBigInt64LE(BigInt(pid), 8);
  wanted.writeBigInt64LE(1n, 16);
  if (fcntl?.(file, 6, wanted) !== 0) throw new Error(`Process ${pid} could not be registered.`);
}

/** A command that waits to be started, so that its process id is known before. */
async function waiting(dataDir: string, command: readonly string[]) {
  const ran = Bun.spawn(
    ['sh', '-c', 'echo $$; read go; exec "$@"', 'sh', process.execPath, cli, ...command],
    {
      env: { ...process.env, LEI_DATA_DIR: dataDir },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const output = ran.stdout.getReader();
  const pid = Number(new TextDecoder().decode((await output.read()).value));
  const run = async () => {
    ran.stdin.write('\n');
    await ran.stdin.end();
    let printed = '';
    for (let next = await output.read(); !next.done; next = await output.read())
      printed += new TextDecoder().decode(next.value);
    return { code: await ran.exited, printed, said: await new Response(ran.stderr).text() };
  };
  return { pid, run };
}

test.if(fcntl !== null)(
  'commands read accounts and publications that were written under another version number',
  async () => {
    const someone = operator();
    const { dataDir } = someone;
    const paths = layout(dataDir);
    const { manifest } = await someone.load({ at: '2024-05-04T00:00:00Z', companies: [company(1)] });
    await createAccount(dataDir, 'ada@example.com');
    const { dev, ino } = statSync(dataDir);
    const service = openSync(paths.serviceLock, 'w');
    const files = [paths.state, paths.publication(manifest.id)].map((path) =>
      openSync(join(path, 'lock.mdb'), 'r+'),
    );
    lockFile(service);
    for (const [command, code, printed] of [
      [['keys', 'list', 'ada@example.com'], 0, 'lei_live_'],
      [['verify'], 0, `Publication ${manifest.id} is sound`],
      [['keys', 'list', 'nobody@example.com', '--json'], 1, 'no-such-account'],
    ] as const) {
      const { pid, run } = await waiting(dataDir, command);
      const since = '2024-05-04T00:00:00Z';
      const holder = { pid, began: '1', since, folder: `${dev}:${ino}`, numbering: 'pid:[1]' };
      writeFileSync(paths.serviceLock, JSON.stringify(holder));
      for (const file of files) registerReader(file, pid);
      expect(await run()).toMatchObject({ code, printed: expect.stringContaining(printed) });
    }
    for (const file of [service, ...files]) closeSync(file);
  },
);
