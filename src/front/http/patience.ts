/**
 * Keeps a connection open while its request waits for an answer. Bun's server counts that wait as idle time, so where
 * idle connections are closed early, each request has a time of its own.
 */

/** The longest way to an answer: a question asked twice because a thread died, then its body compressed. */
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
 * @returns null where the time for idle connections is enough for every answer
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
