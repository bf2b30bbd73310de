/**
 * Serves the reconciliation service (Reconciliation Service API 0.2), with which OpenRefine and others match their
 * tables. Its POST only reads, so the origin of a form does not matter.
 *
 * A request is admitted twice: first for nothing, so that a caller with a bad key is refused before a body is read;
 * then for its cost, which depends on the body.
 */
import { type BurstWindow, type QuotaPolicy, unitsEver } from '../../../ports/ledger.ts';
import { isAccount } from '../../../ports/usage.ts';
import { Budget } from '../../bodies/budget.ts';
import type { AccessRequest } from '../../contracts.ts';
import { type ReconcileAddress, reconcileBase } from '../../endpoints/reconcile.ts';
import { type Chosen, Exchange, type ExchangeHost } from '../exchange.ts';
import { tagOf } from '../header-values.ts';
import { commonHeaders } from '../headers.ts';
import { admit } from '../layers/admit.ts';
import type { Inner, LayerParts } from '../layers/layer.ts';
import { openFor, refuseUnavailable } from '../layers/look-up.ts';
import { checkMethod } from '../layers/method.ts';
import { represent } from '../layers/represent.ts';
import { invalidParameters } from '../problem.ts';
import type { Arrival } from '../watch.ts';
import { reconcileLimits } from './limits.ts';
import { previewPolicy } from './preview.ts';
import { readTask } from './read-task.ts';
import type { Asked, Outcome, Task } from './task.ts';

export class ReconcileExchange extends Exchange implements AccessRequest {
  readonly address: ReconcileAddress;
  window: BurstWindow = 'search';
  units = 0;

  constructor(arrival: Arrival, address: ReconcileAddress, host: ExchangeHost) {
    super(arrival, address.endpoint, host);
    this.address = address;
  }

  get token(): string | null {
    return this.address.token;
  }
}

export function reconcileLayers(parts: LayerParts): Inner<ReconcileExchange> {
  const arriving = arrivingBodies(parts.config.fronts);
  const read = (exchange: ReconcileExchange) => {
    const share = arriving.take(exchange.client, 0);
    const room = hasRoom(arriving, share, exchange.client);
    const reading = readTask(exchange.request, exchange.address.asks, parts.config, room);
    exchange.after(reading.finally(share.free), (task) => {
      Object.assign(exchange, { window: task.window, units: task.units });
      const goOn = () => work(exchange, task, parts);
      if (task.units === 0) goOn();
      else admit(parts, goOn)(exchange);
    });
  };
  return checkMethod(parts, admit(parts, read));
}

function arrivingBodies(fronts: number): Budget {
  const { bodiesBytesMax, clientBodiesBytesMax } = reconcileLimits;
  return new Budget({
    inFlightBytesMax: bodiesBytesMax / fronts,
    clientInFlightBytesMax: clientBodiesBytesMax / fronts,
  });
}

/** Reserves room for each piece of a body. */
function hasRoom(arriving: Budget, share: ReturnType<Budget['take']>, client: string) {
  let bytes = 0;
  return (pieceBytes: number): boolean => {
    if (arriving.isFull || arriving.isFullFor(client)) return false;
    bytes += pieceBytes;
    share.resize(bytes);
    return true;
  };
}

function work(exchange: ReconcileExchange, task: Task, parts: LayerParts, isAgain = false): void {
  const { refuse } = parts;
  const tooMany = beyondLimits(exchange, task, parts);
  if (tooMany !== null) {
    refuse(exchange, tooMany);
    return;
  }
  const active = openFor(parts.publications);
  if (typeof active === 'string') {
    refuseUnavailable(exchange, active, refuse);
    return;
  }
  if (task.needs !== undefined && !parts.pool.hasTimeFor(task.needs, exchange.client)) {
    refuseUnavailable(exchange, 'queue-full', refuse);
    return;
  }
  exchange.choose(parts.textsOf(active));
  exchange.after(answerOf(exchange, task, parts), (outcome) => {
    const isGone = outcome.outcome === 'unavailable' && outcome.reason === 'publication-gone';
    if (isGone && !isAgain) work(exchange, task, parts, true);
    else respond(exchange, outcome, parts);
  });
}

/** A batch that the caller's limits can never allow has cost one and is refused with the largest that fits. */
function beyondLimits({ admission }: ReconcileExchange, task: Task, { config }: LayerParts) {
  const quota = admission?.quota ?? null;
  if (quota === null || task.list === null || config.limitsMode !== 'enforce') return null;
  const most = unitsEver(quota.policy, task.window);
  const detail = `must hold at most ${most} values, the maximum that your limits allow; it holds ${task.units}`;
  return task.units > most ? invalidParameters([{ parameter: task.list, detail }]) : null;
}

function policyOf({ admission }: ReconcileExchange, { config }: LayerParts): QuotaPolicy | null {
  return config.limitsMode === 'enforce' && admission?.outcome === 'admitted' ? admission.policy : null;
}

function answerOf(exchange: Chosen & ReconcileExchange, task: Task, parts: LayerParts): Promise<Outcome> {
  const { publication, address } = exchange;
  const token = address.token === null ? '' : `/${address.token}`;
  const asked: Asked = {
    baseUrl: publication.baseUrl,
    address: publication.baseUrl + reconcileBase + token,
    policy: policyOf(exchange, parts),
    isAccount: isAccount(exchange.client),
  };
  return task.answer(
    (question, read) =>
      new Promise((resolve) => {
        exchange.ask(parts.pool, publication, question, (answer) => resolve(read(answer)));
      }),
    asked,
  );
}

function respond(exchange: Chosen & ReconcileExchange, outcome: Outcome, parts: LayerParts): void {
  const { refuse } = parts;
  switch (outcome.outcome) {
    case 'json': {
      const body = parts.envelope.bare(outcome.json);
      represent(exchange, { body, tagged: tagOf(outcome.json), dated: false, link: null }, parts);
      break;
    }
    case 'html':
      exchange.respond(framed(exchange, outcome));
      break;
    case 'refused':
      refuse(exchange, outcome.problem);
      break;
    case 'unavailable':
      refuseUnavailable(exchange, outcome.reason, refuse, outcome.computed);
  }
}

function framed({ requestId, limits }: Exchange, { status, html }: Outcome & { outcome: 'html' }): Response {
  return new Response(html, {
    status,
    headers: {
      ...commonHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(html)),
      'Content-Security-Policy': previewPolicy,
      'Cache-Control': 'private, no-cache',
      // The address may hold a token.
      'Referrer-Policy': 'no-referrer',
      'X-Request-Id': requestId,
      ...limits,
    },
  });
}
