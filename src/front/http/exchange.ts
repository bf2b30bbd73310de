/** One request on its way through the onion: what each layer has found out for those inside it. */
import type { Answer } from '../../protocol/questions.ts';
import type { AccessRequest, Admission, BurstWindow, LimitHeaders } from '../contracts.ts';
import { readTagCondition, type TagCondition } from './conditional.ts';
import type { Endpoint } from './endpoints.ts';
import type { Parameters } from './parameters.ts';
import type { PublicationTexts } from './publication-texts.ts';

/** What validation makes of an address. */
export interface Reading {
  /** Checked and upper-cased; '' where the path has none. */
  readonly identifier: string;
  readonly parameters: Parameters;
  /** Canonical path. */
  readonly path: string;
  /** Canonical filters; '' where there are none. */
  readonly filters: string;
  /** Canonical path and query: `links.self`, and what the entity tag is made over. */
  readonly self: string;
  /** From the cursor; null on a first page. */
  readonly position: string | null;
  /** The publication that the cursor is pinned to; null on a first page. */
  readonly pinnedTo: string | null;
}

export type FoundAnswer = Extract<Answer, { outcome: 'found' }>;

/** Gives the socket's peer address, or '' where the connection is gone already. */
export type PeerOf = (request: Request) => string;

/** Also the request that access looks at: what access does not ask for is never fetched. */
export class Exchange implements AccessRequest {
  readonly request: Request;
  readonly endpoint: Endpoint;
  readonly requestId: string;
  /** Epoch milliseconds at arrival. */
  readonly now: number;
  readonly #peerOf: PeerOf;
  #reading: Reading | null = null;
  #publication: PublicationTexts | null = null;
  #found: FoundAnswer | null = null;
  #tagCondition: TagCondition | null | undefined;

  admission: Admission | null = null;
  limits: LimitHeaders | null = null;

  constructor(request: Request, endpoint: Endpoint, requestId: string, now: number, peerOf: PeerOf) {
    this.request = request;
    this.endpoint = endpoint;
    this.requestId = requestId;
    this.now = now;
    this.#peerOf = peerOf;
  }

  /** If-None-Match; null where the client sent none. */
  get tagCondition(): TagCondition | null {
    if (this.#tagCondition === undefined) {
      const header = this.request.headers.get('if-none-match');
      this.#tagCondition = header === null ? null : readTagCondition(header);
    }
    return this.#tagCondition;
  }

  get authorization(): string | null {
    return this.request.headers.get('authorization');
  }

  get forwardedFor(): string | null {
    return this.request.headers.get('x-forwarded-for');
  }

  get peer(): string {
    return this.#peerOf(this.request);
  }

  get window(): BurstWindow {
    return this.endpoint.window;
  }

  get reading(): Reading {
    return found(this.#reading);
  }

  set reading(reading: Reading) {
    this.#reading = reading;
  }

  /** The publication that answers. */
  get publication(): PublicationTexts {
    return found(this.#publication);
  }

  set publication(publication: PublicationTexts) {
    this.#publication = publication;
  }

  /** Id of the publication that answers, where the request came that far. */
  get publicationId(): string | null {
    return this.#publication?.id ?? null;
  }

  get found(): FoundAnswer {
    return found(this.#found);
  }

  set found(answer: FoundAnswer) {
    this.#found = answer;
  }

  /** Gives back what the request cost: a 503 is on us. */
  refund(): void {
    if (this.admission?.outcome === 'admitted') this.limits = this.admission.refund();
  }
}

/** A layer may rely on those outside it. */
function found<T>(value: T | null): T {
  if (value === null) throw new Error('A layer asked for what no layer outside it has found out.');
  return value;
}
