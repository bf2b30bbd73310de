/** Paces the progress lines of a command that works for minutes. */

const everyMs = 3_000;

/**
 * @returns a function that passes a message on if the last one, or the start, was some seconds ago; the text is made
 * only then
 */
export function everyFewSeconds(say: (message: string) => void): (message: () => string) => void {
  let last = performance.now();
  return (message) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    say(message());
  };
}
