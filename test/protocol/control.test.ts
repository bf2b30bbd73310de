import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chownSync, existsSync, lchownSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlRequest } from '../../src/protocol/control.ts';
import { controlClient } from '../../src/protocol/control-client.ts';
import { controlLimits } from '../../src/protocol/control-limits.ts';
import { type ControlServer, serveControl } from '../../src/protocol/control-server.ts';
import { type Layout, layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';
import { sayNotRun } from '../support/programs.ts';

let folder: string;
let paths: Layout;
let server: ControlServer | null = null;

beforeEach(async () => {
  folder = temporaryFolder('control');
  paths = layout(folder);
});
afterEach(async () => {
  server?.stop();
  server = null;
});

/** Sends raw text and returns the first line that comes back, or '' if the service closes the connection. */
async function raw(text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = '';
  let unsent: Uint8Array = Buffer.from(text);
  const push = (to: { write(data: Uint8Array): number }) => {
    unsent = unsent.subarray(Math.max(0, to.write(unsent)));
  };
  const socket = await Bun.connect({
    unix: paths.controlSocket,
    socket: {
      open: push,
      drain: push,
      data(_socket, piece) {
        received += piece.toString();
        if (received.includes('\n')) resolve(received);
      },
      close: () => resolve(received),
      error: () => resolve(received),
    },
  });
  const answer = await promise;
  socket.end();
  return answer;
}

const isRoot = process.geteuid?.() === 0;
if (!isRoot) sayNotRun('a control socket of another user: only root may give a socket away');

describe('the control socket', () => {
  test.if(isRoot)(
    'that belongs to another user than the data folder is not used, and the message says what to do',
    async () => {
      // A path so long that the socket is in a folder that all users share.
      paths = layout(join(folder, 'long'.repeat(30)));
      await mkdir(paths.dataDir, { recursive: true });
      const heard: string[] = [];
      const squatter = Bun.listen({
        unix: paths.controlSocket,
        socket: {
          data(socket, piece) {
            heard.push(piece.toString());
            socket.write('{"ok":true,"value":"mine now"}\n');
          },
        },
      });
      const nobody = 65_534;
      lchownSync(paths.controlSocket, nobody, nobody);
      const reply = await controlClient(paths).send({ op: 'ping' });
      expect(reply).toEqual({
        ok: false,
        code: 'unreachable',
        message: `The control socket ${paths.controlSocket} belongs to another user (65534) and is not used. Have it removed, or choose a data folder with a shorter path: its socket is then in that folder.`,
      });
      expect(heard).toEqual([]);
      // The data folder of the same user makes it that service's.
      chownSync(paths.dataDir, nobody, nobody);
      expect(await controlClient(paths).send({ op: 'ping' })).toEqual({ ok: true, value: 'mine now' });
      squatter.stop(true);
      await rm(paths.controlSocket, { force: true });
    },
  );

  test('tells a command that no service is running', async () => {
    expect(await controlClient(paths).send({ op: 'ping' })).toBe('not-running');
  });

  test('left behind by a killed service counts as not running, and is replaced', async () => {
    const script = `Bun.listen({ unix: ${JSON.stringify(paths.controlSocket)}, socket: { data() {} } }); process.kill(process.pid, 'SIGKILL');`;
    await Bun.spawn([process.execPath, '-e', script]).exited;
    expect(existsSync(paths.controlSocket)).toBe(true);
    expect(await controlClient(paths).send({ op: 'ping' })).toBe('not-running');
    server = serveControl(paths.controlSocket, async () => ({ ok: true, value: 'here' }));
    expect(await controlClient(paths).send({ op: 'ping' })).toEqual({ ok: true, value: 'here' });
  });

  test('is made anew if it was removed, and earlier requests are still answered', async () => {
    const slow = Promise.withResolvers<void>();
    server = serveControl(paths.controlSocket, async ({ op }) => {
      if (op === 'status') await slow.promise;
      return { ok: true, value: op };
    });
    const asked = controlClient(paths).send({ op: 'status' });
    expect(await controlClient(paths).send({ op: 'ping' })).toEqual({ ok: true, value: 'ping' });
    server.tend();
    await rm(paths.controlSocket);
    server.tend();
    expect(await controlClient(paths).send({ op: 'ping' })).toEqual({ ok: true, value: 'ping' });
    expect(statSync(paths.controlSocket).mode & 0o777).toBe(0o600);
    slow.resolve();
    expect(await asked).toEqual({ ok: true, value: 'status' });
  });

  test("is not made in a folder that replaced the service's own, and is made once its own is back", async () => {
    server = serveControl(paths.controlSocket, async () => ({ ok: true, value: 'here' }));
    const renamed = `${folder}-renamed`;
    await rename(folder, renamed);
    server.tend();
    await mkdir(folder);
    server.tend();
    expect(await readdir(folder)).toEqual([]);
    await rmdir(folder);
    await rename(renamed, folder);
    await rm(paths.controlSocket);
    server.tend();
    expect(await controlClient(paths).send({ op: 'ping' })).toEqual({ ok: true, value: 'here' });
  });

  test('passes on every kind of request unchanged', async () => {
    const seen: ControlRequest[] = [];
    server = serveControl(paths.controlSocket, async (request) => {
      seen.push(request);
      return { ok: true, value: null };
    });
    const loading = { phase: 'parse', progress: 0.25, startedAt: '2026-11-20T16:00:00Z' };
    const failure = { at: '2026-11-20T16:00:00Z', phase: 'verify', message: 'Zählung falsch\nZeile 2' };
    const requests: ControlRequest[] = [
      { op: 'ping' },
      { op: 'status' },
      { op: 'accounts-changed' },
      { op: 'activate', id: '20261004T160000Z-3f9a1c2b' },
      { op: 'release', ids: ['20261004T160000Z-3f9a1c2b'] },
      { op: 'loading', loading, failure: null },
      { op: 'loading', loading: null, failure },
    ];
    for (const request of requests) await controlClient(paths).send(request);
    expect(seen).toEqual(requests);
  });

  test('is open to the user of the service only', () => {
    const mask = process.umask(0o022);
    server = serveControl(paths.controlSocket, async () => ({ ok: true, value: null }));
    expect(statSync(paths.controlSocket).mode & 0o777).toBe(0o600);
    // Files that the service writes later don't count.
    expect(process.umask(mask)).toBe(0o022);
  });

  test('returns a refusal and a bug in the service as codes', async () => {
    server = serveControl(paths.controlSocket, async (request) => {
      if (request.op === 'ping') throw new Error('boom');
      return { ok: false, code: 'not-sealed', message: 'No such publication.' };
    });
    const client = controlClient(paths);
    expect(await client.send({ op: 'ping' })).toEqual({ ok: false, code: 'internal', message: 'boom' });
    expect(await client.send({ op: 'activate', id: '20261004T160000Z-3f9a1c2b' })).toEqual({
      ok: false,
      code: 'not-sealed',
      message: 'No such publication.',
    });
  });

  test('reports a service that does not answer in time', async () => {
    server = serveControl(paths.controlSocket, () => new Promise(() => {}));
    const reply = await controlClient(paths).send({ op: 'ping' }, { timeoutMs: 20 });
    expect(reply).toMatchObject({ ok: false, code: 'timeout' });
  });

  test('answers commands up to the limit at once, closes one more, and answers any number in turn', async () => {
    const slow = Promise.withResolvers<void>();
    server = serveControl(paths.controlSocket, async ({ op }) => {
      if (op === 'status') await slow.promise;
      return { ok: true, value: null };
    });
    const client = controlClient(paths);
    for (let count = 0; count <= controlLimits.connectionsMax; count++) {
      expect(await client.send({ op: 'ping' })).toMatchObject({ ok: true });
    }
    const atOnce = Array.from({ length: controlLimits.connectionsMax + 1 }, () =>
      client.send({ op: 'status' }),
    );
    expect(await Promise.race(atOnce)).toMatchObject({ ok: false, code: 'closed' });
    slow.resolve();
    const answered = (await Promise.all(atOnce)).filter((reply) => reply !== 'not-running' && reply.ok);
    expect(answered).toHaveLength(controlLimits.connectionsMax);
  });

  test('reports a service that ends before its answer', async () => {
    const asked = Promise.withResolvers<void>();
    server = serveControl(paths.controlSocket, () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const reply = controlClient(paths).send({ op: 'ping' });
    await asked.promise;
    server.stop();
    expect(await reply).toMatchObject({ ok: false, code: 'closed' });
    expect(existsSync(paths.controlSocket)).toBe(false);
  });

  test('refuses a line that is not a request, and stays usable', async () => {
    server = serveControl(paths.controlSocket, async () => ({ ok: true, value: null }));
    for (const line of ['not json', '{}', '{"op":"format-disk"}', '{"op":"release","ids":[1]}']) {
      expect(JSON.parse(await raw(`${line}\n`))).toMatchObject({ ok: false, code: 'bad-request' });
    }
  });

  test('cuts off an endless line at the limit', async () => {
    server = serveControl(paths.controlSocket, async () => ({ ok: true, value: null }));
    expect(await raw('x'.repeat(controlLimits.messageBytesMax + 1))).toBe('');
  });

  test('passes on an answer far larger than the socket buffer', async () => {
    // Characters of three bytes: some arrive in two pieces.
    const text = '語'.repeat(400_000);
    server = serveControl(paths.controlSocket, async () => ({ ok: true, value: text }));
    expect(await controlClient(paths).send({ op: 'status' })).toEqual({ ok: true, value: text });
  });

  test('has a short path if its own is too long, the same for every environment', () => {
    const dataDir = join(folder, 'long'.repeat(30));
    const before = process.env['TMPDIR'];
    try {
      process.env['TMPDIR'] = join(folder, 'one');
      const ofService = layout(dataDir).controlSocket;
      process.env['TMPDIR'] = join(folder, 'other');
      expect(layout(dataDir).controlSocket).toBe(ofService);
      expect(Buffer.byteLength(ofService)).toBeLessThanOrEqual(100);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});
