/** Child processes of a bench, and what /proc tells of them. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Server {
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Processes elsewhere that work for it, as those of a database. */
  readonly alsoPids?: readonly number[];
  /** From starting the process to its line that says where it listens. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Linux counts CPU time in ticks of 1/100 s, whatever the kernel's own clock. */
const ticksPerSecond = 100;

/**
 * Starts a server and waits for the line on its standard output that holds its address.
 * @throws where it ends before it says so
 */
export async function startServer(
  name: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...environment },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const url = await addressFrom(child.stdout);
  if (url === null) throw new Error(`${name} ended before it listened: ${command.join(' ')}`);
  return {
    name,
    url,
    pid: child.pid,
    startMs: performance.now() - started,
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

async function addressFrom(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const url = /https?:\/\/[^\s"/]+/.exec(text)?.[0];
    if (url !== undefined && text.includes('\n')) return url;
  }
  return null;
}

/** CPU seconds of a process with all its threads, user and system. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces; what follows it does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The server with all its descendants and helpers: a database works in children. */
export function cpuSecondsOf({ pid, alsoPids = [] }: Server): number {
  return [pid, ...alsoPids]
    .flatMap(descendants)
    .reduce((sum, each) => sum + safely(() => cpuSeconds(each)), 0);
}

/** A database goes on with what was asked after the asking has ended; the next turn must not pay for that. */
const idleLookMs = 250;
const idleWaitMsMax = 180_000;

/** Waits until a server has nothing left to do, or for three minutes. */
export async function untilIdle(server: Server): Promise<void> {
  const deadline = performance.now() + idleWaitMsMax;
  while (performance.now() < deadline) {
    const before = cpuSecondsOf(server);
    await Bun.sleep(idleLookMs);
    if (cpuSecondsOf(server) - before < (0.1 * idleLookMs) / 1000) return;
  }
}

function descendants(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = safely(() => parentOf(Number(entry)));
    parents.set(parent, [...(parents.get(parent) ?? []), Number(entry)]);
  }
  const found = [pid];
  for (let index = 0; index < found.length; index++) found.push(...(parents.get(found[index] ?? 0) ?? []));
  return found;
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** A process may end between being listed and being read. */
function safely(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}

export interface Memory {
  /** What only this process holds and could not be dropped: heaps and stacks. */
  readonly privateMb: number;
  /** Everything mapped in, the shared and droppable pages of the data included. */
  readonly residentMb: number;
}

export function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
  return { privateMb: kilobytes('Anonymous') / 1024, residentMb: kilobytes('Rss') / 1024 };
}

export interface Finished {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Greatest resident set of the process, in MB, as the kernel keeps it. */
  readonly peakMb: number;
  readonly output: string;
}

/** Runs a command to its end and says what it took. @throws where it fails */
export async function runToEnd(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<Finished> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...environment },
    stdin: input === undefined ? 'ignore' : new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, messages] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const status = await child.exited;
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}:\n${messages.slice(-2000)}`);
  const usage = child.resourceUsage();
  return {
    seconds,
    cpuSeconds: Number(usage?.cpuTime.total ?? 0) / 1e6,
    peakMb: (usage?.maxRSS ?? 0) / (1024 * 1024),
    output,
  };
}
