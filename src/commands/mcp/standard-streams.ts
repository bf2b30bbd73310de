/** The one door to the SDK of the Model Context Protocol: offers the tools over standard input and output. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ToolSource } from '../../mcp/call.ts';
import { callTool, capabilities, instructions, listedTools, serverInfo } from '../../mcp/call-tool.ts';

/** Resolves when the client has closed standard input and every call is answered, or the signal aborts. */
export async function serveStandardStreams(
  source: ToolSource,
  version: string,
  signal: AbortSignal,
): Promise<void> {
  const server = new Server(serverInfo(version), { capabilities, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  const open = new Set<Promise<unknown>>();
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const result = callTool(source, params.name, params.arguments ?? {});
    open.add(result);
    return result.finally(() => open.delete(result));
  });
  const ended = Promise.withResolvers<void>();
  process.stdin.once('end', () => void answered(open).then(ended.resolve));
  signal.addEventListener('abort', () => ended.resolve(), { once: true });
  await server.connect(new StdioServerTransport());
  await ended.promise;
  await server.close();
}

async function answered(open: ReadonlySet<Promise<unknown>>): Promise<void> {
  await Promise.allSettled(open);
  // The SDK sends an answer in the same turn of the event loop in which it is made.
  await nextTurn();
}
