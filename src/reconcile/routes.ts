/**
 * The routes of the reconciliation service (Reconciliation Service API 0.2), with which OpenRefine and others match their
 * tables. Its POST only reads, so the origin of a form does not matter.
 */

import { problems } from '../http/representation/problems.ts';
import { PublishedRepresentation } from '../http/respond.ts';
import type { Route } from '../http/routes.ts';
import type { StepParts } from '../http/step.ts';
import { type TaskExchange, type TaskRoute, taskRoutes } from '../http/task-route.ts';
import { isAccount } from '../ports/state.ts';
import { reconcileAddresses, reconcileBase } from './addresses.ts';
import { readTask } from './read-task.ts';
import { type Client, reconcileLimits } from './task.ts';

export function reconcileRoutes(parts: StepParts): readonly Route[] {
  const { config, baseUrl } = parts;
  const representation = new PublishedRepresentation('application/json', problems(baseUrl), parts);
  const routes = reconcileAddresses.map(
    (address): TaskRoute => ({
      ...address,
      read: (exchange, hasRoom) =>
        readTask(exchange.request, address.asks, config, clientOf(exchange, parts), hasRoom),
    }),
  );
  return taskRoutes(routes, reconcileLimits, representation, parts);
}

function clientOf(exchange: TaskExchange, { config, baseUrl }: StepParts): Client {
  const { token, admission, client } = exchange;
  const isLimited = config.limitsMode === 'enforce' && admission?.outcome === 'admitted';
  return {
    baseUrl: baseUrl(),
    address: baseUrl() + reconcileBase + (token === null ? '' : `/${token}`),
    policy: isLimited ? admission.policy : null,
    isAccount: isAccount(client),
  };
}
