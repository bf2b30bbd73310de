/** Fetches a publication in a process of its own: unpacking and hashing must not delay the service's answers. */
import { StoreFailure } from './object-store.ts';

/** Fetches a publication by the digest of its shipment. Rejects where it can't. */
export type FetchPublication = (id: string, shipment: string, signal: AbortSignal) => Promise<void>;

const script = new URL('../../workers/fetch.ts', import.meta.url).pathname;

/** @param address of the store; it crosses on standard input, as every user sees the arguments of a process */
export function fetchInProcess(dataDir: string, address: string): FetchPublication {
  return async (id, shipment, signal) => {
    const fetching = Bun.spawn([process.execPath, script, dataDir, id, shipment], {
      stdin: Buffer.from(address),
      stdout: 'ignore',
      stderr: 'pipe',
      signal,
      killSignal: 'SIGKILL',
    });
    const [status, message] = await Promise.all([fetching.exited, new Response(fetching.stderr).text()]);
    if (status === 0) return;
    const reason = message.trim() || `the fetching process ended (${fetching.signalCode ?? status})`;
    throw new StoreFailure('unreachable', reason);
  };
}
