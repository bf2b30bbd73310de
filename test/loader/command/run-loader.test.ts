/** Tests how the loader runs, and how requests and events reach the other side. */
import { expect, spyOn, test } from 'bun:test';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { runLoader } from '../../../src/loader/command/run-loader.ts';
import { loaderLimits } from '../../../src/loader/limits.ts';
import { layout } from '../../../src/publication/layout.ts';
import { movePointer } from '../../../src/publication/pointer.ts';
import { childOf } from '../../support/child-process.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { loadRequest } from '../../support/load-here.ts';
import { sayNotRun } from '../../support/programs.ts';
import { isin, publish } from '../publishing.ts';

const program = join(import.meta.dir, 'cores-of-loader.ts');
const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
const [first = '', last = ''] = [/^\d+/.exec(allowed)?.[0], /\d+$/.exec(allowed)?.[0]];

test.each([
  ['the last', 'all', [], last],
  // As in a container or a service unit with only some of the machine's cores.
  ['that', 'one', ['taskset', '-c', first], first],
] as const)(
  'a load beside a service uses %s of the available cores, which are %s',
  async (_which, _cores, before, core) => {
    if (Bun.which('taskset') === null)
      return sayNotRun('cores of a load: apt-get install util-linux brings taskset');
    const command = [...before, process.execPath, program, temporaryFolder('cores')];
    const started = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
    expect(await new Response(started.stdout).text()).toBe(core);
  },
);

/** Whether a process has its own handler for a signal; the loader has one from its first lines on. */
function handles(pid: number, signal: number): boolean {
  const handled = /^SigCgt:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${handled}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

test.each([
  ['of its own', [], Math.max(10, getPriority())],
  // As an operator does to a job that is not urgent; not everybody may undo that.
  ['that it was started with, where that is lower', ['nice', '-n', '15'], Math.min(19, getPriority() + 15)],
] as const)(
  'a load has a low priority, %s, and ends with a caller that asks for nothing',
  async (_which, before, priority) => {
    const worker = join(import.meta.dir, '..', '..', '..', 'workers', 'loader.ts');
    const loader = Bun.spawn([...before, process.execPath, worker], {
      stdin: 'pipe',
      stdout: 'ignore',
      stderr: 'inherit',
    });
    while (loader.exitCode === null && !handles(loader.pid, constants.signals.SIGHUP)) await Bun.sleep(5);
    expect(getPriority(loader.pid)).toBe(priority);
    loader.stdin.end();
    expect(await loader.exited).toBe(3);
  },
);

test("a request and an event larger than a pipe's buffer arrive complete", async () => {
  const dataDir = temporaryFolder('loading');
  const path = `/${'x'.repeat(2 ** 20)}é`;
  await expect(runLoader(loadRequest(dataDir, [path]), {})).rejects.toMatchObject({
    message: expect.stringContaining(path),
  });
});

test("the loader's messages reach the operator", async () => {
  const dataDir = temporaryFolder('loading');
  const messages: string[] = [];
  const files = publish(dataDir, { at: '2024-05-04T00:00:00Z', isins: [[1, isin(1)]] });
  await runLoader(loadRequest(dataDir, files), { message: (message) => void messages.push(message) });
  expect(messages).toEqual([expect.stringContaining('no file of this load contains a company')]);
});

test.each([
  ['a small file', 'xml', loaderLimits.shortPackedBytes, 0, true],
  ['a large file', 'xml', loaderLimits.shortPlainBytes, 0, false],
  ['a large compressed file', 'xml.zip', loaderLimits.shortPackedBytes, 0, false],
  ['a large file that may be compressed', 'download', loaderLimits.shortPackedBytes, 0, false],
  ['a small file beside a large publication', 'xml', 0, loaderLimits.shortBaseBytes, false],
])(
  'a load of %s has the optimizing compiler only if it lasts',
  async (_of, extension, fileBytes, baseBytes, isShort) => {
    const dataDir = temporaryFolder('loading');
    const [paths, id] = [layout(dataDir), '20240504T000000Z-00000000'];
    const file = join(dataDir, `no-file-of-gleif.${extension}`);
    mkdirSync(paths.publication(id), { recursive: true });
    for (const [path, bytes] of [
      [file, fileBytes],
      [paths.environment(id), baseBytes],
    ] as const) {
      writeFileSync(path, '');
      truncateSync(path, bytes);
    }
    movePointer(paths, id, new Date(), null);
    const { signal } = new AbortController();
    let environment = '';
    // Called when the loader has started; its environment is there a moment later.
    spyOn(signal, 'addEventListener').mockImplementationOnce(() => {
      while (environment === '') environment = readFileSync(`/proc/${childOf(process.pid)}/environ`, 'utf8');
    });
    const loaded = runLoader(loadRequest(dataDir, [file]), {}, { besideService: false, signal });
    await expect(loaded).rejects.toThrow('no-file-of-gleif');
    expect(environment.split('\0').includes('BUN_JSC_useDFGJIT=false')).toBe(isShort);
  },
);
