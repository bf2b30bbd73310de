/** Limits of the tool server. */
export const mcpLimits = {
  /** The longest wait for a service's answer. */
  answerMsMax: 30_000,
  /** A larger answer of a service is not read. */
  answerBytesMax: 16 * 1024 * 1024,
} as const;
