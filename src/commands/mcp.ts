/**
 * `lei mcp`: offers the data as tools of the Model Context Protocol, for assistants that start programs. The one door to
 * the protocol's SDK.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import packageJson from '../../package.json' with { type: 'json' };
import type { ToolSource } from '../mcp/call.ts';
import { callTool, capabilities, instructions, listedTools, serverInfo } from '../mcp/call-tool.ts';
import { openPublication } from '../store/open-publication.ts';
import { hasCredentials, isHttpUrl } from '../urls.ts';
import { activePublication } from './data-folder.ts';
import { CommandFailure, type Context, command, type Options } from './frame.ts';
import { localSource } from './mcp/local.ts';
import { remoteSource } from './mcp/remote.ts';
import { badOption } from './options.ts';
import { onInterrupt } from './signals.ts';

const help = `
An assistant starts this command and talks to it over standard input and output. The tools are look_up, match, search,
ownership and changes. They read the active publication in LEI_DATA_DIR; this needs no service and has no quotas. With
--url they ask a service instead, within its quotas, and send the key in LEI_KEY if it is set.

  lei mcp
  LEI_KEY=lei_live_… lei mcp --url https://lei.example.com`;

export function mcpCommand() {
  return command('mcp', 'offer the data as tools to an assistant (Model Context Protocol)', run)
    .option('--url <url>', 'the service to ask instead of the publication on this machine')
    .addHelpText('after', help);
}

async function run(context: Context, _: readonly string[], { url }: Options) {
  const source = typeof url === 'string' ? serviceAt(url, context) : publicationHere(context);
  using interrupt = onInterrupt(new CommandFailure('interrupted', 'Interrupted.'));
  try {
    await serveStandardStreams(source, interrupt.signal);
  } finally {
    await source.close();
  }
}

function serviceAt(url: string, { config }: Context): ToolSource {
  if (!isHttpUrl(url)) throw badOption('--url', url, 'an http or https URL, such as https://lei.example.com');
  if (hasCredentials(url))
    throw badOption('--url', 'a URL with a password', 'a URL without credentials; set the key in LEI_KEY');
  return remoteSource({ url: serviceOf(url), key: config.key });
}

/** Assistants are given the address of `/mcp`, and other programs that of an API: both lead to their service. */
function serviceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '').replace(/\/(?:mcp|(?:api|ext)\/v1)$/, '');
}

function publicationHere({ config, layout }: Context): ToolSource {
  const active = () => activePublication(layout);
  // Report a missing publication at once, because no call could ever be answered.
  active();
  return localSource({ config, active, open: (id) => openPublication(layout, id, config.basePath) });
}

/** Resolves when the client has closed standard input and every call is answered, or the signal aborts. */
async function serveStandardStreams(source: ToolSource, signal: AbortSignal): Promise<void> {
  const server = new Server(serverInfo(packageJson.version), { capabilities, instructions });
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
