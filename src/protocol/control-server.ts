/** The service's end of the control socket (see control.ts): mode 0600, JSON lines, bounded. */

import { chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import type { Socket } from 'bun';
import { isMissing, reasonOf } from '../errors.ts';
import { identityOf } from '../publication/files.ts';
import { type ControlRequest, ControlRequestSchema, type ControlResponse } from './control.ts';
import { controlLimits } from './control-limits.ts';
import { type LineReader, type LineWriter, lineReader, lineWriter } from './line-stream.ts';

export interface ControlServer {
  /**
   * Listens again if the socket's file is gone, for example because /tmp was cleaned. Does nothing if another folder
   * has replaced the file's. A failure is tried again at the next call.
   */
  tend(): void;
  /** Stops listening, ends open connections and removes the socket file. */
  stop(): void;
}

/** Answers a request; a rejection is answered with code `internal`. */
export type ControlHandler = (request: ControlRequest) => Promise<ControlResponse>;

interface CommandConnection {
  reader: LineReader;
  writer: LineWriter;
}

/**
 * Listens on a Unix socket. Removes a file left at this path, so the caller must make sure that no other service
 * answers there. Throws if the folder can't be written.
 */
export function serveControl(path: string, handle: ControlHandler): ControlServer {
  rmSync(path, { force: true });
  const open = new Set<Socket<CommandConnection>>();
  let server = listen(path, open, handle);
  const folder = identityAt(dirname(path));
  return {
    tend() {
      if (identityAt(path) !== null || identityAt(dirname(path)) !== folder) return;
      // Open connections stay open.
      server.stop(false);
      try {
        server = listen(path, open, handle);
      } catch {
        // No room or no permission. The service works without the socket, and the next call tries again.
      }
    },
    stop() {
      server.stop(true);
      for (const socket of open) socket.terminate();
      rmSync(path, { force: true });
    },
  };
}

function listen(path: string, open: Set<Socket<CommandConnection>>, handle: ControlHandler) {
  // The mask protects the socket from its first moment. A chmod alone would leave it open to others for a moment.
  const mask = process.umask(0o177);
  try {
    const server = Bun.listen<CommandConnection>({ unix: path, socket: connectionHandlers(open, handle) });
    chmodSync(path, 0o600);
    return server;
  } finally {
    process.umask(mask);
  }
}

/** The identity of the file or folder at a path: null if nothing is there, '' if it can't be read. */
function identityAt(path: string): string | null {
  try {
    return identityOf(path);
  } catch (error) {
    return isMissing(error) ? null : '';
  }
}

function connectionHandlers(open: Set<Socket<CommandConnection>>, handle: ControlHandler) {
  return {
    open(socket: Socket<CommandConnection>) {
      const writer = lineWriter();
      const onLine = (line: string) => void answer(socket, writer, line, handle);
      socket.data = { reader: lineReader(controlLimits.messageBytesMax, onLine), writer };
      if (open.size < controlLimits.connectionsMax) open.add(socket);
      else socket.terminate();
    },
    data(socket: Socket<CommandConnection>, piece: Buffer) {
      if (!socket.data.reader.take(piece)) socket.terminate();
    },
    drain: (socket: Socket<CommandConnection>) => socket.data.writer.drain(socket),
    close: (socket: Socket<CommandConnection>) => void open.delete(socket),
    error: (socket: Socket<CommandConnection>) => void open.delete(socket),
  };
}

async function answer(
  socket: Socket<CommandConnection>,
  writer: LineWriter,
  line: string,
  handle: ControlHandler,
): Promise<void> {
  writer.write(socket, await respond(line, handle));
}

async function respond(line: string, handle: ControlHandler): Promise<ControlResponse> {
  const request = parseRequest(line);
  if (request === null) {
    return {
      ok: false,
      code: 'bad-request',
      message: 'The line is not a request that this version of the service knows.',
    };
  }
  try {
    return await handle(request);
  } catch (error) {
    return { ok: false, code: 'internal', message: reasonOf(error) };
  }
}

/** Null if the line has no known shape. */
function parseRequest(line: string): ControlRequest | null {
  try {
    const value: unknown = JSON.parse(line);
    return Value.Check(ControlRequestSchema, value) ? value : null;
  } catch {
    return null;
  }
}
