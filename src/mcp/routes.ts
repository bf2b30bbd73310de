/**
 * `/mcp`: the tools over streamable HTTP, without sessions. Each call of a tool is a request of the same client to the
 * operation: it has the caller, quotas, log and metrics of one, and costs what it costs.
 */
import packageJson from '../../package.json' with { type: 'json' };
import type { DataEndpoint } from '../api/endpoint.ts';
import { queryOf } from '../http/address.ts';
import { bodyLimits } from '../http/bodies/limits.ts';
import { readJson } from '../http/bodies/read-json.ts';
import { mcpOperation } from '../http/definition.ts';
import { problems } from '../http/representation/problems.ts';
import { PublishedRepresentation } from '../http/respond.ts';
import type { Route } from '../http/routes.ts';
import type { StepParts } from '../http/step.ts';
import { type Task, type TaskExchange, type TaskOutcome, taskRoutes } from '../http/task-route.ts';
import { faulty, readTaskBody } from '../http/tasks.ts';
import { type CallArguments, identifierGiven, type ToolSource, uncheckedAddress } from './call.ts';
import { answerMessage, protocolVersions } from './message.ts';
import { readReply, toolAnswerOf } from './reply.ts';

const path = '/mcp';

const limits = {
  /** The arguments of a call are at most a watch list of a hundred LEIs. */
  bodyBytesMax: 32 * 1024,
  bodyMsMax: 20_000,
  /** Bytes of arriving bodies, in total and per client. */
  bodiesBytesMax: 8 * 1024 * 1024,
  clientBodiesBytesMax: 1024 * 1024,
} as const;

const bodyRules = {
  type: /^application\/json\s*(;|$)/i,
  typeName: 'application/json',
  bytesMax: limits.bodyBytesMax,
  msMax: limits.bodyMsMax,
} as const;

/** @param operations the routes of the API and its extensions, which answer the calls */
export function mcpRoutes(operations: readonly Route[], parts: StepParts): readonly Route[] {
  const routes = new Map(operations.map((route) => [route.path, route]));
  const representation = new PublishedRepresentation('application/json', problems(parts.baseUrl), parts);
  const route = {
    operationId: mcpOperation,
    template: path,
    paths: [path],
    methods: ['POST'],
    requestHeaders: ['Content-Type', 'MCP-Protocol-Version'],
    isOther: () => false,
    read: (exchange: TaskExchange, hasRoom: (pieceBytes: number) => boolean) =>
      readMessage(exchange, hasRoom, callsFrom(exchange, routes, parts)),
  };
  return taskRoutes([route], limits, representation, parts);
}

async function readMessage(
  { request }: TaskExchange,
  hasRoom: (pieceBytes: number) => boolean,
  source: Pick<ToolSource, 'call'>,
): Promise<Task> {
  if (queryOf(request.url) !== '') return faulty('the query', 'must be empty: a message is the body');
  const spoken = request.headers.get('mcp-protocol-version');
  if (spoken !== null && !protocolVersions.includes(spoken)) {
    return faulty('MCP-Protocol-Version', `must be one of ${protocolVersions.join(', ')}`);
  }
  const body = await readTaskBody(request, bodyRules, hasRoom);
  if (typeof body !== 'string') return body;
  const json = readJson(body);
  if (!json.ok) return faulty('the body', json.fault);
  if (Array.isArray(json.value))
    return faulty('the body', 'must be one message: the protocol has no batches');
  return { window: 'search', units: 0, list: null, answer: () => answered(json.value, source) };
}

async function answered(message: unknown, source: Pick<ToolSource, 'call'>): Promise<TaskOutcome> {
  const { status, body } = await answerMessage(source, packageJson.version, message);
  const bytes = status === 200 ? encoder.encode(body) : null;
  // Counts against the budget of bytes in flight, as the answer of the operation would.
  if (bytes !== null && bytes.length > bodyLimits.weighedBytes) return { outcome: 'json', json: bytes };
  return {
    outcome: 'other',
    status,
    body,
    headers: body === '' ? {} : { 'Content-Type': 'application/json' },
  };
}

const encoder = new TextEncoder();

/** Answers calls by requests to the operations, in the name of the client that sent the message. */
function callsFrom(
  exchange: TaskExchange,
  routes: ReadonlyMap<string, Route>,
  { baseUrl }: StepParts,
): Pick<ToolSource, 'call'> {
  return {
    async call(endpoint, given) {
      const route = routes.get(endpoint.template);
      if (route === undefined) throw new Error(`No route answers ${endpoint.template}.`);
      const request = requestFor(endpoint, given, exchange);
      const reply = await readReply(
        await route.answer(exchange.host.arriveWithin(exchange, request), placesOf(endpoint, given)),
      );
      return toolAnswerOf(reply, baseUrl());
    },
  };
}

function placesOf({ subject }: DataEndpoint, given: CallArguments): Readonly<Record<string, string>> {
  return subject === null ? {} : { [subject]: identifierGiven(subject, given) };
}

/** Headers that say who asks, and in which trace. */
const passedHeaders = ['Authorization', 'X-Forwarded-For', 'Traceparent', 'Tracestate'] as const;

function requestFor(endpoint: DataEndpoint, given: CallArguments, { request }: TaskExchange): Request {
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request(`http://mcp${uncheckedAddress(endpoint, given)}`, { headers });
}
