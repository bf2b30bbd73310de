/** A PostgreSQL cluster of its own in a folder, started by hand as an unprivileged user and stopped again. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endsWithUs, runToEnd } from '../harness/processes.ts';
import { besideFiles, besideIndexes, besideTables, writeBesideFiles } from './store-beside.ts';

/** Where Debian puts the server's own programs, of the latest version; null where PostgreSQL is not installed. */
export function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((one, other) => Number(one) - Number(other));
  const folders = versions.map((version) => join(root, version, 'bin'));
  // Where only the client is installed, its folder lacks the server.
  return folders.findLast((bin) => existsSync(join(bin, 'postgres'))) ?? null;
}

export interface Cluster {
  readonly port: number;
  /** Of the first process; the others are its children. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
function asUser(command: readonly string[]): readonly string[] {
  return process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
    : command;
}

/** Starts the cluster of a folder, made and filled at first. Null where PostgreSQL is absent. */
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

/** One that nothing listens on: another database at a fixed one would be asked, and filled, in its place. */
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
  // A fair share of this machine, as its own documentation recommends; nothing durable is needed.
  const memory = ['-c', 'shared_buffers=1GB', '-c', 'work_mem=64MB', '-c', 'maintenance_work_mem=1GB'];
  const fast = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_wal_size=8GB'];
  const log = `${data}.log`;
  // SIGINT is its fast way to stop: it ends the connections of others.
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
