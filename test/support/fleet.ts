/** Runs a fleet on this machine: real nodes that follow a store and share a Redis server, behind a real haproxy. */
import { join } from 'node:path';
import { type CompanyTraits, company, publish as writeFiles } from '../loader/publishing.ts';
import { temporaryFolder } from './folders.ts';
import { leiHere } from './lei-here.ts';
import { loadHere } from './load-here.ts';
import { freePorts, type RunningProxy, startHaproxyWith } from './proxies.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { type Served, serve } from './serve.ts';
import { until } from './steady-load.ts';

export interface FleetNode {
  readonly name: string;
  readonly dataDir: string;
  readonly url: string;
  /** Status and body of `/readyz`; 0 while nobody answers. */
  ready(): Promise<{ readonly status: number; readonly body: string }>;
  metrics(): Promise<string>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestFleet {
  /** The balancer's address. */
  readonly url: string;
  /** The store's address. */
  readonly store: string;
  readonly redis: RedisServer;
  /**
   * A node that may start now or later. The balancer knows it from the beginning. A node that has ended starts again in
   * its own data folder.
   */
  start(name: string): Promise<FleetNode>;
  /** Runs a command as an operator of the fleet does, with `--json`. */
  lei(...args: readonly string[]): Promise<{ readonly code: number; readonly json: unknown }>;
  /** Loads companies on the builder and publishes them. @returns the publication's id */
  publish(day: string, count: number, traits: CompanyTraits): Promise<string>;
  announce(...args: readonly string[]): Promise<{ readonly code: number; readonly json: unknown }>;
  /** Resolves once this node has the publication active. */
  serves(node: FleetNode, id: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param names of all nodes that will ever be started */
export async function startFleet(names: readonly string[]): Promise<TestFleet> {
  const redis = await startRedis();
  const store = `file://${temporaryFolder('fleet-store')}`;
  const first = freePorts(2 * names.length);
  const places = new Map(
    names.map((name, index) => [
      name,
      {
        port: first + 2 * index,
        admin: first + 2 * index + 1,
        dataDir: join(temporaryFolder('fleet-node'), name),
      },
    ]),
  );
  const balancer = await startBalancer(places);
  const environment = { LEI_SHARED_STATE: redis.url, LEI_NODE: 'operator' };
  const builder = temporaryFolder('fleet-builder');
  const running: FleetNode[] = [];
  const lei = async (...args: readonly string[]) => {
    const { code, stdout } = await leiHere({ ...environment, LEI_DATA_DIR: builder }, [...args, '--json']);
    const json: unknown = stdout === '' ? null : JSON.parse(stdout);
    return { code, json };
  };
  return {
    url: `http://127.0.0.1:${balancer.port}`,
    store,
    redis,
    lei,
    async start(name) {
      const place = places.get(name);
      if (place === undefined) throw new Error(`${name} has no place behind the balancer.`);
      const node = await startNode(name, place, { ...environment, LEI_PUBLICATION_SOURCE: store });
      running.push(node);
      return node;
    },
    async publish(day, count, traits) {
      const companies = Array.from({ length: count }, (_, index) => company(index + 1, traits));
      const files = writeFiles(builder, { at: `${day}T00:00:00Z`, companies });
      const { manifest } = await loadHere(builder, files);
      const { code } = await lei('publish', '--to', store);
      if (code !== 0) throw new Error('The publication could not be published.');
      return manifest.id;
    },
    announce: (...args) => lei('announce', ...args, '--to', store),
    serves: (node, id) => until(async () => (await versionAt(node.url)) === id, `${node.name} serves ${id}`),
    async stop() {
      await Promise.all(running.map((node) => node.kill()));
      await balancer.stop();
      await redis.stop();
    },
  };
}

/** The dataset version that a service reports; null for none. */
async function versionAt(url: string): Promise<string | null> {
  const answer = await fetch(`${url}/api/v1/status`);
  const body = await answer.text();
  return /"datasetVersion":"([^"]+)"/.exec(body)?.[1] ?? null;
}

interface Place {
  readonly port: number;
  readonly admin: number;
  readonly dataDir: string;
}

/** A request that no node has begun to answer is passed to another one. */
function startBalancer(places: ReadonlyMap<string, Place>): Promise<RunningProxy> {
  const servers = [...places].map(
    ([name, { port, admin }]) =>
      `  server ${name} 127.0.0.1:${port} check port ${admin} inter 200ms fall 2 rise 1\n`,
  );
  return startHaproxyWith(
    (port) => `defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  option redispatch
  retries 3
  retry-on conn-failure empty-response
frontend clients
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
${servers.join('')}`,
  );
}

async function startNode(
  name: string,
  { port, admin, dataDir }: Place,
  environment: Readonly<Record<string, string>>,
): Promise<FleetNode> {
  const served: Served = await serve(dataDir, {
    ...environment,
    LEI_NODE: name,
    LEI_PORT: String(port),
    LEI_ADMIN: `127.0.0.1:${admin}`,
    LEI_WORKERS: '1',
    LEI_FRONTS: '1',
    // The same on all nodes, or the same publication would have different tags.
    LEI_BASE_URL: 'http://fleet.test',
  });
  const at = (path: string) => fetch(`http://127.0.0.1:${admin}${path}`);
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    served.kill(signal);
    await served.exited;
  };
  return {
    name,
    dataDir,
    url: served.url,
    async ready() {
      const answer = await at('/readyz').catch(() => null);
      return { status: answer?.status ?? 0, body: (await answer?.text()) ?? '' };
    },
    metrics: async () => (await at('/metrics')).text(),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
