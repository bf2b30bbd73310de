/** Estimates how long work of known progress still takes. */

/** Below this share of the work, the pace of its beginning says nothing about the rest. */
const shareMin = 0.05;

/**
 * The pace counts from the first progress: before it, a process starts, or a resumed download finds what it has.
 * @returns a function that takes the progress, 0 to 1, and the time, and returns in the same unit what is left; null as long as
 * that is unknown
 */
export function timeLeft(): (progress: number, now: number) => number | null {
  let first: { readonly progress: number; readonly at: number } | null = null;
  return (progress, now) => {
    if (first === null && progress > 0) first = { progress, at: now };
    const done = progress - (first?.progress ?? progress);
    return first === null || done < shareMin ? null : ((now - first.at) / done) * (1 - progress);
  };
}
