/** Starts the loader process, passes on its events, and ends it with its parent. */
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { wasToldToEnd } from '../../protocol/ending-signals.ts';
import { giveOrder } from '../../protocol/parent-input.ts';
import { shortProcess } from '../../protocol/short-process.ts';
import { layout } from '../../publication/layout.ts';
import { readablePointer } from '../../publication/pointer.ts';
import { loaderLimits } from '../limits.ts';
import {
  type LoadEvent,
  LoadFailure,
  type LoadOutcome,
  type LoadReport,
  type LoadRequest,
} from '../load-request.ts';
import { discardStaged } from '../staging.ts';
import { withLoadLock } from './load-lock.ts';

interface RunOptions {
  /** True while a service answers requests on this machine. The load then uses one core, unless more are asked for. */
  readonly besideService: boolean;
  /** Ends the load; nothing changes then. */
  readonly signal?: AbortSignal;
  /** Activates the sealed publication, before the lock ends. */
  readonly activate?: (outcome: LoadOutcome) => Promise<void>;
}

/**
 * Builds, verifies and seals a publication in a separate process, under the load lock.
 * @throws LoadFailure with a code and a message for the operator; nothing has changed then
 */
export async function runLoader(
  request: LoadRequest,
  listener: Partial<LoadReport>,
  options: RunOptions = { besideService: false },
): Promise<LoadOutcome> {
  const paths = layout(request.dataDir);
  return withLoadLock(paths, async () => {
    const outcome = await runProcess(request, listener, options).catch(async (error: unknown) => {
      // A killed loader leaves its build behind: gigabytes at full size.
      await discardStaged(paths);
      throw error;
    });
    await options.activate?.(outcome);
    return outcome;
  });
}

/** Added to the message if the loader ended with SIGKILL: any other SIGKILL came from a person. */
const outOfMemory =
  ' If nobody killed it by hand, the machine, container or service unit ran out of memory; the kernel log (dmesg) shows that. Give it more memory.';

/** The failure of a load that its operator interrupted. */
export function loadInterrupted(): LoadFailure {
  return new LoadFailure('interrupted', 'The load was interrupted; nothing was changed.');
}

async function runProcess(
  request: LoadRequest,
  listener: Partial<LoadReport>,
  { besideService, signal }: RunOptions,
): Promise<LoadOutcome> {
  signal?.throwIfAborted();
  const threads = request.threads ?? usualThreads(besideService);
  const loader = Bun.spawn([...onOneCore(threads === 1), process.execPath, loaderPath], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...modestMemory, ...(isShort(request) && shortProcess) },
  });
  const errors = passOnErrors(loader.stderr);
  const end = () => loader.kill('SIGKILL');
  signal?.addEventListener('abort', end);
  try {
    await giveOrder(JSON.stringify({ ...request, threads }), loader.stdin);
    const ending = await readEvents(loader.stdout, listener);
    if (ending?.event === 'done') return ending.outcome;
    if (ending?.event === 'failed') throw new LoadFailure(ending.code, ending.message);
    await loader.exited;
    const { signalCode, exitCode } = loader;
    if (signal?.aborted === true || wasToldToEnd(signalCode)) throw loadInterrupted();
    throw new LoadFailure(
      'loader-died',
      `The loader process ended (${signalCode ?? `exit ${exitCode}`}) before it had finished; nothing was changed.${signalCode === 'SIGKILL' ? outOfMemory : ''}`,
    );
  } finally {
    signal?.removeEventListener('abort', end);
    // Harmless at any moment; after its last event the loader only waits for its end.
    loader.kill('SIGKILL');
    await Promise.all([loader.exited, errors]);
  }
}

/** What lmdb itself writes about a failed write, without a line end. The message of the load says the same in words. */
const lmdbWriteError = /Write error: [^\n]{1,200}? position \d+, size \d+/g;

/** Passes on what the runtime and libraries of the loader write on standard error. */
async function passOnErrors(errors: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const piece of errors) {
    const text = decoder.decode(piece, { stream: true }).replace(lmdbWriteError, '');
    if (text !== '') process.stderr.write(text);
  }
}

/**
 * Keeps the loader's memory small. JavaScriptCore lets a heap double before it collects while the machine has much more
 * memory: another gigabyte of garbage at full size. With 1.25 GiB as the machine's memory, a heap of 320 MiB may grow by a
 * half, and one of twice that by a quarter (decisions/036). The threshold and the delay, after which freed memory is given
 * back (ms), replace those that a service sets for itself. Helping threads of the collector cost more than they save: each
 * gives memory back whenever it becomes idle (decisions/048).
 */
const modestMemory = {
  BUN_JSC_forceRAMSize: String(1.25 * 2 ** 30),
  BUN_JSC_heapGrowthFunctionThresholdInMB: String(16 * 1024),
  BUN_JSC_numberOfGCMarkers: '1',
  BUN_JSC_useWarmUpMarkedBlocks: 'false',
  MIMALLOC_PURGE_DELAY: '1000',
};

/** Whether little is read: small files, and a small publication to compare with or to build on. */
function isShort({ dataDir, files }: LoadRequest): boolean {
  const paths = layout(dataDir);
  const active = readablePointer(paths)?.id;
  const base =
    active === undefined ? [] : [paths.environment(active), paths.companies(active), paths.search(active)];
  const { shortPackedBytes, shortPlainBytes, shortBaseBytes } = loaderLimits;
  // A packed file may have any name.
  const isPacked = (path: string) => !/\.(csv|xml|json)$/i.test(path);
  const share =
    bytesOf(files.filter(isPacked)) / shortPackedBytes +
    bytesOf(files.filter((path) => !isPacked(path))) / shortPlainBytes;
  return share < 1 && bytesOf(base) < shortBaseBytes;
}

function bytesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + sizeOf(path), 0);
}

/** 0 for a file that can't be read: the loader says why. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** One beside a service, which needs the other cores; otherwise all cores that help. */
function usualThreads(besideService: boolean): number {
  return besideService ? 1 : Math.min(availableParallelism(), loaderLimits.threadsUsual);
}

const loaderPath = join(import.meta.dir, '..', '..', '..', 'workers', 'loader.ts');

/** Words in front of a command that keep it to one core; none if there is one core only, or no `taskset`. */
function onOneCore(wanted: boolean): string[] {
  const core = wanted ? lastCore() : null;
  const taskset = core === null ? null : Bun.which('taskset');
  return core === null || taskset === null ? [] : [taskset, '-c', core];
}

/**
 * The last of the cores that this process may use; null if there is only one or the system does not say. A container or
 * service unit may have only some of the machine's cores.
 */
function lastCore(): string | null {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return /^Cpus_allowed_list:.*[-,](\d+)$/m.exec(status)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The event that ended the load; null if the process ended without one. The listener receives the others. */
async function readEvents(
  output: ReadableStream<Uint8Array>,
  listener: Partial<LoadReport>,
): Promise<Extract<LoadEvent, { event: 'done' | 'failed' }> | null> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of output) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event: LoadEvent = JSON.parse(line);
      if (event.event === 'progress') listener.progress?.(event);
      else if (event.event === 'message') listener.message?.(event.message);
      else return event;
    }
  }
  return null;
}
