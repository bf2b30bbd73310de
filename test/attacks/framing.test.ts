/**
 * Clients that frame their requests oddly, behind a real proxy that shares its connections to the service between
 * clients. The attack succeeds where another client gets an answer that is not its own, or none.
 */
import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { company, startInMemory } from '../front/http/app-in-memory.ts';
import { isInstalled, type RunningProxy, reuseModes, startHaproxy, startNginx } from '../support/proxies.ts';

const service = startInMemory();
afterAll(() => service.stop());

/** Requests of each honest client, one after the other on its own connection. */
const honestRequests = 150;
const honestClients = 6;
const attackers = 4;

const chunked = 'Transfer-Encoding: chunked';
/** Whole requests; each would disturb a connection that is used on. */
const attacks: readonly string[] = [
  `POST ${company.path} HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  `GET ${company.path} HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  `POST /docs HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\nffffffffff\r\nabc`,
  `PUT /nowhere HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\nzz\r\n`,
  `POST ${company.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 80\r\n\r\nGET /docs HTTP/1.1\r\nHost: y\r\n\r\n`,
  `GET ${company.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 32\r\n\r\nGET /docs HTTP/1.1\r\nHost: yyy\r\n\r\n`,
  `GET ${company.path} HTTP/1.0\r\n\r\n`,
  `GET ${company.path} HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`,
  `GET ${company.path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
];

/** Sends attacks in turn until the honest clients are done. */
async function attack(proxy: RunningProxy, first: number, isOver: () => boolean): Promise<void> {
  for (let turn = first; !isOver(); turn++) {
    await new Promise<void>((resolve) => {
      const socket = connect(proxy.port, '127.0.0.1', () =>
        socket.write(attacks[turn % attacks.length] ?? ''),
      );
      // Answered, refused or dropped: the attacker goes on.
      socket.once('data', () => socket.destroy());
      socket.on('error', () => undefined);
      socket.once('close', () => resolve());
      socket.setTimeout(100, () => socket.destroy());
    });
  }
}

/** What an honest client got that was not its own answer. */
async function ask(proxy: RunningProxy, client: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let count = 0; count < honestRequests; count++) {
    const id = `honest-${client}-${count}`;
    const answer = await fetch(`http://127.0.0.1:${proxy.port}${company.path}`, {
      headers: { 'X-Request-Id': id },
    }).catch((error: unknown) => String(error));
    if (typeof answer === 'string') wrong.push(`${id}: ${answer}`);
    else if (answer.status !== 200 || answer.headers.get('x-request-id') !== id) {
      wrong.push(`${id}: ${answer.status}, for ${answer.headers.get('x-request-id')}`);
    }
    if (typeof answer !== 'string') await answer.arrayBuffer();
  }
  return wrong;
}

async function disturb(proxy: RunningProxy): Promise<void> {
  let over = false;
  const attacking = Array.from({ length: attackers }, (_, index) => attack(proxy, index * 2, () => over));
  const asking = Array.from({ length: honestClients }, (_, index) => ask(proxy, index));
  const wrong = (await Promise.all(asking)).flat();
  over = true;
  await Promise.all(attacking);
  expect(wrong).toEqual([]);
}

describe.skipIf(!isInstalled('haproxy'))('behind haproxy', () => {
  for (const reuse of reuseModes) {
    test(`with http-reuse ${reuse}, odd framing reaches no other client`, async () => {
      const proxy = await startHaproxy(service.port, reuse);
      await disturb(proxy);
      await proxy.stop();
    });
  }
});

describe.skipIf(!isInstalled('nginx'))('behind nginx', () => {
  test('with kept connections, odd framing reaches no other client', async () => {
    const proxy = await startNginx(service.port);
    await disturb(proxy);
    await proxy.stop();
  });
});
