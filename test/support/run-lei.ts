/** Runs the command line in its own process, as an operator does. */
import { join } from 'node:path';

const cli = join(import.meta.dir, '..', '..', 'src', 'cli.ts');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function runLei(dataDir: string, ...args: readonly string[]): Promise<Ran> {
  return runLeiIn(process.cwd(), { ...process.env, LEI_DATA_DIR: dataDir }, args);
}

/** Runs it in a given folder, with only the given environment. */
export async function runLeiIn(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): Promise<Ran> {
  const ran = Bun.spawn([process.execPath, cli, ...args], {
    cwd,
    env,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return endOf(ran);
}

/** Waits until a process has ended. */
export async function endOf(
  process: Bun.Subprocess<'ignore' | 'inherit' | null, 'pipe', 'pipe'>,
): Promise<Ran> {
  const [stdout, stderr] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
  ]);
  return { code: await process.exited, stdout, stderr };
}

/** Runs it with `--json`: returns the exit code and the printed value. */
export async function leiJson(dataDir: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runLei(dataDir, ...args, '--json');
  const json: unknown = stdout === '' ? null : JSON.parse(stdout);
  return { code, json, stderr };
}

export interface MadeAccount {
  readonly account: { readonly id: string };
  readonly key: { readonly id: string };
  readonly secret: string;
}

/** Runs `lei accounts create` with the given limits. */
export async function createAccount(dataDir: string, email: string, ...limits: readonly string[]) {
  const who = ['--email', email, '--company', 'Journeys', '--use', 'Tests'];
  const { code, json, stderr } = await leiJson(dataDir, 'accounts', 'create', ...who, ...limits);
  if (code === 0 && isMadeAccount(json)) return json;
  throw new Error(`lei accounts create printed ${JSON.stringify(json)} ${stderr}`);
}

function isMadeAccount(value: unknown): value is MadeAccount {
  return (
    typeof value === 'object' && value !== null && 'secret' in value && 'key' in value && 'account' in value
  );
}
