/**
 * Sends oddly framed requests through real proxies that share their connections to the service between clients: haproxy
 * in every reuse mode, and nginx. Every other client must get its own answer. One round sends ten requests of each of
 * six honest clients in each mode, beside four attackers.
 */
import { connect } from 'node:net';
import { isInstalled } from '../support/programs.ts';
import { type RunningProxy, reuseModes, startHaproxy, startNginx } from '../support/proxies.ts';
import { askOn, parseAnswer } from '../support/raw-socket.ts';
import { type Attack, type AttackResult, below, randomOf, whileServing } from './attack.ts';

const requestsPerRound = 10;
const honestClients = 6;
const attackers = 4;
const lookUp = '/api/v1/lei/7LTWFZYICNSX8D621K86';

const chunked = 'Transfer-Encoding: chunked';
/** Complete requests; each would disturb a connection that is reused. */
const disturbances: readonly string[] = [
  `POST ${lookUp} HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  `GET ${lookUp} HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  `POST /docs HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\nffffffffff\r\nabc`,
  `PUT /nowhere HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\nzz\r\n`,
  `POST ${lookUp} HTTP/1.1\r\nHost: x\r\nContent-Length: 80\r\n\r\nGET /docs HTTP/1.1\r\nHost: y\r\n\r\n`,
  `GET ${lookUp} HTTP/1.1\r\nHost: x\r\nContent-Length: 32\r\n\r\nGET /docs HTTP/1.1\r\nHost: yyy\r\n\r\n`,
  `GET ${lookUp} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
];
/** Requests of HTTP/1.0, after which the service closes the connection. */
const oldVersion: readonly string[] = [
  `GET ${lookUp} HTTP/1.0\r\n\r\n`,
  `GET ${lookUp} HTTP/1.0\r\nHost: x\r\n\r\n`,
  `GET ${lookUp} HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`,
];

/** Sends disturbances in turn until the honest clients are done. @returns how many */
async function disturb(
  proxy: RunningProxy,
  texts: readonly string[],
  first: number,
  isOver: () => boolean,
): Promise<number> {
  let turn = first;
  for (; !isOver(); turn++) {
    await new Promise<void>((resolve) => {
      const socket = connect(proxy.port, '127.0.0.1', () => socket.write(texts[turn % texts.length] ?? ''));
      // The request was answered, refused or dropped: the attacker continues.
      socket.once('data', () => socket.destroy());
      socket.on('error', () => undefined);
      socket.once('close', () => resolve());
      socket.setTimeout(100, () => socket.destroy());
    });
  }
  return turn - first;
}

/** Wrong answers to an honest client. It uses a connection twice, then another. */
async function ask(proxy: RunningProxy, client: number, requests: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  let socket = connect(proxy.port, '127.0.0.1');
  for (let count = 0; count < requests; count++) {
    if (count % 2 === 0) {
      socket.destroy();
      socket = connect(proxy.port, '127.0.0.1');
    }
    const id = `honest-${client}-${count}`;
    const answer = parseAnswer(
      await askOn(socket, `GET ${lookUp} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`),
    );
    const answered = answer.headers.get('x-request-id');
    if (answer.status !== 200 || answered !== id) wrong.push(`${id}: ${answer.status}, for ${answered}`);
  }
  socket.destroy();
  return wrong;
}

type Mode = readonly [name: string, start: (servicePort: number) => Promise<RunningProxy>];

/** The proxies of this machine, each in all its modes of sharing connections. */
function installedModes(): readonly Mode[] {
  const haproxy = reuseModes.map(
    (reuse): Mode => [`haproxy with http-reuse ${reuse}`, (port) => startHaproxy(port, reuse)],
  );
  // Without forwardfor the service cannot recognise HTTP/1.0 requests, so only the mode without sharing is safe.
  const anonymous: Mode = [
    'haproxy without forwardfor, with http-reuse never',
    (port) => startHaproxy(port, 'never', false),
  ];
  return [
    ...(isInstalled('haproxy') ? [...haproxy, anonymous] : []),
    ...(isInstalled('nginx') ? [['nginx', startNginx] as const] : []),
  ];
}

/** @returns how many disturbances were sent, and the wrong answers to honest clients */
async function attackThrough(
  proxy: RunningProxy,
  requests: number,
  first: () => number,
): Promise<AttackResult> {
  let over = false;
  const disturbing = Array.from({ length: attackers }, (_, attacker) =>
    disturb(proxy, attacker % 2 === 0 ? disturbances : oldVersion, first(), () => over),
  );
  const asking = Array.from({ length: honestClients }, (_, client) => ask(proxy, client, requests));
  const wrong = (await Promise.all(asking)).flat();
  over = true;
  const sent = await Promise.all(disturbing);
  return { tried: sent.reduce((sum, count) => sum + count, 0), wrong };
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const modes = installedModes();
  if (modes.length === 0) throw new Error('apt-get install haproxy nginx brings the proxies that it needs');
  const random = randomOf(seed);
  const first = () => below(random, disturbances.length);
  const results: AttackResult[] = [];
  await whileServing(folder, { LEI_SAMPLE: 'on' }, async (served) => {
    for (const [name, start] of modes) {
      const proxy = await start(Number(new URL(served.url).port));
      const { tried, wrong } = await attackThrough(proxy, rounds * requestsPerRound, first);
      await proxy.stop();
      say(`${tried} oddly framed requests through ${name}`);
      results.push({ tried, wrong: wrong.map((fault) => `Through ${name}, another client got ${fault}`) });
    }
  });
  const tried = results.reduce((sum, result) => sum + result.tried, 0);
  return { tried, wrong: results.flatMap(({ wrong }) => wrong) };
};

export const attack: Attack = { name: 'framing', run };
