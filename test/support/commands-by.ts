/** The shapes in which tests run commands, for each way of running them (run-lei.ts, lei-here.ts). */

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type RunLei = (dataDir: string, args: readonly string[]) => Promise<Ran>;

export interface MadeAccount {
  readonly account: { readonly id: string };
  readonly key: { readonly id: string };
  readonly secret: string;
}

export function commandsBy(run: RunLei) {
  const runLei = (dataDir: string, ...args: readonly string[]) => run(dataDir, args);

  /** Runs it with `--json`: returns the exit code and the printed value. */
  const leiJson = async (dataDir: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(dataDir, [...args, '--json']);
    const json: unknown = stdout === '' ? null : JSON.parse(stdout);
    return { code, json, stderr };
  };

  /** Runs `lei accounts create` with the given limits. */
  const createAccount = async (dataDir: string, email: string, ...limits: readonly string[]) => {
    const who = ['--email', email, '--company', 'Journeys', '--use', 'Tests'];
    const { code, json, stderr } = await leiJson(dataDir, 'accounts', 'create', ...who, ...limits);
    if (code === 0 && isMadeAccount(json)) return json;
    throw new Error(`lei accounts create printed ${JSON.stringify(json)} ${stderr}`);
  };

  return { runLei, leiJson, createAccount };
}

function isMadeAccount(value: unknown): value is MadeAccount {
  return (
    typeof value === 'object' && value !== null && 'secret' in value && 'key' in value && 'account' in value
  );
}
