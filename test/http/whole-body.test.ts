/** An answer of some tens of kilobytes goes out together with its headers, and arrives whole. */

import { ptr } from 'bun:ffi';
import { afterAll, beforeEach, expect, test } from 'bun:test';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Question } from '../../src/protocol/questions.ts';
import { library } from '../../src/system/library.ts';
import { company, found, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

const sizes = [14_000, 15_000, 16_000, 40_000, 120_000];
const textOf = (size: number, sign: string) => sign.repeat(size);
let size = 0;
beforeEach(() => {
  size = 40_000;
  service.scene.answer = async (question: Question) => {
    const answer = found({ text: textOf(size, question.kind === 'company' ? 'c' : 'r') });
    // Later than the request, as from a query thread.
    await new Promise<void>((resolve) => setImmediate(resolve));
    return answer;
  };
});

const identity = { 'Accept-Encoding': 'identity' };
const ask = (path: string, method = 'GET') =>
  fetch(`${service.baseUrl}${path}`, { method, headers: identity });
const [record, relationships] = [company.path, `${company.path}/relationships`];

test('states its length on GET and HEAD, below and above the size from which a stream carries it', async () => {
  for (size of sizes) {
    const [get, head] = [await ask(record), await ask(record, 'HEAD')];
    const bytes = (await get.bytes()).length;
    expect(bytes).toBeGreaterThan(size);
    for (const { headers } of [get, head]) {
      expect(headers.get('content-length')).toBe(String(bytes));
      expect(headers.get('transfer-encoding')).toBeNull();
    }
    expect(await head.text()).toBe('');
  }
});

test('keeps its own bytes beside others that are made in the same memory', async () => {
  const all = Array.from({ length: 40 }, async (_, n) => {
    const [path, sign] = n % 2 === 0 ? ([record, 'c'] as const) : ([relationships, 'r'] as const);
    const answer = await ask(path);
    expect(await answer.json()).toMatchObject({ data: { text: textOf(size, sign) } });
  });
  await Promise.all(all);
});

test('is complete for a reader that begins to read late', async () => {
  size = 120_000;
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(`GET ${record} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n`);
  // The service answers meanwhile.
  await (await ask(record)).bytes();
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.resume();
  await once(socket, 'close');
  expect(Buffer.concat(pieces).toString()).toContain(`"${textOf(size, 'c')}"`);
});

/** Bytes 152 to 155 of `struct tcp_info` of Linux: how many packets with data have come. */
const [tcpLevel, tcpInfo, packetsPlace, infoBytes] = [6, 11, 152, 160];

/** How many packets with data a connection of this process has received; null if it has no such connection. */
function packetsReceived({ localPort }: Socket): number | null {
  const [value, length] = [Buffer.alloc(infoBytes), new Uint32Array(1)];
  const c = library();
  for (const file of readdirSync('/proc/self/fd').map(Number)) {
    length[0] = infoBytes;
    if (c?.getsockname(file, ptr(value), ptr(length)) !== 0 || value.readUInt16BE(2) !== localPort) continue;
    length[0] = infoBytes;
    if (c.getsockopt(file, tcpLevel, tcpInfo, ptr(value), ptr(length)) === 0)
      return value.readUInt32LE(packetsPlace);
  }
  return null;
}

test.skipIf(process.platform !== 'linux')(
  'comes in few packets, and not in one for each header',
  async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${record} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n`);
    let bytes = 0;
    await new Promise<void>((resolve) => {
      socket.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > size) resolve();
      });
    });
    expect(packetsReceived(socket)).toBeLessThan(10);
    socket.destroy();
  },
);
