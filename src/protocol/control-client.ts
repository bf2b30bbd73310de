/** The command line's end of the control socket (see control.ts). */
import { lstatSync, statSync } from 'node:fs';
import { errorCode, reasonOf } from '../errors.ts';
import type { Layout } from '../publication/layout.ts';
import type { ControlRequest, ControlResponse } from './control.ts';
import { controlLimits } from './control-limits.ts';
import { lineReader, lineWriter } from './line-stream.ts';

export interface ControlClient {
  /**
   * Sends one request to the service running on this data folder and waits for its answer. Never rejects:
   * `'not-running'` if nobody listens, and a response with code `timeout`, `closed`, `interrupted`, `unreachable` or
   * `unreadable` if no readable answer came.
   */
  send(request: ControlRequest, options?: { readonly timeoutMs?: number }): Promise<ControlReply>;
}
type ControlReply = ControlResponse | 'not-running';

/**
 * A client of the service on this data folder, whether or not one runs.
 * @param signal ends the wait for an answer
 */
export function controlClient(layout: Layout, signal?: AbortSignal): ControlClient {
  return {
    async send(request, { timeoutMs = defaultTimeoutMs(request) } = {}) {
      if (signal?.aborted === true) return interrupted();
      return exchange(layout, request, timeoutMs, signal);
    },
  };
}

function interrupted(): ControlResponse {
  return noAnswer('interrupted', 'before this command was interrupted');
}

/**
 * Opening and closing publications waits for every query thread and for earlier swaps. All other answers are in memory.
 */
function defaultTimeoutMs({ op }: ControlRequest): number {
  return op === 'activate' || op === 'release' ? controlLimits.swapTimeoutMs : controlLimits.timeoutMs;
}

async function exchange(
  layout: Layout,
  request: ControlRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ControlReply> {
  const path = layout.controlSocket;
  const { promise, resolve } = Promise.withResolvers<ControlReply>();
  const reader = lineReader(controlLimits.messageBytesMax, (line) => resolve(parseResponse(line)));
  const writer = lineWriter();
  const timer = setTimeout(() => resolve(noAnswer('timeout', `within ${timeoutMs} ms`)), timeoutMs);
  const giveUp = () => resolve(interrupted());
  signal?.addEventListener('abort', giveUp);
  try {
    const socket = await Bun.connect({
      unix: path,
      socket: {
        open(opened) {
          // Not earlier, because the socket may have been created a moment ago.
          const foreign = foreignSocket(layout);
          if (foreign === null) writer.write(opened, request);
          else resolve({ ok: false, code: 'unreachable', message: foreign });
        },
        drain: (drained) => writer.drain(drained),
        data(_socket, piece) {
          if (!reader.take(piece)) resolve(noAnswer('closed', 'of a readable length'));
        },
        close: () => resolve(noAnswer('closed', 'before it closed the connection')),
        error: (_socket, error) => resolve(noAnswer('closed', `(${error.message})`)),
      },
    });
    const reply = await promise;
    socket.end();
    return reply;
  } catch (error) {
    return connectFailure(path, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function noAnswer(code: string, how: string): ControlResponse {
  return { ok: false, code, message: `The running service gave no answer ${how}.` };
}

/** Whether nobody listens: the socket is missing, or a killed service left it behind. */
function connectFailure(path: string, error: unknown): ControlReply {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'not-running';
  const reason =
    code === 'EACCES'
      ? 'this user has no right to it. Run the command as the user of the service'
      : reasonOf(error);
  return { ok: false, code: 'unreachable', message: `The control socket ${path} can't be used: ${reason}.` };
}

function parseResponse(line: string): ControlResponse {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && 'ok' in value) {
      if (value.ok === true) return { ok: true, value: 'value' in value ? value.value : null };
      if ('code' in value && 'message' in value)
        return { ok: false, code: String(value.code), message: String(value.message) };
    }
  } catch {
    // Fall through: text that is not JSON is as unreadable as JSON of another shape.
  }
  return {
    ok: false,
    code: 'unreadable',
    message: 'The running service gave an answer that this version does not know.',
  };
}

const root = 0;

/**
 * Checks who owns the control socket. The socket of a data folder with a long path is in /tmp under a predictable name:
 * another user could take the name first and answer commands in place of the service.
 *
 * Call it once the socket is connected; before that, another could still take its place.
 * @returns why the socket must not be spoken to, a sentence; null if it is this user's, the data folder's owner's or
 * root's
 */
function foreignSocket({ controlSocket, dataDir }: Layout): string | null {
  const own = process.geteuid?.();
  if (own === undefined) return null;
  const owner = ownerOf(() => lstatSync(controlSocket));
  if (owner === null)
    return `The control socket ${controlSocket} was removed as soon as it was connected to.`;
  if (owner === own || owner === root || owner === ownerOf(() => statSync(dataDir))) return null;
  return `The control socket ${controlSocket} belongs to another user (${owner}) and is not used. Have it removed, or choose a data folder with a shorter path: its socket is then in that folder.`;
}

/** Null if it is unknown. */
function ownerOf(look: () => { readonly uid: number }): number | null {
  try {
    return look().uid;
  } catch {
    return null;
  }
}
