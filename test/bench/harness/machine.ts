/** Describes the machine in reports, so that others can repeat the figures: hardware, versions, installed programs. */
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { postgresPrograms } from '../servers/postgres-cluster.ts';

export interface Machine {
  readonly rows: readonly (readonly [string, string])[];
}

/** A UTC time as reports show it. */
export function minute(moment: Date): string {
  return moment.toISOString().slice(0, 16).replace('T', ' ');
}

const measured = [':/src', ':/package-lock.json', ':/test/bench', ':!/test/bench/reports'];

/** The measured commit, and whether the code differs from it; null outside a checkout. */
function commit(): string | null {
  if (Bun.which('git') === null) return null;
  const git = (...args: readonly string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: import.meta.dir, stderr: 'ignore' });
  const { stdout, success } = git('rev-parse', '--short', 'HEAD');
  if (!success) return null;
  const unchanged = git('diff', '--quiet', 'HEAD', '--', ...measured).success;
  return `commit ${stdout.toString().trim()}${unchanged ? '' : ', changed since'}`;
}

/** The first line of a program's version text, or null if it is not installed. */
function versionOf(command: readonly string[]): string | null {
  if (Bun.which(command[0] ?? '') === null) return null;
  const { stdout, stderr } = Bun.spawnSync([...command]);
  const text = `${stdout.toString()}${stderr.toString()}`.trim();
  return text.split('\n')[0] ?? null;
}

export function describeMachine(): Machine {
  const model = cpus()[0]?.model ?? 'unknown';
  const kernel = readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim();
  const { dependencies, version } = packageJson;
  return {
    rows: [
      ['Processors', `${cpus().length} × ${model}`],
      ['Memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
      ['Kernel', `Linux ${kernel}`],
      ['Service', [version, commit() ?? []].flat().join(', ')],
      ['Bun', Bun.version],
      [
        'Elysia, lmdb, flexsearch',
        [dependencies.elysia, dependencies.lmdb, dependencies.flexsearch].join(', '),
      ],
      [
        'Load generator, closed loop',
        versionOf(['wrk', '--version']) ?? 'of the project (wrk is not installed)',
      ],
      ['sqlite3', versionOf(['sqlite3', '--version']) ?? 'not installed: left out'],
      [
        'PostgreSQL',
        versionOf([join(postgresPrograms() ?? '', 'postgres'), '--version']) ?? 'not installed: left out',
      ],
      // Well above 0: other work ran during the measurement.
      ['Load average before', loadavg()[0]?.toFixed(1) ?? ''],
      ['Date', minute(new Date())],
    ],
  };
}
