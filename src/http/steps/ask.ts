/** Chooses the publication and asks query threads, once more after a swap. */
import type { QueryPool } from '../../dispatch/query-threads.ts';
import type { Answer, Question, ReadAnswer, Unavailability } from '../../protocol/questions.ts';
import type { Exchange, FoundAnswer, PartsTaker, ReadExchange, WithPublication } from '../exchange.ts';
import { expiredCursor, invalidCursor, invalidParameters, type ProblemDetails } from '../problem.ts';
import type { ParameterFault } from '../problem-kinds.ts';
import type { HeldPublication, Publications, PublicationTexts } from '../publication-texts.ts';
import { refuseLarge } from '../representation/published.ts';
import type { StepChain, StepParts } from './step.ts';

/** The publication that a cursor is pinned to, otherwise the active one. */
export function choosePublication(
  { publications, textsOf }: StepParts,
  next: StepChain<ReadExchange & WithPublication>,
): StepChain<ReadExchange> {
  return (exchange: ReadExchange) => {
    const active = openFor(publications);
    if (typeof active === 'string') return exchange.refuseUnavailable(active);
    const { pinnedTo } = exchange.reading;
    const held = pinnedTo === null ? active : publications.held(pinnedTo);
    if (held === null) return exchange.refuse(expiredCursor);
    exchange.choose(textsOf(held));
    next(exchange);
  };
}

/** The publication that answers new questions, or why there is none. */
export function openFor(publications: Publications): HeldPublication | Unavailability {
  const active = publications.active();
  if (active === null) return 'no-publication';
  return publications.accepting() ? active : 'shutting-down';
}

/** Whether an outcome says that its publication is no longer held. */
interface Outcome {
  readonly outcome: string;
  readonly reason?: Unavailability;
}

/** How requests of a kind are answered. One object for all of them: a request then makes no closures of its own. */
interface Answering<In, Result extends Outcome> {
  /** Answers from what is active when it is called. */
  attempt(exchange: In, take: (result: Result) => void): void;
  /** Whether the new active publication may answer instead. */
  mayAskAgain(exchange: In): boolean;
  finish(exchange: In, result: Result): void;
}

/**
 * Lets a request be answered, and once more if the publication that was to answer was swapped out meanwhile: the new
 * active one then answers all of it, so that one answer comes from one publication.
 */
export function askOnceMore<In, Result extends Outcome>(
  exchange: In,
  answering: Answering<In, Result>,
): void {
  answering.attempt(exchange, (result) => {
    const isGone = result.outcome === 'unavailable' && result.reason === 'publication-gone';
    if (isGone && answering.mayAskAgain(exchange)) {
      answering.attempt(exchange, (again) => answering.finish(exchange, again));
    } else {
      answering.finish(exchange, result);
    }
  });
}

/** Asks a question by a promise. */
export function askByPromise<Value>(
  exchange: Exchange,
  pool: QueryPool,
  publication: PublicationTexts,
  question: Question,
  read: ReadAnswer<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const take = (answer: Answer) => {
      try {
        resolve(read(answer));
      } catch (error) {
        reject(error);
      }
    };
    exchange.ask(pool, publication, { question, take });
  });
}

/** How a family answers the question of a {@link ReadExchange} request. */
interface DataAnswers {
  /** Reads an answer, as a {@link ReadAnswer} does. */
  found(exchange: ReadExchange & WithPublication, answer: FoundAnswer): void;
  /** Takes an answer that may come in parts; null if it must come in one piece. */
  inParts(exchange: ReadExchange & WithPublication): PartsTaker | null;
}

/** Asks the question of a request. A question without an answer ends here as 404, 400 or 503. */
export function askQuestion(
  parts: StepParts,
  answers: DataAnswers,
): StepChain<ReadExchange & WithPublication> {
  const { pool, bodies, publications, textsOf } = parts;
  const chooseFor = (exchange: Exchange, texts: PublicationTexts): void => exchange.choose(texts);
  const answering: Answering<ReadExchange & WithPublication, Answer> = {
    attempt(exchange, take) {
      const { publication, parts: taker, endpoint } = exchange;
      const context = taker === null ? publication : { ...publication, inParts: true };
      // While a question waits for its turn, other answers may use up its client's share of bodies in flight.
      const isOutdated = endpoint.unbounded ? () => bodies.refusalOf(exchange.client) !== null : undefined;
      const question = exchange.reading.question(context);
      exchange.ask(pool, publication, { question, take, isOutdated, takePart: taker?.add });
    },
    /** The new active publication may answer a first page that has not begun. */
    mayAskAgain(exchange) {
      const active = publications.active();
      if (active === null || exchange.isAnswered || exchange.reading.pinnedTo !== null) return false;
      chooseFor(exchange, textsOf(active));
      return true;
    },
    finish(exchange, answer) {
      if (exchange.parts?.hasBegun) exchange.parts.end(answer);
      else if (answer.outcome === 'found') answers.found(exchange, answer);
      else refuseAnswer(exchange, answer);
    },
  };
  return (exchange) => {
    const { endpoint } = exchange;
    // Other bodies are weighed later, and only if they turn out large.
    const refusal = endpoint.unbounded ? bodies.refusalOf(exchange.client) : null;
    if (refusal !== null) return refuseLarge(exchange, refusal);
    if (endpoint.batch) exchange.parts = answers.inParts(exchange);
    askOnceMore(exchange, answering);
  };
}

function refuseAnswer(
  exchange: ReadExchange & WithPublication,
  answer: Exclude<Answer, { outcome: 'found' }>,
): void {
  switch (answer.outcome) {
    case 'not-found':
      exchange.refuse(notFound(exchange, answer.detail));
      break;
    case 'invalid':
      exchange.refuse(invalid(answer));
      break;
    case 'unavailable':
      if (answer.reason === 'publication-gone' && exchange.reading.pinnedTo !== null) {
        exchange.refuse(expiredCursor);
      } else {
        exchange.refuseUnavailable(answer.reason);
      }
      break;
    case 'compressed':
      throw new Error('A query thread answered a look-up with compressed bytes.');
  }
}

function notFound(
  { endpoint, reading, publication }: ReadExchange & WithPublication,
  detail?: string,
): ProblemDetails {
  if (detail !== undefined) return { name: 'not-found', detail };
  const subject = endpoint.subject?.toUpperCase() ?? endpoint.template;
  return {
    name: 'not-found',
    detail: `${subject} ${reading.identifier} was not found in dataset version ${publication.id}.`,
  };
}

function invalid({ parameter, detail }: ParameterFault): ProblemDetails {
  return parameter === 'cursor' ? invalidCursor : invalidParameters([{ parameter, detail }]);
}
