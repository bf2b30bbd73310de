/** Runs a real Prometheus (Debian package prometheus) that scrapes a service every fifth of a second. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folders.ts';
import { pathOf } from './programs.ts';
import { freePort } from './proxies.ts';
import { until } from './steady-load.ts';

export interface RunningPrometheus {
  /** The current values of an expression, each with its labels. @throws if it can't be evaluated */
  query(expression: string): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

/** An answer of Prometheus; without data if the expression can't be evaluated. */
interface Told {
  readonly data?: { readonly result: readonly unknown[] };
}

/** @param target the admin address of a service, `host:port` @param rules path of a file of rules */
export async function startPrometheus(target: string, rules: string): Promise<RunningPrometheus> {
  const folder = temporaryFolder('prometheus');
  mkdirSync(join(folder, 'data'));
  const configuration = join(folder, 'prometheus.yml');
  writeFileSync(
    configuration,
    `global: { scrape_interval: 200ms, evaluation_interval: 200ms }
rule_files: ['${rules}']
scrape_configs: [{ job_name: lei, static_configs: [{ targets: ['${target}'] }] }]
`,
  );
  const port = freePort();
  const options = [`config.file=${configuration}`, `storage.tsdb.path=${join(folder, 'data')}`];
  const listen = `web.listen-address=127.0.0.1:${port}`;
  const running = Bun.spawn([pathOf('prometheus'), ...[...options, listen].map((option) => `--${option}`)], {
    ...({ stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const),
  });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  await until(async () => (await ask('/-/ready'))?.status === 200);
  return {
    async query(expression) {
      const response = await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`);
      const told: Told = JSON.parse((await response?.text()) ?? '{}');
      if (told.data === undefined) throw new Error(`${expression}: ${JSON.stringify(told)}`);
      return told.data.result;
    },
    async stop() {
      running.kill();
      await running.exited;
    },
  };
}
