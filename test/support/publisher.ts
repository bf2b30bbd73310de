/**
 * Runs a publisher on a local port with the answers of GLEIF's two publishing services. It misbehaves on demand: each
 * path has a list of mishaps, one for each request, before it answers properly.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export type Mishap =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Sends this many bytes of the announced body, then nothing, and keeps the connection open. */
  | { readonly silentAfter: number }
  /** Answers a Range request with this many bytes only, as a server may. */
  | { readonly pieceOf: number }
  /** Ignores Range, as a server without support for it. */
  | { readonly whole: true };

export interface Served {
  body: Uint8Array | string;
  type?: string;
  etag?: string;
  lastModified?: string;
  /** Sent in gzip, whether or not the client accepts it. */
  packed?: boolean;
}

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface Publisher {
  readonly url: string;
  readonly heard: Heard[];
  serve(path: string, served: Served): void;
  redirect(path: string, to: string): void;
  mishaps(path: string, ...mishaps: Mishap[]): void;
  /** Closes every connection, even in the middle of an answer. */
  dropLines(): void;
  stop(): Promise<void>;
}

export async function startPublisher(): Promise<Publisher> {
  const served = new Map<string, Served>();
  const redirects = new Map<string, string>();
  const mishaps = new Map<string, Mishap[]>();
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    heard.push({ method: request.method ?? '', path, headers: request.headers });
    const target = redirects.get(path);
    if (target !== undefined) return void response.writeHead(302, { location: target }).end();
    answer(request, response, served.get(path), mishaps.get(path)?.shift());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    serve: (path, what) => void served.set(path, what),
    redirect: (path, to) => void redirects.set(path, to),
    mishaps: (path, ...list) => void mishaps.set(path, list),
    dropLines: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served | undefined,
  mishap: Mishap | undefined,
): void {
  if (request.headers.accept === 'application/json') return void response.writeHead(406).end();
  if (mishap !== undefined && 'status' in mishap) {
    return void response.writeHead(mishap.status, mishap.headers).end('<html>Sorry</html>');
  }
  if (served === undefined) return void response.writeHead(404).end('<html>Not found</html>');
  const body = served.packed === true ? gzipSync(served.body) : Buffer.from(served.body);
  const from = mishap !== undefined && 'whole' in mishap ? 0 : startOf(request, served);
  if (from > 0 && from >= body.length) return void response.writeHead(416).end();
  const rest = body.subarray(from, from + pieceOf(mishap));
  const headers = headersOf(served, rest.length);
  if (from > 0) headers['content-range'] = `bytes ${from}-${from + rest.length - 1}/${body.length}`;
  response.writeHead(from > 0 ? 206 : 200, headers);
  if (request.method === 'HEAD') return void response.end();
  send(response, rest, mishap);
}

function headersOf({ type, packed, etag, lastModified }: Served, length: number): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': type ?? 'application/json',
    'content-length': String(length),
  };
  if (packed === true) headers['content-encoding'] = 'gzip';
  if (etag !== undefined) headers['etag'] = etag;
  if (lastModified !== undefined) headers['last-modified'] = lastModified;
  return headers;
}

function pieceOf(mishap: Mishap | undefined): number {
  return mishap !== undefined && 'pieceOf' in mishap ? mishap.pieceOf : Number.POSITIVE_INFINITY;
}

function send(response: ServerResponse, body: Buffer, mishap: Mishap | undefined): void {
  if (mishap !== undefined && 'silentAfter' in mishap) {
    response.write(body.subarray(0, mishap.silentAfter));
  } else {
    response.end(body);
  }
}

/** The start of the requested range; 0 unless If-Range names the present file. */
function startOf(request: IncomingMessage, served: Served): number {
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const condition = request.headers['if-range'];
  const same = condition !== undefined && (condition === served.etag || condition === served.lastModified);
  return range !== null && same ? Number(range[1]) : 0;
}

/** One entry of `full_file` or `delta_files`, as the publishing service writes it. */
export function fileEntry(url: string, bytes: number, records: number) {
  return { url, record_count: records, size: bytes, size_human_readable: `${bytes} B` };
}

/** The answer of `…/publishes/latest`. */
export function publishAnswer(publishDate: string, families: Readonly<Record<string, object>>): string {
  const data: Record<string, unknown> = { publish_date: publishDate };
  for (const [type, files] of Object.entries(families)) data[type] = { type, ...files };
  return JSON.stringify({ data });
}

/** The answer of `…/isin-lei/latest` and similar addresses. */
export function mappingAnswer(fileName: string, downloadLink: string): string {
  return JSON.stringify({
    data: {
      type: 'isin-lei',
      id: '0b7e2b7e',
      attributes: { fileName, downloadLink, uploadedAt: '2026-10-04' },
    },
  });
}
