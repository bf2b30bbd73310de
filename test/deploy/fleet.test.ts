/** Tests that one script starts the demonstration fleet, which serves what it announces and ends with Ctrl-C. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { leiHere } from '../support/lei-here.ts';
import { heard } from '../support/process-group.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { freePorts } from '../support/proxies.ts';
import { root } from '../support/source-tree.ts';

const script = join(root, 'deploy', 'fleet', 'run.sh');
/** The script uses ports from the first one up to this many above it. */
const span = 24;

/** Starts the script in its own process group, as a terminal does; tries again if a port was taken. */
async function started(folder: string) {
  for (let tries = 1; ; tries++) {
    const port = freePorts(span);
    const running = Bun.spawn(['sh', script, folder, String(port)], {
      cwd: root,
      env: { ...process.env, LEI_WORKERS: '1' },
      detached: true,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const text = await heard(running.stdout, /Ctrl-C stops it/).catch((error: unknown) => error);
    if (typeof text === 'string') return { running, text, port };
    await running.exited;
    if (tries === 3) throw text;
  }
}

const answersAt = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );

const programs = ['redis-server', 'nginx', 'haproxy'] as const;

test.skipIf(!programs.every(isInstalled))(
  titled(
    'one script starts a fleet, announces a publication to it, and ends all of it with Ctrl-C',
    ...programs,
  ),
  async () => {
    const folder = temporaryFolder('fleet');
    const { running, text, port } = await started(folder);
    try {
      const status = await fetch(`http://127.0.0.1:${port}/api/v1/status`);
      expect([status.status, await status.text()]).toEqual([200, expect.stringContaining('"sample":false')]);
      const [, shared = ''] = /LEI_SHARED_STATE=(\S+)/.exec(text) ?? [];
      const { stdout } = await leiHere({ LEI_SHARED_STATE: shared }, ['fleet', '--json']);
      const nodes: { name: string; active: string; present: boolean }[] = JSON.parse(stdout);
      const [active = ''] = nodes.map((node) => node.active);
      expect(nodes).toMatchObject(
        ['node-1', 'node-2', 'node-3'].map((name) => ({ name, active, present: true })),
      );
      expect(text).toContain(`${active} is announced as of`);
    } finally {
      process.kill(-running.pid, 'SIGINT');
    }
    expect(await running.exited).toBe(130);
    const ports = [port, port + 1, port + 2, port + 11, port + 12, port + 13];
    expect(await Promise.all(ports.map(answersAt))).toEqual(ports.map(() => false));
  },
);
