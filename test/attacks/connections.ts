/**
 * Opens connections that are idle, half-sent or slow. Other clients must be answered while these connections stay open
 * and after they have closed. One round opens fifty connections, but no more than this process may open.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Served } from '../support/serve.ts';
import { type Attack, pick, type Random, randomOf, whileServing } from './attack.ts';

const connectionsPerRound = 50;
/** Descriptors that this process keeps for itself: for files, pipes, and the honest clients. */
const keptDescriptors = 128;
const asksPerRound = 5;
/** The longest that an honest client may wait for a look-up, on a busy machine too: a blocked service never answers. */
const answerMsMax = 30_000;
const lookUp = '/api/v1/lei/7LTWFZYICNSX8D621K86';

const request = `GET ${lookUp} HTTP/1.1\r\nHost: service.test\r\n\r\n`;
/** What a connection sends before it falls silent. */
const beginnings = [
  '',
  'G',
  request.slice(0, 20),
  request.slice(0, -2),
  request,
  `${request}${request.slice(0, 9)}`,
];
const unfinishedBody = 'POST /signup HTTP/1.1\r\nHost: service.test\r\nContent-Length: 500\r\n\r\nemail=';

/** The soft limit of open files, from the kernel. */
function descriptorsMax(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1024);
}

/** @returns the connection, open or refused */
function hold(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => resolve(socket)));
    // The service may close idle connections.
    socket.on('error', () => resolve(socket));
    // Reads nothing, so that answers fill the buffers.
    socket.pause();
  });
}

/** @returns the faults in the answers to other clients; none if all arrive in time */
async function askBeside(served: Served, when: string): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: asksPerRound }, async () => {
      const signal = AbortSignal.timeout(answerMsMax);
      const answer = served.get(lookUp, { signal, keepalive: false });
      return answer.then(
        ({ status }) => (status === 200 ? null : `status ${status}`),
        () => `no answer within ${answerMsMax} ms`,
      );
    }),
  );
  return answers.flatMap((fault) => (fault === null ? [] : [`Another client got ${fault} ${when}.`]));
}

const run: Attack['run'] = ({ rounds, seed, say, folder }) =>
  whileServing(folder, { LEI_SAMPLE: 'on', LEI_WORKERS: '2' }, async (served) => {
    const sockets: Socket[] = [];
    try {
      const wrong = await holdAll(served, sockets, rounds, randomOf(seed));
      say(`${sockets.length} connections held at once`);
      for (const socket of sockets) socket.destroy();
      wrong.push(...(await askBeside(served, 'after the connections were closed')));
      return { tried: sockets.length, wrong };
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

async function holdAll(served: Served, sockets: Socket[], rounds: number, random: Random): Promise<string[]> {
  const port = Number(new URL(served.url).port);
  const most = Math.min(rounds * connectionsPerRound, descriptorsMax() - keptDescriptors);
  const texts = [...beginnings, unfinishedBody];
  const wrong: string[] = [];
  while (sockets.length < most) {
    const count = Math.min(connectionsPerRound, most - sockets.length);
    const opening = Array.from({ length: count }, () => hold(port, pick(random, texts)));
    sockets.push(...(await Promise.all(opening)));
    wrong.push(...(await askBeside(served, `beside ${sockets.length} held connections`)));
  }
  return wrong;
}

export const attack: Attack = { name: 'connections', run };
