/** Runs `lei serve` in its own process, as an operator does. */
import { watchForKeys } from './logs-hold-no-key.ts';
import { cli } from './run-lei.ts';

export interface Served {
  readonly url: string;
  /** The one line on standard output. */
  readonly line: string;
  readonly pid: number;
  readonly exited: Promise<number>;
  /** Its standard error so far. */
  log(): string;
  /** All of its standard error; resolves when the process has ended. */
  readonly stderr: Promise<string>;
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGHUP' | 'SIGSTOP' | 'SIGCONT'): void;
  get(path: string, init?: BunFetchRequestInit): Promise<Response>;
  json(path: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
}

/** Starts the service and resolves after its first line; `served` is null if it ended without one. */
export async function tryServe(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly served: Served | null; readonly process: Bun.Subprocess<'ignore', 'pipe', 'pipe'> }> {
  const running = Bun.spawn([process.execPath, cli, 'serve'], {
    env: {
      ...process.env,
      LEI_DATA_DIR: dataDir,
      LEI_PORT: '0',
      LEI_FRONTS: '1',
      LEI_WORKERS: '1',
      LEI_LIMITS: 'off',
      LEI_SAMPLE: 'off',
      LEI_LOG_LEVEL: 'warn',
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const line = await firstLine(running.stdout);
  const url = /https?:\/\/\S+/.exec(line)?.[0];
  if (url === undefined) return { served: null, process: running };
  const get = (path: string, init?: BunFetchRequestInit) => fetch(`${url}${path}`, init);
  let log = '';
  watchForKeys(() => log);
  const served: Served = {
    url,
    line,
    pid: running.pid,
    exited: running.exited,
    log: () => log,
    stderr: collect(running.stderr, (piece) => {
      log += piece;
    }),
    kill: (signal) => running.kill(signal),
    get,
    async json(path) {
      const response = await get(path);
      const body: unknown = await response.json();
      return { status: response.status, body: Object.fromEntries(Object.entries(body ?? {})) };
    },
  };
  return { served, process: running };
}

export async function serve(
  dataDir: string,
  environment?: Readonly<Record<string, string>>,
): Promise<Served> {
  const { served, process: ended } = await tryServe(dataDir, environment);
  if (served !== null) return served;
  throw new Error(`lei serve ended: ${await new Response(ended.stderr).text()}`);
}

async function collect(output: ReadableStream<Uint8Array>, heard: (piece: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of output) {
    const read = decoder.decode(piece, { stream: true });
    text += read;
    heard(read);
  }
  return text;
}

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of output) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  return '';
}
