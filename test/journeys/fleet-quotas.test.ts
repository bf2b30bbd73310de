/** Tests quotas over three nodes of two fronts each, in processes of their own, over one real Redis server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { MadeAccount } from '../support/commands-by.ts';
import { withinMinute } from '../support/counted.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiHere } from '../support/lei-here.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { type Served, serve } from '../support/serve.ts';
import { copiedSample } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const lookUp = '/api/v1/lei/7LTWFZYICNSX8D621K86';
const names = ['one', 'two', 'three'];
const connectionsPerNode = 64;
const burst = 300;

interface Node extends Served {
  /** The socket of its admin server. */
  readonly admin: string;
}

describe.if(isInstalled('redis-server'))(titled('a fleet of three nodes', 'redis-server'), () => {
  let redis: RedisServer;
  let nodes: readonly Node[] = [];

  const startNode = async (name: string): Promise<Node> => {
    const admin = join(temporaryFolder('admin'), 'socket');
    const served = await serve(await copiedSample(), {
      LEI_SHARED_STATE: redis.url,
      LEI_NODE: name,
      LEI_FRONTS: '2',
      // Tests request relationships repeatedly until a key is known.
      LEI_BURST_SEARCH: '100000',
      LEI_WORKERS: '1',
      LEI_LIMITS: 'enforce',
      LEI_BASE_URL: 'http://lei.example',
      LEI_LOG_LEVEL: 'info',
      LEI_ADMIN: admin,
    });
    return Object.assign(served, { admin });
  };

  beforeAll(async () => {
    redis = await startRedis();
    nodes = await Promise.all(names.map(startNode));
  });

  afterAll(async () => {
    for (const node of nodes) node.kill('SIGTERM');
    await Promise.all(nodes.map(({ exited }) => exited));
    await redis.stop();
  });

  const lei = async (...args: readonly string[]): Promise<unknown> => {
    const settings = { LEI_DATA_DIR: temporaryFolder('command'), LEI_SHARED_STATE: redis.url };
    const { code, stdout, stderr } = await leiHere(settings, [...args, '--json']);
    if (code !== 0) throw new Error(stderr + stdout);
    return JSON.parse(stdout);
  };
  const createAccount = async (email: string, ...limits: readonly string[]): Promise<MadeAccount> => {
    const who = ['--email', email, '--company', 'Journeys', '--use', 'Tests'];
    return Object(await lei('accounts', 'create', ...who, ...limits));
  };
  const statusOf = async (node: Node, secret: string, path = lookUp) => {
    const response = await node.get(path, { headers: { Authorization: `Bearer ${secret}` } });
    await response.arrayBuffer();
    return response.status;
  };
  /** Relationships cost a search, so the look-ups stay unused. */
  const known = async (secret: string, expected: number) => {
    for (const node of nodes) {
      await until(async () => (await statusOf(node, secret, `${lookUp}/relationships`)) === expected);
    }
  };
  const metric = async (node: Node, name: string): Promise<number> => {
    const text = await (await fetch('http://admin/metrics', { unix: node.admin })).text();
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const decidedAlone = async () => {
    const each = nodes.map((node) => metric(node, 'lei_shared_state_decided_alone_total'));
    return (await Promise.all(each)).reduce((one, other) => one + other);
  };
  /** Sends so many requests over all connections, the same number to each node, and returns how many were admitted. */
  const admitted = async (secret: string, times: number): Promise<number> => {
    let taken = 0;
    // Each has its own part: a node that refuses is fast, and would leave none to a slower one.
    const askAll = async (node: Node) => {
      let left = times / nodes.length;
      const connection = async () => {
        while (left-- > 0) if ((await statusOf(node, secret)) === 200) taken++;
      };
      await Promise.all(Array.from({ length: connectionsPerNode }, connection));
    };
    await Promise.all(nodes.map(askAll));
    return taken;
  };
  /** Measures again if the machine was so busy that a node did not wait for the store, or the minute was over. */
  const measured = async (name: string, limits: readonly string[], times: number): Promise<number> => {
    for (let attempt = 0; ; attempt++) {
      const { secret } = await createAccount(`${name}-${attempt}@example.com`, ...limits);
      await known(secret, 200);
      const alone = await decidedAlone();
      const startedAt = performance.now();
      const taken = await admitted(secret, times);
      if ((await decidedAlone()) === alone && performance.now() - startedAt < 55_000) return taken;
    }
  };

  test('admits 300 look-ups of 900 that are asked at once', async () => {
    expect(await measured('burst', ['--daily', '100000'], 900)).toBe(burst);
  });

  test("admits a day's quota once, and respects an account's own limits", async () => {
    // Two of them are used to check that every node knows the key.
    expect(await measured('daily', ['--daily', '103'], 300)).toBe(103 - names.length);
    expect(await measured('own', ['--daily', '100000', '--burst-lookup', '57'], 250)).toBe(57);
  });

  test('applies changed limits of the whole service on every node', async () => {
    const { secret } = await createAccount('limits@example.com', '--daily', '100000');
    await known(secret, 200);
    const headers = { Authorization: `Bearer ${secret}` };
    /** Waits until every front of every node announces a limit of look-ups. */
    const announced = async (lookUps: number) => {
      for (const node of nodes) {
        await until(async () => {
          const answers = Array.from({ length: 16 }, () => node.get(lookUp, { headers }));
          const policies = (await Promise.all(answers)).map((answer) =>
            answer.headers.get('ratelimit-policy'),
          );
          return policies.every((policy) => policy?.includes(`"lookup";q=${lookUps};`));
        }, `every front of ${node.url} announces ${lookUps} look-ups`);
      }
    };
    await lei('limits', '--burst-lookup', '41');
    await announced(41);
    expect(await measured('limits', ['--daily', '100000'], 250)).toBe(41);
    await lei('limits', '--reset');
    await announced(burst);
  });

  test('refuses a revoked key on every node', async () => {
    const { secret, key } = await createAccount('revoked@example.com');
    await known(secret, 200);
    await lei('keys', 'revoke', key.id);
    await known(secret, 401);
  });

  test('gives the same answer from every node: tag, time, and a cursor that any of them continues', async () => {
    const page = '/api/v1/search?q=bank&limit=1';
    const answers = await Promise.all(
      nodes.map(async (node) => {
        const { headers, status } = await node.get(page);
        return { status, tag: headers.get('etag'), at: headers.get('last-modified') };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [first, second] = nodes;
    const { links } = Object(await (await first?.get(page))?.json());
    const next = await second?.get(`${page}&cursor=${encodeURIComponent(links.next)}`);
    expect([answers[0]?.status, next?.status]).toEqual([200, 200]);
  });

  /** @returns how many look-ups were admitted while the store was away, and what each node answers once it is back */
  const throughOutage = async (secret: string) => {
    const up = async (wanted: number) => {
      const each = nodes.map((node) => metric(node, 'lei_shared_state_up'));
      return (await Promise.all(each)).every((is) => is === wanted);
    };
    await redis.stop();
    await until(() => up(0));
    const taken = await admitted(secret, 600);
    await redis.start();
    await until(() => up(1));
    // The store was empty: a node has filled it again, and all have reported what they admitted.
    return { taken, statuses: await Promise.all(nodes.map((node) => statusOf(node, secret))) };
  };

  test('continues without the store and reconnects, with one line of the log for each', async () => {
    for (const node of nodes) await until(async () => (await metric(node, 'lei_shared_state_nodes')) === 3);
    const outcome = await withinMinute(async (attempt) => {
      const { secret } = await createAccount(`away-${attempt}@example.com`, '--daily', '100000');
      await known(secret, 200);
      return throughOutage(secret);
    });
    const share = Math.floor(burst / nodes.length);
    expect(outcome).toEqual({ taken: share * nodes.length, statuses: nodes.map(() => 429) });
    for (const node of nodes) {
      await until(() => node.log().includes('The shared state is back'));
      const lost = node.log().match(/The shared state is unavailable/g) ?? [];
      // A busy machine may have lost it for a moment before, too, but never once per request.
      expect(lost.length).toBeGreaterThanOrEqual(1);
      expect(lost.length).toBeLessThan(10);
    }
  });
});
