/** Data routes: one question to a query thread answers a request. The API, its extensions and GLEIF's API have these. */
import type { DataRoute } from './definition.ts';
import {
  DataExchange,
  type FoundAnswer,
  type PartsTaker,
  type ReadExchange,
  type ReadTarget,
  type WithPublication,
} from './exchange.ts';
import type { ProblemDetails } from './problem.ts';
import { type PublishedContent, type PublishedRepresentation, recogniseOwnTag, respond } from './respond.ts';
import type { Route } from './routes.ts';
import type { StepParts } from './step.ts';
import { admit, askQuestion, checkAddress, checkMethodAndHost, choosePublication } from './steps.ts';

/** How a family of data routes answers. */
interface DataRepresentation extends PublishedRepresentation {
  /** The body of a 200. Reads the answer as a {@link ReadAnswer} does. */
  answer(exchange: ReadExchange & WithPublication, answer: FoundAnswer): PublishedContent;
  /** Takes an answer that may come in parts; null if it must come in one piece. */
  inParts(exchange: ReadExchange & WithPublication): PartsTaker | null;
}

/**
 * In the order of the contract: 405, 401, 429, 400, 503, 304 by the front alone, 404, then 304 or
 * 200. CORS is on every answer.
 * @param read turns the address into a question, or into one 400 that names every fault
 */
export function dataRoute<Endpoint extends DataRoute>(
  endpoint: Endpoint,
  read: (exchange: DataExchange, endpoint: Endpoint, parts: StepParts) => ReadTarget | ProblemDetails,
  representation: DataRepresentation,
  parts: StepParts,
): Route {
  // Each step is made with the next one, so the last ones come first.
  const ask = askQuestion(parts, {
    found: (exchange, answer) => respond(exchange, representation.answer(exchange, answer), representation),
    inParts: (exchange) => representation.inParts(exchange),
  });
  const chosen = choosePublication(parts, recogniseOwnTag(representation, ask));
  const reading = (exchange: DataExchange) => {
    const outcome = read(exchange, endpoint, parts);
    if ('name' in outcome) return exchange.refuse(outcome);
    exchange.understand(outcome);
    chosen(exchange);
  };
  const steps = checkMethodAndHost(admit(parts, checkAddress(reading)));
  const { subject } = endpoint;
  return {
    path: endpoint.template,
    answer(arrival, parameters) {
      const identifier = subject === null ? '' : (parameters[subject] ?? '');
      const exchange = new DataExchange(arrival, endpoint, identifier, representation);
      exchange.enter(steps);
      return exchange.reply();
    },
  };
}
