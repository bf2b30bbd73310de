/** Runs a real Redis server for a test, on its own port and in its own folder. */
import { Redis } from 'iovalkey';
import { pathOf } from './programs.ts';
import { freePort } from './proxies.ts';

export interface RedisServer {
  readonly port: number;
  /** `redis://127.0.0.1:port` */
  readonly url: string;
  /** Sends one command over its own connection. */
  command(...words: readonly (string | number)[]): Promise<unknown>;
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it, even if it is stopped. */
  stop(): Promise<void>;
  /** Starts it again on the same port, with the data of its folder. */
  start(): Promise<void>;
}

export interface RedisOptions {
  readonly port?: number;
  /** Further options, such as `--maxmemory 10mb` as two words. */
  readonly options?: readonly string[];
  readonly password?: string;
  readonly folder?: string;
}

export async function startRedis(given: RedisOptions = {}): Promise<RedisServer> {
  const { options = [], password, port } = given;
  // Folders of tests exist for tests only; a bench has its own.
  const folder = given.folder ?? (await import('./folders.ts')).temporaryFolder('redis');
  const secured = password === undefined ? [] : ['--requirepass', password];
  const run = async (at: number) => tryRun(at, [...secured, ...options, '--dir', folder], password);
  let chosen = port ?? freePort();
  let running = await run(chosen);
  // The port was free a moment ago, but may be taken by now.
  for (let tries = 0; running === null && port === undefined && tries < 10; tries++) {
    chosen = freePort();
    running = await run(chosen);
  }
  if (running === null) throw new Error('redis-server could not be started.');
  let server = running;
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    command: (...words) => once(chosen, password, words),
    kill: (signal) => server.kill(signal),
    async stop() {
      server.kill('SIGKILL');
      await server.exited;
    },
    async start() {
      // The port may be taken for a moment meanwhile.
      for (let tries = 0; tries < 50; tries++) {
        const again = await run(chosen);
        if (again !== null) {
          server = again;
          return;
        }
        await Bun.sleep(100);
      }
      throw new Error('redis-server could not be started again.');
    },
  };
}

/** Null if it ended, as it does when the port is taken. */
async function tryRun(port: number, options: readonly string[], password: string | undefined) {
  const server = Bun.spawn(
    [pathOf('redis-server'), '--port', String(port), '--bind', '127.0.0.1', '--save', '', ...options],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  );
  const answers = async () => {
    while (server.exitCode === null) {
      const reply = await once(port, password, ['PING']).catch(() => null);
      if (reply === 'PONG') return server;
      await Bun.sleep(20);
    }
    return null;
  };
  return answers();
}

async function once(port: number, password: string | undefined, words: readonly (string | number)[]) {
  const [command = '', ...args] = words;
  const client = new Redis({
    host: '127.0.0.1',
    port,
    ...(password === undefined ? {} : { password }),
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.call(String(command), ...args);
  } finally {
    client.disconnect();
  }
}
