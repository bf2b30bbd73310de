/** The routes of the API, of its extensions and batches, and of the status. */

import { dataRoute } from '../http/data-route.ts';
import { Exchange } from '../http/exchange.ts';
import { unavailable } from '../http/problem.ts';
import type { EnvelopeRepresentation } from '../http/representation/envelope.ts';
import { respond } from '../http/respond.ts';
import type { Route } from '../http/routes.ts';
import type { StepParts } from '../http/step.ts';
import { checkAddress, checkMethodAndHost } from '../http/steps.ts';
import { noNotices } from '../lei/notices.ts';
import { readAddress } from './read.ts';
import { publicStatus, status } from './status.ts';
import { dataEndpoints, extEndpoints } from './table.ts';

/** @param uptimeMs milliseconds since the service started */
export function apiRoutes(
  envelope: EnvelopeRepresentation,
  parts: StepParts,
  uptimeMs: () => number,
): readonly Route[] {
  const data = [...dataEndpoints, ...extEndpoints].map((endpoint) =>
    dataRoute(endpoint, readAddress, envelope, parts),
  );
  return [...data, statusRoute(envelope, parts, uptimeMs)];
}

/** Ignores query and Authorization, is never counted, answers 200 or 503. */
function statusRoute(envelope: EnvelopeRepresentation, parts: StepParts, uptimeMs: () => number): Route {
  const { publications, textsOf } = parts;
  // Its 503s are not logged: balancers ask for the status every few seconds.
  const answer = (exchange: Exchange) => {
    const { answering } = publications;
    if (typeof answering === 'string') return exchange.refuse(unavailable(answering));
    exchange.choose(textsOf(answering));
    const data = JSON.stringify(publicStatus(answering, publications, uptimeMs()));
    // The data changes with the uptime and a load's progress, so the publication's date says nothing about it.
    respond(exchange, envelope.own(exchange, data, noNotices), envelope);
  };
  const steps = checkMethodAndHost(checkAddress(answer));
  return {
    path: status.template,
    answer(arrival) {
      const exchange = new Exchange(arrival, status, envelope);
      exchange.enter(steps);
      return exchange.reply();
    },
  };
}
