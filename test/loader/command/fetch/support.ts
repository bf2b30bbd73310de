import type { Transport } from '../../../../src/loader/command/fetch/transport.ts';

/** A transport whose pauses are noted instead of waited for. */
export function testTransport(options: { signal?: AbortSignal; silentMs?: number } = {}) {
  const pauses: number[] = [];
  const said: string[] = [];
  const transport: Transport = {
    limits: {
      fetchAttemptsMax: 4,
      fetchPauseMs: 1_000,
      fetchPauseMsMax: 3_000,
      fetchSilentMsMax: options.silentMs ?? 20_000,
      fetchAnswerBytesMax: 100_000,
    },
    signal: options.signal ?? new AbortController().signal,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    say: (message) => void said.push(message),
    userAgent: 'lei-service/test',
  };
  return { transport, pauses, said };
}
