/** Runs the command line in its own process, as an operator does. */
import { join } from 'node:path';
import { commandsBy, type Ran } from './commands-by.ts';

/** The file of the command line. */
export const cli = join(import.meta.dir, '..', '..', 'src', 'cli.ts');

export const { runLei, leiJson, createAccount } = commandsBy((dataDir, args) =>
  runLeiIn(process.cwd(), { ...process.env, LEI_DATA_DIR: dataDir }, args),
);

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
