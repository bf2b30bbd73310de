/**
 * Runs commands in the process of the test, which is ten times as cheap as a process of their own: for tests of what a
 * command does and prints, also beside a service of the same process. Commands on the state of such a service get a
 * process of their own. `lei doctor` beside one needs that too: it tells who holds the data folder.
 */
import { runLei as run } from '../../src/cli.ts';
import { commandsBy, type Ran } from './commands-by.ts';
import { runLeiIn } from './run-lei.ts';
import { servedHere } from './served-here.ts';
import { setVariables } from './variables.ts';

export const { runLei, leiJson, createAccount } = commandsBy((dataDir, args) =>
  leiHere({ LEI_DATA_DIR: dataDir }, args),
);

/** One after the other, because they share the environment, the outputs and the exit status of the process. */
let last: Promise<unknown> = Promise.resolve();

const commandsOnState = ['accounts', 'keys', 'limits'];

/** @param env settings: the service's settings of the process itself do not count */
export function leiHere(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ran> {
  if (servedHere.includes(env['LEI_DATA_DIR']) && commandsOnState.includes(args[0] ?? '')) {
    return runLeiIn(process.cwd(), { ...withoutSettings(process.env), ...env }, args);
  }
  const next = last.then(() => runAlone(env, args));
  last = next.catch(() => undefined);
  return next;
}

async function runAlone(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ran> {
  const { exitCode } = process;
  const own = Object.keys(process.env).filter((name) => name.startsWith('LEI_'));
  const restoreSettings = setVariables({
    ...Object.fromEntries(own.map((name) => [name, undefined])),
    ...env,
  });
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  try {
    process.exitCode = 0;
    await run(args);
    return { code: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.release();
    stderr.release();
    restoreSettings();
    process.exitCode = exitCode ?? 0;
  }
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('LEI_')));
}

/** Takes what is written to an output, and what listens to it meanwhile, until it is released. */
function captured(output: NodeJS.WriteStream) {
  const { write } = output;
  const wasHeard = output.listenerCount('error') > 0;
  let text = '';
  output.write = (piece: string | Uint8Array) => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    return true;
  };
  return {
    text: () => text,
    release() {
      output.write = write;
      if (!wasHeard) output.removeAllListeners('error');
    },
  };
}
