/** Drives OpenRefine (Debian's package) without a screen, over the HTTP commands that its own pages use. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { pathOf } from '../support/programs.ts';

/** OpenRefine needs its port number before it starts. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

type Json = ReturnType<typeof JSON.parse>;

export interface Cell {
  readonly v: unknown;
  /** The result of the reconciliation: `j` is the judgement, `m` the match, `c` the candidates. */
  readonly r?: Json;
}

export interface OpenRefine {
  /** Creates a project from a CSV text; returns its id. */
  create(name: string, csv: string): Promise<string>;
  /** Runs a command that changes a project, and waits until it has finished. */
  change(project: string, name: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
  columns(project: string): Promise<readonly string[]>;
  /** The cells of every row by column; empty ones are left out. */
  rows(project: string): Promise<readonly Readonly<Record<string, Cell>>[]>;
  stop(): Promise<void>;
}

const engine = { facets: [], mode: 'row-based' };

export async function startOpenRefine(): Promise<OpenRefine> {
  const port = await freePort();
  const folder = temporaryFolder('openrefine');
  const options = ['-i', '127.0.0.1', '-p', String(port), '-m', '512M', '-x', 'refine.headless=true'];
  const program = pathOf('openrefine');
  const running = Bun.spawn([program, ...options, '-d', join(folder, 'workspace')], {
    env: { ...process.env, HOME: folder },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    // Its script starts Java as a child.
    detached: true,
  });
  const base = `http://127.0.0.1:${port}/command/core`;
  await isUp(base, running);
  const get = async (path: string): Promise<Json> =>
    JSON.parse(await (await fetch(`${base}/${path}`)).text());
  const token = async () => (await get('get-csrf-token')).token;
  const columnsOf = async (project: string): Promise<readonly { name: string; cellIndex: number }[]> =>
    (await get(`get-models?project=${project}`)).columnModel.columns;
  const workedOff = async (project: string) => {
    while ((await get(`get-processes?project=${project}`)).processes.length > 0) await Bun.sleep(200);
  };
  return {
    async create(name, csv) {
      const form = new FormData();
      form.set('project-name', name);
      form.set('project-file', new Blob([csv]), 'table.csv');
      const address = `${base}/create-project-from-upload?csrf_token=${await token()}&format=text/line-based/*sv`;
      const made = await fetch(`${address}&options=${encodeURIComponent('{"separator":","}')}`, {
        method: 'POST',
        body: form,
        redirect: 'manual',
      });
      return /project=(\d+)/.exec(made.headers.get('location') ?? '')?.[1] ?? '';
    },
    async change(project, name, fields) {
      const body = new URLSearchParams({ engine: JSON.stringify(engine), csrf_token: await token() });
      for (const [field, value] of Object.entries(fields)) {
        body.set(field, typeof value === 'string' ? value : JSON.stringify(value));
      }
      const answer = await fetch(`${base}/${name}?project=${project}`, { method: 'POST', body });
      const { code, message } = JSON.parse(await answer.text());
      if (code === 'error') throw new Error(`${name}: ${message}`);
      await workedOff(project);
    },
    columns: async (project) => (await columnsOf(project)).map(({ name }) => name),
    async rows(project) {
      const { rows, pool } = await get(`get-rows?project=${project}&start=0&limit=100000`);
      const columns = await columnsOf(project);
      // A cell names its reconciliation, which is stored separately.
      return rows.map(({ cells }: { cells: readonly (Cell | null)[] }) =>
        Object.fromEntries(
          columns.flatMap(({ name, cellIndex }) => {
            const cell = cells[cellIndex] ?? null;
            return cell === null ? [] : [[name, { ...cell, r: pool.recons[cell.r] }]];
          }),
        ),
      );
    },
    async stop() {
      process.kill(-running.pid, 'SIGTERM');
      await running.exited;
    },
  };
}

const startMsMax = 120_000;

async function isUp(base: string, running: Bun.Subprocess): Promise<void> {
  const deadline = Date.now() + startMsMax;
  while (Date.now() < deadline && running.exitCode === null) {
    const answer = await fetch(`${base}/get-version`).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(250);
  }
  throw new Error('OpenRefine did not start.');
}
