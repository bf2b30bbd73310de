/** Tests the connection to the shared store against a real Redis server that fails in every way. */
import { afterEach, describe, expect, test } from 'bun:test';
import { Connection, script } from '../../../src/accounts/shared-state/connection.ts';
import { sharedLimits } from '../../../src/accounts/shared-state/limits.ts';
import { makeAuthority, makeCertificate } from '../../support/certificates.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { freePort } from '../../support/proxies.ts';
import { type RedisOptions, startRedis } from '../../support/redis.ts';
import { until } from '../../support/steady-load.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function server(options?: RedisOptions) {
  const redis = await startRedis(options);
  closing.push(() => redis.stop());
  return redis;
}

/** @param deadlineMs by default more than a store takes that waits for its turn on a busy machine */
function connectionTo(url: string, deadlineMs = 20_000) {
  const news: (string | null)[] = [];
  const store = new Connection({ url, deadlineMs, changed: (lost) => news.push(lost) });
  closing.push(() => store.close());
  return { store, news };
}

describe.if(isInstalled('redis-server'))(titled('a connection to the shared store', 'redis-server'), () => {
  test('runs commands and scripts, even after the store has forgotten its scripts', async () => {
    const redis = await server();
    const { store, news } = connectionTo(redis.url);
    expect(await store.start()).toBe(true);
    const adding = script('return redis.call("INCRBY", KEYS[1], ARGV[1])');
    expect(await store.run(adding, ['count'], [2])).toBe(2);
    await redis.command('SCRIPT', 'FLUSH');
    expect(await store.run(adding, ['count'], [3])).toBe(5);
    expect(await store.call('GET', 'count')).toBe('5');
    expect(news).toEqual([null]);
  });

  test('is there although the thread did not run while it was made', async () => {
    const { port } = await server();
    const { store } = connectionTo(`redis://127.0.0.1:${port}`);
    const starting = store.start();
    // The deadline runs from here on.
    await new Promise((resume) => process.nextTick(resume));
    // Stops the thread for longer than the deadline, as a starved machine does.
    Bun.sleepSync(1.5 * sharedLimits.connectDeadlineMs);
    expect([await starting, store.lost]).toEqual([true, null]);
  });

  test('uses user, password and database of the address, and reveals none of them', async () => {
    const redis = await server({ password: 'p@ss/word' });
    await redis.command('ACL', 'SETUSER', 'node', 'on', '>se cret', '~*', '+@all');
    const { store } = connectionTo(`redis://node:se%20cret@127.0.0.1:${redis.port}/3`);
    expect(await store.start()).toBe(true);
    expect(String(await store.call('CLIENT', 'INFO'))).toMatch(/ db=3 .* user=node /);
    const { store: wrong } = connectionTo(`redis://:mistaken@127.0.0.1:${redis.port}/3`);
    expect(await wrong.start()).toBe(false);
    const failure = await wrong.call('PING').catch(String);
    expect(failure).toMatch(new RegExp(`redis://127.0.0.1:${redis.port}/3 is unavailable: WRONGPASS`));
    expect(failure).not.toContain('mistaken');
  });

  test('is away if the store refuses its database, and writes to no other one', async () => {
    const redis = await server({ options: ['--databases', '2'] });
    const { store } = connectionTo(`${redis.url}/2`);
    expect(await store.start()).toBe(false);
    await expect(store.call('PING')).rejects.toThrow('/2 is unavailable: ERR DB index is out of range');
    expect(await redis.command('DBSIZE')).toBe(0);
  });

  test('fails within its deadline when the store stalls, and then at once until it answers again', async () => {
    const redis = await server();
    const { store, news } = connectionTo(redis.url, 2_000);
    await store.start();
    redis.kill('SIGSTOP');
    closing.push(() => redis.kill('SIGCONT'));
    await expect(store.call('PING')).rejects.toThrow('it did not answer within 2000 ms');
    expect(store.isThere).toBe(false);
    await expect(store.call('PING')).rejects.toThrow('is unavailable');
    redis.kill('SIGCONT');
    await until(() => store.isThere);
    expect(await store.call('PING')).toBe('PONG');
    expect(news).toEqual([null, 'it did not answer within 2000 ms', null]);
  });

  test('notices by itself that the store has ended, and reconnects once it is started again', async () => {
    const redis = await server();
    const { store, news } = connectionTo(redis.url);
    await store.start();
    await redis.stop();
    await until(() => !store.isThere);
    await redis.start();
    await until(() => store.isThere);
    expect(news).toEqual([null, 'it closed the connection', null]);
  });

  test('treats a store that answers but accepts no writes as away', async () => {
    const redis = await server({ options: ['--maxmemory-policy', 'noeviction'] });
    const { store } = connectionTo(redis.url);
    await store.start();
    const writing = script('return redis.call("SET", KEYS[1], "1")');
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(store.run(writing, ['a'], [])).rejects.toThrow('OOM');
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await until(() => store.isThere);
    await redis.command('REPLICAOF', '127.0.0.1', '1');
    await expect(store.run(writing, ['a'], [])).rejects.toThrow('READONLY');
    await redis.command('REPLICAOF', 'NO', 'ONE');
    await until(() => store.isThere);
  });

  test('is prepared again each time before the store counts as present', async () => {
    const redis = await server();
    let failures = 1;
    let prepared = 0;
    const store = new Connection({
      url: redis.url,
      deadlineMs: 20_000,
      async prepare(caller) {
        await caller.call('PING');
        if (failures-- > 0) throw new Error('not yet');
        prepared++;
      },
    });
    closing.push(() => store.close());
    expect(await store.start()).toBe(false);
    await until(() => store.isThere);
    expect(prepared).toBe(1);
  });

  test('refuses a store that a newer version has changed, says so, and uses it once it fits', async () => {
    const redis = await server();
    const { store } = connectionTo(redis.url);
    expect(await store.start()).toBe(true);
    expect(await redis.command('GET', 'lei:format')).toBe('1');
    await redis.command('SET', 'lei:format', '2');
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
    await until(
      () => store.lost?.includes('it has format 2, but this version supports only format 1') === true,
    );
    await expect(store.call('PING')).rejects.toThrow('run the same version as the other nodes');
    await redis.command('SET', 'lei:format', '1');
    await until(() => store.isThere);
  });

  test('is encrypted with rediss, at a name or an address, and refuses an untrusted certificate', async () => {
    const authority = await makeAuthority();
    const made = await makeCertificate(authority, 'store');
    const file = async (name: string, text: string) => {
      await Bun.write(`${authority.folder}/${name}`, text);
      return `${authority.folder}/${name}`;
    };
    const plain = await server();
    const { store: stranger } = connectionTo(`rediss://localhost:${plain.port}`);
    expect(await stranger.start()).toBe(false);
    const chain = await file('chain.pem', made.chain);
    const key = await file('store.key', made.key);
    const root = await file('trusted.pem', authority.root);
    const settings = { 'tls-cert-file': chain, 'tls-key-file': key, 'tls-ca-cert-file': root };
    const words = Object.entries(settings).flat();
    let port = 0;
    await until(async () => {
      // A port that was free a moment ago may be taken by now.
      port = freePort();
      const set = plain.command('CONFIG', 'SET', ...words, 'tls-auth-clients', 'no', 'tls-port', port);
      return (await set.catch(() => null)) === 'OK';
    });
    const url = `rediss://localhost:${port}`;
    expect(await connectInProcess(url, {})).toContain('certificate');
    for (const trusted of [url, `rediss://127.0.0.1:${port}`])
      expect(await connectInProcess(trusted, { NODE_EXTRA_CA_CERTS: root })).toBe('PONG');
  });
});

/** Trusted certificates are read when a process starts. */
async function connectInProcess(url: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const source = `
    import { Connection } from ${JSON.stringify(new URL('../../../src/accounts/shared-state/connection.ts', import.meta.url).pathname)};
    const store = new Connection({ url: ${JSON.stringify(url)}, deadlineMs: 20000 });
    await store.start();
    console.log(await store.call('PING').catch(String));
    store.close();`;
  const running = Bun.spawn([process.execPath, '-e', source], {
    env: { ...process.env, ...environment },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return (await running.stdout.text()).trim();
}
