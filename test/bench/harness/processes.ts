/** Child processes of a bench, and what /proc tells of them. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';

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

const undone = new Set<() => void>();

/**
 * What a bench leaves running or lying about must go however it ends: with an error, Ctrl-C or SIGTERM.
 * @returns to be called where it was undone in the ordinary way
 */
export function undoAtEnd(undo: () => void): () => void {
  listenForTheEnd();
  undone.add(undo);
  return () => void undone.delete(undo);
}

let listening = false;

function listenForTheEnd(): void {
  if (listening) return;
  listening = true;
  process.once('exit', () => {
    for (const undo of undone) undo();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

/** A child that ends with the bench. */
export function endsWithUs<Child extends Bun.Subprocess>(
  child: Child,
  signal: NodeJS.Signals = 'SIGTERM',
): Child {
  const ended = undoAtEnd(() => child.kill(signal));
  void child.exited.then(ended);
  return child;
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
  const child = endsWithUs(
    Bun.spawn([...command], { env: { ...process.env, ...environment }, stdout: 'pipe', stderr: 'inherit' }),
  );
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

/** What a process has used since it was started, with all its threads. */
export interface Usage {
  /** User and system. */
  readonly cpuSeconds: number;
  /**
   * Pages of a mapped file that were waited for, since the disk alone had them ("major faults"). A publication that
   * is in memory has none; figures taken beside many tell of the disk.
   */
  readonly diskWaits: number;
}

/** What follows the name in brackets, which may itself hold spaces. */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function usage(pid: number): Usage {
  const fields = safely(() => statOf(pid), []);
  const number = (index: number) => Number(fields[index] ?? 0);
  return { cpuSeconds: (number(11) + number(12)) / ticksPerSecond, diskWaits: number(9) };
}

/** The server with all its descendants and helpers: a database works in children. */
export function usageOf({ pid, alsoPids = [] }: Server): Usage {
  const usages = [pid, ...alsoPids].flatMap(descendants).map(usage);
  return {
    cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    diskWaits: usages.reduce((sum, { diskWaits }) => sum + diskWaits, 0),
  };
}

/** A database goes on with what was asked after the asking has ended; the next turn must not pay for that. */
const idleLookMs = 250;
const idleWaitMsMax = 180_000;

/** Waits until a server has nothing left to do, or for three minutes. */
export async function untilIdle(server: Server): Promise<void> {
  const deadline = performance.now() + idleWaitMsMax;
  while (performance.now() < deadline) {
    const before = usageOf(server);
    await Bun.sleep(idleLookMs);
    if (usageOf(server).cpuSeconds - before.cpuSeconds < (0.1 * idleLookMs) / 1000) return;
  }
}

function descendants(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = safely(() => Number(statOf(Number(entry))[1]), 0);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(entry)]);
  }
  const found = [pid];
  for (let index = 0; index < found.length; index++) found.push(...(parents.get(found[index] ?? 0) ?? []));
  return found;
}

/** What is read of a process that may end between being listed and being read. */
function safely<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
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
  const child = endsWithUs(
    Bun.spawn([...command], {
      env: { ...process.env, ...environment },
      stdin: input === undefined ? 'ignore' : new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
    }),
  );
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
