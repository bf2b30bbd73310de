/** The admin server: a few pages for the operator and monitoring tools, at its own address. */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import type { AdminAddress } from '../../settings/addresses.ts';
import { hostInUrl } from '../../urls.ts';

export interface AdminPage {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The answer to a GET, by path. */
type AdminPages = ReadonlyMap<string, () => AdminPage>;

interface AdminServer {
  /** Its address: `127.0.0.1:3001`, or the socket's path. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Prometheus and most probes ask more often than this, so their connection stays open. */
const idleTimeoutSeconds = 120;
/** The socket's user and group may ask, such as a Prometheus in the service's group. */
const socketMode = 0o660;

/**
 * Starts to answer.
 * @throws the system's error if it can't listen; an Error with the code `EADDRINUSE` if another program answers at the
 * socket, and with `ENOTSOCK` if the path is not a socket
 */
export async function startAdminServer(address: AdminAddress, pages: AdminPages): Promise<AdminServer> {
  const handler = {
    idleTimeout: idleTimeoutSeconds,
    reusePort: false,
    development: false,
    fetch: (request: Request) => answer(request, pages),
  } as const;
  if (address.kind === 'socket') return listenAtSocket(address.path, handler);
  const server = Bun.serve({ hostname: address.host, port: address.port, ...handler });
  return { address: `${hostInUrl(address.host)}:${server.port}`, stop: () => server.stop(true) };
}

interface Handler {
  readonly fetch: (request: Request) => Response;
}

async function listenAtSocket(path: string, handler: Handler): Promise<AdminServer> {
  await clearSocket(path);
  const server = Bun.serve({ unix: path, ...handler });
  chmodSync(path, socketMode);
  return {
    address: path,
    async stop() {
      await server.stop(true);
      rmSync(path, { force: true });
    },
  };
}

/** Removes the socket that a killed service has left behind; never another file, nor a socket that answers. */
async function clearSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw Object.assign(new Error(`${path} is not a socket.`), { code: 'ENOTSOCK' });
  if (await isAnswered(path)) {
    throw Object.assign(new Error(`Another program answers at ${path}.`), { code: 'EADDRINUSE' });
  }
  rmSync(path);
}

async function isAnswered(path: string): Promise<boolean> {
  try {
    const socket = await Bun.connect({ unix: path, socket: { data() {} } });
    socket.terminate();
    return true;
  } catch {
    return false;
  }
}

/** Without a `Host` header, as in checks of balancers, the server passes the path alone. */
function pathOf({ url }: Request): string {
  return /^(?:https?:\/\/[^/?#]*)?([^?#]*)/.exec(url)?.[1] ?? '';
}

function answer(request: Request, pages: AdminPages): Response {
  const page = pages.get(pathOf(request));
  if (page === undefined) return plain(404, `Not found. The paths are ${[...pages.keys()].join(', ')}.\n`);
  if (request.method !== 'GET') return plain(405, 'Only GET is allowed here.\n', { Allow: 'GET' });
  const { status, contentType, body } = page();
  return new Response(body, { status, headers: { 'Content-Type': contentType, ...notStored } });
}

const notStored = { 'Cache-Control': 'no-store' };

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, { status, headers: { 'Content-Type': plainText, ...notStored, ...headers } });
}

export const plainText = 'text/plain; charset=utf-8';
