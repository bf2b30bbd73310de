/** Sends the answer to a batch in parts, each as it arrives, while a query thread makes the rest (decision 138). */
import { freeMemory } from '../../../protocol/free-memory.ts';
import type { Answer } from '../../../protocol/questions.ts';
import type { Delivery } from '../../bodies/delivery.ts';
import { negotiate } from '../encoding.ts';
import type { Chosen, Read } from '../exchange.ts';
import { clientOf, refuseLarge } from './large.ts';
import type { LayerParts, Refuse } from './layer.ts';
import { ok } from './responses.ts';

/**
 * Null if the answer is sent in one piece: compression needs the whole body, an answer without a body states its
 * length, and an undecided condition may end in 304.
 */
export function inParts(exchange: Read & Chosen, parts: LayerParts, refuse: Refuse): AnswerInParts | null {
  const { method, request, tagCondition } = exchange;
  if (method !== 'GET' || tagCondition !== null) return null;
  if (request.headers.has('if-modified-since') || negotiate(request, parts.config).coding !== null)
    return null;
  return new AnswerInParts(exchange, parts, refuse);
}

class AnswerInParts {
  readonly #exchange: Read & Chosen;
  readonly #parts: LayerParts;
  readonly #refuse: Refuse;
  #hasBegun = false;
  /** Null before the first part, and if the budget has no room for the body. */
  #delivery: Delivery | null = null;

  constructor(exchange: Read & Chosen, parts: LayerParts, refuse: Refuse) {
    this.#exchange = exchange;
    this.#parts = parts;
    this.#refuse = refuse;
  }

  /** True once a part has arrived. The request is then answered, and {@link end} ends the body. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** @param data valid only during the call */
  readonly add = (data: Uint8Array): void => {
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
    const { bodies, envelope } = this.#parts;
    const exchange = this.#exchange;
    const opening = envelope.opening(data);
    const share = bodies.take(clientOf(exchange), opening.length);
    if ('shortage' in share) {
      freeMemory(opening);
      refuseLarge(exchange, share, this.#refuse);
      return;
    }
    const delivery = bodies.begin(share, exchange.request.signal);
    this.#delivery = delivery;
    delivery.add(opening);
    const tag = exchange.publication.tag('identity', exchange.reading.self);
    exchange.begin(ok(exchange, delivery.stream, null, tag, this.#parts));
  }

  /** Takes the last part. Without one the connection is broken off, so that nobody takes the body for complete. */
  end(answer: Answer): void {
    const delivery = this.#delivery;
    if (delivery === null) return;
    const exchange = this.#exchange;
    const { publication, reading } = exchange;
    if (answer.outcome === 'found') {
      delivery.add(this.#parts.envelope.closing(answer.data, publication.meta(answer.notices), reading.self));
      delivery.complete();
    } else {
      delivery.breakOff();
      exchange.giveUp(answer.outcome === 'unavailable' ? answer.reason : 'failed');
    }
    exchange.bodyBytes = delivery.bytes;
    exchange.complete();
  }
}
