/**
 * Sends large bodies in pieces, as fast as the client reads them, and the answer to a batch in parts, each as it arrives,
 * while a query thread makes the rest (decision 138). A client with too many in flight is refused (503).
 */
import { freeMemory } from '../../../protocol/free-memory.ts';
import type { Answer } from '../../../protocol/questions.ts';
import type { Refusal } from '../../bodies/bodies.ts';
import type { Share } from '../../bodies/budget.ts';
import type { Delivery } from '../../bodies/delivery.ts';
import { bodyLimits } from '../../bodies/limits.ts';
import { negotiate, type Variant } from '../encoding.ts';
import type { Chosen, Exchange, Read } from '../exchange.ts';
import { type BodyOf200, coded } from '../headers.ts';
import type { ProblemDetails } from '../problem.ts';
import type { LayerParts, Refuse } from './layer.ts';

/** The facts that a large body is sent with. */
interface Tagging {
  /** The text under the entity tag. */
  readonly tagged: string;
  readonly link: string | null;
}

/** Takes over the memory of the last body, so call it before the next one is made. */
export function respondLarge(exchange: Chosen, tagging: Tagging, variant: Variant, parts: LayerParts): void {
  const body = parts.envelope.keepLast();
  const share = parts.bodies.take(exchange.client, body.length);
  if ('shortage' in share) {
    freeMemory(body);
    refuseLarge(exchange, share, parts.refuse);
    return;
  }
  const send = (bytes: Uint8Array<ArrayBuffer>, sent: Variant) =>
    exchange.respond(responseOf(exchange, { ...tagging, bytes, share, variant: sent }, parts));
  if (variant === 'small' || variant === 'identity') {
    send(body, variant);
    return;
  }
  exchange.ask(parts.pool, exchange.publication, { kind: 'compress', coding: variant, body }, (packed) => {
    if (packed.outcome === 'compressed') {
      freeMemory(body);
      share.resize(packed.bytes.length);
      send(new Uint8Array(packed.bytes), variant);
    } else {
      // No thread has time to compress it: send it uncoded.
      send(body, 'identity');
    }
  });
}

interface Large extends Tagging {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly share: Share;
  readonly variant: Variant;
}

function responseOf(exchange: Chosen, large: Large, parts: LayerParts): Response {
  const { tagged, link, variant, bytes } = large;
  const { length } = bytes;
  exchange.bodyBytes = length;
  const tag = exchange.publication.tag(variant, tagged);
  const response = parts.responses.ok(exchange, bodyOf(exchange, large, parts), tag, link);
  if (exchange.method === 'HEAD') response.headers.set('Content-Length', String(length));
  return variant === 'small' || variant === 'identity' ? response : coded(response, variant);
}

/** A coded body may be small enough to be sent at once; HEAD sends none. */
function bodyOf({ method, request }: Chosen, { bytes, share }: Large, { bodies }: LayerParts): BodyOf200 {
  const isHead = method === 'HEAD';
  if (!isHead && bytes.length > bodyLimits.weighedBytes) return bodies.deliver(bytes, share, request.signal);
  share.free();
  if (!isHead) return bytes;
  freeMemory(bytes);
  return null;
}

/** The caller pays nothing. */
export function refuseLarge(exchange: Exchange, refusal: Refusal, refuse: Refuse): void {
  exchange.refund();
  refuse(exchange, tooMuchInFlight(refusal));
}

const details: Readonly<Record<Refusal['shortage'], string>> = {
  all: 'Too many large answers are being sent at the moment.',
  client: 'Too many large answers are being sent to this client, or it reads them too slowly.',
};

function tooMuchInFlight({ shortage, retryAfterSeconds }: Refusal): ProblemDetails {
  return {
    name: 'unavailable',
    detail: details[shortage],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}

/**
 * Null if the answer is sent in one piece: compression needs the whole body, an answer without a body states its
 * length, and an undecided condition may end in 304.
 */
export function inParts(exchange: Read & Chosen, parts: LayerParts): AnswerInParts | null {
  const { method, request, tagCondition } = exchange;
  if (method !== 'GET' || tagCondition !== null) return null;
  if (request.headers.has('if-modified-since') || negotiate(request, parts.config).coding !== null)
    return null;
  return new AnswerInParts(exchange, parts);
}

class AnswerInParts {
  readonly #exchange: Read & Chosen;
  readonly #parts: LayerParts;
  #hasBegun = false;
  /** Null before the first part, and if the budget has no room for the body. */
  #delivery: Delivery | null = null;

  constructor(exchange: Read & Chosen, parts: LayerParts) {
    this.#exchange = exchange;
    this.#parts = parts;
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
    const { bodies, envelope, responses, refuse } = this.#parts;
    const exchange = this.#exchange;
    const opening = envelope.opening(data);
    const share = bodies.take(exchange.client, opening.length);
    if ('shortage' in share) {
      freeMemory(opening);
      refuseLarge(exchange, share, refuse);
      return;
    }
    const delivery = bodies.begin(share, exchange.request.signal);
    this.#delivery = delivery;
    delivery.add(opening);
    const tag = exchange.publication.tag('identity', exchange.reading.self);
    exchange.begin(responses.ok(exchange, delivery.stream, tag, null));
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
