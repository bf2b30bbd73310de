/** Starts child processes of a bench and reads their figures from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { endingSignals } from '../../../src/protocol/ending-signals.ts';

export interface Server {
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Other processes that work for it, such as those of a database. */
  readonly alsoPids?: readonly number[];
  /** From the start of the process to the line with its address. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const undone = new Set<() => void>();

/**
 * Registers a clean-up for the end of the bench, whether by an error, Ctrl-C or SIGTERM.
 * @returns a function that removes the registration, for callers that have cleaned up themselves
 */
export function undoAtEnd(undo: () => void): () => void {
  if (undone.size === 0) for (const [event, listener] of endings) process.on(event, listener);
  undone.add(undo);
  return () => {
    undone.delete(undo);
    if (undone.size === 0) for (const [event, listener] of endings) process.off(event, listener);
  };
}

function undoAll(): void {
  for (const undo of undone) undo();
}

/** Listened to only while something is registered: a process of the tests goes on with other files. */
const endings: readonly (readonly [event: string, listener: () => void])[] = [
  ['exit', undoAll],
  ...endingSignals.map((signal) => [signal, () => process.exit(128 + constants.signals[signal])] as const),
];

/** Starts a child process that ends with the bench. */
export function endsWithUs<Child extends Bun.Subprocess>(
  child: Child,
  signal: NodeJS.Signals = 'SIGTERM',
): Child {
  const ended = undoAtEnd(() => child.kill(signal));
  void child.exited.then(ended);
  return child;
}

/** Linux reports CPU time in ticks of 1/100 s, whatever the kernel's own clock. */
const ticksPerSecond = 100;

/**
 * Starts a server and waits for the line with its address on its standard output.
 * @throws if it ends before that
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

/** The resource use of a process with all its threads since its start. */
export interface Usage {
  /** User and system time. */
  readonly cpuSeconds: number;
  /**
   * Pages of mapped files that the process waited for the disk to read ("major faults"). A publication in memory causes
   * none; with many of them, other figures measure the disk.
   */
  readonly diskWaits: number;
}

/** The fields after the name in brackets, which may contain spaces. */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function usage(pid: number): Usage {
  const fields = safely(() => statOf(pid), []);
  const number = (index: number) => Number(fields[index] ?? 0);
  return { cpuSeconds: (number(11) + number(12)) / ticksPerSecond, diskWaits: number(9) };
}

/** The resource use of a server with all its descendants and helpers: databases work in child processes. */
export function usageOf({ pid, alsoPids = [] }: Server): Usage {
  const usages = [pid, ...alsoPids].flatMap(family).map(usage);
  return {
    cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    diskWaits: usages.reduce((sum, { diskWaits }) => sum + diskWaits, 0),
  };
}

/** Waiting keeps a database's unfinished work out of the next turn. */
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

/** A process and all its descendants. */
function family(pid: number): readonly number[] {
  const threads = safely(() => readdirSync(`/proc/${pid}/task`), []);
  const children = threads.flatMap(
    (thread) =>
      safely(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '').match(/\d+/g) ?? [],
  );
  return [pid, ...children.map(Number).flatMap(family)];
}

/** Reads a figure of a process that may have ended since it was listed. */
function safely<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

export interface Memory {
  /** Memory of this process alone that can't be dropped: heaps and stacks. */
  readonly privateMb: number;
  /** All resident memory, including shared and droppable pages of the data. */
  readonly residentMb: number;
}

export function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return { privateMb: megabytesIn(rollup, 'Anonymous'), residentMb: megabytesIn(rollup, 'Rss') };
}

function megabytesIn(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
}

const peakLookMs = 50;

/**
 * Looks at the memory of a process and its descendants together every 50 ms. The kernel's own figure (`maxRSS`) is no
 * use here: a child inherits the greatest size of the process that started it.
 * @returns a function that tells the most that was seen, and ends the looks with `end`
 */
export function watchPeak(pid: number): { seen(): Memory; end(): void } {
  const peak = { privateMb: 0, residentMb: 0 };
  const look = () => {
    // Cheap for large processes, unlike smaps_rollup, which walks all their pages.
    const texts = family(pid).map((each) => safely(() => readFileSync(`/proc/${each}/status`, 'utf8'), ''));
    const sum = (field: string) => texts.reduce((total, text) => total + megabytesIn(text, field), 0);
    peak.privateMb = Math.max(peak.privateMb, sum('RssAnon'));
    peak.residentMb = Math.max(peak.residentMb, sum('VmRSS'));
  };
  look();
  const timer = setInterval(look, peakLookMs);
  return { seen: () => ({ ...peak }), end: () => clearInterval(timer) };
}

export interface Finished {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most resident memory of all its processes together, mapped files included, as {@link watchPeak} sees it. */
  readonly peakMb: number;
  /** The same without mapped files, which the kernel can drop. */
  readonly peakPrivateMb: number;
  readonly output: string;
}

/** Runs a command and returns its cost. @throws if it fails */
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
  const peak = watchPeak(child.pid);
  const [output, messages] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const status = await child.exited;
  peak.end();
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}:\n${messages.slice(-2000)}`);
  const { privateMb, residentMb } = peak.seen();
  return {
    seconds,
    cpuSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
    peakMb: residentMb,
    peakPrivateMb: privateMb,
    output,
  };
}
