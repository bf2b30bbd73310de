/**
 * The steps of every route, in their order: rules of HTTP that Bun's server does not enforce, preflights and methods
 * that the route does not support; the caller (401) and the quotas (429), before anything else of the request is read;
 * then the publication and the question, asked once more after a swap.
 */
import type { Admission } from '../accounts/access/admission.ts';
import { holdsToken } from '../accounts/state/key.ts';
import type { QueryPool } from '../dispatch/query-threads.ts';
import { timestamp } from '../lei/dates.ts';
import type { BurstWindow, QuotaState } from '../ports/ledger.ts';
import type { Answer, Question, ReadAnswer, Unavailability } from '../protocol/questions.ts';
import { addressFault, hasOneHost, severalHosts } from './address-fault.ts';
import { preflightHeaders } from './cors.ts';
import { allowedMethods } from './definition.ts';
import type { Exchange, FoundAnswer, PartsTaker, ReadExchange, WithPublication } from './exchange.ts';
import { commonHeaders, secondsUntil } from './headers.ts';
import { expiredCursor, invalidCursor, invalidParameters, type ProblemDetails } from './problem.ts';
import type { ParameterFault } from './problem-kinds.ts';
import type { PublicationTexts } from './publication-texts.ts';
import { refuseLarge } from './respond.ts';
import type { StepChain, StepParts } from './step.ts';

/**
 * Passes on the methods that the route has, and answers preflights. Several `Host` headers are refused here only if the
 * method is no reason to count the request: {@link checkAddress} refuses the others, once they are counted.
 * @param otherMethod answers methods that the route does not have: with 405, unless the path is unknown
 */
export function checkMethodAndHost<In extends Exchange>(
  next: StepChain<In>,
  otherMethod: StepChain<In> = (exchange) => exchange.refuse(methodNotAllowed(exchange)),
): StepChain<In> {
  return (exchange) => {
    const { request, method, endpoint } = exchange;
    if (endpoint.methods.includes(method)) next(exchange);
    else if (!hasOneHost(request)) exchange.refuse(severalHosts);
    else if (method === 'OPTIONS') answerPreflight(exchange);
    else otherMethod(exchange);
  };
}

/** 204: never authenticated, never counted. */
function answerPreflight(exchange: Exchange): void {
  const { methods } = exchange.endpoint;
  exchange.after(preflightHeaders(exchange.endpoint), (prepared) => {
    const headers = new Headers({
      ...commonHeaders,
      Allow: allowedMethods(methods),
      'X-Request-Id': exchange.requestId,
    });
    for (const [name, value] of prepared) headers.set(name, value);
    exchange.respond(new Response(null, { status: 204, headers }));
  });
}

function methodNotAllowed({ method, endpoint }: Exchange): ProblemDetails {
  const allowed = allowedMethods(endpoint.methods);
  return {
    name: 'method-not-allowed',
    detail: `This address does not answer ${method}. It answers ${allowed}.`,
    headers: { Allow: allowed },
  };
}

/** Refuses a request whose address is malformed, before anything reads the address. */
export function checkAddress<In extends Exchange>(next: StepChain<In>): StepChain<In> {
  return (exchange) => {
    const fault = addressFault(exchange.request);
    if (fault === null) next(exchange);
    else exchange.refuse(fault);
  };
}

/** Identifies the caller and applies the quotas. */
export function admit<In extends Exchange>(
  { access, config, baseUrl }: Pick<StepParts, 'access' | 'config' | 'baseUrl'>,
  next: StepChain<In>,
): StepChain<In> {
  const goOn = (exchange: In, admission: Admission): void => {
    exchange.admission = admission;
    exchange.quota = admission.quota;
    switch (admission.outcome) {
      case 'admitted':
        next(exchange);
        break;
      case 'unauthorized':
        exchange.refuse(unauthorizedFor(exchange));
        break;
      case 'exhausted':
        exchange.refuse(exhausted(admission, keyAdvice(exchange)));
    }
  };
  /** A sentence for clients that are refused without a key; '' if LEI_SIGNUP is off. */
  const keyAdvice = ({ authorization, token }: Exchange): string => {
    if (authorization !== null || token !== null || !config.signup) return '';
    return `A free account, made at ${baseUrl()}/signup, has ${config.accountDaily} requests a day of its own.`;
  };
  return (exchange) => {
    const admission = access.admit(exchange);
    if (admission instanceof Promise) exchange.after(admission, (later) => goOn(exchange, later));
    else goOn(exchange, admission);
  };
}

export const unauthorized: ProblemDetails = {
  name: 'unauthorized',
  detail:
    'The Authorization header does not contain an active key of this service. Send "Bearer lei_live_…" with your key, or leave the header out to use the anonymous quota.',
  headers: { 'WWW-Authenticate': 'Bearer realm="lei", error="invalid_token"' },
};

const unknownToken: ProblemDetails = {
  ...unauthorized,
  detail:
    'The part of the address after /reconcile/ is not an active token of this service. Tokens begin with lei_reconcile_; create one on the account page or with lei keys create --reconcile. A key belongs in the Authorization header. Without token and key, /reconcile uses the anonymous quota.',
};

const unknownTokenOrKey: ProblemDetails = {
  ...unauthorized,
  detail:
    'The part of the address after /reconcile/ is not an active token of this service, or the Authorization header does not contain an active key. Send only one of the two.',
};

const tokenInHeader: ProblemDetails = {
  ...unauthorized,
  detail:
    'The Authorization header contains a token of /reconcile instead of a key. A token works only in the address, as /reconcile/lei_reconcile_…. Send a key, "Bearer lei_live_…", or leave the header out to use the anonymous quota.',
};

function unauthorizedFor({ authorization, token }: Exchange): ProblemDetails {
  if (token !== null) return authorization === null ? unknownToken : unknownTokenOrKey;
  return holdsToken(authorization ?? '') ? tokenInHeader : unauthorized;
}

function exhausted(
  { quota, violatedPolicies, returnsAt }: Admission & { outcome: 'exhausted' },
  advice: string,
): ProblemDetails {
  const { policy } = quota;
  const seconds = secondsUntil(returnsAt, quota);
  const details = violatedPolicies.map((violated) =>
    violated === 'daily'
      ? usedUpDay(quota)
      : `No more than ${policy[violated]} ${kinds[violated]} are allowed in 60 seconds.`,
  );
  return {
    name: 'rate-limited',
    detail: [...details, `Try again in ${seconds} s.`, advice].join(' ').trimEnd(),
    violatedPolicies,
    headers: { 'Retry-After': String(seconds) },
  };
}

/** A batch may be refused while some requests of the day are left. */
function usedUpDay({ policy: { daily }, dailyLeft, dailyReturnsAt }: QuotaState): string {
  const state =
    dailyLeft === 0
      ? `The daily quota of ${daily} requests is used up`
      : `Of the daily quota of ${daily} requests ${dailyLeft} are left, and this request counts as more`;
  return `${state}. It starts again at ${timestamp(new Date(dailyReturnsAt))}.`;
}

const kinds: Readonly<Record<BurstWindow, string>> = {
  lookup: 'identifier look-ups',
  search: 'searches, relationships and changes',
};

/** The publication that a cursor is pinned to, otherwise the active one. */
export function choosePublication(
  { publications, textsOf }: StepParts,
  next: StepChain<ReadExchange & WithPublication>,
): StepChain<ReadExchange> {
  return (exchange: ReadExchange) => {
    const { answering } = publications;
    if (typeof answering === 'string') return exchange.refuseUnavailable(answering);
    const { pinnedTo } = exchange.reading;
    const held = pinnedTo === null ? answering : publications.held(pinnedTo);
    if (held === null) return exchange.refuse(expiredCursor);
    exchange.choose(textsOf(held));
    next(exchange);
  };
}

/** Whether an outcome says that its publication is no longer held. */
interface Outcome {
  readonly outcome: string;
  readonly reason?: Unavailability;
}

/** How requests of a kind are answered. */
interface Answering<In, Result extends Outcome> {
  /** Answers from what is active when it is called. */
  attempt(exchange: In, take: (exchange: In, result: Result) => void): void;
  /** Whether the new active publication may answer instead. */
  mayAskAgain(exchange: In): boolean;
  finish(exchange: In, result: Result): void;
}

/**
 * Lets a request be answered, and once more if the publication that was to answer was swapped out meanwhile: the new
 * active one then answers all of it, so that one answer comes from one publication.
 */
export function askOnceMore<In, Result extends Outcome>(answering: Answering<In, Result>): StepChain<In> {
  const finish = (exchange: In, result: Result) => answering.finish(exchange, result);
  const take = (exchange: In, result: Result) => {
    const isGone = result.outcome === 'unavailable' && result.reason === 'publication-gone';
    if (isGone && answering.mayAskAgain(exchange)) answering.attempt(exchange, finish);
    else finish(exchange, result);
  };
  return (exchange) => answering.attempt(exchange, take);
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
    const take = (_: Exchange, answer: Answer) => {
      try {
        resolve(read(answer));
      } catch (error) {
        reject(error);
      }
    };
    exchange.ask(pool, publication, { question, take });
  });
}

/** How a family answers the question of a request. */
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
  const ask = askOnceMore<ReadExchange & WithPublication, Answer>({
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
      exchange.publication = textsOf(active);
      return true;
    },
    finish(exchange, answer) {
      if (exchange.parts?.hasBegun) exchange.parts.end(answer);
      else if (answer.outcome === 'found') answers.found(exchange, answer);
      else refuseAnswer(exchange, answer);
    },
  });
  return (exchange) => {
    const { endpoint } = exchange;
    // Other bodies are weighed later, and only if they turn out large.
    const refusal = endpoint.unbounded ? bodies.refusalOf(exchange.client) : null;
    if (refusal !== null) return refuseLarge(exchange, refusal);
    if (endpoint.batch) exchange.parts = answers.inParts(exchange);
    ask(exchange);
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
