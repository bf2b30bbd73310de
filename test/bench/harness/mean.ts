/** Computes the mean of several rounds, and how far it may be from that of endless ones. */

export interface Mean {
  readonly mean: number;
  /** The standard error of the mean. */
  readonly error: number;
}

/** Both are NaN without two values. */
export function meanOf(values: readonly number[]): Mean {
  const { length } = values;
  const mean = values.reduce((sum, value) => sum + value, 0) / length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (length - 1);
  return { mean, error: Math.sqrt(variance / length) };
}
