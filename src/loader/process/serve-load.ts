/** The loader's end of the line to whoever started it. */
import { getPriority, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { ExpectedFailure, errorCode, placeOf } from '../../errors.ts';
import type { LoadEvent, LoadProgress, LoadRequest } from '../load-request.ts';
import { runPipeline } from './pipeline.ts';

/** Below the service, which answers requests meanwhile. */
const niceness = 10;
/** Between two progress events. */
const progressEveryMs = 200;

/**
 * Reads one request, runs it, tells what happens and ends the process. It also ends when the input does, or when nobody
 * takes its output: whoever asked is gone then, and a load nobody waits for must not go on to change the data folder.
 */
export async function serveLoad(input: Readable, output: Writable): Promise<void> {
  // One that was started below that stays there: not everybody may take it back.
  setPriority(Math.max(niceness, getPriority()));
  // A closing terminal tells every process it has. Whether this one is to end then is for its caller to say.
  process.on('SIGHUP', () => {});
  output.on('error', endAbandoned);
  const tell = (event: LoadEvent) => output.write(`${JSON.stringify(event)}\n`);
  const request = await readRequest(input);
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
  // The input stays open until the caller has read the outcome, which keeps this process alive until then.
  input.destroy();
}

async function readRequest(input: Readable): Promise<LoadRequest> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  input.setEncoding('utf8');
  input.on('data', (piece: string) => {
    text += piece;
    const end = text.indexOf('\n');
    if (end !== -1) resolve(text.slice(0, end));
  });
  input.on('end', endAbandoned);
  return JSON.parse(await promise);
}

function endAbandoned(): void {
  process.exit(3);
}

function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof ExpectedFailure) return { code: error.code, message: error.message };
  const system = systemFailure(error);
  if (system !== null) return system;
  return { code: 'internal', message: placeOf(error) };
}

/** What the system refuses is no bug of ours: the disk is full, the folder is read-only. */
function systemFailure(error: unknown): { code: string; message: string } | null {
  if (!(error instanceof Error)) return null;
  const text = `${errorCode(error)} ${error.message}`;
  if (/ENOSPC|No space left|EDQUOT|quota exceeded/i.test(text)) {
    return { code: 'no-space', message: `The disk is full: ${error.message}. Nothing was changed.` };
  }
  if (/EROFS|EACCES|EPERM|Read-only file system|Permission denied/i.test(text)) {
    return { code: 'not-writable', message: `The data folder can't be written: ${error.message}.` };
  }
  if ('syscall' in error) {
    const message = `The system refuses: ${error.message}. Nothing was changed.`;
    return { code: 'refused-by-system', message };
  }
  return null;
}
