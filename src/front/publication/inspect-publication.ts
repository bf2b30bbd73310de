/** Lets a short process of its own read samples of a publication before any thread of the service touches it. */

import { reasonOf } from '../../errors.ts';
import { wasToldToEnd } from '../../protocol/ending-signals.ts';
import { threadLimits } from '../threads/limits.ts';

/** Null where the publication is sound, else what is wrong with it. Never rejects: some are begun ahead. */
export type InspectPublication = (id: string) => Promise<string | null>;

const script = new URL('../../../workers/inspect.ts', import.meta.url).pathname;

/**
 * A damaged environment can take down the process that reads it: lmdb follows page numbers in a memory map
 * without checking them. So the first to read is a process that nobody would miss.
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
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: threadLimits.openTimeoutMs,
    killSignal: 'SIGKILL',
  });
  const [status, message] = await Promise.all([inspector.exited, new Response(inspector.stderr).text()]);
  if (status === 0) return null;
  // That tells nothing of the publication, which must not be taken for damaged while the service ends.
  if (wasToldToEnd(inspector.signalCode)) return inspect(dataDir, id);
  const how = inspector.signalCode === null ? `status ${status}` : `signal ${inspector.signalCode}`;
  return status === 1 && message !== '' ? message : `reading it ended a process (${how})`;
}
