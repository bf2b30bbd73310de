/** Answers probes: is the service alive, and is it ready? */
import { type AdminPage, plainText } from './server.ts';

/** A thread without a sign of life for this long is stuck. */
const beatMsMax = 5_000;

interface Beat {
  readonly thread: string;
  /** The last sign of life, epoch milliseconds. */
  readonly at: number;
}

/** 200 `ok`, or 503 with a line for each thread that is stuck. */
export function livePage(beats: readonly Beat[], now: number): AdminPage {
  return page(
    beats
      .filter(({ at }) => now - at > beatMsMax)
      .map(({ thread, at }) => `${thread}: no answer for ${((now - at) / 1_000).toFixed(1)} s`),
  );
}

/** 200 `ok`, or 503 with a line for each reason why the service should get no requests. */
export function readyPage(reasons: readonly string[]): AdminPage {
  return page(reasons);
}

function page(faults: readonly string[]): AdminPage {
  const healthy = faults.length === 0;
  const lines = healthy ? ['ok'] : faults;
  return { status: healthy ? 200 : 503, contentType: plainText, body: `${lines.join('\n')}\n` };
}
