/** Fetches a publication in a separate process: decompression and hashing must not delay the service's answers. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ExpectedFailure } from '../errors.ts';

/** The process's final result, as JSON on standard output. */
const FetchResult = Type.Union([
  Type.Object({ fetchedBytes: Type.Integer({ minimum: 0 }) }),
  Type.Object({ code: Type.String(), message: Type.String() }),
]);

class FetchFailed extends ExpectedFailure {
  override readonly name = 'FetchFailed';
}

const script = new URL('../../workers/fetch.ts', import.meta.url).pathname;

/**
 * Fetches a publication by the digest of its shipment.
 * @param address of the store; passed on standard input, because every user sees the arguments of a process
 * @returns the number of bytes that it fetched
 * @throws FetchFailed
 */
export async function fetchInProcess(
  dataDir: string,
  address: string,
  id: string,
  shipment: string,
  signal: AbortSignal,
): Promise<number> {
  const fetching = Bun.spawn([process.execPath, script, dataDir, id, shipment], {
    stdin: Buffer.from(address),
    stdout: 'pipe',
    stderr: 'pipe',
    signal,
    killSignal: 'SIGKILL',
  });
  const [status, told, message] = await Promise.all([
    fetching.exited,
    new Response(fetching.stdout).text(),
    new Response(fetching.stderr).text(),
  ]);
  const result = parse(told);
  if (result !== null && 'fetchedBytes' in result) return result.fetchedBytes;
  if (result !== null) throw new FetchFailed(result.code, result.message);
  const ending = `the fetching process ended (${fetching.signalCode ?? status})`;
  throw new FetchFailed('unreachable', message.trim() || ending);
}

function parse(told: string) {
  try {
    const value: unknown = JSON.parse(told);
    return Value.Check(FetchResult, value) ? value : null;
  } catch {
    return null;
  }
}
