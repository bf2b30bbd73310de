import type { Transport } from '../../../../src/loader/command/fetch/transport.ts';

/** A transport that records its pauses instead of waiting. */
export function testTransport(options: { signal?: AbortSignal; silentMs?: number } = {}) {
  const pauses: number[] = [];
  const said: string[] = [];
  /** The window ends of each open exchange: calling one lets its time pass. */
  const windows: (() => void)[] = [];
  const transport: Transport = {
    limits: {
      attemptsMax: 4,
      pauseMs: 1_000,
      pauseMsMax: 3_000,
      silentMsMax: options.silentMs ?? 20_000,
      answerBytesMax: 100_000,
      paceWindowMs: 10_000,
      paceBytesMin: 10 * 1024,
      redirectsMax: 10,
      freeBytesMin: 0,
      futureMsMax: 24 * 3_600_000,
      staleMsMax: 4 * 3_600_000,
    },
    hosts: ['127.0.0.1'],
    now: () => Date.parse('2026-11-01T00:00:00Z'),
    repeat: (_everyMs, action) => {
      windows.push(action);
      return () => void windows.splice(windows.indexOf(action), 1);
    },
    signal: options.signal ?? new AbortController().signal,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    say: (message) => void said.push(message),
    userAgent: 'lei-service/test',
  };
  return { transport, pauses, said, windows };
}
