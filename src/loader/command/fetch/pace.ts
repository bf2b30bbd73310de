/** Ends a body that arrives too slowly: one byte a second would block an update for ever. */
import { Hiccup } from './hiccup.ts';

interface Pace {
  /** Receives the size of each piece of the body. */
  arrived(bytes: number): void;
  stop(): void;
}

/** Repeats an action. @returns a function that ends it */
export type Repeat = (everyMs: number, action: () => void) => () => void;

/** @param tooSlow called once, with the reason, after the first window with too few bytes */
export function watchPace(
  { paceWindowMs, paceBytesMin }: { readonly paceWindowMs: number; readonly paceBytesMin: number },
  repeat: Repeat,
  tooSlow: (reason: Hiccup) => void,
): Pace {
  let inWindow = 0;
  const stop = repeat(paceWindowMs, () => {
    if (inWindow < paceBytesMin) {
      stop();
      const seconds = paceWindowMs / 1000;
      tooSlow(
        new Hiccup(`sent ${inWindow} bytes in ${seconds} s, less than ${paceBytesMin / seconds} a second`),
      );
    }
    inWindow = 0;
  });
  return {
    arrived: (bytes) => {
      inWindow += bytes;
    },
    stop,
  };
}
