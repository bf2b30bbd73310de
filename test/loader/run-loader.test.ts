/** How the loader is started. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';

const program = join(import.meta.dir, 'cores-of-loader.ts');
const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
const [first = '', last = ''] = [/^\d+/.exec(allowed)?.[0], /\d+$/.exec(allowed)?.[0]];

test.each([
  ['the last', 'all', [], last],
  // As in a container or a service unit that has some of the machine's cores only.
  ['that', 'one', ['taskset', '-c', first], first],
] as const)(
  'beside a service a load keeps to %s of the cores it may use, which are %s',
  async (_which, _cores, before, core) => {
    if (Bun.which('taskset') === null) return;
    const command = [...before, process.execPath, program, temporaryFolder('cores')];
    const started = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
    expect(await new Response(started.stdout).text()).toBe(core);
  },
);
