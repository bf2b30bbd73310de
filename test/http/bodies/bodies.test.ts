/** Tests large bodies on a real server and real connections. The test controls the clock that measures readers. */
import { afterEach, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { Bodies } from '../../../src/http/bodies/bodies.ts';
import { Budget } from '../../../src/http/bodies/budget.ts';
import type { Delivery } from '../../../src/http/bodies/delivery.ts';
import { bodyLimits } from '../../../src/http/bodies/limits.ts';
import { until } from '../../support/steady-load.ts';

const { patienceMs, patienceWhenFullMs, pauseMs, pieceBytes, paceBytesPerSecondMin } = bodyLimits;
const megabyte = 1024 * 1024;
const bodyBytes = 12 * megabyte;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Bytes with different content at each position. */
function body(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 16)) & 255);
}
const sent = body(bodyBytes);

interface Scene {
  /** The last body that was requested in parts, by a path that begins with `/parts`. */
  begun(): Delivery;
  readonly port: number;
  readonly bodies: Bodies;
  readonly warnings: string[];
  /** Advances the readers' clock. */
  pass(ms: number): void;
}

/** A server that reads the client from the path and sends every client the same body. */
function serve(): Scene {
  let now = 0;
  const warnings: string[] = [];
  const bodies = new Bodies({ log: { warn: (text) => warnings.push(text) }, clock: () => now });
  let begun: Delivery | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url);
      const share = bodies.take(pathname, pathname.startsWith('/parts') ? pieceBytes : bodyBytes);
      if ('shortage' in share) {
        return new Response(share.shortage, {
          status: 503,
          headers: { 'Retry-After': String(share.retryAfterSeconds) },
        });
      }
      if (pathname.startsWith('/parts')) {
        begun = bodies.begin(share, request.signal);
        begun.add(sent.slice(0, pieceBytes));
        return new Response(begun.stream);
      }
      return new Response(bodies.deliver(sent.slice(), share, request.signal));
    },
  });
  closing.push(() => server.stop(true));
  return {
    port: server.port ?? 0,
    bodies,
    warnings,
    begun() {
      if (begun === null) throw new Error('Nothing was asked for in parts.');
      return begun;
    },
    pass(ms) {
      now += ms;
    },
  };
}

/** Sends a request, and reads only the first piece. */
async function stuckReader({ port, bodies }: Scene, client: string): Promise<Socket> {
  const before = bodies.bytes;
  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${client} HTTP/1.1\r\nHost: x\r\n\r\n`));
  socket.on('error', () => undefined);
  socket.once('data', () => socket.pause());
  closing.push(() => socket.destroy());
  await until(() => bodies.bytes > before);
  return socket;
}

/** Lets the time limit pass until no body is in flight: the kernel may have taken bytes since the last time. */
const passUntilFree = (scene: Scene) =>
  until(() => {
    if (scene.bodies.bytes > 0) scene.pass(patienceMs);
    return scene.bodies.bytes === 0;
  });

const ask = ({ port }: Scene, client: string) => fetch(`http://127.0.0.1:${port}${client}`);

describe('a body whose parts are still being made', () => {
  const partBytes = 3 * pieceBytes;

  test('arrives byte for byte, and is accounted for as it grows', async () => {
    const scene = serve();
    const answer = await ask(scene, '/parts');
    scene.begun().add(sent.slice(pieceBytes, partBytes));
    expect(scene.bodies.bytes).toBe(partBytes);
    scene.begun().complete();
    const received = Buffer.from(await answer.arrayBuffer());
    expect(received.equals(Buffer.from(sent.slice(0, partBytes)))).toBe(true);
    await until(() => scene.bodies.bytes === 0);
  });

  test('does not count a reader as slow that waits for the next part', async () => {
    const scene = serve();
    const answer = await ask(scene, '/parts');
    const reader = answer.body?.getReader();
    for (let read = 0; read < pieceBytes; ) read += (await reader?.read())?.value?.length ?? pieceBytes;
    scene.pass(10 * patienceMs);
    await new Promise((resolve) => setTimeout(resolve, 2 * bodyLimits.lookEveryMs));
    expect(scene.bodies.bytes).toBe(pieceBytes);
    scene.begun().complete();
    expect((await reader?.read())?.done).toBe(true);
  });

  test('takes no more memory once its client has gone, even while more of it is made', async () => {
    const scene = serve();
    const socket = await stuckReader(scene, '/parts');
    socket.destroy();
    await until(() => scene.bodies.bytes === 0);
    const part = sent.slice(0, pieceBytes);
    scene.begun().add(part);
    scene.begun().complete();
    expect([scene.bodies.bytes, part.length]).toEqual([0, 0]);
  });

  test('is recognisably incomplete if it is broken off', async () => {
    const scene = serve();
    const answer = await ask(scene, '/parts');
    scene.begun().breakOff();
    expect(await answer.arrayBuffer().catch(() => 'broken')).toBe('broken');
  });
});

describe('a large body', () => {
  test('arrives byte for byte, and leaves nothing in flight', async () => {
    const scene = serve();
    for (let turn = 0; turn < 5; turn++) {
      const answer = await ask(scene, '/a');
      expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), Buffer.from(sent))).toBe(0);
    }
    await until(() => scene.bodies.bytes === 0);
  });

  test('is no longer in flight once its client has gone', async () => {
    const scene = serve();
    const socket = await stuckReader(scene, '/a');
    socket.destroy();
    await until(() => scene.bodies.bytes === 0);
    expect((await ask(scene, '/a')).status).toBe(200);
  });

  test('is broken off when its reader takes nothing for the time limit, and not before', async () => {
    const scene = serve();
    const socket = await stuckReader(scene, '/a');
    scene.pass(patienceMs - 1);
    await new Promise((resolve) => setTimeout(resolve, 2 * bodyLimits.lookEveryMs));
    expect(scene.bodies.bytes).toBe(bodyBytes);
    scene.pass(1);
    await passUntilFree(scene);
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once('close', () => resolve());
    socket.resume();
    await promise;
    expect(scene.warnings).toHaveLength(1);
  });

  test('is refused for a while to a client whose reader was broken off, and sent to others', async () => {
    const scene = serve();
    await stuckReader(scene, '/slow');
    await passUntilFree(scene);
    const refused = await ask(scene, '/slow');
    expect([refused.status, await refused.text()]).toEqual([503, 'client']);
    expect(refused.headers.get('retry-after')).toBe(String(pauseMs / 1_000));
    expect((await (await ask(scene, '/other')).arrayBuffer()).byteLength).toBe(bodyBytes);
    scene.pass(pauseMs);
    expect((await ask(scene, '/slow')).status).toBe(200);
  });

  test('is refused to a client that has its share of the budget in flight', async () => {
    const scene = serve();
    await stuckReader(scene, '/a');
    await stuckReader(scene, '/a');
    expect(scene.bodies.refusalOf('/a')).toMatchObject({ shortage: 'client' });
    expect((await ask(scene, '/a')).status).toBe(503);
    expect((await ask(scene, '/b')).status).toBe(200);
  });

  test('makes room for itself if the budget is full of readers that have stalled for a while', async () => {
    const scene = serve();
    for (let client = 0; client < 6; client++) await stuckReader(scene, `/${client}`);
    expect(await (await ask(scene, '/new')).text()).toBe('all');
    await until(async () => {
      scene.pass(patienceWhenFullMs + 1);
      const answer = await ask(scene, '/new');
      return (await answer.arrayBuffer()).byteLength === bodyBytes;
    });
  });
});

describe('a reader’s pace', () => {
  /** Takes a piece at intervals. @returns the bytes received before it was broken off */
  async function takeEvery(ms: number): Promise<number> {
    const scene = serve();
    const share = scene.bodies.take('/a', bodyBytes);
    if ('shortage' in share) throw new Error('The budget is empty.');
    const reader = scene.bodies.deliver(sent.slice(), share, new AbortController().signal).getReader();
    let taken = 0;
    for (;;) {
      const piece = await reader.read().catch(() => null);
      if (piece === null || piece.done) return taken;
      taken += piece.value.length;
      scene.pass(ms);
      // Readers are checked on the machine's clock; refusing another client triggers a check that is due.
      if (taken % (16 * pieceBytes) === 0)
        await new Promise((resolve) => setTimeout(resolve, bodyLimits.lookEveryMs + 50));
    }
  }

  const msPerPiece = (pieceBytes / paceBytesPerSecondMin) * 1_000;

  test('at the required minimum delivers the whole body', async () => {
    expect(await takeEvery(msPerPiece)).toBe(bodyBytes);
  });

  test('below the minimum ends the body', async () => {
    expect(await takeEvery(msPerPiece * 1.5)).toBeLessThan(bodyBytes);
  });
});

test('several fronts together allow the limits of one, plus one body each (property)', () => {
  const { inFlightBytesMax, clientInFlightBytesMax } = bodyLimits;
  const log = { warn: () => undefined };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: megabyte / 8, max: 9 * megabyte }),
      (fronts, bytes) => {
        const all = Array.from({ length: fronts }, () => new Bodies({ fronts, log, clock: () => 0 }));
        const inFlight = () => all.reduce((sum, each) => sum + each.bytes, 0);
        const takeAll = (client: string) => {
          for (const each of all) while (!('shortage' in each.take(client, bytes)));
        };
        takeAll('one');
        expect(inFlight()).toBeLessThan(clientInFlightBytesMax + fronts * bytes);
        for (let other = 0; other < 8; other++) takeAll(`another ${other}`);
        expect(inFlight()).toBeLessThan(inFlightBytesMax + fronts * bytes);
      },
    ),
    { numRuns: 20 },
  );
});

test('the budget tracks what is taken, resized and returned, in total and per client (property)', () => {
  const step = fc.record({ client: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(50), back: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new Budget({ inFlightBytesMax: 100, clientInFlightBytesMax: 40 });
      const held: { client: string; bytes: number; free: () => void }[] = [];
      const sum = (client?: string) =>
        held.filter((one) => client === undefined || one.client === client).reduce((a, b) => a + b.bytes, 0);
      for (const { client, bytes, back } of steps) {
        const share = budget.take(client, bytes + 10);
        share.resize(bytes);
        held.push({ client, bytes, free: share.free });
        for (const one of held.splice(0, back)) {
          one.free();
          one.free();
        }
        expect(budget.bytes).toBe(sum());
        expect(budget.isFull).toBe(sum() >= 100);
        for (const each of ['a', 'b', 'c']) expect(budget.isFullFor(each)).toBe(sum(each) >= 40);
      }
    }),
  );
});
