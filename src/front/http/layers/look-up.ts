/** Chooses the publication and asks a query thread. A question without an answer ends here as 404, 400 or 503. */
import { type Log, loggable } from '../../../log/log.ts';
import type { Answer, Unavailability } from '../../../protocol/questions.ts';
import type { HeldPublication, Publications } from '../../contracts.ts';
import { type ParameterFault, retryAfterUnavailableSeconds } from '../../problems.ts';
import type { Chosen, Exchange, Found, Read } from '../exchange.ts';
import { invalidParameters, type ProblemDetails } from '../problem.ts';
import { inParts, refuseLarge } from './large.ts';
import type { Inner, LayerParts, Refuse } from './layer.ts';
import { invalidCursor } from './validate.ts';

/** The publication that a cursor is pinned to, otherwise the active one. */
export function choosePublication(
  { publications, textsOf, refuse }: LayerParts,
  inner: Inner<Read & Chosen>,
): Inner<Read> {
  return (exchange: Read) => {
    const active = openFor(publications);
    if (typeof active === 'string') return refuseUnavailable(exchange, active, refuse);
    const { pinnedTo } = exchange.reading;
    const held = pinnedTo === null ? active : publications.held(pinnedTo);
    if (held === null) return refuse(exchange, expiredCursor);
    exchange.choose(textsOf(held));
    inner(exchange);
  };
}

/** The publication that answers new questions, or why there is none. */
export function openFor(publications: Publications): HeldPublication | Unavailability {
  const active = publications.active();
  if (active === null) return 'no-publication';
  return publications.accepting() ? active : 'shutting-down';
}

export function lookUp(parts: LayerParts, inner: Inner<Found>): Inner<Read & Chosen> {
  const { pool, bodies, refuse } = parts;
  const take = (exchange: Read & Chosen, answer: Answer): void => {
    if (answer.outcome === 'found') {
      exchange.find(answer);
      inner(exchange);
    } else {
      refuseAnswer(exchange, answer, refuse);
    }
  };
  return (exchange) => {
    const { endpoint, reading } = exchange;
    const { asked, identifier, position } = reading;
    // Other bodies are weighed later, and only if they turn out large.
    const refusal = endpoint.unbounded ? bodies.refusalOf(exchange.client) : null;
    if (refusal !== null) return refuseLarge(exchange, refusal, refuse);
    const parted = endpoint.batch ? inParts(exchange, parts) : null;
    const ask = (goOn: (answer: Answer) => void, isOutdated?: () => boolean) => {
      const { publication } = exchange;
      const context = parted === null ? publication : { ...publication, inParts: true };
      const question = asked.question(identifier, position, context);
      exchange.ask(pool, publication, question, goOn, isOutdated, parted?.add);
    };
    const finish = (answer: Answer) => (parted?.hasBegun ? parted.end(answer) : take(exchange, answer));
    const goOn = (answer: Answer) => {
      const again = isGone(answer) && !exchange.isAnswered && chooseAgain(exchange, parts);
      if (again) ask(finish);
      else finish(answer);
    };
    // While a question waits for its turn, other answers may use up its client's share of bodies in flight.
    ask(goOn, endpoint.unbounded ? () => bodies.refusalOf(exchange.client) !== null : undefined);
  };
}

function isGone(answer: Answer): boolean {
  return answer.outcome === 'unavailable' && answer.reason === 'publication-gone';
}

/** After a swap between choosing and asking, the new active publication may answer a first page instead. */
function chooseAgain(exchange: Read & Chosen, { publications, textsOf }: LayerParts): boolean {
  const active = publications.active();
  if (active === null || exchange.reading.pinnedTo !== null) return false;
  exchange.choose(textsOf(active));
  return true;
}

function refuseAnswer(
  exchange: Read & Chosen,
  answer: Exclude<Answer, { outcome: 'found' }>,
  refuse: Refuse,
): void {
  switch (answer.outcome) {
    case 'not-found':
      refuse(exchange, notFound(exchange, answer.detail));
      break;
    case 'invalid':
      refuse(exchange, invalid(answer));
      break;
    case 'unavailable':
      if (answer.reason === 'publication-gone' && exchange.reading.pinnedTo !== null) {
        refuse(exchange, expiredCursor);
      } else {
        refuseUnavailable(exchange, answer.reason, refuse);
      }
      break;
    case 'compressed':
      throw new Error('A query thread answered a look-up with compressed bytes.');
  }
}

function notFound({ endpoint, reading, publication }: Read & Chosen, detail?: string): ProblemDetails {
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

export const expiredCursor: ProblemDetails = {
  name: 'expired-cursor',
  detail:
    'The cursor belongs to a dataset version that this service no longer keeps. Start again without a cursor to read the current one.',
  errors: [{ parameter: 'cursor', detail: 'must belong to a dataset version that this service keeps' }],
};

const unavailableDetails: Readonly<Record<Unavailability, string>> = {
  'no-publication': 'No publication is active yet.',
  'publication-gone': 'Another publication became active while the request was answered.',
  'queue-full': 'The service is overloaded.',
  timeout: 'The answer took too long.',
  'shutting-down': 'The service is shutting down.',
  failed: 'The service failed to produce the answer. Its log says why.',
};

/** The level at which each is logged: a fault of the service is an error, an overload is a warning. */
const unavailableLevels: Readonly<Record<Unavailability, 'info' | 'warn' | 'error'>> = {
  'no-publication': 'warn',
  'publication-gone': 'error',
  'queue-full': 'warn',
  timeout: 'warn',
  'shutting-down': 'info',
  failed: 'error',
};

export function logUnavailable(
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  {
    requestId,
    traceId,
    isAnswered = false,
  }: Pick<Exchange, 'requestId' | 'traceId'> & { isAnswered?: boolean },
  reason: Unavailability,
): void {
  const what = isAnswered ? 'Broke off an answer' : 'Answered 503';
  log[unavailableLevels[reason]](`${what}: ${unavailableDetails[reason]}`, {
    requestId: loggable(requestId),
    traceId,
  });
}

/** 503 for a temporary state: the caller pays nothing and learns when to come back. */
export function unavailable(reason: Unavailability): ProblemDetails {
  return {
    name: reason === 'failed' ? 'internal' : 'unavailable',
    detail: unavailableDetails[reason],
    headers: { 'Retry-After': String(retryAfterUnavailableSeconds) },
  };
}

/** @param computed units whose work was done: the caller pays for those */
export function refuseUnavailable(
  exchange: Exchange,
  reason: Unavailability,
  refuse: Refuse,
  computed = 0,
): void {
  exchange.giveUp(reason, computed);
  refuse(exchange, unavailable(reason));
}
