/** Remembers the results of a function of a text. @param max the most results that are kept; beyond, all are forgotten */
export function remembered<Result>(
  of: (text: string) => Result,
  max = Number.POSITIVE_INFINITY,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    if (known.size >= max) known.clear();
    const result = of(text);
    known.set(text, result);
    return result;
  };
}

/** Keeps a result as the newest one. @param max the most results that are kept; beyond, the oldest is forgotten */
export function keepNewest<Result>(
  kept: Map<string, Result>,
  name: string,
  result: Result,
  max: number,
): void {
  kept.delete(name);
  kept.set(name, result);
  const [oldest] = kept.keys();
  if (kept.size > max && oldest !== undefined) kept.delete(oldest);
}
