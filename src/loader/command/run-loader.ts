/** Starts the loader process, passes on what it tells, and ends it with its caller. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../errors.ts';
import { wasToldToEnd } from '../../protocol/ending-signals.ts';
import { layout } from '../../publication/layout.ts';
import {
  type LoadEvent,
  LoadFailure,
  type LoadOutcome,
  type LoadProgress,
  type LoadRequest,
} from '../load-request.ts';
import { clearStaging } from '../process/staging.ts';
import { withLoadLock } from './load-lock.ts';

export interface LoadListener {
  progress?(progress: LoadProgress): void;
  /** A sentence for the operator: a warning, a bad row. */
  message?(message: string): void;
}

export interface RunOptions {
  /** Whether a service answers requests on this machine meanwhile: the load then keeps to one core. */
  readonly besideService: boolean;
  /** Ends the load; nothing has changed then. */
  readonly signal?: AbortSignal;
  /** Done with the sealed publication before the lock is given up: its activation. */
  readonly activate?: (outcome: LoadOutcome) => Promise<void>;
}

/**
 * Builds, verifies and seals a publication in a process of its own, under the load lock.
 * @throws LoadFailure with a code and a message for the operator, where nothing has changed
 */
export async function runLoader(
  request: LoadRequest,
  listener: LoadListener,
  options: RunOptions = { besideService: false },
): Promise<LoadOutcome> {
  const paths = layout(request.dataDir);
  return withLoadLock(paths, async () => {
    const outcome = await runProcess(request, listener, options).catch((error: unknown) => {
      // A loader that was killed could not clear up: at full size it leaves gigabytes.
      clearStaging(paths);
      throw error;
    });
    await options.activate?.(outcome);
    return outcome;
  });
}

/** What else ends it so is somebody's hand, who then knows. */
const outOfMemory =
  ' Where nobody did that by hand, memory ran out, of the machine or of its container or service unit; the log of the kernel (dmesg) says so. Allow it more.';

/** The end of a load that somebody did not want to wait for. */
export function loadInterrupted(): LoadFailure {
  return new LoadFailure('interrupted', 'The load was interrupted; nothing was changed.');
}

async function runProcess(
  request: LoadRequest,
  listener: LoadListener,
  { besideService, signal }: RunOptions,
): Promise<LoadOutcome> {
  signal?.throwIfAborted();
  const loader = Bun.spawn([...onOneCore(besideService), process.execPath, loaderPath], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, ...modestHeap },
  });
  const end = () => loader.kill('SIGKILL');
  signal?.addEventListener('abort', end);
  try {
    await hand(request, loader.stdin);
    const ending = await readEvents(loader.stdout, listener);
    if (ending?.event === 'done') return ending.outcome;
    if (ending?.event === 'failed') throw new LoadFailure(ending.code, ending.message);
    await loader.exited;
    const { signalCode, exitCode } = loader;
    if (signal?.aborted === true || wasToldToEnd(signalCode)) throw loadInterrupted();
    throw new LoadFailure(
      'loader-died',
      `The loader process ended (${signalCode ?? `exit ${exitCode}`}) before it was done; nothing was changed.${signalCode === 'SIGKILL' ? outOfMemory : ''}`,
    );
  } finally {
    signal?.removeEventListener('abort', end);
    // Killing it is harmless at any moment, and after its last event there is nothing left for it to do.
    loader.kill('SIGKILL');
    await loader.exited;
  }
}

/** A loader that has ended before it took the request is no fault of this line: how it ended is told by its exit. */
async function hand(request: LoadRequest, input: Bun.FileSink): Promise<void> {
  try {
    input.write(`${JSON.stringify(request)}\n`);
    await input.flush();
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw error;
  }
}

/**
 * JavaScriptCore lets a heap double before it collects while that is small beside the machine's memory; at full size
 * it would wait for another gigabyte of garbage. Told of this much memory, it waits for a quarter more than is in use.
 * The threshold is its own: what `with-bun.sh` sets is for a service and its threads.
 */
const modestHeap = {
  BUN_JSC_forceRAMSize: String(2 ** 30),
  BUN_JSC_heapGrowthFunctionThresholdInMB: String(16 * 1024),
};

const loaderPath = join(import.meta.dir, '..', '..', '..', 'workers', 'loader.ts');

/** The command that keeps a process to one core, where there is such a command and more than one core. */
function onOneCore(wanted: boolean): string[] {
  const core = wanted ? lastCore() : null;
  const taskset = core === null ? null : Bun.which('taskset');
  return core === null || taskset === null ? [] : [taskset, '-c', core];
}

/**
 * The last of the cores that this process may run on; null where that is one or the system does not tell. A container or
 * a service unit may have some of the machine's only: no process of theirs can be started on another.
 */
function lastCore(): string | null {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return /^Cpus_allowed_list:.*[-,](\d+)$/m.exec(status)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The event that ended the load; null where the process ended without one. */
async function readEvents(
  output: ReadableStream<Uint8Array>,
  listener: LoadListener,
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
