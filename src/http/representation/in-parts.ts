/** Sends the answer to a batch in parts, each as it arrives, while a query thread makes the rest (decision 138). */
import { freeMemory } from '../../protocol/json-bytes.ts';
import type { Answer, TakePart } from '../../protocol/questions.ts';
import type { Delivery } from '../bodies/delivery.ts';
import type { Exchange, PartsTaker, ReadExchange, WithPublication } from '../exchange.ts';
import { type BodyOf200, negotiate } from '../headers.ts';
import { type PublishedContent, withhold } from '../respond.ts';
import type { StepParts } from '../step.ts';

type PartedParts = Pick<StepParts, 'config' | 'bodies'>;

/** Makes the body around the parts. */
interface PartsWriter {
  /** The beginning, with the first part, in the caller's memory. */
  opening(data: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The end, with the last part, in the caller's memory. */
  closing(data: Uint8Array, meta: Uint8Array, self: string): Uint8Array<ArrayBuffer>;
  ok(
    exchange: Exchange,
    content: Pick<PublishedContent, 'publication' | 'link'>,
    tag: string,
    body: BodyOf200,
  ): Response;
}

/**
 * Null if the answer is sent in one piece: compression needs the whole body, an answer without a body states its
 * length, and an undecided condition may end in 304.
 */
export function inParts(
  exchange: ReadExchange & WithPublication,
  parts: PartedParts,
  writer: PartsWriter,
): PartsTaker | null {
  const { method, request, tagCondition } = exchange;
  if (method !== 'GET' || tagCondition !== null) return null;
  if (request.headers.has('if-modified-since') || negotiate(request, parts.config).coding !== null)
    return null;
  return new AnswerInParts(exchange, parts, writer);
}

class AnswerInParts implements PartsTaker {
  readonly #exchange: ReadExchange & WithPublication;
  readonly #parts: PartedParts;
  readonly #writer: PartsWriter;
  #hasBegun = false;
  /** Null before the first part, and if the budget has no room for the body. */
  #delivery: Delivery | null = null;

  constructor(exchange: ReadExchange & WithPublication, parts: PartedParts, writer: PartsWriter) {
    this.#exchange = exchange;
    this.#parts = parts;
    this.#writer = writer;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  readonly add: TakePart = (data) => {
    try {
      if (this.#hasBegun) this.#delivery?.add(new Uint8Array(data));
      else this.#begin(data);
    } catch (error) {
      this.#delivery?.breakOff();
      throw error;
    }
  };

  #begin(data: Uint8Array): void {
    this.#hasBegun = true;
    const exchange = this.#exchange;
    const opening = this.#writer.opening(data);
    const share = this.#parts.bodies.take(exchange.client, opening.length);
    if ('shortage' in share) {
      freeMemory(opening);
      withhold(exchange, share);
      return;
    }
    const delivery = this.#parts.bodies.begin(share, exchange.request.signal);
    this.#delivery = delivery;
    delivery.add(opening);
    const { publication, reading } = exchange;
    const tag = publication.tag('identity', reading.self);
    exchange.begin(this.#writer.ok(exchange, { publication, link: null }, tag, delivery.stream));
  }

  /** Takes the last part. Without one the connection is broken off, so that nobody takes the body for complete. */
  end(answer: Answer): void {
    const delivery = this.#delivery;
    if (delivery === null) return;
    const exchange = this.#exchange;
    const { publication, reading } = exchange;
    if (answer.outcome === 'found') {
      delivery.add(this.#writer.closing(answer.data, publication.meta(answer.notices), reading.self));
      delivery.complete();
    } else {
      delivery.breakOff();
      exchange.giveUp(answer.outcome === 'unavailable' ? answer.reason : 'failed');
    }
    exchange.bodyBytes = delivery.bytes;
    exchange.complete();
  }
}
