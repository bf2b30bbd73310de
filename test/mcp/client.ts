/** Runs the official client against `lei mcp` in its own process, over standard input and output. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { cli } from '../support/run-lei.ts';

export interface Called {
  /** The structured content; null for an error. */
  readonly content: ReturnType<typeof JSON.parse>;
  /** The text that accompanies it. */
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolClient {
  readonly client: Client;
  /** The process of the command. */
  readonly pid: number;
  /** Its standard error so far. */
  messages(): string;
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Called>;
  close(): Promise<void>;
}

export async function startMcp(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<ToolClient> {
  const { PATH = '', HOME = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', ...args],
    env: { PATH, HOME, ...environment },
    stderr: 'pipe',
  });
  let messages = '';
  transport.stderr?.on('data', (piece) => {
    messages += String(piece);
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    messages: () => messages,
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      const [first] = JSON.parse(JSON.stringify(result.content));
      return {
        content: result.structuredContent ?? null,
        text: first.text,
        isError: result.isError === true,
      };
    },
    close: () => client.close(),
  };
}
