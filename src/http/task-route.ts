/**
 * Task routes: a request is read first, perhaps with its body, and may ask any number of questions.
 *
 * A request is admitted twice: first for nothing, so that a caller with a bad key is refused before a body is read; then
 * for its cost, which depends on what was read.
 */
import type { Admission } from '../accounts/access/admission.ts';
import { type BurstWindow, unitsEver } from '../ports/ledger.ts';
import type { Question, ReadAnswer, Unavailability } from '../protocol/questions.ts';
import { addressFault } from './address-fault.ts';
import { ArrivingBodies, type ArrivingLimits, type HasRoomForPiece } from './bodies/budget.ts';
import type { RouteFacts } from './definition.ts';
import { type Arrival, Exchange } from './exchange.ts';
import { cacheControl, commonHeaders, tagOf } from './headers.ts';
import { invalidParameters, type ProblemDetails } from './problem.ts';
import type { PublicationTexts } from './publication-texts.ts';
import { type PublishedRepresentation, respond } from './respond.ts';
import type { PathParameters, Route } from './routes.ts';
import type { StepParts } from './step.ts';
import { admit, askByPromise, askOnceMore, checkMethodAndHost } from './steps.ts';

/** Asks a query thread. */
type AskQuestion = <Value>(question: Question, read: ReadAnswer<Value>) => Promise<Value>;

export type TaskOutcome =
  /** Finished JSON in UTF-8, in memory that belongs to the outcome. */
  | { readonly outcome: 'json'; readonly json: Uint8Array<ArrayBuffer> }
  /** Any other finished body; the headers are added to the common ones. */
  | {
      readonly outcome: 'other';
      readonly status: number;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly outcome: 'refused'; readonly problem: ProblemDetails }
  /** `computed`: of the units that the task costs, those whose work was done. They are not refunded. */
  | { readonly outcome: 'unavailable'; readonly reason: Unavailability; readonly computed: number };

/** What a request asks for. */
export interface Task {
  readonly window: BurstWindow;
  /** 0 for what is free. */
  readonly units: number;
  /** The parameter whose values are counted; null if there is no list. */
  readonly list: string | null;
  /** Questions that are only of use together. */
  readonly needs?: readonly Question[];
  answer(ask: AskQuestion): Promise<TaskOutcome>;
}

export interface TaskRoute extends RouteFacts {
  /** Each path that leads here. `{token}` in it is a token of the address, which takes precedence over a key. */
  readonly paths: readonly string[];
  /** True if the parameters make it an unknown address. */
  isOther(parameters: PathParameters): boolean;
  /**
   * Reads what a request asks for. It never rejects for what a client did: a faulty request is a task too, which
   * refuses, and costs one.
   * @param hasRoom for each piece of a body
   */
  read(exchange: TaskExchange, hasRoom: HasRoomForPiece): Promise<Task>;
}

export class TaskExchange extends Exchange {
  declare admission: Admission | null;
  readonly parameters: PathParameters;
  #task: Pick<Task, 'window' | 'units'> = { window: 'search', units: 0 };

  constructor(
    arrival: Arrival,
    route: TaskRoute,
    parameters: PathParameters,
    errors: PublishedRepresentation,
  ) {
    super(arrival, route, errors);
    this.parameters = parameters;
  }

  /** Call it once it is known what the request asks for, and so what it costs. */
  understand(task: Pick<Task, 'window' | 'units'>): void {
    this.#task = task;
  }

  override get window(): BurstWindow {
    return this.#task.window;
  }

  override get units(): number {
    return this.#task.units;
  }

  override get token(): string | null {
    return this.parameters['token'] ?? null;
  }
}

/** @param limits shared by all routes of the family */
export function taskRoutes(
  routes: readonly TaskRoute[],
  limits: ArrivingLimits,
  representation: PublishedRepresentation,
  parts: StepParts,
): readonly Route[] {
  const arriving = new ArrivingBodies(limits, parts.config.fronts);
  return routes.flatMap((route) => {
    const read = (exchange: TaskExchange) => {
      const fault = addressFault(exchange.request);
      if (fault !== null) {
        exchange.understand(faulty);
        return admit(parts, () => exchange.refuse(fault))(exchange);
      }
      const reading = arriving.read(exchange.client, (hasRoom) => route.read(exchange, hasRoom));
      exchange.after(reading, (task) => {
        exchange.now = exchange.host.clock();
        exchange.understand(task);
        const goOn = () => work(exchange, task, representation, parts);
        if (task.units === 0) goOn();
        else admit(parts, goOn)(exchange);
      });
    };
    const steps = checkMethodAndHost(admit(parts, read));
    return route.paths.map((path) => ({
      path,
      isOther: route.isOther,
      answer(arrival: Arrival, parameters: PathParameters) {
        const exchange = new TaskExchange(arrival, route, parameters, representation);
        exchange.enter(steps);
        return exchange.reply();
      },
    }));
  });
}

/** The cost of a malformed address. */
const faulty = { window: 'search', units: 1 } as const;

function work(
  exchange: TaskExchange,
  task: Task,
  representation: PublishedRepresentation,
  parts: StepParts,
): void {
  const tooMany = beyondLimits(exchange, task, parts);
  if (tooMany !== null) {
    exchange.refuse(tooMany);
    return;
  }
  const attempt = (_: TaskExchange, take: (exchange: TaskExchange, outcome: FromPublication) => void) => {
    const { answering } = parts.publications;
    if (typeof answering === 'string') return exchange.refuseUnavailable(answering);
    if (task.needs !== undefined && !parts.pool.hasTimeFor(task.needs, exchange.client)) {
      return exchange.refuseUnavailable('queue-full');
    }
    exchange.choose(parts.textsOf(answering));
    const { publication } = exchange;
    const ask: AskQuestion = (question, read) =>
      askByPromise(exchange, parts.pool, publication, question, read);
    exchange.after(task.answer(ask), (outcome) => take(exchange, { ...outcome, publication }));
  };
  const answer = askOnceMore<TaskExchange, FromPublication>({
    attempt,
    mayAskAgain: () => true,
    finish: (_, outcome) => finish(exchange, outcome, representation),
  });
  answer(exchange);
}

/** A batch that the caller's limits can never allow has cost one and is refused with the largest that fits. */
function beyondLimits({ admission }: Exchange, task: Task, { config }: StepParts): ProblemDetails | null {
  const quota = admission?.quota ?? null;
  if (quota === null || task.list === null || config.limitsMode !== 'enforce') return null;
  const most = unitsEver(quota.policy, task.window);
  const detail = `must hold at most ${most} values, the maximum that your limits allow; it holds ${task.units}`;
  return task.units > most ? invalidParameters([{ parameter: task.list, detail }]) : null;
}

/** An outcome, and the publication that it was made from. */
type FromPublication = TaskOutcome & { readonly publication: PublicationTexts };

function finish(
  exchange: TaskExchange,
  outcome: FromPublication,
  representation: PublishedRepresentation,
): void {
  switch (outcome.outcome) {
    case 'json':
      sendJson(exchange, outcome, representation);
      break;
    case 'other':
      exchange.respond(otherResponse(exchange, outcome));
      break;
    case 'refused':
      exchange.refuse(outcome.problem);
      break;
    case 'unavailable':
      exchange.refuseUnavailable(outcome.reason, outcome.computed);
  }
}

function sendJson(
  exchange: TaskExchange,
  { json, publication }: FromPublication & { outcome: 'json' },
  representation: PublishedRepresentation,
): void {
  const content = { body: json, buffer: null, publication, tagged: tagOf(json), isDated: false, link: null };
  respond(exchange, content, representation);
}

function otherResponse(
  { requestId, limits }: Exchange,
  { status, body, headers }: TaskOutcome & { outcome: 'other' },
): Response {
  return new Response(body, {
    status,
    headers: {
      ...commonHeaders,
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': cacheControl,
      'X-Request-Id': requestId,
      ...limits,
      ...headers,
    },
  });
}
