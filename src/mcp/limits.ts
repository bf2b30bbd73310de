/** Bounds of the tool server. */
export const mcpLimits = {
  /** How long a service may take for an answer. */
  answerMsMax: 30_000,
  /** A service's answer that is larger is not read. */
  answerBytesMax: 16 * 1024 * 1024,
} as const;
