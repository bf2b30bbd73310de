/** Runs a PostgreSQL cluster in a folder of its own, as an unprivileged user. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endsWithUs, runToEnd } from '../harness/processes.ts';
import { besideFiles, besideIndexes, besideTables, writeBesideFiles } from './store-beside.ts';

/** Debian's folder of the latest server's programs; null without PostgreSQL. */
export function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((one, other) => Number(one) - Number(other));
  const folders = versions.map((version) => join(root, version, 'bin'));
  // With only the client installed, the folder lacks the server.
  return folders.findLast((bin) => existsSync(join(bin, 'postgres'))) ?? null;
}

export interface Cluster {
  readonly port: number;
  /** The number of the first process, the parent of all others. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
function asUser(command: readonly string[]): readonly string[] {
  return process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
    : command;
}

/** Starts the cluster of a folder, after creating and filling it if it is missing. Null without PostgreSQL. */
export async function startCluster(source: string, folder: string): Promise<Cluster | null> {
  const bin = postgresPrograms();
  if (bin === null) return null;
  const data = join(folder, 'postgres');
  const filled = join(folder, 'postgres-filled');
  if (!existsSync(filled)) {
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { recursive: true });
    if (process.getuid?.() === 0) await runToEnd(['chown', '-R', 'postgres:postgres', data]);
    await runToEnd(
      asUser([
        join(bin, 'initdb'),
        '-D',
        data,
        '-U',
        'bench',
        '--auth=trust',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
      ]),
    );
  }
  const cluster = await start(bin, data);
  if (existsSync(filled)) return cluster;
  try {
    await fill(join(bin, 'psql'), source, folder, cluster.port);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  await Bun.write(filled, 'filled\n');
  return cluster;
}

/** A free port: a fixed one could belong to another database. */
function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

async function start(bin: string, data: string): Promise<Cluster> {
  const port = freePort();
  const settings = [
    '-c',
    `port=${port}`,
    '-c',
    `unix_socket_directories=${data}`,
    '-c',
    'listen_addresses=127.0.0.1',
  ];
  // A fair share of this machine, as PostgreSQL's documentation recommends; durability is not needed.
  const memory = ['-c', 'shared_buffers=1GB', '-c', 'work_mem=64MB', '-c', 'maintenance_work_mem=1GB'];
  const fast = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_wal_size=8GB'];
  const log = `${data}.log`;
  // SIGINT is PostgreSQL's fast shutdown, which ends open connections.
  const child = endsWithUs(
    Bun.spawn([...asUser([join(bin, 'postgres'), '-D', data, ...settings, ...memory, ...fast])], {
      stdout: 'ignore',
      stderr: Bun.file(log),
    }),
    'SIGINT',
  );
  await untilReady(child, join(bin, 'psql'), port, log);
  return {
    port,
    pid: child.pid,
    async stop() {
      child.kill('SIGINT');
      await child.exited;
    },
  };
}

async function untilReady(child: Bun.Subprocess, psql: string, port: number, log: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline && child.exitCode === null) {
    const { exitCode } = Bun.spawnSync([psql, ...address(port), '-c', 'SELECT 1'], { stderr: 'ignore' });
    if (exitCode === 0) return;
    await Bun.sleep(200);
  }
  throw new Error(`PostgreSQL did not start within a minute:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}

function address(port: number): string[] {
  return ['-h', '127.0.0.1', '-p', String(port), '-U', 'bench', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1'];
}

async function fill(psql: string, source: string, folder: string, port: number): Promise<void> {
  const texts = join(folder, 'postgres-files');
  mkdirSync(texts, { recursive: true });
  await writeBesideFiles(source, texts, (text) => text.replaceAll('\\', '\\\\'));
  const files = besideFiles(texts);
  const script = `
CREATE EXTENSION pg_trgm;
${besideTables}
\\copy companies from '${files.companies}'
\\copy relationships from '${files.relationships}'
\\copy isins from '${files.isins}'
${besideIndexes}
CREATE INDEX companies_name ON companies USING gin (name gin_trgm_ops);
ANALYZE;
`;
  await runToEnd([psql, ...address(port), '-f', '-'], {}, script);
  rmSync(texts, { recursive: true, force: true });
}
