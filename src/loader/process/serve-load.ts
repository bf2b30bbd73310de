/** Runs the loader process: reads one request from its parent, runs the pipeline, writes events back. */
import { getPriority, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { ExpectedFailure, errorCode, placeOf } from '../../errors.ts';
import { endAbandoned, readOrder } from '../../protocol/parent-input.ts';
import { fileInTheWay } from '../../publication/files.ts';
import type { LoadEvent, LoadProgress, LoadRequest } from '../load-request.ts';
import { runPipeline } from './pipeline.ts';

/** The loader's priority: below the service, which answers requests meanwhile. */
const niceness = 10;
/** Pause between two progress events of one phase. */
const progressEveryMs = 200;

/**
 * Reads one request, runs it, reports events and ends the process. The end of the input or a broken output also ends
 * it: the parent is then gone, and an abandoned load must not change the data folder.
 */
export async function serveLoad(input: Readable, output: Writable): Promise<void> {
  // Keep a lower priority that the loader was started with: only root may raise it.
  setPriority(Math.max(niceness, getPriority()));
  // A closing terminal signals all its processes. The parent decides whether this one ends.
  process.on('SIGHUP', () => {});
  output.on('error', endAbandoned);
  const tell = (event: LoadEvent) => output.write(`${JSON.stringify(event)}\n`);
  const request: LoadRequest = JSON.parse(await readOrder(input));
  let phase = 'starting';
  let toldAt = Number.NEGATIVE_INFINITY;
  const progress = (now: LoadProgress) => {
    if (now.phase === phase && performance.now() - toldAt < progressEveryMs) return;
    phase = now.phase;
    toldAt = performance.now();
    tell({ event: 'progress', ...now });
  };
  try {
    const outcome = await runPipeline(request, {
      progress,
      message: (message) => tell({ event: 'message', message }),
    });
    tell({ event: 'done', outcome });
  } catch (error) {
    tell({ event: 'failed', phase, ...describeFailure(error) });
  }
  // The open input keeps this process alive; the parent ends it after reading the outcome.
  input.destroy();
}

function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof ExpectedFailure) return { code: error.code, message: error.message };
  const system = systemFailure(error);
  if (system !== null) return system;
  return { code: 'internal', message: placeOf(error) };
}

/** Errors of the system, such as a full disk or a read-only folder, are expected failures. */
function systemFailure(error: unknown): { code: string; message: string } | null {
  if (!(error instanceof Error)) return null;
  const inTheWay = fileInTheWay(error);
  if (inTheWay !== null) return { code: 'not-a-folder', message: inTheWay };
  const text = `${errorCode(error)} ${error.message}`;
  if (/ENOSPC|No space left|EDQUOT|quota exceeded/i.test(text)) {
    return { code: 'no-space', message: `The disk is full: ${error.message}. Nothing was changed.` };
  }
  if (/EROFS|EACCES|EPERM|Read-only file system|Permission denied/i.test(text)) {
    return { code: 'not-writable', message: `The data folder can't be written: ${error.message}.` };
  }
  if ('syscall' in error) {
    const message = `The operating system refused: ${error.message}. Nothing was changed.`;
    return { code: 'refused-by-system', message };
  }
  return null;
}
