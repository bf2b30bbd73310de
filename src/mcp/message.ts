/**
 * Answers one message of the Model Context Protocol without a session: JSON-RPC with the four methods that a server of
 * tools has. The SDK would cost a front 38 MB, a second at its first message, and milliseconds at each further one
 * (decision 136). The official client tests it.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { ToolSource } from './call.ts';
import { callTool, capabilities, instructions, listedTools, serverInfo } from './call-tool.ts';

/** Newest first. */
export const protocolVersions: readonly [string, ...string[]] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

const Id = Type.Union([Type.String(), Type.Integer()]);
const Message = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Id),
  method: Type.Optional(Type.String()),
  // JSON-RPC also allows a list, which none of the methods takes.
  params: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())])),
});
const Call = Type.Object({
  name: Type.String(),
  arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

type Params = Exclude<Static<typeof Message>['params'], readonly unknown[]>;

/** Status and body of the answer; the body is '' for a message that has none. */
interface MessageAnswer {
  readonly status: 200 | 202 | 400;
  readonly body: string;
}

/** @param version of this software */
export async function answerMessage(
  source: Pick<ToolSource, 'call'>,
  version: string,
  message: unknown,
): Promise<MessageAnswer> {
  if (!Value.Check(Message, message)) {
    return failed(null, -32600, 'A message is a JSON object of JSON-RPC 2.0.', 400);
  }
  const { id, method, params } = message;
  // A notification, or the client's answer to a question that this server never asks.
  if (id === undefined || method === undefined) return { status: 202, body: '' };
  if (Array.isArray(params)) return failed(id, -32602, 'The params of a method are an object, not a list.');
  switch (method) {
    case 'initialize':
      return done(id, {
        protocolVersion: versionFor(params),
        capabilities,
        serverInfo: serverInfo(version),
        instructions,
      });
    case 'ping':
      return done(id, {});
    case 'tools/list':
      return answered(id, listText());
    case 'tools/call':
      return call(source, id, params);
    default:
      return failed(id, -32601, `There is no method ${method}.`);
  }
}

async function call(
  source: Pick<ToolSource, 'call'>,
  id: Static<typeof Id>,
  params: Params,
): Promise<MessageAnswer> {
  if (!Value.Check(Call, params)) return failed(id, -32602, 'A call has a name and an object of arguments.');
  return done(id, await callTool(source, params.name, params.arguments ?? {}));
}

/** The version that the client asks for, or the newest: the client then decides whether it goes on. */
function versionFor(params: Params = {}): string {
  const asked = params['protocolVersion'];
  return protocolVersions.find((version) => version === asked) ?? protocolVersions[0];
}

let knownList: string | null = null;

/** Written once: it has 95 kB, which take a front three milliseconds, and a message costs its client nothing. */
function listText(): string {
  knownList ??= JSON.stringify({ tools: listedTools() });
  return knownList;
}

function done(id: Static<typeof Id>, result: object): MessageAnswer {
  return answered(id, JSON.stringify(result));
}

/** @param result JSON */
function answered(id: Static<typeof Id>, result: string): MessageAnswer {
  return { status: 200, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` };
}

function failed(
  id: Static<typeof Id> | null,
  code: number,
  message: string,
  status: 200 | 400 = 200,
): MessageAnswer {
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }) };
}
