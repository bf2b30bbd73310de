/**
 * Keeps a connection open while its request waits for an answer. Bun's server counts that wait as idle time. If idle
 * connections are closed early, each request therefore gets its own timeout.
 */

/** The longest time to an answer: a question is asked twice because a thread ended, then its body is compressed. */
const answerSecondsMax = 20;

export interface Patience {
  /** A request has arrived. */
  waiting(request: Request): void;
  /** Its answer is about to be sent. */
  answered(request: Request): void;
}

/**
 * @param setTimeout sets after how many silent seconds the connection of a request is closed
 * @param idleSeconds for connections without a request
 * @returns null if the time for idle connections is enough for every answer
 */
export function createPatience(
  setTimeout: (request: Request, seconds: number) => void,
  idleSeconds: number,
): Patience | null {
  if (idleSeconds >= answerSecondsMax) return null;
  return {
    waiting: (request) => setTimeout(request, answerSecondsMax),
    answered: (request) => setTimeout(request, idleSeconds),
  };
}
