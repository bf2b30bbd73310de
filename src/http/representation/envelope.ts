/**
 * How the API answers: an envelope of `data`, `meta` and `links`, and problems (RFC 9457). The envelope is joined as
 * bytes: `data` arrives as finished JSON from a query thread.
 */

import type { Notices } from '../../lei/notices.ts';
import { JsonBytes, type JsonPiece, piece } from '../../protocol/json-bytes.ts';
import type { FoundAnswer, PartsTaker, ReadExchange, WithPublication } from '../exchange.ts';
import { type PublishedContent, PublishedRepresentation } from '../respond.ts';
import type { StepParts } from '../step.ts';
import { inParts } from './in-parts.ts';
import { problems } from './problems.ts';

const dataPiece = piece('{"data":');
const metaPiece = piece(',"meta":');
const nextPiece = piece('","next":"');
const endPiece = piece('"}}');
const fixedBytes = [dataPiece, metaPiece, nextPiece, endPiece].reduce((sum, { length }) => sum + length, 0);

type EnvelopeParts = Pick<StepParts, 'config' | 'pool' | 'bodies' | 'cursors' | 'baseUrl'>;

export class EnvelopeRepresentation extends PublishedRepresentation {
  readonly #parts: EnvelopeParts;
  /** One buffer for all bodies: a body is copied, or the buffer is handed over with it, before another is made. */
  readonly #buffer = new JsonBytes();
  readonly #selfPiece: JsonPiece;

  constructor(parts: EnvelopeParts) {
    super('application/json', problems(parts.baseUrl), parts);
    // The path of LEI_BASE_URL, percent-encoded; '' for none.
    const { basePath } = parts.config;
    this.#parts = parts;
    this.#selfPiece = piece(`,"links":{"self":"${basePath}`);
  }

  /** The answer of a query thread in its envelope. */
  answer(
    exchange: ReadExchange & WithPublication,
    { data, notices, next: position }: FoundAnswer,
  ): PublishedContent {
    const { publication, reading } = exchange;
    const next = position === null ? null : this.#seal(exchange, position);
    const link = next === null ? null : `<${this.#parts.config.basePath}${reading.pageAt(next)}>; rel="next"`;
    this.#write(data, publication.meta(notices), reading.self, next);
    return this.#content(exchange, reading.self, true, link);
  }

  /**
   * An answer of the front itself, whose tag is that of its data: the publication alone does not determine it.
   * @param data finished JSON
   */
  own(exchange: WithPublication, data: string, notices: Notices): PublishedContent {
    const { publication, endpoint } = exchange;
    this.#write(Buffer.from(data), publication.meta(notices), endpoint.template, null);
    return this.#content(exchange, data, false, null);
  }

  /** Takes an answer that comes in parts; null if it must come in one piece. */
  inParts(exchange: ReadExchange & WithPublication): PartsTaker | null {
    return inParts(exchange, this.#parts, this);
  }

  #content(
    { publication }: WithPublication,
    tagged: string,
    isDated: boolean,
    link: string | null,
  ): PublishedContent {
    return { body: this.#buffer.bytes(), buffer: this.#buffer, publication, tagged, isDated, link };
  }

  #seal({ publication, reading }: ReadExchange & WithPublication, position: string): string {
    return this.#parts.cursors.seal({ publicationId: publication.id, position }, reading.scope);
  }

  /**
   * @param data finished JSON
   * @param meta finished JSON
   * @param self path and query below the base path, percent-encoded: ASCII that needs no escape in JSON
   * @param next cursor value, base64url; null on the last page
   */
  #write(data: Uint8Array, meta: Uint8Array, self: string, next: string | null): void {
    const body = this.#buffer;
    const texts = self.length + (next?.length ?? 0);
    // UTF-8 takes at most three bytes for each UTF-16 unit.
    body.begin(data.length + meta.length + 3 * texts + this.#selfPiece.length + fixedBytes);
    body.put(dataPiece);
    body.block(data);
    this.#writeAfterData(meta, self, next);
  }

  #writeAfterData(meta: Uint8Array, self: string, next: string | null): void {
    const body = this.#buffer;
    body.put(metaPiece);
    body.block(meta);
    body.put(this.#selfPiece);
    body.text(self);
    if (next !== null) {
      body.put(nextPiece);
      body.text(next);
    }
    body.put(endPiece);
  }

  /** The beginning of a body whose data comes in parts, with the first of them, in the caller's memory. */
  opening(data: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#buffer.begin();
    this.#buffer.put(dataPiece);
    this.#buffer.block(data);
    return new Uint8Array(this.#buffer.bytes());
  }

  /** The end of such a body, with the rest of the data, in the caller's memory. */
  closing(data: Uint8Array, meta: Uint8Array, self: string): Uint8Array<ArrayBuffer> {
    this.#buffer.begin();
    this.#buffer.block(data);
    this.#writeAfterData(meta, self, null);
    return new Uint8Array(this.#buffer.bytes());
  }
}
