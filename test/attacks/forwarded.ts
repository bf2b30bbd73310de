/**
 * Forges `X-Forwarded-For`: without trusted proxies every request counts for its real peer. Behind a proxy it counts
 * for the address that the proxy added, in whatever form that is written and whatever a client wrote in front of it.
 * One round sends fifty requests to each of two services.
 */
import { join } from 'node:path';
import { type Attack, below, pick, type Random, randomOf, whileServing } from './attack.ts';

const requestsPerRound = 50;
const daily = 1_000_000;
const settings = {
  LEI_SAMPLE: 'on',
  LEI_LIMITS: 'enforce',
  LEI_ANONYMOUS_DAILY: String(daily),
  LEI_BURST_LOOKUP: String(10 * daily),
};

/** Forms of one client's address: an IPv4 address, and addresses of one /64. */
const clients: readonly (readonly string[])[] = [
  ['192.0.2.1', '192.0.2.1:80', '::ffff:192.0.2.1', '::ffff:c000:201', '[::ffff:192.0.2.1]:443'],
  ['192.0.2.2', '192.0.2.2:65535', '::FFFF:192.0.2.2'],
  ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '[2001:db8::ffff]', '[2001:db8::1]:80', '2001:db8:0:0:9:8:7:6'],
  ['2001:db8:0:1::1', '2001:db8:0:1:ffff::', '[2001:0db8:0000:0001::]:1'],
];
/** What a client may write in front of the address that the proxy adds. */
const forged = [
  ...[
    '',
    '127.0.0.1',
    '10.0.0.1, 192.0.2.9',
    '::1',
    'unknown',
    '_hidden',
    '0x7f.1',
    '2130706433',
    '127.1',
    '999.1.1.1',
  ],
  ...['[::1', '::1]', '::ffff:127.0.0.1', 'localhost', ',,,,', ' ', '%00', '"192.0.2.1"', 'for=192.0.2.1'],
  ...['1.1.1.1,'.repeat(200), 'a'.repeat(3_000), 'fe80::1%eth0', '192.0.2.1/32', '-1', '192.0.2.1:99999'],
];

/** How many requests the client in the header has left today, from the answer. */
async function remainingOf(url: string, forwardedFor: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/lei/7LTWFZYICNSX8D621K86`, {
    headers: { 'X-Forwarded-For': forwardedFor },
  });
  await response.arrayBuffer();
  return Number(response.headers.get('x-ratelimit-remaining') ?? Number.NaN);
}

interface Target {
  readonly url: string;
  readonly count: number;
  readonly random: Random;
}

/** No header changes whose request it is: one count goes down by one each time. */
async function withoutProxies({ url, count, random }: Target): Promise<string[]> {
  const wrong: string[] = [];
  for (let sent = 1; sent <= count; sent++) {
    const header = [pick(random, forged), pick(random, clients.flat())].join(', ');
    const remaining = await remainingOf(url, header);
    if (remaining !== daily - sent)
      wrong.push(
        `Without trusted proxies ${JSON.stringify(header)} left ${remaining} of ${daily - sent} requests.`,
      );
  }
  return wrong;
}

/** Each client has one count, whatever precedes its address. */
async function behindProxy({ url, count, random }: Target): Promise<string[]> {
  const wrong: string[] = [];
  const sentBy = clients.map(() => 0);
  for (let sent = 0; sent < count; sent++) {
    const client = below(random, clients.length);
    const header = [pick(random, forged), pick(random, clients[client] ?? [])].join(', ');
    const expected = daily - ((sentBy[client] ?? 0) + 1);
    sentBy[client] = daily - expected;
    const remaining = await remainingOf(url, header);
    if (remaining !== expected)
      wrong.push(`Behind a proxy ${JSON.stringify(header)} left ${remaining} of ${expected} requests.`);
  }
  return wrong;
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const target = { count: rounds * requestsPerRound, random: randomOf(seed) };
  const trusting = { ...settings, LEI_TRUSTED_PROXIES: '127.0.0.1' };
  const wrong = [
    ...(await whileServing(join(folder, 'alone'), settings, ({ url }) => withoutProxies({ ...target, url }))),
    ...(await whileServing(join(folder, 'behind'), trusting, ({ url }) => behindProxy({ ...target, url }))),
  ];
  say(`${target.count} forged headers without a trusted proxy, and as many behind one`);
  return { tried: 2 * target.count, wrong };
};

export const attack: Attack = { name: 'forwarded', run };
