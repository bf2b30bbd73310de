/** Sends pages with entity tag, 304 and content coding. Each page is made and coded once. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Config } from '../../config.ts';
import type { Coding } from '../../protocol/questions.ts';
import type { Page } from '../pages/definition.ts';
import { matchesTag, readTagCondition } from './conditional.ts';
import { isLarge, negotiate } from './encoding.ts';
import { tagOf } from './header-values.ts';
import { commonHeaders } from './headers.ts';

/** Compresses in the runtime's own threads, and harder than answers: each page is coded once. */
const coders: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: promisify(zlib.zstdCompress),
  br: (bytes) =>
    promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify(zlib.gzip),
};

/** For pages that are made for one visit. */
const quickCoders: typeof coders = {
  ...coders,
  br: (bytes) =>
    promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }),
};

/** Smaller pages are not coded. The bound is lower than that of answers, because fixed pages are coded once. */
const codedFromBytes = 512;

interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
  readonly coding: Coding | null;
}

/** @param key names the page: each is made once */
export type RespondFixed = (request: Request, key: string, page: () => Page) => Promise<Response>;

export function createPageResponse(config: Pick<Config, 'compression'>): RespondFixed {
  const pages = new Map<string, Page>();
  const made = new Map<string, Promise<Representation>>();
  const represent = (path: string, page: Page, coding: Coding | null): Promise<Representation> => {
    const key = `${coding ?? ''} ${path}`;
    let pending = made.get(key);
    if (pending === undefined) {
      pending = makeRepresentation(page, coding);
      made.set(key, pending);
    }
    return pending;
  };
  return async (request, path, makePage) => {
    let page = pages.get(path);
    if (page === undefined) {
      page = makePage();
      pages.set(path, page);
    }
    const { coding } = page.body.length > codedFromBytes ? negotiate(request, config) : { coding: null };
    const representation = await represent(path, page, coding);
    return responseOf(request, representation, 200, headersOf(page, representation.tag));
  };
}

/**
 * Sends a page that was made for one visit: with the tag of its bytes, 304, and a quick coding.
 * @param init has all headers except those of the body
 */
export async function respondMade(
  request: Request,
  body: Page['body'],
  config: Pick<Config, 'compression'>,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
): Promise<Response> {
  const plain = bytesOf(body);
  const { coding } = isLarge(plain) ? negotiate(request, config) : { coding: null };
  const bytes = coding === null ? plain : new Uint8Array(await quickCoders[coding](plain));
  const made = new Headers(headers);
  if (status === 200 && made.get('Cache-Control') !== 'no-store') made.set('ETag', tagOf(bytes));
  return responseOf(request, { bytes, coding }, status, made);
}

function bytesOf(body: Page['body']): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

async function makeRepresentation(page: Page, coding: Coding | null): Promise<Representation> {
  const plain = bytesOf(page.body);
  const bytes = coding === null ? plain : new Uint8Array(await coders[coding](plain));
  return { bytes, tag: tagOf(bytes), coding };
}

function headersOf(page: Page, tag: string): Headers {
  return new Headers({
    ETag: tag,
    // Caches must ask again: a new version of the service changes pages at once.
    'Cache-Control': 'public, no-cache',
    'X-Content-Type-Options': commonHeaders['X-Content-Type-Options'],
    'Referrer-Policy': 'no-referrer',
    ...page.headers,
    'Content-Type': page.contentType,
  });
}

/** 304 to the current tag of a page that has one. @param headers all but those of the body */
function responseOf(
  request: Request,
  { bytes, coding }: Omit<Representation, 'tag'>,
  status: number,
  headers: Headers,
): Response {
  const tag = headers.get('ETag');
  const condition = request.headers.get('If-None-Match');
  if (tag !== null && condition !== null && matchesTag(readTagCondition(condition), tag)) {
    headers.delete('Content-Type');
    return new Response(null, { status: 304, headers });
  }
  headers.set('Content-Length', String(bytes.length));
  if (coding !== null) headers.set('Content-Encoding', coding);
  return new Response(bytes, { status, headers });
}
