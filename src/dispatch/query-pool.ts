/** What a front asks of the query threads, whether it runs in the main thread or in its own. */
import type { Answer, Question } from '../protocol/questions.ts';

export interface QueryPool {
  /**
   * Asks one question of one publication. Every failure is an answer. Questions of one tick travel together.
   * @param take is called exactly once, perhaps before this returns; it must not throw. The answer is valid only while
   * it runs. Its second argument is the time that the query thread spent on it, in milliseconds: 0 if none did, or if
   * nobody watches questions.
   * @param clientId the client. Searches and other slow questions are served in turns by client.
   * @param isOutdated called when the turn comes; true if the answer would be refused, so that the question is not
   * asked
   * @param takePart is called with the parts of an answer that comes in parts, in order, each valid only while it runs;
   * `take` then receives the rest, or why nothing more comes
   */
  ask(
    publicationId: string,
    question: Question,
    take: (answer: Answer, answerMs?: number) => void,
    clientId?: string,
    isOutdated?: () => boolean,
    takePart?: (data: Uint8Array) => void,
  ): void;
  /**
   * Whether questions of a client that are only of use together can be answered in time. If not, ask none of them: the
   * work on those that are in time would be lost.
   */
  hasTimeFor(questions: readonly Question[], clientId: string): boolean;
}
