/** Sends pages and files: with the tag of their bytes, coded in the runtime's own threads. */
import { promisify } from 'node:util';
import type { Config } from '../../config.ts';
import type { Coding } from '../../protocol/questions.ts';
import type { Errors, Exchange } from '../exchange.ts';
import type { Variant } from '../headers.ts';
import { type Content, type Representation, wholeBody } from '../respond.ts';

export interface PageContent extends Content {
  readonly status: number;
  /** All headers but those of the body. */
  readonly headers: Headers;
  /** The entity tag of the uncoded body; null for a page that no cache keeps. */
  readonly tag: string | null;
  /** The body in a coding. */
  coded(coding: Coding): Promise<Uint8Array<ArrayBuffer>>;
}

function codersOf(
  zlib: typeof import('node:zlib'),
  quality: number,
): Readonly<Record<Coding, (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>>> {
  return {
    zstd: promisify(zlib.zstdCompress),
    br: (bytes) =>
      promisify(zlib.brotliCompress)(bytes, {
        params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality },
      }),
    gzip: promisify(zlib.gzip),
  };
}

/** @param quality of Brotli: bodies that are coded once are worth more work than those of one visit */
export function coder(quality: number) {
  let coders: ReturnType<typeof codersOf> | null = null;
  return async (bytes: Uint8Array<ArrayBuffer>, coding: Coding): Promise<Uint8Array<ArrayBuffer>> => {
    coders ??= codersOf(await import('node:zlib'), quality);
    return new Uint8Array(await coders[coding](bytes));
  };
}

export class PageRepresentation implements Representation<PageContent, string | null> {
  readonly config: Pick<Config, 'compression'>;
  readonly codedFromBytes: number;
  readonly problem: Errors['problem'];

  constructor(config: Pick<Config, 'compression'>, codedFromBytes: number, problem: Errors['problem']) {
    this.config = config;
    this.codedFromBytes = codedFromBytes;
    this.problem = problem;
  }

  /** Each coding has its own tag, known before the body is coded. */
  tag({ tag }: PageContent, variant: Variant): string | null {
    const isCoded = variant !== 'small' && variant !== 'identity';
    return tag !== null && isCoded ? `${tag.slice(0, -1)}-${variant}"` : tag;
  }

  modifiedAt(): null {
    return null;
  }

  notModified(_exchange: Exchange, tag: string, { headers }: PageContent): Response {
    headers.set('ETag', tag);
    headers.delete('Content-Type');
    return new Response(null, { status: 304, headers });
  }

  send(exchange: Exchange, content: PageContent, tag: string | null): void {
    exchange.respond(pageResponse(exchange, content, content.body, tag));
  }

  sendCoded(exchange: Exchange, content: PageContent, coding: Coding): void {
    exchange.after(content.coded(coding), (bytes) => {
      content.headers.set('Content-Encoding', coding);
      exchange.respond(pageResponse(exchange, content, bytes, this.tag(content, coding)));
    });
  }
}

function pageResponse(
  { method }: Exchange,
  { status, headers }: PageContent,
  body: Uint8Array<ArrayBuffer>,
  tag: string | null,
): Response {
  if (tag !== null) headers.set('ETag', tag);
  headers.set('Content-Length', String(body.length));
  return new Response(wholeBody(method, body), { status, headers });
}
