/** Starts a short process that reads samples of a publication before any thread of the service opens it. */

import { threadLimits } from '../../dispatch/limits.ts';
import { reasonOf } from '../../errors.ts';
import { wasToldToEnd } from '../../protocol/ending-signals.ts';
import { shortProcess } from '../../protocol/short-process.ts';

/**
 * Null if the publication is sound, otherwise what is wrong. Never rejects: some inspections start before they are
 * awaited.
 */
export type InspectPublication = (id: string) => Promise<string | null>;

const script = new URL('../../../workers/inspect.ts', import.meta.url).pathname;

/**
 * A damaged environment can end the process that reads it, because lmdb follows page numbers in a memory map without
 * checking them. A separate process therefore reads first, and its end does not harm the service.
 */
export function inspectInProcess(dataDir: string): InspectPublication {
  return async (id) => {
    try {
      return await inspect(dataDir, id);
    } catch (error) {
      return `it could not be inspected: ${reasonOf(error)}`;
    }
  };
}

async function inspect(dataDir: string, id: string): Promise<string | null> {
  const inspector = Bun.spawn([process.execPath, script, dataDir, id], {
    env: { ...process.env, ...shortProcess },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: threadLimits.openTimeoutMs,
    killSignal: 'SIGKILL',
  });
  const [status, message] = await Promise.all([inspector.exited, new Response(inspector.stderr).text()]);
  if (status === 0) return null;
  // A process that ends with the service says nothing about the publication, which must not count as damaged.
  if (wasToldToEnd(inspector.signalCode)) return inspect(dataDir, id);
  const how = inspector.signalCode === null ? `status ${status}` : `signal ${inspector.signalCode}`;
  return status === 1 && message !== '' ? message : `reading it crashed a process (${how})`;
}
